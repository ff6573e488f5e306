/** The choice of a model: what `fim-lsp models --json` lists, as entries of a quick pick. Pure. */
import type { ServerCommand } from "./serverCommand";

export interface ModelEntry {
  readonly label: string;
  readonly description: string;
  /** The value of the setting `fim-lsp.model`. */
  readonly model: string;
}

const ALWAYS: readonly ModelEntry[] = [
  { label: "The bundled model", description: "small, runs on any processor", model: "" },
  { label: "None", description: "closes brackets and quotes, and writes nothing else", model: "none" },
];

/** The command that lists models with the same program as the server's; undefined where that cannot be told. */
export function listingCommand({ program, args }: ServerCommand): [string, string[]] | undefined {
  const serve = args.indexOf("serve");
  return serve < 0 ? undefined : [program, [...args.slice(0, serve), "models", "--json"]];
}

export function modelEntries(listing: string): readonly ModelEntry[] {
  const listed = JSON.parse(listing) as { models?: readonly Record<string, unknown>[] };
  const able = (listed.models ?? []).filter(({ fim_format: format }) => typeof format === "string");
  return [...ALWAYS, ...able.map(modelEntry)];
}

export const WITHOUT_LISTING = ALWAYS;

function modelEntry({ name, path, fim_format: format }: Record<string, unknown>): ModelEntry {
  return { label: String(name), description: `${format} format`, model: String(path ?? name) };
}
