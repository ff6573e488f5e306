/** The choice of a model: what `fim-lsp models --json` lists, as entries of a quick pick. Pure. */
import { t } from "./l10n";
import type { ServerCommand } from "./serverCommand";

/** What is done when an entry is chosen. */
export type Act =
  /** The value of the setting `fim-lsp.model`. */
  | { readonly use: string }
  | { readonly download: string }
  | { readonly ask: "folder" | "file" | "address" | "name" };

export interface Choice {
  readonly label: string;
  readonly description: string;
  /** What it needs. */
  readonly detail: string;
  readonly act: Act;
}

/** Entries under a heading. */
export interface Group {
  readonly title: string;
  readonly choices: readonly Choice[];
}

interface Needs {
  readonly n_bytes: number;
  readonly memory: number;
  readonly runtime: "embedded" | "torch";
  readonly licence: string | null;
}

interface Listed {
  readonly name: string;
  readonly path: string;
  readonly fim_format: string | null;
  readonly needs?: Needs;
}

/** What `fim-lsp models --json` prints, as far as it is used here. */
export interface Listing {
  readonly bundled?: Listed | null;
  readonly models?: readonly Listed[];
  readonly published?: readonly { name: string; is_here: boolean; needs: Needs }[];
  readonly has_torch?: boolean;
  readonly has_llama?: boolean;
}

/** The command that lists models with the same program as the server's; undefined where that cannot be told. */
export function modelsCommand(
  { program, args }: ServerCommand,
  ...more: readonly string[]
): [string, string[]] | undefined {
  const serve = args.indexOf("serve");
  return serve < 0 ? undefined : [program, [...args.slice(0, serve), "models", "--json", ...more]];
}

export function choices(listing: Listing, inUse: string): readonly Group[] {
  const models = (listing.models ?? []).filter(({ fim_format: format }) => format !== null);
  const missing = (listing.published ?? []).filter(({ is_here: isHere }) => !isHere);
  const known = ["", "bundled", "none", ...models.flatMap(({ name, path }) => [name, path])];
  const other = known.includes(inUse)
    ? []
    : [{ label: inUse, description: t("in use"), detail: "", act: { use: inUse } }];
  const groups = [
    { title: t("Here"), choices: [...other, ...alwaysHere(listing, inUse)] },
    { title: t("On this machine"), choices: models.map((model) => installed(model, inUse)) },
    { title: t("In a server"), choices: [SERVED()] },
    { title: t("From the hub"), choices: [...missing.map((model) => published(model, listing)), NAMED()] },
    { title: t("Elsewhere"), choices: [FILE(listing), FOLDER(listing)] },
  ];
  return groups.filter((group) => group.choices.length > 0);
}

function alwaysHere(listing: Listing, inUse: string): readonly Choice[] {
  return [
    {
      label: t("The bundled model"),
      description: marked(["", "bundled"].includes(inUse)),
      detail: listing.bundled?.needs ? needed(listing.bundled.needs) : t("small, runs on any processor"),
      act: { use: "" },
    },
    {
      label: t("None"),
      description: marked(inUse === "none"),
      detail: t("closes brackets and quotes, and writes nothing else"),
      act: { use: "none" },
    },
  ];
}

function installed({ name, path, needs }: Listed, inUse: string): Choice {
  const description = marked([name, path].includes(inUse));
  return { label: name, description, detail: needs ? needed(needs) : "", act: { use: path } };
}

function published(
  { name, needs }: { name: string; needs: Needs },
  { has_torch: hasTorch }: Listing,
): Choice {
  const size = t("{0} to fetch", bytes(needs.n_bytes));
  const detail = needed(needs) + lacking(hasTorch, "PyTorch");
  return { label: name, description: size, detail, act: { download: name } };
}

const SERVED = (): Choice => ({
  label: t("The address of a server..."),
  description: "",
  detail: t("llama-server, Ollama, LM Studio, vLLM; what you write is sent there"),
  act: { ask: "address" },
});

const NAMED = (): Choice => ({
  label: t("Another name on the hub..."),
  description: "",
  detail: t("a model that was trained to fill in the middle, in the form user/name"),
  act: { ask: "name" },
});

const FILE = ({ has_llama: hasLlama }: Listing): Choice => ({
  label: t("A GGUF file..."),
  description: "",
  detail: t("computed by llama.cpp, here") + lacking(hasLlama, "llama.cpp"),
  act: { ask: "file" },
});

const FOLDER = ({ has_torch: hasTorch }: Listing): Choice => ({
  label: t("A folder..."),
  description: "",
  detail:
    t("with config.json, tokenizer and weights, as models are published") + lacking(hasTorch, "PyTorch"),
  act: { ask: "folder" },
});

/** What a server that has listed its models lacks for this one. */
function lacking(isThere: boolean | undefined, program: string): string {
  return isThere === false ? t("; needs {0}, which this server has not", program) : "";
}

function marked(isInUse: boolean): string {
  return isInUse ? t("in use") : "";
}

function needed({ n_bytes: nBytes, memory, runtime, licence }: Needs): string {
  const program = runtime === "torch" ? "PyTorch" : "ONNX Runtime";
  const terms = licence ?? t("licence unknown");
  return t("{0} on disk, about {1} of memory, {2}, {3}", bytes(nBytes), bytes(memory), program, terms);
}

export function bytes(n: number): string {
  return n >= 1e9 ? `${(n / 1e9).toFixed(1)} GB` : `${Math.max(1, Math.round(n / 1e6))} MB`;
}

/** A line that a download prints: how far it is, in percent; undefined for other lines. */
export function progressOf(line: string): number | undefined {
  try {
    const { percent } = JSON.parse(line) as { percent?: unknown };
    return typeof percent === "number" ? percent : undefined;
  } catch {
    return undefined;
  }
}
