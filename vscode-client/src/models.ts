/** The choice of a model: the list of `fim-lsp models --json`, as entries of a quick pick. Pure. */
import { t } from "./l10n";
import type { ServerCommand } from "./serverCommand";

/** The effect of choosing an entry. */
export type Act =
  /** The value of the setting `fim-lsp.model`. */
  | { readonly use: string }
  | { readonly download: string; readonly title: string }
  | { readonly ask: "folder" | "file" | "address" | "name" };

export interface Choice {
  readonly label: string;
  readonly description: string;
  /** The requirements of the choice. */
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
  readonly runtime: "embedded" | "llama" | "torch";
  readonly licence: string | null;
}

/** The estimate of a model on this machine. */
interface Estimate {
  readonly seconds_an_offer: number;
  readonly has_room: boolean;
}

interface Listed {
  readonly name: string;
  readonly path: string;
  readonly fim_format: string | null;
  readonly needs?: Needs;
}

/** A GGUF file of this machine. */
interface File extends Listed {
  readonly owner: string;
  readonly needs: Needs;
  readonly estimate: Estimate;
}

/** A GGUF file of the hub. */
interface Published {
  readonly name: string;
  readonly title: string;
  /** Its path on this machine; null if it has to be downloaded. */
  readonly path: string | null;
  readonly needs: Needs;
  readonly estimate: Estimate;
}

/** The used part of the output of `fim-lsp models --json`. */
export interface Listing {
  readonly bundled?: Listed | null;
  readonly models?: readonly Listed[];
  /** The best for this machine first. */
  readonly files?: readonly File[];
  readonly published?: readonly Published[];
  /** The model to offer to users of the bundled one: a local file, or the name of one to download. */
  readonly offered?: { readonly path: string | null; readonly name: string | null };
  readonly has_torch?: boolean;
  readonly has_llama?: boolean;
}

/** The command that lists models with the server's program; undefined if that is unknown. */
export function modelsCommand(
  { program, args }: ServerCommand,
  ...more: readonly string[]
): [string, string[]] | undefined {
  const serve = args.indexOf("serve");
  return serve < 0 ? undefined : [program, [...args.slice(0, serve), "models", "--json", ...more]];
}

export function choices(listing: Listing, inUse: string): readonly Group[] {
  const fills = ({ fim_format: format }: Listed) => format !== null;
  const [models, files] = [(listing.models ?? []).filter(fills), (listing.files ?? []).filter(fills)];
  const missing = (listing.published ?? []).filter(({ path }) => path === null);
  const known = ["", "bundled", "none", ...[...models, ...files].flatMap(({ name, path }) => [name, path])];
  const other = known.includes(inUse)
    ? []
    : [{ label: inUse, description: t("in use"), detail: "", act: { use: inUse } }];
  const groups = [
    { title: t("Here"), choices: [...other, ...alwaysHere(listing, inUse)] },
    {
      title: t("On this machine"),
      choices: [
        ...files.map((file) => fileHere(file, inUse, listing)),
        ...models.map((model) => installed(model, inUse)),
      ],
    },
    {
      title: t("To fetch, the best for this machine first"),
      choices: missing.map((model) => published(model, listing)),
    },
    { title: t("In a server"), choices: [SERVED()] },
    { title: t("Elsewhere"), choices: [FILE(listing), FOLDER(listing), NAMED()] },
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
      detail: t("only closes brackets and quotes"),
      act: { use: "none" },
    },
  ];
}

function installed({ name, path, needs }: Listed, inUse: string): Choice {
  const description = marked([name, path].includes(inUse));
  return { label: name, description, detail: needs ? needed(needs) : "", act: { use: path } };
}

function fileHere(file: File, inUse: string, { has_llama: hasLlama }: Listing): Choice {
  const { name, path, owner, needs, estimate } = file;
  const facts = [marked([name, path].includes(inUse)), pace(estimate)].filter((fact) => fact !== "");
  const whose = owner === "hub" ? t("in the hub's cache") : owner;
  const detail = `${needed(needs)}, ${whose}${lacking(hasLlama, "llama.cpp")}`;
  return { label: name, description: facts.join(", "), detail, act: { use: path } };
}

