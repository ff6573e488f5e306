/**
 * What a next edit is, and what of it is drawn: pure, so that tests need no editor.
 *
 * Text is struck and put beside it by whole words: of `width` that becomes `breadth`, all of both is shown, and of the
 * line around them nothing.
 */

/** A place in a document, as LSP has it. */
export interface Place {
  readonly line: number;
  readonly character: number;
}

/** An edit as the server answers it. */
export interface NextEdit {
  readonly textDocument: { readonly uri: string; readonly version: number | null };
  readonly range: { readonly start: Place; readonly end: Place };
  readonly text: string;
  readonly command?: { readonly command: string; readonly arguments?: readonly unknown[] };
  readonly reason?: string;
}

/** What is drawn of an edit: from where to where the old text is struck, in characters of it, and the new text. */
export interface Drawn {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Longer text beside the old one would push everything else off the screen. */
const MOST_DRAWN = 120;

const WORD = /[\p{L}\p{N}_]/u;

/** What differs between two texts, by whole words. */
export function drawn(old: string, text: string): Drawn {
  const shortest = Math.min(old.length, text.length);
  let front = 0;
  while (front < shortest && old[front] === text[front]) {
    front++;
  }
  while (front > 0 && isInside(old, front, text, front)) {
    front--;
  }
  let back = 0;
  while (back < shortest - front && old[old.length - 1 - back] === text[text.length - 1 - back]) {
    back++;
  }
  while (back > 0 && isInside(old, old.length - back, text, text.length - back)) {
    back--;
  }
  return { from: front, to: old.length - back, text: text.slice(front, text.length - back) };
}

/** Whether a place cuts a word, in one of two texts. */
function isInside(old: string, oldPlace: number, text: string, place: number): boolean {
  return cuts(old, oldPlace) || cuts(text, place);
}

function cuts(text: string, place: number): boolean {
  const [before, behind] = [text[place - 1] ?? "", text[place] ?? ""];
  // Half of a character that takes two units is nothing that can be drawn.
  const isHalf = /[\uD800-\uDBFF]/.test(before) && /[\uDC00-\uDFFF]/.test(behind);
  return isHalf || (WORD.test(before) && WORD.test(behind));
}

/** A text on one line, as a decoration has to be: line ends are signs, and what is too long is cut off. */
export function onOneLine(text: string): string {
  const line = text.replace(/\r\n|\r|\n/g, "⏎").replaceAll("\t", "→");
  const cut = line.length > MOST_DRAWN ? `${line.slice(0, MOST_DRAWN)}…` : line;
  // Decorations leave out blanks at either end, and put several together.
  return cut.replaceAll(" ", "\u00a0");
}

/** Whether a cursor is where an edit is, so that Tab takes it instead of going there. */
export function isThere(cursor: Place, { range }: NextEdit): boolean {
  return range.start.line <= cursor.line && cursor.line <= range.end.line;
}

/**
 * Whether Tab is the edit's key. In front of a line's text Tab indents, as long as the edit is elsewhere.
 */
export function hasTab(cursor: Place, line: string, edit: NextEdit): boolean {
  const isIndenting = line.slice(0, cursor.character).trim() === "";
  return isThere(cursor, edit) || !isIndenting;
}

/** Where an edit is, seen from the lines on screen; empty where it is one of them. */
export function direction(line: number, first: number, last: number): "above" | "below" | "" {
  if (line < first) {
    return "above";
  }
  return line > last ? "below" : "";
}

/** The edit of an answer that may be shown: of the version that the document has, and one that changes something. */
export function shownOf(
  answer: { readonly edits?: readonly NextEdit[] } | null | undefined,
  uri: string,
  version: number,
): NextEdit | undefined {
  return (answer?.edits ?? []).find(
    ({ textDocument }) => textDocument.uri === uri && textDocument.version === version,
  );
}
