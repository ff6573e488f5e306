/**
 * What comes next after a change: asked for when the typing rests, drawn in place. Tab goes there, Tab takes it,
 * Escape sends it away; each taking is one step for Undo.
 *
 * An edit is for one version of one document. Whatever changes the document ends it.
 */
import * as vscode from "vscode";
import { hasTab, isThere, type NextEdit, shownOf } from "./nextEdit";
import { NextEditDrawing, rangeOf } from "./nextEditDrawing";

const SHOWN = "fim-lsp.hasNextEdit";
const TAB = "fim-lsp.nextEditHasTab";
/** The typing rests when nothing has been typed for so long, in milliseconds. */
const REST_MS = 400;
const METHOD = "textDocument/copilotInlineEdit";
const REFUSED = "fim-lsp.didRefuseEdit";

/** What is asked of the server. */
export interface Asking {
  /** Sends a request; undefined where the server is not there. */
  request<T>(method: string, parameters: object, token: vscode.CancellationToken): Promise<T | undefined>;
  execute(command: string, ...parameters: unknown[]): Promise<unknown>;
  /** Whether edits are to be shown in a document without being asked for. */
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
        if (contentChanges.length > 0 && document === vscode.window.activeTextEditor?.document) {
          this.clear();
          // Who takes back what was taken does not want it again.
          if (reason === undefined) {
            this.askSoon();
          }
        }
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.clear()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.redraw(textEditor)),
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.redraw(textEditor)),
    ];
  }

  dispose(): void {
    this.clear();
    vscode.Disposable.from(this.drawing, ...this.subscriptions).dispose();
  }

  /** The key was pressed. What a key means is told to VS Code a moment after the cursor has moved. */
  async press(): Promise<void> {
    await (this.isKeyOurs() ? this.goOrTake() : vscode.commands.executeCommand("tab"));
  }

  /** Goes to the edit that is shown; takes it where the cursor is there already. Where none is shown, asks for one. */
  async goOrTake(): Promise<void> {
    if (this.shown === undefined) {
      await this.ask();
      return;
    }
    const { editor, edit } = this.shown;
    const range = rangeOf(edit);
    const isSeen = editor.visibleRanges.some((seen) => seen.contains(range.start));
    if (isSeen && isThere(editor.selection.active, edit)) {
      await this.take(editor, edit);
      return;
    }
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /** Sends the edit away that is shown. What is refused twice does not come again. */
  async refuse(): Promise<void> {
    const command = this.shown?.edit.command;
    this.clear();
    if (command !== undefined) {
      await this.server.execute(REFUSED, ...(command.arguments ?? []));
    }
  }

  /** Nothing is shown, and nothing is asked, until something changes. */
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
    };
    const answer = await this.server.request<{ edits?: NextEdit[] }>(METHOD, parameters, asked.token);
    const edit = shownOf(answer, uri.toString(), editor.document.version);
    if (asked.token.isCancellationRequested || edit === undefined) {
      return;
    }
    this.shown = { editor, edit };
    this.redraw(editor);
  }

  private redraw(editor: vscode.TextEditor): void {
    if (this.shown?.editor === editor) {
      this.drawing.draw(editor, this.shown.edit);
      this.tellKeys();
    }
  }

  private isKeyOurs(): boolean {
    if (this.shown === undefined) {
      return false;
    }
    const { editor, edit } = this.shown;
    const cursor = editor.selection.active;
    return hasTab(cursor, editor.document.lineAt(cursor.line).text, edit);
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
    // One step for undo, with all that goes with it.
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
    // Not awaited: the next one is shown when it is there.
    void this.ask();
  }
}
