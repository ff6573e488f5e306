/**
 * The accepted part of an offer, deduced from the edits, because VS Code has no public event for an accepted
 * word or line. Pure; `partialAccept.ts` feeds it.
 *
 * An offer is followed while every edit continues it. An edit of several characters is an acceptance. A
 * single character may have been typed, so it counts as accepted only behind such an edit.
 */

/** An offer on screen: the rest of its text, and the rest's offset in the document. */
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

/** An accepted part: the offset of its end, and the rest of its offer. */
export type Part = ShownOffer;

export interface Followed {
  readonly offers: readonly ShownOffer[];
  readonly part: Part | undefined;
}

export const NOTHING: Followed = { offers: [], part: undefined };

/** The state after simultaneous edits of the document. */
export function followEdits(known: Followed, edits: readonly Edit[]): Followed {
  const [edit] = edits;
  const onOffer = edits.length === 1 && edit && followedOnOffer(known, edit);
  if (onOffer) {
    return onOffer;
  }
  // An edit elsewhere, such as a formatter's before saving, leaves a part open.
  const part = known.part && edits.reduce<Part | undefined>(moved, known.part);
  return { offers: [], part };
}

/**
 * A part after an edit elsewhere; undefined if the edit touches its end, because the user continues it then.
 */
function moved(part: Part | undefined, { offset, length, text }: Edit): Part | undefined {
  if (part === undefined || offset > part.offset) {
    return part;
  }
  const isInFront = offset + length < part.offset;
  return isInFront ? { ...part, offset: part.offset + text.length - length } : undefined;
}

/** The state after an edit that continues an offer; undefined for any other edit. */
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
  // The offer was accepted to its end, or no longer matches: nothing is left to close.
  const [first] = still;
  if (first === undefined || still.length < matching.length) {
    return { offers: still, part: undefined };
  }
  const isAccepted = text.length > 1 || part?.offset === offset;
  return { offers: still, part: isAccepted ? first : undefined };
}

/**
 * The part of an offer that an edit accepts: its characters, and whether it is the whole. A typed character
 * is none.
 */
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

/** Whether one of these offers is more than the rest of an offer that was on screen. */
export function isNew({ offers: before }: Followed, offers: readonly ShownOffer[]): boolean {
  return offers.length > 0 && !offers.some((offer) => before.some((known) => isSame(known, offer)));
}

function isSame(one: ShownOffer, other: ShownOffer): boolean {
  return one.offset === other.offset && one.rest === other.rest;
}

/** New offers replace the earlier ones. A part that ends where they begin continues with them. */
export function offeredNow({ part }: Followed, offers: readonly ShownOffer[], cursor: number): Followed {
  const first = offers.find(({ offset }) => offset === cursor);
  if (part === undefined || part.offset !== cursor) {
    return { offers, part: undefined };
  }
  return { offers: [...offers, part], part: first ?? part };
}
