/** What was last sent to the model for a document, as a text to be read: the prompt, and why each piece is there. */

export interface Piece {
  readonly path: string;
  readonly reason: string;
  readonly text: string;
}

/** What is used of the answer of the server's command `fim-lsp.explain`. */
export interface Sent {
  readonly prompt?: string;
  readonly told?: readonly Piece[];
}

export function asText({ prompt, told }: Sent): string | undefined {
  if (!prompt) {
    return undefined;
  }
  const reasons = (told ?? []).map(({ path, reason, text }) => {
    const lines = text.trimEnd().split("\n").length;
    return `- ${path}, ${lines === 1 ? "1 line" : `${lines} lines`}: ${reason}`;
  });
  const files = reasons.length > 0 ? ["Told of other files:", ...reasons] : ["Told of no other files."];
  return [...files, "", "Sent, with the model's own signs:", "", prompt, ""].join("\n");
}
