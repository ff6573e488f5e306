/**
 * Puts the parts together: the session with the server, the status bar item, the commands, the walkthrough.
 */
import * as vscode from "vscode";
import { offerBetterModel } from "./betterModel";
import { KeptCounting } from "./counting";
import { EXAMPLE, EXAMPLE_CURSOR } from "./example";
import { type Explanation, page as explanationPage, headline } from "./explanation";
import { Held } from "./held";
import { OwnEnvironment } from "./installation";
import { t, translateWith } from "./l10n";
import { LANGUAGES } from "./languages";
import { askForKey, chooseModel } from "./modelPicker";
import { NextEdits } from "./nextEdits";
import { Pages } from "./pages";
import { asText, type Sent } from "./sent";
import { SECTION, Session } from "./session";
import { showsNextEdits } from "./settings";
import { menuEntries } from "./status";
import { StatusItem } from "./statusItem";
import { toggleSomewhere } from "./toggles";

/** Settings whose change needs a new process; the server gets all other changes as messages. */
const START_SETTINGS = ["enable", "python", "command", "serverArguments"];
const WALKTHROUGH = "fim-lsp.fim-lsp#start";

const COMPLETED_SCHEMES = ["file", "untitled", "vscode-notebook-cell"];

let session: Session | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  translateWith(vscode.l10n.t);
  const log = vscode.window.createOutputChannel(SECTION, { log: true });
  const status = new StatusItem(() => ({
    isPaused: session?.isPaused ?? false,
    pausedUntil: session?.pausedUntil,
    obstacle: obstacle(),
  }));
  const ownEnvironment = new OwnEnvironment(
    vscode.Uri.joinPath(context.extensionUri, "wheels").fsPath,
    vscode.Uri.joinPath(context.globalStorageUri, "environment").fsPath,
    log,
  );
  const counting = new KeptCounting(context.workspaceState);
  const pages = new Pages();
  const opened = new Session(log, status, ownEnvironment, context.secrets, counting);
  session = opened;
  const held = new Held(
    () => void vscode.commands.executeCommand("editor.action.inlineSuggest.trigger"),
    () => void vscode.commands.executeCommand("editor.action.inlineSuggest.hide"),
  );
  const nextEdits = new NextEdits({
    request: (method, parameters, token) => opened.request(method, parameters, token),
    execute: (command, ...parameters) => opened.execute(command, ...parameters),
    isWanted: (document) =>
      !opened.isPaused &&
      LANGUAGES.includes(document.languageId) &&
      showsNextEdits(vscode.workspace.getConfiguration(SECTION, document)),
  });
  // The manifest's conditions use it, so the languages are named in one place.
  void vscode.commands.executeCommand("setContext", "fim-lsp.languages", LANGUAGES);
  context.subscriptions.push(
    log,
    status,
    opened.parts,
    nextEdits,
    pages,
    vscode.commands.registerCommand("fim-lsp.start", () => opened.start()),
    vscode.commands.registerCommand("fim-lsp.restart", () => opened.restart()),
    vscode.commands.registerCommand("fim-lsp.stop", () => opened.stop()),
    vscode.commands.registerCommand("fim-lsp.showLog", () => log.show()),
    vscode.commands.registerCommand("fim-lsp.showMenu", () => showMenu(opened, status)),
    vscode.commands.registerCommand("fim-lsp.openSettings", () =>
      vscode.commands.executeCommand("workbench.action.openSettings", "@ext:fim-lsp.fim-lsp"),
    ),
    vscode.commands.registerCommand("fim-lsp.openWalkthrough", () => openWalkthrough(status)),
    vscode.commands.registerCommand("fim-lsp.trigger", (by?: { readonly isHeard?: boolean }) =>
      by?.isHeard === true
        ? triggerAloud(opened, status, pages)
        : vscode.commands.executeCommand("editor.action.inlineSuggest.trigger"),
    ),
    vscode.commands.registerCommand("fim-lsp.hide", () => opened.parts.escape()),
    vscode.commands.registerCommand("fim-lsp.nextEdit", (by?: { readonly isKey?: boolean }) =>
      by?.isKey === true ? nextEdits.press() : nextEdits.goOrTake(),
    ),
    vscode.commands.registerCommand("fim-lsp.refuseNextEdit", () => nextEdits.refuse()),
    vscode.commands.registerCommand("fim-lsp.sayNextEdit", () => nextEdits.say()),
    vscode.commands.registerCommand("fim-lsp.acceptWord", () =>
      vscode.commands.executeCommand("editor.action.inlineSuggest.acceptNextWord"),
    ),
    vscode.commands.registerCommand("fim-lsp.acceptLine", () =>
      vscode.commands.executeCommand("editor.action.inlineSuggest.acceptNextLine"),
    ),
    vscode.commands.registerCommand("fim-lsp.toggleCompletions", () => {
      nextEdits.clear();
      return toggleCompletions(opened);
    }),
    vscode.commands.registerCommand("fim-lsp.toggleSomewhere", () =>
      toggleSomewhere(vscode.window.activeTextEditor),
    ),
    held,
    vscode.commands.registerCommand("fim-lsp.showWhileHeld", () => held.press()),
    vscode.commands.registerCommand("fim-lsp.snooze", () => snooze(opened)),
    vscode.commands.registerCommand("fim-lsp.explainHere", () => explainHere(opened, pages)),
    vscode.commands.registerCommand("fim-lsp.showSent", () => showSent(opened)),
    vscode.commands.registerCommand("fim-lsp.showStatistics", () => showStatistics(counting, pages)),
    vscode.commands.registerCommand("fim-lsp.forgetStatistics", () => counting.forget()),
    vscode.commands.registerCommand("fim-lsp.chooseModel", async () => chooseModel(await opened.program())),
    vscode.commands.registerCommand("fim-lsp.setServerKey", async () => {
      if (await askForKey(context.secrets)) {
        await opened.restart();
      }
    }),
    vscode.commands.registerCommand("fim-lsp.createEnvironment", () =>
      createEnvironment(opened, status, ownEnvironment, log),
    ),
    vscode.commands.registerCommand("fim-lsp.openExample", openExample),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      status.refresh();
      opened.focus(editor);
    }),
    followRest((editor) => opened.focus(editor)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => status.forget(uri.toString())),
    vscode.workspace.onDidGrantWorkspaceTrust(() => opened.restart()),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      status.refresh();
      if (START_SETTINGS.some((name) => change.affectsConfiguration(`${SECTION}.${name}`))) {
        await opened.restart();
      }
    }),
  );
  await opened.start();
  // Not awaited: the extension is active meanwhile.
  if (status.state.kind === "not found" && ownEnvironment.canInstall) {
    void createEnvironment(opened, status, ownEnvironment, log).then(() => welcome(context, opened));
  } else {
    void welcome(context, opened);
  }
}

