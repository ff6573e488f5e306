/**
 * What is said to people, in their language. Modules that know nothing of VS Code say it, too: which function
 * translates is set once, when the extension starts. Until then, and in tests, it is English.
 */
type Translate = (message: string, ...values: (string | number)[]) => string;

let translate: Translate = (message, ...values) =>
  message.replace(/\{(\d+)\}/g, (_, index) => String(values[Number(index)]));

export function translateWith(another: Translate): void {
  translate = another;
}

/** A message, with `{0}`, `{1}` replaced by values. The messages are the keys of `l10n/bundle.l10n.*.json`. */
export function t(message: string, ...values: (string | number)[]): string {
  return translate(message, ...values);
}
