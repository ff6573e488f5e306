/**
 * The language server's life: it is found, started, restarted, stopped. The server completes;
 * vscode-languageclient registers inline completion once the server announces it, and its requests pass
 * through the middleware here.
 */
import { statSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import {
  type InlineCompletionParams,
  InlineCompletionRequest,
  LanguageClient,
  type Middleware,
  State,
} from "vscode-languageclient/node";
import { delay, isWanted, waitElapsed } from "./asking";
import { putImport } from "./importing";
import type { OwnEnvironment } from "./installation";
import { t } from "./l10n";
import { LANGUAGES } from "./languages";
import { type Counting, PartialAccepts } from "./partialAccept";
import { type ServerCommand, serverCommand } from "./serverCommand";
import { KEPT_AS, keyEnvironment, ofKept } from "./serverKey";
import { completionSettings, serverSettings } from "./settings";
import type { Report } from "./status";
import type { StatusItem } from "./statusItem";

export const SECTION = "fim-lsp";
/**
 * The documents that the server sees: files and new files, not the other side of a comparison or a chat's
 * code block.
 */
const SELECTOR = [
  ...["file", "untitled"].flatMap((scheme) => LANGUAGES.map((language) => ({ scheme, language }))),
  // The cells of notebooks. The server registers for these kinds and also gets the order of cells.
  ...["jupyter-notebook", "interactive"].map((notebook) => ({ notebook, language: "python" })),
];

/** The server's program, and its environment variables. */
export type Program = ServerCommand & { readonly env: NodeJS.ProcessEnv };

export class Session {
  private client: LanguageClient | undefined;
  private foundCommand: ServerCommand | undefined;
  /** Starts and stops run one after the other: each waits here for the previous one. */
  private queue: Promise<void> = Promise.resolve();
  private isPausedNow = false;
  private awakening: { readonly timer: NodeJS.Timeout; readonly at: Date } | undefined;
  /** Whether the last answer of the server offered something. */
  hasOffered = false;
  /** Parts of offers that were accepted. */
  readonly parts: PartialAccepts;

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly status: StatusItem,
    private readonly ownEnvironment: OwnEnvironment,
    private readonly secrets: vscode.SecretStorage,
    counting: Counting,
  ) {
    this.parts = new PartialAccepts(
      (document, position, rest) => this.closing(document, position, rest),
      counting,
    );
  }

  get isPaused(): boolean {
    return this.isPausedNow;
  }

  /** The command of the server; undefined if it was not found. */
  async program(): Promise<Program | undefined> {
    return this.foundCommand && { ...this.foundCommand, env: await this.environment(this.foundCommand) };
  }

  /** The time at which completions resume; undefined if they are not snoozed. */
  get pausedUntil(): Date | undefined {
    return this.awakening?.at;
  }

  /** Pauses for some minutes. */
  snooze(minutes: number): void {
    this.setPaused(true);
    const timer = setTimeout(() => this.setPaused(false), minutes * 60_000);
    this.awakening = { timer, at: new Date(Date.now() + minutes * 60_000) };
    this.status.refresh();
  }

  setPaused(isPaused: boolean): void {
    clearTimeout(this.awakening?.timer);
    this.awakening = undefined;
    this.isPausedNow = isPaused;
    this.status.refresh();
  }

  start(): Promise<void> {
    return this.enqueue(() => this.startNow());
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow());
  }

  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  /**
   * Sends the active document and its resting cursor to the server, which answers with the document's status.
   */
  focus(editor: vscode.TextEditor | undefined): void {
    if (editor && LANGUAGES.includes(editor.document.languageId) && this.client?.isRunning()) {
      const { line, character } = editor.selection.active;
      const parameters = {
        textDocument: { uri: editor.document.uri.toString() },
        position: { line, character },
      };
      void this.client.sendNotification("textDocument/didFocus", parameters);
    }
  }

  /** Runs one of the server's commands; undefined if the server is not running or does not know it. */
  async execute<T>(command: string, ...parameters: unknown[]): Promise<T | undefined> {
    const known = this.client?.initializeResult?.capabilities.executeCommandProvider?.commands ?? [];
    if (this.client === undefined || !known.includes(command)) {
      return undefined;
    }
    return this.client.sendRequest<T>("workspace/executeCommand", { command, arguments: parameters });
  }

  /** Sends a request of the server's own protocol; undefined if the server is not running. */
  async request<T>(
    method: string,
    parameters: object,
    token: vscode.CancellationToken,
  ): Promise<T | undefined> {
    if (!this.client?.isRunning()) {
      return undefined;
    }
    try {
      return await this.client.sendRequest<T>(method, parameters, token);
    } catch (error) {
      // A cancelled request waits for nothing.
      if (!token.isCancellationRequested) {
        this.log.error(`${method}: ${error instanceof Error ? error.message : String(error)}`);
      }
      return undefined;
    }
  }

  private async closing(
    document: vscode.TextDocument,
    { line, character }: vscode.Position,
    rest: string,
  ): Promise<string | undefined> {
    const place = { line, character };
    const answer = await this.execute<{ text?: string | null }>(
      "fim-lsp.closing",
      document.uri.toString(),
      place,
      rest,
    );
    return answer?.text ?? undefined;
  }

  private enqueue(act: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(act).catch((error: unknown) => this.fail(error));
    return this.queue;
  }

  private async startNow(): Promise<void> {
    if (this.client !== undefined) {
      return;
    }
    const settings = vscode.workspace.getConfiguration(SECTION);
    // Languages may have different settings; the server requests each document's.
    const isWantedIn = (languageId: string): boolean =>
      vscode.workspace.getConfiguration(SECTION, { languageId }).get("enable", true);
    if (!LANGUAGES.some(isWantedIn)) {
      this.status.setState({ kind: "disabled" });
      return;
    }
    this.foundCommand = await configuredCommand(settings, this.ownEnvironment.ready);
    const command = this.foundCommand;
    if (command === undefined) {
      this.log.warn("fim-lsp was found neither in an environment nor on PATH");
      this.status.setState({ kind: "not found" });
      return;
    }
    this.log.info(`starting ${[command.program, ...command.args].join(" ")} (${command.origin})`);
    const client = this.newClient(command, await this.environment(command));
    this.client = client;
    client.onDidChangeState(({ newState }) => this.onClientState(newState, command.origin));
    client.onNotification("didChangeStatus", ({ uri, ...report }: Report & { uri?: string | null }) =>
      this.status.setReport(uri ?? "", report),
    );
    await client.start();
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
    this.status.setState({ kind: "stopped" });
  }

  private onClientState(state: State, origin: string): void {
    if (state === State.Starting) {
      this.status.setState({ kind: "starting", origin });
    } else if (state === State.Running) {
      this.status.setState({ kind: "running", origin });
    } else if (this.client !== undefined) {
      // The server ended by itself. The client starts it again, unless that happens repeatedly.
      this.status.setState({ kind: "failed", reason: t("it ended; see the log") });
    }
  }

  private fail(error: unknown): void {
    this.client = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    this.log.error(reason);
    this.status.setState({ kind: "failed", reason });
  }

  /** The program's environment variables, including the key of the model's server. */
  private async environment(command: ServerCommand): Promise<NodeJS.ProcessEnv> {
    return { ...environmentOf(command), ...keyEnvironment(ofKept(await this.secrets.get(KEPT_AS))) };
  }

  private newClient(command: ServerCommand, env: NodeJS.ProcessEnv): LanguageClient {
    return new LanguageClient(
      SECTION,
      "fim-lsp",
      {
        command: command.program,
        args: [...command.args],
        options: { cwd: command.cwd, env },
      },
      {
        documentSelector: SELECTOR,
        outputChannel: this.log,
        initializationOptions: {
          ...serverSettings(vscode.workspace.getConfiguration(SECTION, { languageId: "python" })),
          // The server runs programs of the workspace, such as its type checker, only if it is trusted.
          workspaceTrusted: vscode.workspace.isTrusted,
          // Without this field the server sends a notification that a client may ignore.
          didChangeStatus: true,
        },
        // The status bar item shows the error, so a notification would repeat it.
        initializationFailedHandler: () => false,
        middleware: this.middleware(),
      },
    );
  }

  private middleware(): Middleware {
    return {
      provideInlineCompletionItems: async (document, position, context, token, next) => {
        const isExplicit = context.triggerKind === vscode.InlineCompletionTriggerKind.Invoke;
        const occasion = { isExplicit, isPaused: this.isPausedNow };
        const settings = completionSettings(vscode.workspace.getConfiguration(SECTION, document));
        if (!isWanted(occasion, settings) || !(await waitElapsed(delay(occasion, settings), token))) {
          return undefined;
        }
        const answer = await this.status.during(Promise.resolve(next(document, position, context, token)));
        if (answer && !token.isCancellationRequested) {
          const items = Array.isArray(answer) ? answer : answer.items;
          this.hasOffered = items.length > 0;
          this.parts.shown(document, position, items);
        }
        return answer;
      },
      sendRequest: (type, parameters, token, next) => next(type, withFormatting(type, parameters), token),
      workspace: {
        // The library looks settings up by the document's address alone, without those of its language.
        configuration: ({ items }, token, next) => {
          const foreign = items.some(({ section }) => section !== SECTION);
          return foreign ? next({ items }, token) : items.map(({ scopeUri }) => settingsOf(scopeUri));
        },
        handleApplyEdit: async (parameters, next) => {
          const isPut = await putImport(parameters);
          const { token } = new vscode.CancellationTokenSource();
          return isPut === undefined ? next(parameters, token) : { applied: isPut };
        },
      },
    };
  }
}

