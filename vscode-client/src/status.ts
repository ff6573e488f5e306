/** The texts of the status bar item. Pure; `session.ts` puts it on screen. */

import { t } from "./l10n";

export type ServerState =
  | { readonly kind: "disabled" }
  | { readonly kind: "not found" }
  | { readonly kind: "installing" }
  | { readonly kind: "not installed"; readonly reason: string }
  | { readonly kind: "starting"; readonly origin: string }
  | { readonly kind: "running"; readonly origin: string }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * The shown part of the server's notification `didChangeStatus`, which Copilot's language server sends, too.
 */
export interface Report {
  readonly kind: "Normal" | "Inactive" | "Warning" | "Error";
  readonly busy: boolean;
  readonly message: string;
  /** The model that completes, by its name, its file or its address. */
  readonly model?: string | null;
}

/**
 * The shown report: the server's own one if it reports trouble, and otherwise the one about the active
 * document. A document's report is outdated once the model has changed.
 */
export function relevantReport(own: Report | undefined, document: Report | undefined): Report | undefined {
  if (own?.model && document?.model !== undefined && document.model !== own.model) {
    return own;
  }
  return own?.busy || own?.kind === "Error" ? own : (document ?? own);
}

/** The circumstances beside the server's own state. */
export interface Circumstances {
  readonly isPaused: boolean;
  /** The time at which the pause ends. */
  readonly pausedUntil?: Date | undefined;
  /** The number of requests that the server has not answered for a while. */
  readonly isWaiting: boolean;
  /** The client's own reason for no completions in the active file; empty if there is none. */
  readonly obstacle: string;
  readonly report: Report | undefined;
}

export interface StatusAppearance {
  readonly text: string;
  readonly tooltip: string;
  readonly severity: "normal" | "warning" | "error";
}

/** The item for a screen reader: without the icon's name, which adds nothing to the reason. */
export function spoken({ tooltip }: StatusAppearance): string {
  return `fim-lsp: ${tooltip}`;
}

export const CALM: Circumstances = { isPaused: false, isWaiting: false, obstacle: "", report: undefined };

export function statusAppearance(state: ServerState, circumstances: Circumstances = CALM): StatusAppearance {
  switch (state.kind) {
    case "disabled":
      return normal("$(circle-slash) fim-lsp", t("Disabled by the setting fim-lsp.enable."));
    case "not found":
      return warning(
        "$(warning) fim-lsp",
        t(
          "The server was not found. Click for a menu that installs it, or set fim-lsp.python to an interpreter that has it.",
        ),
      );
    case "installing":
      return normal("$(sync~spin) fim-lsp", t("Installing the server."));
    case "not installed":
      return warning("$(desktop-download) fim-lsp", `${t("The server is not installed.")} ${state.reason}`);
    case "starting":
      return normal("$(loading~spin) fim-lsp", t("Starting the server ({0}).", state.origin));
    case "running":
      return runningAppearance(state.origin, circumstances);
    case "stopped":
      return normal("$(debug-stop) fim-lsp", t("The server is stopped."));
    case "failed":
      return {
        text: "$(error) fim-lsp",
        tooltip: t("The server failed: {0}", state.reason),
        severity: "error",
      };
  }
}

function runningAppearance(origin: string, circumstances: Circumstances): StatusAppearance {
  const { isPaused, isWaiting, obstacle, report } = circumstances;
  if (isPaused) {
    const until = circumstances.pausedUntil?.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    return normal(
      "$(debug-pause) fim-lsp",
      until === undefined
        ? t("Completions are paused in this window.")
        : t("Completions are paused in this window until {0}.", until),
    );
  }
  if (obstacle !== "") {
    return normal("$(circle-slash) fim-lsp", obstacle);
  }
  if (isWaiting || report?.busy) {
    return normal("$(loading~spin) fim-lsp", report?.message || t("Looking for a completion."));
  }
  switch (report?.kind) {
    case "Inactive":
      return normal("$(circle-slash) fim-lsp", report.message);
    case "Warning":
      return normal("$(info) fim-lsp", report.message);
    case "Error":
      return { text: "$(error) fim-lsp", tooltip: report.message, severity: "error" };
    default:
      return normal("$(check) fim-lsp", report?.message || running(origin, report?.model));
  }
}

