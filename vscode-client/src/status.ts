/** What the status bar item shows for each state of the server. Pure; `extension.ts` puts it on screen. */

export type ServerState =
  | { readonly kind: "disabled" }
  | { readonly kind: "not found" }
  | { readonly kind: "starting"; readonly origin: string }
  | { readonly kind: "running"; readonly origin: string }
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly reason: string };

export interface StatusAppearance {
  readonly text: string;
  readonly tooltip: string;
  readonly severity: "normal" | "warning" | "error";
}

export const INSTALL_HINT = "install the fim-lsp wheel into the workspace's .venv, or set fim-lsp.python";

export function statusAppearance(state: ServerState): StatusAppearance {
  switch (state.kind) {
    case "disabled":
      return normal("$(circle-slash) fim-lsp", "Disabled by the setting fim-lsp.enable.");
    case "not found":
      return {
        text: "$(warning) fim-lsp",
        tooltip: `fim-lsp was not found: ${INSTALL_HINT}.`,
        severity: "warning",
      };
    case "starting":
      return normal("$(loading~spin) fim-lsp", `Starting the server (${state.origin}).`);
    case "running":
      return normal("$(check) fim-lsp", `The server is running (${state.origin}).`);
    case "stopped":
      return normal("$(debug-stop) fim-lsp", "The server is stopped.");
    case "failed":
      return { text: "$(error) fim-lsp", tooltip: `The server failed: ${state.reason}`, severity: "error" };
  }
}

function normal(text: string, tooltip: string): StatusAppearance {
  return { text, tooltip, severity: "normal" };
}

/** The menu behind the status bar item: what makes sense in this state. */
export function menuCommands(state: ServerState): readonly { label: string; command: string }[] {
  const log = { label: "Show the log", command: "fim-lsp.showLog" };
  const settings = { label: "Open the settings", command: "fim-lsp.openSettings" };
  const start = { label: "Start the server", command: "fim-lsp.start" };
  const restart = { label: "Restart the server", command: "fim-lsp.restart" };
  const stop = { label: "Stop the server", command: "fim-lsp.stop" };
  switch (state.kind) {
    case "running":
    case "starting":
      return [restart, stop, log, settings];
    case "disabled":
      return [settings, log];
    case "not found":
    case "stopped":
    case "failed":
      return [start, log, settings];
  }
}
