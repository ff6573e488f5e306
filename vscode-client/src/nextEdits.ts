/**
 * The next edits after a change: requested when the typing rests, and drawn in place. Tab moves to the edit,
 * Tab accepts it, Escape dismisses it. Each acceptance is one step for Undo.
 *
 * An edit is for one version of one document. Any change of the document removes it.
 */
import * as vscode from "vscode";
import { t } from "./l10n";
import { hasTab, isThere, type NextEdit, shownOf } from "./nextEdit";
import { NextEditDrawing, rangeOf } from "./nextEditDrawing";
import { spokenEdit } from "./spokenEdit";

const SHOWN = "fim-lsp.hasNextEdit";
const TAB = "fim-lsp.nextEditHasTab";
/** The milliseconds without a key after which the typing rests. */
const REST_MS = 400;
const METHOD = "textDocument/copilotInlineEdit";
const REFUSED = "fim-lsp.didRefuseEdit";

/** The requests to the server. */
export interface Asking {
  /** Sends a request; undefined if the server is not running. */
  request<T>(method: string, parameters: object, token: vscode.CancellationToken): Promise<T | undefined>;
  execute(command: string, ...parameters: unknown[]): Promise<unknown>;
  /** Whether edits are shown automatically in a document. */
  isWanted(document: vscode.TextDocument): boolean;
}

