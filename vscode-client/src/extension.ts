/** Puts the parts together: the session with the server, the status bar item, the commands, the walkthrough. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { EXAMPLE, EXAMPLE_CURSOR } from "./example";
import { installServer } from "./installation";
import { listingCommand, type ModelEntry, modelEntries, WITHOUT_LISTING } from "./models";
import { SECTION, Session } from "./session";
import { menuEntries } from "./status";
import { StatusItem } from "./statusItem";

/** Changing one of these needs another process; of all the others the server is told. */
const START_SETTINGS = ["enable", "python", "command", "serverArguments"];
const WALKTHROUGH = "fim-lsp.fim-lsp#start";

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel(SECTION, { log: true });
  const status = new StatusItem(() => ({ isPaused: session?.isPaused ?? false, obstacle: obstacle() }));
  const ownEnvironment = vscode.Uri.joinPath(context.globalStorageUri, "environment").fsPath;
  const opened = new Session(log, status, ownEnvironment);
  session = opened;
  context.subscriptions.push(
    log,
    status,
    vscode.commands.registerCommand("fim-lsp.start", () => opened.start()),
    vscode.commands.registerCommand("fim-lsp.restart", () => opened.restart()),
    vscode.commands.registerCommand("fim-lsp.stop", () => opened.stop()),
    vscode.commands.registerCommand("fim-lsp.showLog", () => log.show()),
    vscode.commands.registerCommand("fim-lsp.showMenu", () => showMenu(opened, status)),
    vscode.commands.registerCommand("fim-lsp.openSettings", () =>
      vscode.commands.executeCommand("workbench.action.openSettings", "@ext:fim-lsp.fim-lsp"),
    ),
    vscode.commands.registerCommand("fim-lsp.openWalkthrough", () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false),
    ),
    vscode.commands.registerCommand("fim-lsp.trigger", () =>
      vscode.commands.executeCommand("editor.action.inlineSuggest.trigger"),
    ),
    vscode.commands.registerCommand("fim-lsp.toggleCompletions", () => toggleCompletions(opened)),
    vscode.commands.registerCommand("fim-lsp.explainHere", () => explainHere(opened)),
    vscode.commands.registerCommand("fim-lsp.chooseModel", () => chooseModel(opened)),
    vscode.commands.registerCommand("fim-lsp.createEnvironment", () =>
      createEnvironment(opened, status, ownEnvironment, log),
    ),
    vscode.commands.registerCommand("fim-lsp.openExample", openExample),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      status.refresh();
      opened.focus(editor?.document);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => status.forget(uri.toString())),
    vscode.workspace.onDidGrantWorkspaceTrust(() => opened.restart()),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      status.refresh();
      if (START_SETTINGS.some((name) => change.affectsConfiguration(`${SECTION}.${name}`))) {
        await opened.restart();
      }
    }),
  );
  await welcome(context);
  await opened.start();
  if (status.state.kind === "not found") {
    // Not awaited: the extension is active while the question is on screen.
    void offerInstallation(context);
  }
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

/** Shows the walkthrough once, unless start pages are not wanted at all. */
async function welcome(context: vscode.ExtensionContext): Promise<void> {
  const isWelcome = vscode.workspace.getConfiguration("workbench").get("startupEditor") !== "none";
  if (isWelcome && !context.globalState.get("hasSeenWalkthrough", false)) {
    await context.globalState.update("hasSeenWalkthrough", true);
    await vscode.commands.executeCommand("fim-lsp.openWalkthrough");
  }
}

async function offerInstallation(context: vscode.ExtensionContext): Promise<void> {
  if (context.globalState.get("isInstallationDeclined", false)) {
    return;
  }
  const install = "Install...";
  const settings = "Open the settings";
  const decline = "Do not ask again";
  const answer = await vscode.window.showInformationMessage(
    "Completions by fim-lsp need its Python package, which was found neither in this workspace nor on PATH.",
    install,
    settings,
    decline,
  );
  switch (answer) {
    case install:
      return vscode.commands.executeCommand("fim-lsp.createEnvironment");
    case settings:
      return vscode.commands.executeCommand("fim-lsp.openSettings");
    case decline:
      // The status bar item goes on saying it, and its menu goes on offering it.
      return context.globalState.update("isInstallationDeclined", true);
    default:
      return;
  }
}

