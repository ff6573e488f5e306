/**
 * The key of the model's server. It is stored among VS Code's secrets, in no setting and no log, and the
 * server's program gets it together with the only address that it is for. Pure.
 */

export interface ServerKey {
  readonly key: string;
  /** The address of its server, without a path: `https://models.example`. */
  readonly place: string;
}

/** Its name among the secrets. */
export const KEPT_AS = "fim-lsp.serverKey";

/** The server in the setting `fim-lsp.model`; undefined if that is not an address. */
export function placeOf(model: string): string | undefined {
  if (!/^https?:\/\//i.test(model) || !URL.canParse(model)) {
    return undefined;
  }
  return new URL(model).origin;
}

export function asKept(key: ServerKey): string {
  return JSON.stringify(key);
}

/** The stored key; undefined if there is none, or one of another version. */
export function ofKept(kept: string | undefined): ServerKey | undefined {
  try {
    const { key, place } = JSON.parse(kept ?? "{}") as Partial<Record<keyof ServerKey, unknown>>;
    return typeof key === "string" && typeof place === "string" ? { key, place } : undefined;
  } catch {
    return undefined;
  }
}

/** The key's variables for the server's program, which have priority over the environment's. */
export function keyEnvironment(known: ServerKey | undefined): Record<string, string> {
  return known === undefined ? {} : { FIM_LSP_API_KEY: known.key, FIM_LSP_API_KEY_FOR: known.place };
}
