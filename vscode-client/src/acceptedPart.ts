/**
 * Which part of an offer was accepted, seen from the edits: what an editor does when a word or a line is accepted is
 * no public event. Pure; `partialAccept.ts` feeds it.
 *
 * An offer is followed as long as every edit writes on it. A piece of several characters was accepted; the next
 * character may as well have been typed, which counts only behind such a piece.
 */

/** An offer on screen: where in the document what is left of it begins, and what is left. */
export interface ShownOffer {
  readonly offset: number;
  readonly rest: string;
}

/** An edit: the text between two offsets is replaced. */
export interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** A part that was accepted ends at an offset; this is left of its offer. */
export type Part = ShownOffer;

export interface Followed {
  readonly offers: readonly ShownOffer[];
  readonly part: Part | undefined;
}

export const NOTHING: Followed = { offers: [], part: undefined };

/** The state after edits of the document, which were made at once. */
export function followEdits(known: Followed, edits: readonly Edit[]): Followed {
  const [edit] = edits;
  const onOffer = edits.length === 1 && edit && followedOnOffer(known, edit);
  if (onOffer) {
    return onOffer;
  }
  // Something else was written: elsewhere, as by what tidies a file before it is saved, it leaves a part open.
  const part = known.part && edits.reduce<Part | undefined>(moved, known.part);
  return { offers: [], part };
}

/** A part behind an edit somewhere else; undefined where the edit touches its end: it is the person's own then. */
function moved(part: Part | undefined, { offset, length, text }: Edit): Part | undefined {
  if (part === undefined || offset > part.offset) {
    return part;
  }
  const isInFront = offset + length < part.offset;
  return isInFront ? { ...part, offset: part.offset + text.length - length } : undefined;
}

/** Where an edit writes on an offer; undefined where it does something else. */
function followedOnOffer({ offers, part }: Followed, { offset, length, text }: Edit): Followed | undefined {
  const matching = offers.filter(
    (offer) => length === 0 && text !== "" && offer.offset === offset && offer.rest.startsWith(text),
  );
  if (matching.length === 0) {
    return undefined;
  }
  const still = matching
    .filter(({ rest }) => rest.length > text.length)
    .map(({ rest }) => ({ offset: offset + text.length, rest: rest.slice(text.length) }));
  // Accepted to its end, or no longer what is written: nothing is left to close.
  const [first] = still;
  if (first === undefined || still.length < matching.length) {
    return { offers: still, part: undefined };
  }
  const isAccepted = text.length > 1 || part?.offset === offset;
  return { offers: still, part: isAccepted ? first : undefined };
}

/** The part of an offer that an edit takes: its characters, and whether it is all. Typing a character is none. */
export interface Accepted {
  readonly characters: number;
  readonly isWhole: boolean;
}

export function acceptedOf({ offers }: Followed, { offset, length, text }: Edit): Accepted | undefined {
  const taken = offers.find(
    (offer) => length === 0 && text.length > 1 && offer.offset === offset && offer.rest.startsWith(text),
  );
  return taken && { characters: text.length, isWhole: taken.rest === text };
}

/** Whether one of these offers is not just the rest of one that has been on screen. */
export function isNew({ offers: before }: Followed, offers: readonly ShownOffer[]): boolean {
  return offers.length > 0 && !offers.some((offer) => before.some((known) => isSame(known, offer)));
}

function isSame(one: ShownOffer, other: ShownOffer): boolean {
  return one.offset === other.offset && one.rest === other.rest;
}

/** New offers take the place of those before. A part that ends where they begin goes on with them. */
export function offeredNow({ part }: Followed, offers: readonly ShownOffer[], cursor: number): Followed {
  const first = offers.find(({ offset }) => offset === cursor);
  if (part === undefined || part.offset !== cursor) {
    return { offers, part: undefined };
  }
  return { offers: [...offers, part], part: first ?? part };
}