function published({ name, title, needs, estimate }: Published, { has_llama: hasLlama }: Listing): Choice {
  const description = `${t("{0} to fetch", bytes(needs.n_bytes))}, ${pace(estimate)}`;
  const detail = needed(needs) + lacking(hasLlama, "llama.cpp");
  return { label: title, description, detail, act: { download: name, title } };
}

/** The speed of a model on this machine. */
function pace({ seconds_an_offer: seconds, has_room: hasRoom }: Estimate): string {
  return hasRoom
    ? t("about {0} s per offer here", Math.max(0.1, seconds).toFixed(1))
    : t("too large for this machine's memory");
}

/** A better model than the bundled one, in a sentence, and the effect of its button. */
export interface ModelOffer {
  readonly title: string;
  readonly sentence: string;
  readonly button: string;
  readonly act: { readonly use: string } | { readonly download: string };
}

/** Undefined if no model is quick enough here, or if no runtime can compute it. */
export function offeredModel(listing: Listing): ModelOffer | undefined {
  const { path, name } = listing.offered ?? {};
  if (listing.has_llama !== true) {
    return undefined;
  }
  const here = listing.files?.find((file) => file.path === path);
  if (here !== undefined) {
    const sentence = t(
      "fim-lsp completes with its small bundled model; {0}, already on this machine, is better: {1}.",
      here.name,
      pace(here.estimate),
    );
    return { title: here.name, sentence, button: t("Use it"), act: { use: here.path } };
  }
  const there = listing.published?.find((model) => model.name === name);
  if (there === undefined) {
    return undefined;
  }
  const sentence = t(
    "fim-lsp completes with its small bundled model; {0} is better: {1} to fetch, {2}, {3}.",
    there.title,
    bytes(there.needs.n_bytes),
    there.needs.licence ?? t("licence unknown"),
    pace(there.estimate),
  );
  return { title: there.title, sentence, button: t("Fetch it"), act: { download: there.name } };
}

const SERVED = (): Choice => ({
  label: t("The address of a server..."),
  description: "",
  detail: t("llama-server, Ollama, LM Studio, vLLM; the text around the cursor is sent there"),
  act: { ask: "address" },
});

const NAMED = (): Choice => ({
  label: t("Another name on the hub..."),
  description: "",
  detail: t("a model file that can fill in the middle, as owner/repository/file.gguf"),
  act: { ask: "name" },
});

const FILE = ({ has_llama: hasLlama }: Listing): Choice => ({
  label: t("A GGUF file..."),
  description: "",
  detail: t("runs here, in llama.cpp") + lacking(hasLlama, "llama.cpp"),
  act: { ask: "file" },
});

const FOLDER = ({ has_torch: hasTorch }: Listing): Choice => ({
  label: t("A folder..."),
  description: "",
  detail:
    t("with config.json, tokenizer and weights, as models are published") + lacking(hasTorch, "PyTorch"),
  act: { ask: "folder" },
});

/** The runtime that the server lacks for this model. */
function lacking(isThere: boolean | undefined, program: string): string {
  return isThere === false ? t("; needs {0}, which is not installed with the server", program) : "";
}

function marked(isInUse: boolean): string {
  return isInUse ? t("in use") : "";
}

function needed({ n_bytes: nBytes, memory, runtime, licence }: Needs): string {
  const program = { torch: "PyTorch", llama: "llama.cpp", embedded: "ONNX Runtime" }[runtime];
  const terms = licence ?? t("licence unknown");
  return t("{0} on disk, about {1} of memory, {2}, {3}", bytes(nBytes), bytes(memory), program, terms);
}

export function bytes(n: number): string {
  return n >= 1e9 ? `${(n / 1e9).toFixed(1)} GB` : `${Math.max(1, Math.round(n / 1e6))} MB`;
}

/** The progress in percent in a line of a download's output; undefined for other lines. */
export function progressOf(line: string): number | undefined {
  try {
    const { percent } = JSON.parse(line) as { percent?: unknown };
    return typeof percent === "number" ? percent : undefined;
  } catch {
    return undefined;
  }
}

/** The setting's value for a downloaded model: a file by its path, a folder by its name on the hub. */
export function fetchedAs(name: string, printed: string): string {
  try {
    const { path } = JSON.parse(printed.trim().split("\n").at(-1) ?? "") as { path?: unknown };
    return typeof path === "string" && path.toLowerCase().endsWith(".gguf") ? path : name;
  } catch {
    return name;
  }
}
