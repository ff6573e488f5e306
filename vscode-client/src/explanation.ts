/** The page that explains an offer, or its absence, at a place, by the server's answer. Pure. */
import { escapeHtml, sentence } from "./html";
import { t } from "./l10n";
import type { Page } from "./pages";

/** The used part of the answer of the server's command `fim-lsp.explain`. */
export interface Explanation {
  readonly message?: string;
  readonly next?: string;
  readonly reasons?: readonly string[];
  readonly trace?: Trace | null;
}

interface Trace {
  readonly offered: string;
  /** The text that the model writes without constraints. */
  readonly wanted: string;
  readonly refused: readonly string[];
}

/** The headline, which is shown at once. */
export function headline({ message, trace }: Explanation): string {
  const wish = trace ? wished(trace) : "";
  const sentences = [message, wish].filter((sentence) => sentence);
  return sentences.length > 0 ? sentences.join(" ") : t("The server has no explanation for this place.");
}

/** One sentence about the text that the model preferred, and its fate. */
function wished({ offered, wanted, refused }: Trace): string {
  if (offered === "" && wanted === "") {
    return t("The model has nothing to write here.");
  }
  if (offered === "") {
    return refused.length === 0
      ? t("The model wanted “{0}”, and no text that fits could be made of it.", brief(wanted))
      : t("The model wanted “{0}”, which was refused.", brief(wanted));
  }
  return refused.length === 0
    ? t("The model wants “{0}”, and nothing was refused.", brief(offered))
    : t("The model wanted “{0}”; after the refusals it became “{1}”.", brief(wanted), brief(offered));
}

export function page(explanation: Explanation): Page {
  const { next, reasons = [], trace } = explanation;
  const parts = [`<p>${escapeHtml(headline(explanation))}</p>`];
  if (trace) {
    const isOther = trace.refused.length > 0;
    const n = isOther ? nAlike(trace.wanted, trace.offered) : trace.wanted.length;
    parts.push(heading(t("What the model writes alone")), code(trace.wanted, n, "del"));
    parts.push(heading(t("What fits")), code(trace.offered, isOther ? n : trace.offered.length, "ins"));
    if (isOther) {
      parts.push(heading(t("What was refused")), list(trace.refused));
    }
  }
  if (reasons.length > 0) {
    parts.push(heading(t("Whether it is shown while you type")), list(reasons));
  }
  if (next) {
    parts.push(heading(t("What may come next")), `<p>${sentence(next)}</p>`);
  }
  return { title: t("Why this, or why nothing"), body: parts.join("\n") };
}

function heading(text: string): string {
  return `<h2>${escapeHtml(text)}</h2>`;
}

function list(sentences: readonly string[]): string {
  return `<ul>${sentences.map((one) => `<li>${sentence(one)}</li>`).join("")}</ul>`;
}

/** A piece of code, marked behind its first `nAlike` characters. */
function code(text: string, nAlike: number, mark: "del" | "ins"): string {
  if (text === "") {
    return `<p class="quiet">${escapeHtml(t("nothing"))}</p>`;
  }
  const rest = text.slice(nAlike);
  const marked = rest === "" ? "" : `<${mark}>${escapeHtml(rest)}</${mark}>`;
  return `<pre>${escapeHtml(text.slice(0, nAlike))}${marked}</pre>`;
}

function nAlike(one: string, other: string): number {
  let n = 0;
  while (n < one.length && one[n] === other[n]) {
    n += 1;
  }
  return n;
}

function brief(text: string): string {
  const [line = "", ...others] = text.trim().split(/\r\n|\n|\r/);
  const start = line.length > 60 ? `${line.slice(0, 60)}...` : line;
  return others.length > 0 && !start.endsWith("...") ? `${start} ...` : start;
}
