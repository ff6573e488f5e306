/** Why something is offered at a place, or nothing: what the server says of it, as a page. Pure. */
import { t } from "./l10n";

/** What is used of the answer of the server's command `fim-lsp.explain`. */
export interface Explanation {
  readonly message?: string;
  readonly next?: string;
  readonly reasons?: readonly string[];
  readonly trace?: Trace | null;
}

interface Trace {
  readonly offered: string;
  /** What the model writes where nobody is against it. */
  readonly wanted: string;
  readonly refused: readonly string[];
}

/** What is said at once. */
export function headline({ message, trace }: Explanation): string {
  const wish = trace ? wished(trace) : "";
  const sentences = [message, wish].filter((sentence) => sentence);
  return sentences.length > 0 ? sentences.join(" ") : t("The server has no explanation for this place.");
}

/** One sentence on what the model wanted and what came of it. */
function wished({ offered, wanted, refused }: Trace): string {
  if (offered === "") {
    return wanted === ""
      ? t("The model has nothing to write here.")
      : t("The model wanted “{0}”, which nothing could be made of that fits.", brief(wanted));
  }
  return refused.length === 0
    ? t("The model wants “{0}”, and nothing was refused.", brief(offered))
    : t("The model wanted “{0}”; with what was refused, it is “{1}”.", brief(wanted), brief(offered));
}

/** The page, in Markdown. */
export function page(explanation: Explanation): string {
  const { next, reasons = [], trace } = explanation;
  const lines = [`# ${t("Why this, or why nothing")}`, "", headline(explanation), ""];
  if (trace) {
    lines.push(`## ${t("What the model writes alone")}`, "", ...code(trace.wanted));
    lines.push(`## ${t("What fits")}`, "", ...code(trace.offered));
    if (trace.refused.length > 0) {
      lines.push(`## ${t("What was refused")}`, "", ...trace.refused.map((sentence) => `- ${sentence}`), "");
    }
  }
  if (reasons.length > 0) {
    lines.push(`## ${t("Whether it is shown while you type")}`, "", ...reasons.map((one) => `- ${one}`), "");
  }
  if (next) {
    lines.push(`## ${t("What may come next")}`, "", next, "");
  }
  return lines.join("\n");
}

function code(text: string): readonly string[] {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return text === "" ? [t("nothing"), ""] : [`${fence}python`, text, fence, ""];
}

function brief(text: string): string {
  const [line = "", ...others] = text.trim().split(/\r\n|\n|\r/);
  const start = line.length > 60 ? `${line.slice(0, 60)}...` : line;
  return others.length > 0 && !start.endsWith("...") ? `${start} ...` : start;
}