/** The extension's own environment is complete, so modules of other Pythons are kept out. */
function environmentOf({ origin }: ServerCommand): NodeJS.ProcessEnv {
  const isOwn = origin === "environment of the extension";
  return isOwn ? { ...process.env, PYTHONPATH: "", PYTHONHOME: "" } : process.env;
}

/** The request for a completion with the editor's indentation, which has priority over the server's guess. */
function withFormatting<P>(
  type: string | { readonly method: string },
  parameters: P | undefined,
): P | undefined {
  if (
    typeof type === "string" ||
    type.method !== InlineCompletionRequest.method ||
    parameters === undefined
  ) {
    return parameters;
  }
  const { uri } = (parameters as unknown as InlineCompletionParams).textDocument;
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
  const { tabSize, insertSpaces } = editor?.options ?? {};
  return typeof tabSize === "number" && typeof insertSpaces === "boolean"
    ? { ...parameters, formattingOptions: { tabSize, insertSpaces } }
    : parameters;
}

function settingsOf(address: string | undefined): Record<string, unknown> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === address);
  const scope =
    document ?? (address === undefined ? { languageId: "python" } : vscode.Uri.parse(address, true));
  return serverSettings(vscode.workspace.getConfiguration(SECTION, scope));
}

async function configuredCommand(
  settings: vscode.WorkspaceConfiguration,
  ownEnvironment: string,
): Promise<ServerCommand | undefined> {
  return serverCommand({
    command: settings.get<string[]>("command", []),
    python: settings.get<string>("python", ""),
    serverArguments: settings.get<string[]>("serverArguments", []),
    // An untrusted folder cannot choose the program that runs.
    selectedPython: vscode.workspace.isTrusted ? await selectedPython() : "",
    workspaceFolders: vscode.workspace.isTrusted
      ? (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath)
      : [],
    ownFolder: __dirname,
    ownEnvironment,
    searchPath: (process.env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== ""),
    platform: process.platform,
    isFile: (file) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false,
  });
}

/** The used part of the Python extension's public interface. */
interface PythonExtension {
  readonly environments?: { getActiveEnvironmentPath?(): { readonly path: string } };
}

/** The interpreter chosen in the Python extension; empty if that is not installed. */
async function selectedPython(): Promise<string> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  try {
    const { environments } = (await extension?.activate()) ?? {};
    return environments?.getActiveEnvironmentPath?.().path ?? "";
  } catch {
    // The other extension reports its own failure.
    return "";
  }
}
