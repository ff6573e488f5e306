/**
 * Starts, restarts and stops the language server, and shows how it is. What completes is in the server; inline
 * completion is registered by vscode-languageclient once the server announces it.
 */
import { statSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, State } from "vscode-languageclient/node";
import { type ServerCommand, serverCommand } from "./serverCommand";
import { menuCommands, type ServerState, statusAppearance } from "./status";

const SECTION = "fim-lsp";
/** Changing one of these needs another process. */
const START_SETTINGS = ["enable", "python", "command", "serverArguments"];

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  session = new Session();
  context.subscriptions.push(session);
  await session.start();
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

class Session implements vscode.Disposable {
  private readonly log = vscode.window.createOutputChannel(SECTION, { log: true });
  private readonly statusItem = vscode.window.createStatusBarItem(
    SECTION,
    vscode.StatusBarAlignment.Right,
    90,
  );
  private readonly disposables: vscode.Disposable[];
  private client: LanguageClient | undefined;
  private state: ServerState = { kind: "stopped" };
  /** Starts and stops follow one another: each waits here for the one before. */
  private queue: Promise<void> = Promise.resolve();

  constructor() {
    this.statusItem.name = SECTION;
    this.statusItem.command = "fim-lsp.showMenu";
    this.disposables = [
      this.log,
      this.statusItem,
      vscode.commands.registerCommand("fim-lsp.start", () => this.start()),
      vscode.commands.registerCommand("fim-lsp.restart", () => this.restart()),
      vscode.commands.registerCommand("fim-lsp.stop", () => this.stop()),
      vscode.commands.registerCommand("fim-lsp.showLog", () => this.log.show()),
      vscode.commands.registerCommand("fim-lsp.showMenu", () => this.showMenu()),
      vscode.commands.registerCommand("fim-lsp.openSettings", () =>
        vscode.commands.executeCommand("workbench.action.openSettings", SECTION),
      ),
      vscode.workspace.onDidChangeConfiguration((change) => this.onConfigurationChange(change)),
    ];
  }

  start(): Promise<void> {
    return this.enqueue(() => this.startNow());
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow({ kind: "stopped" }));
  }

  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.stopNow({ kind: "stopped" });
      await this.startNow();
    });
  }

  dispose(): void {
    for (const disposable of this.disposables) {
      disposable.dispose();
    }
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
    if (!settings.get("enable", true)) {
      this.show({ kind: "disabled" });
      return;
    }
    const command = configuredCommand(settings);
    if (command === undefined) {
      this.log.warn("fim-lsp was found neither in the workspace's environment nor on PATH");
      this.show({ kind: "not found" });
      return;
    }
    this.log.info(`starting ${[command.program, ...command.args].join(" ")} (${command.origin})`);
    this.client = newClient(command, this.log);
    this.client.onDidChangeState(({ newState }) => this.onClientState(newState, command.origin));
    await this.client.start();
  }

  private async stopNow(next: ServerState): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
    this.show(next);
  }

  private onClientState(state: State, origin: string): void {
    if (state === State.Starting) {
      this.show({ kind: "starting", origin });
    } else if (state === State.Running) {
      this.show({ kind: "running", origin });
    } else if (this.client !== undefined) {
      // Nobody asked for it: the server ended by itself. The client starts it again unless that goes on.
      this.show({ kind: "failed", reason: "it ended; the log says more" });
    }
  }

  private fail(error: unknown): void {
    this.client = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    this.log.error(reason);
    this.show({ kind: "failed", reason });
  }

  private show(state: ServerState): void {
    this.state = state;
    const { text, tooltip, severity } = statusAppearance(state);
    this.statusItem.text = text;
    this.statusItem.tooltip = tooltip;
    this.statusItem.backgroundColor =
      severity === "normal" ? undefined : new vscode.ThemeColor(`statusBarItem.${severity}Background`);
    this.statusItem.show();
    void vscode.commands.executeCommand("setContext", "fim-lsp.isRunning", state.kind === "running");
  }

  private async showMenu(): Promise<void> {
    const { tooltip } = statusAppearance(this.state);
    const chosen = await vscode.window.showQuickPick([...menuCommands(this.state)], { placeHolder: tooltip });
    if (chosen !== undefined) {
      await vscode.commands.executeCommand(chosen.command);
    }
  }

  private async onConfigurationChange(change: vscode.ConfigurationChangeEvent): Promise<void> {
    if (START_SETTINGS.some((name) => change.affectsConfiguration(`${SECTION}.${name}`))) {
      await this.restart();
    }
  }
}

function configuredCommand(settings: vscode.WorkspaceConfiguration): ServerCommand | undefined {
  return serverCommand({
    command: settings.get<string[]>("command", []),
    python: settings.get<string>("python", ""),
    serverArguments: settings.get<string[]>("serverArguments", []),
    // A folder that is not trusted does not get to say which program runs.
    workspaceFolders: vscode.workspace.isTrusted
      ? (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath)
      : [],
    searchPath: (process.env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== ""),
    platform: process.platform,
    isFile: (file) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false,
  });
}

function newClient(command: ServerCommand, log: vscode.LogOutputChannel): LanguageClient {
  return new LanguageClient(
    SECTION,
    "fim-lsp",
    { command: command.program, args: [...command.args] },
    { documentSelector: [{ language: "python" }], outputChannel: log },
  );
}
