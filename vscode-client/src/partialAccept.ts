/**
 * Closes an accepted part of an offer when the user leaves it, so that the file parses as before. The server
 * knows the shortest text for that, and Undo removes it in one step.
 *
 * Leaving is Escape, a move of the cursor, another editor, another window, or saving. While the rest stays on
 * screen nothing is inserted, because the grey text still offers it, however long the pause.
 */
import * as vscode from "vscode";
import {
  type Accepted,
  acceptedOf,
  type Followed,
  followEdits,
  isNew,
  NOTHING,
  offeredNow,
  type Part,
  type ShownOffer,
} from "./acceptedPart";

const CONTEXT = "fim-lsp.isPartlyAccepted";
/** The most requests for one part, because the text may change during each. */
const MOST_ATTEMPTS = 5;
/**
 * How long saving waits. VS Code continues after 1.5 s by itself, and after three timeouts it never waits
 * again.
 */
const SAVING_MILLISECONDS = 1000;

/** Asks the server for the text that closes a part at a position; undefined if none is needed. */
export type Closing = (
  document: vscode.TextDocument,
  position: vscode.Position,
  rest: string,
) => Promise<string | undefined>;

/** The counter of shown and accepted offers. */
export interface Counting {
  shown(document: vscode.TextDocument): void;
  accepted(document: vscode.TextDocument, what: Accepted): void;
}

export class PartialAccepts implements vscode.Disposable {
  private readonly known = new Map<string, Followed>();
  /** The closings in progress, by document. */
  private readonly leaving = new Map<string, Promise<boolean>>();
  /** The documents with an edit of our own in progress, which is not followed. */
  private readonly edited = new Set<string>();
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
      vscode.window.onDidChangeWindowState(({ focused }) => {
        const document = vscode.window.activeTextEditor?.document;
        if (!focused && document !== undefined) {
          void this.leave(document);
        }
      }),
      vscode.workspace.onWillSaveTextDocument((event) => {
        // An automatic save by time does not mean that the user leaves.
        if (event.reason !== vscode.TextDocumentSaveReason.AfterDelay && this.isOpen(event.document)) {
          event.waitUntil(this.beforeSaving(event.document));
        }
      }),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.subscriptions).dispose();
  }

  /** Records the offers that the editor is about to show at a position. */
  shown(
    document: vscode.TextDocument,
    position: vscode.Position,
    items: readonly vscode.InlineCompletionItem[],
  ): void {
    const cursor = document.offsetAt(position);
    const offers = items.flatMap((item): ShownOffer[] => {
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

  /** Hides the grey text, and closes its accepted part. */
  async escape(): Promise<void> {
    await vscode.commands.executeCommand("editor.action.inlineSuggest.hide");
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined) {
      await this.leave(document);
    }
  }

  private isOpen(document: vscode.TextDocument): boolean {
    return this.part(document) !== undefined || this.leaving.has(key(document));
  }

  private part(document: vscode.TextDocument): Part | undefined {
    return this.known.get(key(document))?.part;
  }

  private know(document: vscode.TextDocument, followed: Followed): void {
    this.known.set(key(document), followed);
    this.tellKeys();
  }

  /** Sets the context in which Escape also closes a part. */
  private tellKeys(): void {
    const document = vscode.window.activeTextEditor?.document;
    const isOpen = document !== undefined && this.part(document) !== undefined;
    void vscode.commands.executeCommand("setContext", CONTEXT, isOpen);
  }

  private changed({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const before = this.known.get(key(document));
    const [change, ...others] = contentChanges;
    if (before === undefined || change === undefined || this.edited.has(key(document))) {
      return;
    }
    const isUndone = reason !== undefined;
    const edits = contentChanges.map(({ rangeOffset: offset, rangeLength: length, text }) => ({
      offset,
      length,
      text,
    }));
    const [edit] = edits;
    const taken = edit && others.length === 0 && !isUndone ? acceptedOf(before, edit) : undefined;
    if (taken !== undefined) {
      this.counting.accepted(document, taken);
    }
    this.know(document, isUndone ? NOTHING : followEdits(before, edits));
  }

  /** Closes the open part in a document; returns whether anything was inserted. */
  private leave(document: vscode.TextDocument): Promise<boolean> {
    const known = this.leaving.get(key(document));
    if (known !== undefined || this.part(document) === undefined) {
      return known ?? Promise.resolve(false);
    }
    const work = this.close(document).finally(() => this.leaving.delete(key(document)));
    this.leaving.set(key(document), work);
    return work;
  }

  private async close(document: vscode.TextDocument): Promise<boolean> {
    const edit = await this.edit(document);
    if (edit === undefined) {
      return false;
    }
    this.edited.add(key(document));
    try {
      return await put(document, edit);
    } finally {
      this.edited.delete(key(document));
    }
  }

  /** Closes before the save; if that takes too long, the closing text is saved when it arrives. */
  private async beforeSaving(document: vscode.TextDocument): Promise<void> {
    const work = this.leave(document);
    const isLate = await Promise.race([
      work.then(() => false),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(true), SAVING_MILLISECONDS)),
    ]);
    if (isLate) {
      void work.then((isPut) => isPut && document.save());
    }
  }

  /** The edit that closes the open part in a document, which is then no longer followed. */
  private async edit(document: vscode.TextDocument): Promise<vscode.TextEdit | undefined> {
    const isWanted = vscode.workspace.getConfiguration("fim-lsp", document).get("closePartialAccepts", true);
    for (let attempt = 0; isWanted && attempt < MOST_ATTEMPTS; attempt++) {
      const part = this.part(document);
      if (part === undefined) {
        return undefined;
      }
      const { version } = document;
      const position = document.positionAt(part.offset);
      const text = await this.closing(document, position, part.rest);
      if (document.version === version) {
        this.know(document, NOTHING);
        return text ? vscode.TextEdit.insert(position, text) : undefined;
      }
      // A user who continues to type behind the part closes it differently, so it is no longer followed.
    }
    this.know(document, NOTHING);
    return undefined;
  }
}

/** Inserts the text that closes a part; returns whether that succeeded. */
async function put(document: vscode.TextDocument, { range, newText }: vscode.TextEdit): Promise<boolean> {
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  if (editor === undefined) {
    const change = new vscode.WorkspaceEdit();
    change.insert(document.uri, range.start, newText);
    return vscode.workspace.applyEdit(change);
  }
  const { selections } = editor;
  const isPut = await editor.edit((builder) => builder.replace(range, newText));
  if (isPut && selections.some(({ active }) => active.isEqual(range.start))) {
    // The cursor stays behind the part, in front of the closing text.
    editor.selections = selections;
  }
  return isPut;
}

function key(document: vscode.TextDocument): string {
  return document.uri.toString();
}
