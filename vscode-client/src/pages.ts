/** Pages beside the edited document, one of each kind. A page that is shown again is made anew. */
import * as vscode from "vscode";
import { documentOf } from "./html";

export interface Page {
  readonly title: string;
  /** HTML without scripts. */
  readonly body: string;
}

export class Pages implements vscode.Disposable {
  private readonly shown = new Map<string, vscode.WebviewPanel>();

  /** Shows a page. It replaces the page of the same `kind`; `tab` is its title. */
  show(kind: string, tab: string, { title, body }: Page): void {
    const panel = this.shown.get(kind) ?? this.open(kind, tab);
    // A screen reader speaks a page in the language that it is written in.
    const language = vscode.l10n.bundle === undefined ? "en" : vscode.env.language;
    panel.webview.html = documentOf(title, body, language);
    panel.reveal(undefined, true);
  }

  dispose(): void {
    vscode.Disposable.from(...this.shown.values()).dispose();
  }

  private open(kind: string, tab: string): vscode.WebviewPanel {
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(`fim-lsp.${kind}`, tab, where, { enableFindWidget: true });
    this.shown.set(kind, panel);
    panel.onDidDispose(() => this.shown.delete(kind));
    return panel;
  }
}
