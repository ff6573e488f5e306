/** The item in the status bar: shows the texts of `status.ts` whenever one of their inputs changes. */
import * as vscode from "vscode";
import {
  CALM,
  type Circumstances,
  type Report,
  relevantReport,
  type ServerState,
  type StatusAppearance,
  spoken,
  statusAppearance,
} from "./status";

/** The delay that keeps the item from flickering at quick answers. */
const PATIENCE = 150;

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("fim-lsp", vscode.StatusBarAlignment.Right, 90);
  /** The server's last report about each document, and about itself under the empty name. */
  private readonly reports = new Map<string, Report>();
  private shownState: ServerState = { kind: "stopped" };
  private nWaiting = 0;

  constructor(
    private readonly conditions: () => Pick<Circumstances, "isPaused" | "pausedUntil" | "obstacle">,
  ) {
    this.item.name = "fim-lsp";
    this.item.command = "fim-lsp.showMenu";
  }

  get state(): ServerState {
    return this.shownState;
  }

  get appearance(): StatusAppearance {
    return statusAppearance(this.shownState, this.circumstances());
  }

  setState(state: ServerState): void {
    this.shownState = state;
    if (state.kind !== "running") {
      this.reports.clear();
    }
    void vscode.commands.executeCommand("setContext", "fim-lsp.isRunning", state.kind === "running");
    this.refresh();
  }

  setReport(document: string, report: Report): void {
    this.reports.set(document, report);
    this.refresh();
  }

  forget(document: string): void {
    this.reports.delete(document);
  }

  /** Shows the item busy while a request takes long. */
  async during<T>(request: Thenable<T>): Promise<T> {
    let isCounted = false;
    const timer = setTimeout(() => {
      isCounted = true;
      this.nWaiting += 1;
      this.refresh();
    }, PATIENCE);
    try {
      return await request;
    } finally {
      clearTimeout(timer);
      if (isCounted) {
        this.nWaiting -= 1;
        this.refresh();
      }
    }
  }

  refresh(): void {
    const { text, tooltip, severity } = this.appearance;
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: spoken(this.appearance), role: "button" };
    this.item.backgroundColor =
      severity === "normal" ? undefined : new vscode.ThemeColor(`statusBarItem.${severity}Background`);
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }

  private circumstances(): Circumstances {
    const inFront = vscode.window.activeTextEditor?.document.uri.toString() ?? "";
    const report = relevantReport(this.reports.get(""), this.reports.get(inFront));
    return { ...CALM, ...this.conditions(), isWaiting: this.nWaiting > 0, report };
  }
}