function running(origin: string, model: string | null | undefined): string {
  const said = t("The server is running ({0}).", origin);
  const name = model === "bundled" ? t("the bundled model") : model?.split(/[\\/](?=[^\\/]*\.gguf$)/i).at(-1);
  return name ? `${said} ${t("Model: {0}.", name)}` : said;
}

function normal(text: string, tooltip: string): StatusAppearance {
  return { text, tooltip, severity: "normal" };
}

function warning(text: string, tooltip: string): StatusAppearance {
  return { text, tooltip, severity: "warning" };
}

export interface MenuEntry {
  /** The icon is not in the label, where a screen reader would read its name. */
  readonly icon: string;
  readonly label: string;
  readonly command: string;
}

/** The entries in the language at the time when the menu is opened. */
function entries() {
  const entry = (icon: string, title: string, command: string): MenuEntry => ({
    icon,
    label: title,
    command: `fim-lsp.${command}`,
  });
  return {
    TRIGGER: entry("sparkle", t("Complete here"), "trigger"),
    EXPLAIN: entry("question", t("Why this, or why nothing?"), "explainHere"),
    STATISTICS: entry("graph", t("Show statistics"), "showStatistics"),
    PAUSE: entry("debug-pause", t("Pause completions"), "toggleCompletions"),
    SNOOZE: entry("bell-slash", t("Pause completions for a while..."), "snooze"),
    SOMEWHERE: entry("circle-slash", t("Turn off or on for a language or a folder..."), "toggleSomewhere"),
    RESUME: entry("debug-continue", t("Resume completions"), "toggleCompletions"),
    MODEL: entry("symbol-misc", t("Choose a model..."), "chooseModel"),
    START: entry("play", t("Start the server"), "start"),
    RESTART: entry("refresh", t("Restart the server"), "restart"),
    STOP: entry("debug-stop", t("Stop the server"), "stop"),
    INSTALL: entry("desktop-download", t("Install the server"), "createEnvironment"),
    LOG: entry("output", t("Show the log"), "showLog"),
    SETTINGS: entry("gear", t("Open the settings"), "openSettings"),
    WALKTHROUGH: entry("book", t("Show the walkthrough"), "openWalkthrough"),
  };
}

/** The menu of the status bar item: the entries that apply in this state. */
export function menuEntries(state: ServerState, isPaused: boolean): readonly MenuEntry[] {
  const {
    TRIGGER,
    EXPLAIN,
    STATISTICS,
    PAUSE,
    SNOOZE,
    SOMEWHERE,
    RESUME,
    MODEL,
    START,
    RESTART,
    STOP,
    INSTALL,
    LOG,
    SETTINGS,
    WALKTHROUGH,
  } = entries();
  switch (state.kind) {
    case "running":
      return isPaused
        ? [RESUME, MODEL, RESTART, STOP, LOG, SETTINGS, WALKTHROUGH]
        : [
            TRIGGER,
            EXPLAIN,
            PAUSE,
            SNOOZE,
            SOMEWHERE,
            MODEL,
            STATISTICS,
            RESTART,
            STOP,
            LOG,
            SETTINGS,
            WALKTHROUGH,
          ];
    case "starting":
      return [RESTART, STOP, LOG, SETTINGS];
    case "installing":
      return [LOG];
    case "disabled":
      return [SOMEWHERE, SETTINGS, LOG, WALKTHROUGH];
    case "not found":
    case "not installed":
      return [INSTALL, START, SETTINGS, LOG, WALKTHROUGH];
    case "stopped":
    case "failed":
      return [START, INSTALL, LOG, SETTINGS, WALKTHROUGH];
  }
}
