/**
 * A next edit, and the parts of it that are drawn: pure, so that tests need no editor.
 *
 * Old text is struck through with the new text beside it, by whole words and punctuation: if `width` becomes
 * `breadth`, both words are shown, and nothing of the lines around them.
 */

/** A position of LSP in a document. */
export interface Place {
  readonly line: number;
  readonly character: number;
}

/** An edit in the server's answer. */
export interface NextEdit {
  readonly textDocument: { readonly uri: string; readonly version: number | null };
  readonly range: { readonly start: Place; readonly end: Place };
  readonly text: string;
  /** The edits elsewhere in the same step: the imports of names in the new text. */
  readonly additionalTextEdits?: readonly {
    readonly range: { readonly start: Place; readonly end: Place };
    readonly newText: string;
  }[];
  readonly command?: { readonly command: string; readonly arguments?: readonly unknown[] };
  readonly reason?: string;
}

/** A piece of an edit: the struck range, as offsets in the old text, and the text beside it. */
export interface TextPiece {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Longer text beside the old one would push everything else off the screen. */
const MOST_DRAWN = 120;
/** Longer texts are not compared, because the cost is the product of their numbers of symbols. */
const MOST_STEPS = 250_000;

const SYMBOL = /[\p{L}\p{N}_]+|\s|./gsu;

/** The pieces in which two texts differ, by whole words and punctuation. */
export function pieces(old: string, text: string): TextPiece[] {
  const [olds, news] = [symbols(old), symbols(text)];
  const [oldStarts, newStarts] = [starts(olds), starts(news)];
  const found: { from: number; to: number; text: string }[] = [];
  let [at, place, isOpen] = [0, 0, false];
  const change = (removed: string, added: string) => {
    const last = found.at(-1);
    if (isOpen && last !== undefined) {
      last.to += removed.length;
      last.text += added;
    } else {
      found.push({ from: at, to: at + removed.length, text: added });
    }
    isOpen = true;
    at += removed.length;
    place += added.length;
  };
  for (const [i, j] of [...kept(olds, news), [olds.length, news.length] as const]) {
    const [from, next] = [oldStarts[i] ?? 0, newStarts[j] ?? 0];
    if (from > at || next > place) {
      change(old.slice(at, from), text.slice(place, next));
    }
    const symbol = olds[i] ?? "";
    at += symbol.length;
    place += symbol.length;
    isOpen = false;
  }
  return joined(found, old);
}

function symbols(text: string): string[] {
  return text.match(SYMBOL) ?? [];
}

/** The offset of each part, and the end of the last one. */
function starts(parts: readonly string[]): number[] {
  let at = 0;
  return [0, ...parts.map((part) => (at += part.length))];
}

/** The unchanged symbols, as pairs of indices: a longest common subsequence. */
function kept(olds: readonly string[], news: readonly string[]): [number, number][] {
  const shortest = Math.min(olds.length, news.length);
  let front = 0;
  while (front < shortest && olds[front] === news[front]) {
    front++;
  }
  let back = 0;
  while (back < shortest - front && olds[olds.length - 1 - back] === news[news.length - 1 - back]) {
    back++;
  }
  const between = middle(olds.slice(front, olds.length - back), news.slice(front, news.length - back), front);
  return [
    ...Array.from({ length: front }, (_, i): [number, number] => [i, i]),
    ...between,
    ...Array.from({ length: back }, (_, i): [number, number] => [
      olds.length - back + i,
      news.length - back + i,
    ]),
  ];
}

function middle(olds: readonly string[], news: readonly string[], front: number): [number, number][] {
  if (olds.length * news.length > MOST_STEPS) {
    return [];
  }
  const width = news.length + 1;
  const longest = new Uint32Array((olds.length + 1) * width);
  const value = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = olds.length - 1; i >= 0; i--) {
    for (let j = news.length - 1; j >= 0; j--) {
      longest[i * width + j] =
        olds[i] === news[j] ? value(i + 1, j + 1) + 1 : Math.max(value(i + 1, j), value(i, j + 1));
    }
  }
  const found: [number, number][] = [];
  let [i, j] = [0, 0];
  while (i < olds.length && j < news.length) {
    if (olds[i] === news[j]) {
      found.push([front + i++, front + j++]);
    } else if (value(i + 1, j) >= value(i, j + 1)) {
      i++;
    } else {
      j++;
    }
  }
  return found;
}

/** Pieces that only a blank separates are joined: `a b` becomes `c d` as a whole. */
function joined(found: readonly TextPiece[], old: string): TextPiece[] {
  const all: TextPiece[] = [];
  for (const piece of found) {
    const last = all.at(-1);
    const between = last === undefined ? "" : old.slice(last.to, piece.from);
    if (last !== undefined && /^[ \t]+$/.test(between)) {
      all[all.length - 1] = { from: last.from, to: piece.to, text: last.text + between + piece.text };
    } else {
      all.push(piece);
    }
  }
  return all;
}

/** A text on one line, for a decoration: line ends become marks, and a text that is too long is cut off. */
export function onOneLine(text: string): string {
  const line = text.replace(/\r\n|\r|\n/g, "⏎").replaceAll("\t", "→");
  const cut = line.length > MOST_DRAWN ? `${line.slice(0, MOST_DRAWN)}…` : line;
  // Decorations drop blanks at both ends, and collapse several into one.
  return cut.replaceAll(" ", "\u00a0");
}

/** Whether the cursor is at the edit, so that Tab accepts it instead of moving there. */
export function isThere(cursor: Place, { range }: NextEdit): boolean {
  return range.start.line <= cursor.line && cursor.line <= range.end.line;
}

/**
 * Whether Tab belongs to the edit. In a line's indentation Tab indents, unless the edit is there.
 */
export function hasTab(cursor: Place, line: string, edit: NextEdit, isElsewhere = false): boolean {
  const isIndenting = line.slice(0, cursor.character).trim() === "";
  return (!isElsewhere && isThere(cursor, edit)) || !isIndenting;
}

/** The direction of an edit from the visible lines; empty if it is visible. */
export function direction(line: number, first: number, last: number): "above" | "below" | "" {
  if (line < first) {
    return "above";
  }
  return line > last ? "below" : "";
}

/** The edit in an answer, if it is for the document's version and changes something. */
export function shownOf(
  answer: { readonly edits?: readonly NextEdit[] } | null | undefined,
  versionOf: (uri: string) => number | undefined,
): NextEdit | undefined {
  return (answer?.edits ?? []).find(
    ({ textDocument: { uri, version } }) => version !== null && versionOf(uri) === version,
  );
}

/** The last part of a document's path, as a title. */
export function nameOf(uri: string): string {
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