export class NextEdits implements vscode.Disposable {
  private readonly drawing = new NextEditDrawing();
  private shown: { readonly editor: vscode.TextEditor; readonly edit: NextEdit } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asked: vscode.CancellationTokenSource | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly server: Asking) {
    this.subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
        const isShown = document.uri.toString() === this.shown?.edit.textDocument.uri;
        if (contentChanges.length > 0 && isShown) {
          this.clear();
        }
        if (contentChanges.length > 0 && document === vscode.window.activeTextEditor?.document) {
          this.clear();
          // An edit that the user has undone is not shown again.
          if (reason === undefined) {
            this.askSoon();
          }
        }
      }),
      // The user has moved to an edit in another document, where it is shown.
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor !== this.shown?.editor) {
          this.clear();
        }
      }),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.redraw(textEditor)),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.redraw(textEditor)),
    ];
  }

  dispose(): void {
    this.clear();
    vscode.Disposable.from(this.drawing, ...this.subscriptions).dispose();
  }

  /** Handles the key. VS Code updates the key's condition a moment after the cursor has moved. */
  async press(): Promise<void> {
    await (this.isKeyOurs() ? this.goOrTake() : vscode.commands.executeCommand("tab"));
  }

  /**
   * Moves to the shown edit, or accepts it if the cursor is there already. If none is shown, requests one.
   */
  async goOrTake(): Promise<void> {
    if (this.shown === undefined) {
      await this.ask();
      return;
    }
    const { editor, edit } = this.shown;
    if (isElsewhere(editor, edit)) {
      await this.goThere(edit);
      return;
    }
    const range = rangeOf(edit);
    const isSeen = editor.visibleRanges.some((seen) => seen.contains(range.start));
    if (isSeen && isThere(editor.selection.active, edit)) {
      await this.take(editor, edit);
      return;
    }
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** Announces the shown edit, and asks what to do; if none is shown, requests one. */
  async say(): Promise<void> {
    if (this.shown === undefined) {
      await this.ask();
    }
    if (this.shown === undefined) {
      await vscode.window.showInformationMessage(t("No edit follows from your changes."));
      return;
    }
    const { edit } = this.shown;
    const [make, refuse] = [t("Make it"), t("Dismiss it")];
    const chosen = await vscode.window.showInformationMessage(await this.words(edit), make, refuse);
    if (this.shown?.edit !== edit) {
      return;
    }
    if (chosen === refuse) {
      await this.refuse();
    } else if (chosen === make) {
      await this.makeIt(edit);
    }
  }

  private async words(edit: NextEdit): Promise<string> {
    const { start, end } = rangeOf(edit);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(edit.textDocument.uri));
    const before = document.lineAt(start.line).text.slice(0, start.character);
    const behind = document.lineAt(end.line).text.slice(end.character);
    const isElsewhere = document !== vscode.window.activeTextEditor?.document;
    return spokenEdit(edit, before, behind, isElsewhere);
  }

  /** Accepts the edit in one step, wherever it is. */
  private async makeIt(edit: NextEdit): Promise<void> {
    if (this.shown !== undefined && isElsewhere(this.shown.editor, edit)) {
      await this.goThere(edit);
    }
    if (this.shown?.edit === edit) {
      const { editor } = this.shown;
      // The message had the keyboard focus.
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
      await this.take(editor, edit);
    }
  }

  private async goThere(edit: NextEdit): Promise<void> {
    this.clear();
    const range = rangeOf(edit);
    const there = new vscode.Range(range.start, range.start);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(edit.textDocument.uri));
    const editor = await vscode.window.showTextDocument(document, { selection: there });
    if (document.version === edit.textDocument.version) {
      this.shown = { editor, edit };
      this.redraw(editor);
    }
  }

  /** Dismisses the shown edit. An edit that is dismissed twice does not come again. */
  async refuse(): Promise<void> {
    const command = this.shown?.edit.command;
    this.clear();
    if (command !== undefined) {
      await this.server.execute(REFUSED, ...(command.arguments ?? []));
    }
  }

  /** Hides the edit, and requests nothing until the next change. */
  clear(): void {
    clearTimeout(this.timer);
    this.asked?.cancel();
    this.asked = undefined;
    if (this.shown !== undefined) {
      this.drawing.erase(this.shown.editor);
      this.shown = undefined;
      this.tellKeys();
    }
  }

  private askSoon(): void {
    clearTimeout(this.timer);
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined && this.server.isWanted(document)) {
      this.timer = setTimeout(() => void this.ask(), REST_MS);
    }
  }

  private async ask(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) {
      return;
    }
    this.clear();
    const asked = new vscode.CancellationTokenSource();
    this.asked = asked;
    const { uri, version } = editor.document;
    const { line, character } = editor.selection.active;
    const parameters = {
      textDocument: { uri: uri.toString(), version },
      position: { line, character },
      additionalTextEdits: true,
      otherDocuments: true,
    };
    const answer = await this.server.request<{ edits?: NextEdit[] }>(METHOD, parameters, asked.token);
    const edit = shownOf(answer, versionOf);
    const isOvertaken = asked.token.isCancellationRequested || version !== editor.document.version;
    if (isOvertaken || edit === undefined) {
      return;
    }
    this.shown = { editor, edit };
    this.redraw(editor);
  }

  private redraw(editor: vscode.TextEditor): void {
    if (this.shown?.editor === editor) {
      const { edit } = this.shown;
      if (isElsewhere(editor, edit)) {
        this.drawing.drawElsewhere(editor, edit);
      } else {
        this.drawing.draw(editor, edit);
      }
      this.tellKeys();
    }
  }

  private isKeyOurs(): boolean {
    if (this.shown === undefined) {
      return false;
    }
    const { editor, edit } = this.shown;
    const cursor = editor.selection.active;
    return hasTab(cursor, editor.document.lineAt(cursor.line).text, edit, isElsewhere(editor, edit));
  }

  private tellKeys(): void {
    void vscode.commands.executeCommand("setContext", SHOWN, this.shown !== undefined);
    void vscode.commands.executeCommand("setContext", TAB, this.isKeyOurs());
  }

  private async take(editor: vscode.TextEditor, edit: NextEdit): Promise<void> {
    const range = rangeOf(edit);
    const { document } = editor;
    const lengthBehind = document.getText().length - document.offsetAt(range.end);
    this.clear();
    if (edit.textDocument.version !== document.version) {
      return;
    }
    // One step for undo, with its edits elsewhere.
    const isDone = await editor.edit((builder) => {
      for (const one of edit.additionalTextEdits ?? []) {
        builder.replace(rangeOf(one), one.newText);
      }
      builder.replace(range, edit.text);
    });
    if (!isDone) {
      return;
    }
    const behind = document.positionAt(document.getText().length - lengthBehind);
    editor.selection = new vscode.Selection(behind, behind);
    if (edit.command !== undefined) {
      await this.server.execute(edit.command.command, ...(edit.command.arguments ?? []));
    }
    // Not awaited: the next edit is shown when it arrives.
    void this.ask();
  }
}

function isElsewhere(editor: vscode.TextEditor, edit: NextEdit): boolean {
  return editor.document.uri.toString() !== edit.textDocument.uri;
}

function versionOf(uri: string): number | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri)?.version;
}