/** The milliseconds without a move after which a cursor rests. */
const REST_MS = 300;

/** Calls back when the user has moved the active editor's cursor, and it rests. */
function followRest(rests: (editor: vscode.TextEditor) => void): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const moves = vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
    clearTimeout(timer);
    // Typing requests a completion anyway.
    if (kind !== undefined && textEditor === vscode.window.activeTextEditor) {
      timer = setTimeout(() => rests(textEditor), REST_MS);
    }
  });
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    moves.dispose();
  });
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

/**
 * One notice, once the server runs: a better model, if there is one for this machine; otherwise the
 * walkthrough, once, which must not cover the file that was just opened.
 */
async function welcome(context: vscode.ExtensionContext, session: Session): Promise<void> {
  const isWelcome = vscode.workspace.getConfiguration("workbench").get("startupEditor") !== "none";
  if (!isWelcome || (await offerBetterModel(context.globalState, await session.program()))) {
    return;
  }
  if (context.globalState.get("hasSeenWalkthrough", false)) {
    return;
  }
  await context.globalState.update("hasSeenWalkthrough", true);
  const show = t("Show the walkthrough");
  const answer = await vscode.window.showInformationMessage(
    t("fim-lsp completes in the middle of files. Grey text appears as you type: Tab accepts it."),
    show,
  );
  if (answer === show) {
    await vscode.commands.executeCommand("fim-lsp.openWalkthrough");
  }
}

async function openWalkthrough(status: StatusItem): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false);
  // VS Code ticks a step off when its condition becomes true, and not if it is true when the steps are first
  // shown.
  await vscode.commands.executeCommand("setContext", "fim-lsp.hasServer", status.state.kind === "running");
}

