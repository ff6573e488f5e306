/**
 * The settings of completions, by the server's names. They may differ by language and by folder, so they are
 * always those of one document.
 */

import { SERVER_SETTINGS } from "./serverSettings";

/** A view of VS Code's configuration, which tests can replace by a plain object. */
export interface Configuration {
  get<T>(name: string, fallback: T): T;
}

export interface CompletionSettings {
  readonly enable: boolean;
  readonly manualOnly: boolean;
  /** Milliseconds without a keystroke before the server is asked. */
  readonly debounce: number;
}

export function completionSettings(configuration: Configuration): CompletionSettings {
  return {
    enable: configuration.get("enable", true),
    manualOnly: configuration.get("manualOnly", false),
    debounce: configuration.get("debounce", 75),
  };
}

/** Whether next edits are shown automatically after a change. */
export function showsNextEdits(configuration: Configuration): boolean {
  const { enable, manualOnly } = completionSettings(configuration);
  return enable && !manualOnly && configuration.get("nextEdits", true);
}

/** The settings that the server gets for one document. */
export function serverSettings(configuration: Configuration): Record<string, unknown> {
  const settings = SERVER_SETTINGS.map((name) => [name, configuration.get<unknown>(name, null)]);
  // The client has waited already, and the server would wait again.
  return { ...Object.fromEntries(settings), debounce: 0 };
}
