/** A next edit in words, for screen readers: its place, its new lines, and the reason. Pure. */
import { t } from "./l10n";
import { type NextEdit, nameOf } from "./nextEdit";

/** The most characters that are read out. A user who wants to hear more goes to the edit. */
const MOST_SAID = 300;

/**
 * `before` and `behind` are the unchanged parts of the edit's first and last line; `isElsewhere` says that
 * another document is active.
 */
export function spokenEdit(edit: NextEdit, before: string, behind: string, isElsewhere: boolean): string {
  const { range, text, reason = "", additionalTextEdits = [] } = edit;
  const place = isElsewhere
    ? `${nameOf(edit.textDocument.uri)}, ${linesOf(range.start.line, range.end.line)}`
    : linesOf(range.start.line, range.end.line);
  const said = inOneLine(before + text + behind);
  const what =
    said === "" ? t("Next edit, {0}: empty.", place) : t("Next edit, {0}: becomes “{1}”.", place, said);
  const also = additionalTextEdits.map(({ newText }) => t("It also inserts “{0}”.", inOneLine(newText)));
  const why = reason === "" ? [] : [t("Why: {0}.", reason.replaceAll("`", ""))];
  return [what, ...also, ...why].join(" ");
}

function linesOf(first: number, last: number): string {
  return first === last ? t("line {0}", first + 1) : t("lines {0} to {1}", first + 1, last + 1);
}

function inOneLine(text: string): string {
  const line = text.trim().replace(/\s*[\r\n]\s*/g, "; ");
  return line.length > MOST_SAID ? `${line.slice(0, MOST_SAID)} ...` : line;
}