/** The client's own reason for no completions in the active file; empty if there is none. */
function obstacle(): string {
  const document = vscode.window.activeTextEditor?.document;
  // The output panel and similar views are editors, too, but nothing is completed there.
  if (document === undefined || !COMPLETED_SCHEMES.includes(document.uri.scheme)) {
    return "";
  }
  if (!LANGUAGES.includes(document.languageId)) {
    return t(
      "No completions in {0} files: fim-lsp knows Python, Go, Java, JavaScript, TypeScript, JSON and TOML.",
      document.languageId,
    );
  }
  return vscode.workspace.getConfiguration(SECTION, document).get("enable", true)
    ? ""
    : t("Disabled for this file by the setting fim-lsp.enable.");
}

async function showMenu(session: Session, status: StatusItem): Promise<void> {
  const entries = menuEntries(status.state, session.isPaused).map(({ icon, ...entry }) => ({
    ...entry,
    iconPath: new vscode.ThemeIcon(icon),
  }));
  const chosen = await vscode.window.showQuickPick(entries, {
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
    // The offer on screen is no longer wanted.
    await vscode.commands.executeCommand("editor.action.inlineSuggest.hide");
  }
}

const SNOOZES = [5, 15, 60];

async function snooze(session: Session): Promise<void> {
  const choices = SNOOZES.map((minutes) => ({ label: t("For {0} minutes", minutes), minutes }));
  const chosen = await vscode.window.showQuickPick(choices, {
    title: "fim-lsp",
    placeHolder: t("Pause completions for how long?"),
  });
  if (chosen !== undefined) {
    session.snooze(chosen.minutes);
    await vscode.commands.executeCommand("editor.action.inlineSuggest.hide");
  }
}

async function showSent(session: Session): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const { line, character } = editor.selection.active;
  const address = editor.document.uri.toString();
  const answer = await session.execute<Sent>("fim-lsp.explain", address, { line, character });
  const content = answer && asText(answer);
  if (content === undefined) {
    await vscode.window.showInformationMessage(t("Nothing has been sent to a model for this file yet."));
    return;
  }
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
}

/** A screen reader reads grey text, but would be silent if there is none, so the reason is announced. */
async function triggerAloud(session: Session, status: StatusItem, pages: Pages): Promise<void> {
  session.hasOffered = false;
  await vscode.commands.executeCommand("editor.action.inlineSuggest.trigger");
  if (session.isPaused) {
    await vscode.window.showInformationMessage(status.appearance.tooltip);
  } else if (!session.hasOffered) {
    await explainHere(session, pages);
  }
}

async function explainHere(session: Session, pages: Pages): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const { line, character } = editor.selection.active;
  const address = editor.document.uri.toString();
  const answer = await session.execute<Explanation>("fim-lsp.explain", address, { line, character });
  const more = t("More");
  const chosen = await vscode.window.showInformationMessage(
    headline(answer ?? {}),
    ...(answer ? [more] : []),
  );
  if (answer !== undefined && chosen === more) {
    pages.show("why", t("Why"), explanationPage(answer));
  }
}

/** The statistics, or the offer to begin counting. */
async function showStatistics(counting: KeptCounting, pages: Pages): Promise<void> {
  pages.show("statistics", t("Statistics"), counting.page);
  const settings = vscode.workspace.getConfiguration(SECTION);
  const begin = t("Count from now on");
  if (
    !settings.get("statistics", false) &&
    (await vscode.window.showInformationMessage(t("Counting is off."), begin)) === begin
  ) {
    await settings.update("statistics", true, vscode.ConfigurationTarget.Global);
    pages.show("statistics", t("Statistics"), counting.page);
  }
}

/** Installs the server from the extension's own wheels. Cancelling changes nothing. */
async function createEnvironment(
  session: Session,
  status: StatusItem,
  ownEnvironment: OwnEnvironment,
  log: vscode.LogOutputChannel,
): Promise<void> {
  if (status.state.kind === "installing") {
    return;
  }
  try {
    // A running server must not lose its files.
    await session.stop();
    status.setState({ kind: "installing" });
    if (await ownEnvironment.install(vscode.workspace.getConfiguration(SECTION))) {
      await session.restart();
    } else {
      status.setState({ kind: "not found" });
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    status.setState({ kind: "not installed", reason });
    const [again, showLog] = [t("Install again"), t("Show the log")];
    const answer = await vscode.window.showErrorMessage(`fim-lsp: ${reason}`, again, showLog);
    if (answer === again) {
      await createEnvironment(session, status, ownEnvironment, log);
    } else if (answer === showLog) {
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
