/**
 * When a word or a line of an offer has been accepted and the person goes elsewhere, what the part has opened is
 * closed: the file parses as before. The server knows the shortest text for that. Undo takes it back in one step.
 *
 * "Elsewhere" is Escape, the cursor moved, another editor, saving. While the rest stays on screen nothing is put in:
 * the grey text still offers it.
 */
import * as vscode from "vscode";
import {
  type Accepted,
  accepted,
  type Followed,
  followed,
  isNew,
  NOTHING,
  type Offer,
  offeredNow,
  type Part,
} from "./acceptedPart";

const CONTEXT = "fim-lsp.isPartlyAccepted";

/** Asks the server what closes a part that ends at a position; undefined where nothing is to be done. */
export type Closing = (
  document: vscode.TextDocument,
  position: vscode.Position,
  rest: string,
) => Promise<string | undefined>;

/** Who counts what is shown and accepted. */
export interface Counting {
  shown(document: vscode.TextDocument): void;
  accepted(document: vscode.TextDocument, what: Accepted): void;
}

export class PartialAccepts implements vscode.Disposable {
  private readonly known = new Map<string, Followed>();
  /** Our own edit is none to follow. */
  private isClosing = false;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly closing: Closing,
    private readonly counting: Counting,
  ) {
    this.subscriptions = [
      vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.known.delete(uri.toString())),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        const part = this.part(textEditor.document);
        const [selection] = selections;
        const isHere = selection?.isEmpty && part?.offset === textEditor.document.offsetAt(selection.active);
        if (part !== undefined && !isHere) {
          void this.leave(textEditor.document);
        }
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        for (const document of vscode.workspace.textDocuments) {
          if (document !== editor?.document) {
            void this.leave(document);
          }
        }
        this.tellKeys();
      }),
      vscode.workspace.onWillSaveTextDocument((event) => {
        event.waitUntil(this.editsBeforeSaving(event.document));
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** What the editor is about to show at a position. */
  shown(
    document: vscode.TextDocument,
    position: vscode.Position,
    items: readonly vscode.InlineCompletionItem[],
  ): void {
    const cursor = document.offsetAt(position);
    const offers = items.flatMap((item): Offer[] => {
      const text = typeof item.insertText === "string" ? item.insertText : item.insertText.value;
      const begun = document.getText(new vscode.Range(item.range?.start ?? position, position));
      return text.startsWith(begun) ? [{ offset: cursor, rest: text.slice(begun.length) }] : [];
    });
    const before = this.known.get(key(document)) ?? NOTHING;
    if (isNew(before, offers)) {
      this.counting.shown(document);
    }
    this.know(document, offeredNow(before, offers, cursor));
  }

  /** Hides the grey text, and closes what was accepted of it. */
  async escape(): Promise<void> {
    await vscode.commands.executeCommand("editor.action.inlineSuggest.hide");
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined) {
      await this.leave(document);
    }
  }

  private part(document: vscode.TextDocument): Part | undefined {
    return this.known.get(key(document))?.part;
  }

  private know(document: vscode.TextDocument, followed: Followed): void {
    this.known.set(key(document), followed);
    this.tellKeys();
  }

  /** Escape means more while a part is open. */
  private tellKeys(): void {
    const document = vscode.window.activeTextEditor?.document;
    const isOpen = document !== undefined && this.part(document) !== undefined;
    void vscode.commands.executeCommand("setContext", CONTEXT, isOpen);
  }

  private changed({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const before = this.known.get(key(document));
    const [change, ...others] = contentChanges;
    if (before === undefined || change === undefined || this.isClosing) {
      return;
    }
    const isOne = others.length === 0 && reason === undefined;
    const edit = { offset: change.rangeOffset, length: change.rangeLength, text: change.text };
    const taken = isOne ? accepted(before, edit) : undefined;
    if (taken !== undefined) {
      this.counting.accepted(document, taken);
    }
    this.know(document, isOne ? followed(before, edit) : NOTHING);
  }

  private async leave(document: vscode.TextDocument): Promise<void> {
    const edit = await this.edit(document);
    if (edit === undefined) {
      return;
    }
    this.isClosing = true;
    try {
      const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
      if (editor === undefined) {
        const change = new vscode.WorkspaceEdit();
        change.insert(document.uri, edit.range.start, edit.newText);
        await vscode.workspace.applyEdit(change);
        return;
      }
      const { selections } = editor;
      const isPut = await editor.edit((builder) => builder.replace(edit.range, edit.newText));
      if (isPut && selections.some(({ active }) => active.isEqual(edit.range.start))) {
        // The cursor stays behind the part, in front of what closes it.
        editor.selections = selections;
      }
    } finally {
      this.isClosing = false;
    }
  }

  private async editsBeforeSaving(document: vscode.TextDocument): Promise<vscode.TextEdit[]> {
    const edit = await this.edit(document);
    return edit === undefined ? [] : [edit];
  }

  /** What closes the part that is open in a document, which is done with then. */
  private async edit(document: vscode.TextDocument): Promise<vscode.TextEdit | undefined> {
    const part = this.part(document);
    if (part === undefined) {
      return undefined;
    }
    this.know(document, NOTHING);
    if (!vscode.workspace.getConfiguration("fim-lsp", document).get("closePartialAccepts", true)) {
      return undefined;
    }
    const { version } = document;
    const position = document.positionAt(part.offset);
    const text = await this.closing(document, position, part.rest);
    // Who has typed on meanwhile closes it in another way.
    return text && document.version === version ? vscode.TextEdit.insert(position, text) : undefined;
  }
}

function key(document: vscode.TextDocument): string {
  return document.uri.toString();
}
