/**
 * Messages in the user's language. Modules without VS Code use them, too, so the translating function is set
 * when the extension starts. Before that, and in tests, messages are in English.
 */
type Translate = (message: string, ...values: (string | number)[]) => string;

let translate: Translate = (message, ...values) =>
  message.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)]));

export function translateWith(another: Translate): void {
  translate = another;
}

/**
 * A message, with `{0}`, `{1}` replaced by values. The messages are the keys of `l10n/bundle.l10n.*.json`.
 */
export function t(message: string, ...values: (string | number)[]): string {
  return translate(message, ...values);
}
