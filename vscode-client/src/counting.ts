/** Counts shown and accepted offers while the setting asks for it, and keeps it with the workspace on this machine. */
import * as vscode from "vscode";
import type { Accepted } from "./acceptedPart";
import type { Page } from "./pages";
import type { Counting } from "./partialAccept";
import { addCounts, type Counts, dayOf, page, type Statistics } from "./statistics";

const KEY = "statistics";

export class KeptCounting implements Counting {
  constructor(private readonly state: vscode.Memento) {}

  shown(document: vscode.TextDocument): void {
    this.count(document, { shown: 1 });
  }

  accepted(document: vscode.TextDocument, { characters, isWhole }: Accepted): void {
    this.count(document, { characters, ...(isWhole ? { accepted: 1 } : { parts: 1 }) });
  }

  get page(): Page {
    return page(this.known, new Date(), this.isCounting);
  }

  async forget(): Promise<void> {
    await this.state.update(KEY, undefined);
  }

  private get known(): Statistics {
    return this.state.get<Statistics>(KEY, {});
  }

  private get isCounting(): boolean {
    return vscode.workspace.getConfiguration("fim-lsp").get("statistics", false);
  }

  private count(document: vscode.TextDocument, more: Partial<Counts>): void {
    if (this.isCounting) {
      // A cell counts for its notebook.
      const file = vscode.workspace.asRelativePath(document.uri.with({ fragment: "" }));
      void this.state.update(KEY, addCounts(this.known, dayOf(new Date()), file, more));
    }
  }
}
