/** The last prompt for a document, as a page: the prompt, and the reason of each piece. */

import { t } from "./l10n";

export interface SentPiece {
  readonly path: string;
  readonly reason: string;
  readonly text: string;
}

/** The used part of the answer of the server's command `fim-lsp.explain`. */
export interface Sent {
  readonly prompt?: string;
  readonly told?: readonly SentPiece[];
}

export function asText({ prompt, told }: Sent): string | undefined {
  if (!prompt) {
    return undefined;
  }
  const reasons = (told ?? []).map(({ path, reason, text }) => {
    const lines = text.trimEnd().split("\n").length;
    return `- ${path}, ${lines === 1 ? t("1 line") : t("{0} lines", lines)}: ${reason}`;
  });
  const files = reasons.length > 0 ? [t("Text of other files:"), ...reasons] : [t("No text of other files.")];
  return [...files, "", t("Text sent, with the model's special tokens:"), "", prompt, ""].join("\n");
}
