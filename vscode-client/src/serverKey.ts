/**
 * The key of the model's server. It is kept where VS Code keeps secrets, is in no setting and in no log, and goes to
 * the program that serves with the one address that it is for. Pure.
 */

export interface ServerKey {
  readonly key: string;
  /** The server that it is for, without a path: `https://models.example`. */
  readonly place: string;
}

/** The name that it is kept under. */
export const KEPT_AS = "fim-lsp.serverKey";

/** The server that the setting `fim-lsp.model` names; undefined where that is no address. */
export function placeOf(model: string): string | undefined {
  if (!/^https?:\/\//i.test(model) || !URL.canParse(model)) {
    return undefined;
  }
  return new URL(model).origin;
}

export function asKept(key: ServerKey): string {
  return JSON.stringify(key);
}

/** The kept key; undefined where none is, or one of another version. */
export function ofKept(kept: string | undefined): ServerKey | undefined {
  try {
    const { key, place } = JSON.parse(kept ?? "{}") as Partial<Record<keyof ServerKey, unknown>>;
    return typeof key === "string" && typeof place === "string" ? { key, place } : undefined;
  } catch {
    return undefined;
  }
}

/** The key's variables for the server's program; they go before those of the environment. */
export function keyEnvironment(known: ServerKey | undefined): Record<string, string> {
  return known === undefined ? {} : { FIM_LSP_API_KEY: known.key, FIM_LSP_API_KEY_FOR: known.place };
}
