/** What the status bar item shows. Pure; `session.ts` puts it on screen. */

export type ServerState =
  | { readonly kind: "disabled" }
  | { readonly kind: "not found" }
  | { readonly kind: "installing" }
  | { readonly kind: "not installed"; readonly reason: string }
  | { readonly kind: "starting"; readonly origin: string }
  | { readonly kind: "running"; readonly origin: string }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly reason: string };

/** What is shown of the server's notification `didChangeStatus`; Copilot's language server sends it, too. */
export interface Report {
  readonly kind: "Normal" | "Inactive" | "Warning" | "Error";
  readonly busy: boolean;
  readonly message: string;
}

/** Of what the server says about itself and about the document in front, what is shown: its own troubles first. */
export function relevantReport(own: Report | undefined, document: Report | undefined): Report | undefined {
  return own?.busy || own?.kind === "Error" ? own : (document ?? own);
}

/** What holds besides the server's own state. */
export interface Circumstances {
  readonly isPaused: boolean;
  /** When the pause ends by itself. */
  readonly pausedUntil?: Date | undefined;
  /** Requests that the server has not answered for a while. */
  readonly isWaiting: boolean;
  /** Why the file in front gets no completions whatever the server says; empty when it may. */
  readonly obstacle: string;
  readonly report: Report | undefined;
}

export interface StatusAppearance {
  readonly text: string;
  readonly tooltip: string;
  readonly severity: "normal" | "warning" | "error";
}

export const CALM: Circumstances = { isPaused: false, isWaiting: false, obstacle: "", report: undefined };

export const INSTALL_HINT =
  "click for a menu that installs it, or name an interpreter that has it in fim-lsp.python";

export function statusAppearance(state: ServerState, circumstances: Circumstances = CALM): StatusAppearance {
  switch (state.kind) {
    case "disabled":
      return normal("$(circle-slash) fim-lsp", "Disabled by the setting fim-lsp.enable.");
    case "not found":
      return warning("$(warning) fim-lsp", `The server was not found: ${INSTALL_HINT}.`);
    case "installing":
      return normal("$(sync~spin) fim-lsp", "Installing the server.");
    case "not installed":
      return warning("$(desktop-download) fim-lsp", `The server is not installed. ${state.reason}`);
    case "starting":
      return normal("$(loading~spin) fim-lsp", `Starting the server (${state.origin}).`);
    case "running":
      return runningAppearance(state.origin, circumstances);
    case "stopped":
      return normal("$(debug-stop) fim-lsp", "The server is stopped.");
    case "failed":
      return { text: "$(error) fim-lsp", tooltip: `The server failed: ${state.reason}`, severity: "error" };
  }
}

function runningAppearance(origin: string, circumstances: Circumstances): StatusAppearance {
  const { isPaused, isWaiting, obstacle, report } = circumstances;
  if (isPaused) {
    const until = circumstances.pausedUntil?.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    return normal(
      "$(debug-pause) fim-lsp",
      `Completions are paused in this window${until === undefined ? "" : ` until ${until}`}.`,
    );
  }
  if (obstacle !== "") {
    return normal("$(circle-slash) fim-lsp", obstacle);
  }
  if (isWaiting || report?.busy) {
    return normal("$(loading~spin) fim-lsp", report?.message || "Looking for a completion.");
  }
  switch (report?.kind) {
    case "Inactive":
      return normal("$(circle-slash) fim-lsp", report.message);
    case "Warning":
      return normal("$(info) fim-lsp", report.message);
    case "Error":
      return { text: "$(error) fim-lsp", tooltip: report.message, severity: "error" };
    default:
      return normal("$(check) fim-lsp", report?.message || `The server is running (${origin}).`);
  }
}

function normal(text: string, tooltip: string): StatusAppearance {
  return { text, tooltip, severity: "normal" };
}

function warning(text: string, tooltip: string): StatusAppearance {
  return { text, tooltip, severity: "warning" };
}

export interface MenuEntry {
  readonly label: string;
  readonly command: string;
}

const TRIGGER = { label: "$(sparkle) Complete here", command: "fim-lsp.trigger" };
const EXPLAIN = { label: "$(question) Why is nothing offered here?", command: "fim-lsp.explainHere" };
const PAUSE = { label: "$(debug-pause) Pause completions", command: "fim-lsp.toggleCompletions" };
const SNOOZE = { label: "$(bell-slash) Pause completions for a while...", command: "fim-lsp.snooze" };
const RESUME = { label: "$(debug-continue) Resume completions", command: "fim-lsp.toggleCompletions" };
const MODEL = { label: "$(symbol-misc) Choose a model...", command: "fim-lsp.chooseModel" };
const START = { label: "$(play) Start the server", command: "fim-lsp.start" };
const RESTART = { label: "$(refresh) Restart the server", command: "fim-lsp.restart" };
const STOP = { label: "$(debug-stop) Stop the server", command: "fim-lsp.stop" };
const INSTALL = { label: "$(desktop-download) Install the server", command: "fim-lsp.createEnvironment" };
const LOG = { label: "$(output) Show the log", command: "fim-lsp.showLog" };
const SETTINGS = { label: "$(gear) Open the settings", command: "fim-lsp.openSettings" };
const WALKTHROUGH = { label: "$(book) Show the walkthrough", command: "fim-lsp.openWalkthrough" };

/** The menu behind the status bar item: what makes sense in this state. */
export function menuEntries(state: ServerState, isPaused: boolean): readonly MenuEntry[] {
  switch (state.kind) {
    case "running":
      return isPaused
        ? [RESUME, MODEL, RESTART, STOP, LOG, SETTINGS, WALKTHROUGH]
        : [TRIGGER, EXPLAIN, PAUSE, SNOOZE, MODEL, RESTART, STOP, LOG, SETTINGS, WALKTHROUGH];
    case "starting":
      return [RESTART, STOP, LOG, SETTINGS];
    case "installing":
      return [LOG];
    case "disabled":
      return [SETTINGS, LOG, WALKTHROUGH];
    case "not found":
    case "not installed":
      return [INSTALL, START, SETTINGS, LOG, WALKTHROUGH];
    case "stopped":
    case "failed":
      return [START, INSTALL, LOG, SETTINGS, WALKTHROUGH];
  }
}
