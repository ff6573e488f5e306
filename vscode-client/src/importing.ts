/**
 * The import of an offer, which the server inserts when the offer is accepted. Here it joins the same undo
 * step, so that Undo removes both; as an edit of its own, it would be a separate step in VS Code.
 */
import * as vscode from "vscode";
import { type ApplyWorkspaceEditParams, TextDocumentEdit } from "vscode-languageclient/node";

/** The server's label for such an edit. */
const LABEL = "fim-lsp: import";

/** Inserts an import; undefined for any other edit, or if no visible editor shows the document. */
export async function putImport({ label, edit }: ApplyWorkspaceEditParams): Promise<boolean | undefined> {
  const [change, ...others] = edit.documentChanges ?? [];
  if (label !== LABEL || change === undefined || others.length > 0 || !TextDocumentEdit.is(change)) {
    return undefined;
  }
  const { uri, version } = change.textDocument;
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
  const [text, ...more] = change.edits;
  if (editor === undefined || text === undefined || more.length > 0 || !("newText" in text)) {
    return undefined;
  }
  if (version !== null && version !== editor.document.version) {
    return false;
  }
  const { start, end } = text.range;
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  return await editor.edit((builder) => builder.replace(range, text.newText), {
    undoStopBefore: false,
    undoStopAfter: false,
  });
}