/** Why the file in front gets no completions whatever the server says; empty when it may. */
function obstacle(): string {
  const document = vscode.window.activeTextEditor?.document;
  // The output panel and the like are editors, too, but not what anybody wants completed.
  if (document === undefined || !["file", "untitled"].includes(document.uri.scheme)) {
    return "";
  }
  if (document.languageId !== "python") {
    return `No completions in ${document.languageId} files: fim-lsp knows Python only so far.`;
  }
  return vscode.workspace.getConfiguration(SECTION, document).get("enable", true)
    ? ""
    : "Disabled for this file by the setting fim-lsp.enable.";
}

async function showMenu(session: Session, status: StatusItem): Promise<void> {
  const entries = menuEntries(status.state, session.isPaused);
  const chosen = await vscode.window.showQuickPick([...entries], {
    title: "fim-lsp",
    placeHolder: status.appearance.tooltip,
  });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand(chosen.command);
  }
}

async function toggleCompletions(session: Session): Promise<void> {
  session.setPaused(!session.isPaused);
  if (session.isPaused) {
    // What is on screen was wanted a moment ago and is not any more.
    await vscode.commands.executeCommand("editor.action.inlineSuggest.hide");
  }
}

/** What is used of the answer of the server's command `fim-lsp.explain`. */
interface Explanation {
  readonly message?: string;
  readonly next?: string;
}

async function explainHere(session: Session): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const { line, character } = editor.selection.active;
  const address = editor.document.uri.toString();
  const answer = await session.execute<Explanation>("fim-lsp.explain", address, { line, character });
  const sentences = [answer?.message, answer?.next].filter((sentence) => sentence);
  await vscode.window.showInformationMessage(
    sentences.length > 0 ? sentences.join(" ") : "The server has no explanation for this place.",
  );
}

async function chooseModel(session: Session): Promise<void> {
  const another = { label: "Another...", description: "a name or a folder", model: undefined };
  const chosen = await vscode.window.showQuickPick<ModelEntry | typeof another>(
    listedModels(session).then((listed) => [...listed, another]),
    { title: "fim-lsp", placeHolder: "The model that completes" },
  );
  const model =
    chosen === another
      ? await vscode.window.showInputBox({ prompt: "The name of a model, or the folder that it is in" })
      : chosen?.model;
  if (model !== undefined) {
    const settings = vscode.workspace.getConfiguration(SECTION);
    await settings.update("model", model, vscode.ConfigurationTarget.Global);
  }
}

async function listedModels(session: Session): Promise<readonly ModelEntry[]> {
  const listing = session.command && listingCommand(session.command);
  if (listing === undefined) {
    return WITHOUT_LISTING;
  }
  try {
    return modelEntries((await promisify(execFile)(...listing, { cwd: __dirname })).stdout);
  } catch {
    return WITHOUT_LISTING;
  }
}

async function createEnvironment(
  session: Session,
  status: StatusItem,
  ownEnvironment: string,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const before = status.state;
  try {
    status.setState({ kind: "installing" });
    if (await installServer(vscode.workspace.getConfiguration(SECTION), ownEnvironment, log)) {
      await session.restart();
      return;
    }
    status.setState(before);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    status.setState({ kind: "failed", reason });
    const answer = await vscode.window.showErrorMessage(
      `fim-lsp could not be installed: ${reason}`,
      "Show the log",
    );
    if (answer !== undefined) {
      log.show();
    }
  }
}

/** A file with a hole, for a first completion. */
async function openExample(): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: "python", content: EXAMPLE });
  const editor = await vscode.window.showTextDocument(document);
  const cursor = document.positionAt(EXAMPLE_CURSOR);
  editor.selection = new vscode.Selection(cursor, cursor);
  await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
}
