/**
 * `fim-lsp models`, run with the server's program: the list of models, whether one can be used, and a
 * download with progress that can be cancelled. The server itself downloads nothing.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import * as vscode from "vscode";
import { t } from "./l10n";
import { fetchedAs, type Listing, modelsCommand, progressOf } from "./models";
import { type Program, SECTION } from "./session";

export interface Trial {
  readonly is_usable: boolean;
  readonly message: string;
}

export async function listModels(command: Program | undefined): Promise<Listing> {
  try {
    return JSON.parse((await ask(command, [])).printed) as Listing;
  } catch {
    // The user's own program may list nothing.
    return {};
  }
}

export async function tryModel(model: string, command: Program | undefined): Promise<Trial> {
  const { printed, complained } = await ask(command, ["--try", model]);
  try {
    return JSON.parse(printed) as Trial;
  } catch {
    return { is_usable: false, message: complained.trim() || t("The server did not answer.") };
  }
}

/**
 * Downloads a model; returns its value of the setting `fim-lsp.model`, or undefined if cancelled or failed.
 */
export async function fetchModel(
  name: string,
  title: string,
  command: Program | undefined,
): Promise<string | undefined> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: t("fim-lsp: fetching {0}", title),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    let before = 0;
    const { code, printed, complained } = await ask(command, ["--download", name], token, (line) => {
      const percent = progressOf(line) ?? before;
      progress.report({ message: `${percent} %`, increment: percent - before });
      before = percent;
    });
    if (token.isCancellationRequested) {
      return undefined;
    }
    if (code !== 0) {
      const why = complained.trim().split("\n").at(-1) || t("The server did not answer.");
      const again = t("Go on fetching");
      if ((await vscode.window.showErrorMessage(`fim-lsp: ${why}`, again)) === again) {
        return fetchModel(name, title, command);
      }
      return undefined;
    }
    return fetchedAs(name, printed);
  });
}

interface Answer {
  readonly code: number | null;
  readonly printed: string;
  readonly complained: string;
}

function ask(
  command: Program | undefined,
  args: readonly string[],
  token?: vscode.CancellationToken,
  onLine?: (line: string) => void,
): Promise<Answer> {
  const found = command && modelsCommand(command, ...args);
  if (command === undefined || found === undefined) {
    return Promise.resolve({ code: null, printed: "", complained: t("The server was not found.") });
  }
  const [program, words] = found;
  return new Promise((resolve) => {
    const child = spawn(program, words, {
      cwd: __dirname,
      env: { ...command.env, ...hub() },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const cancellation = token?.onCancellationRequested(() => child.kill());
    let [printed, complained] = ["", ""];
    createInterface({ input: child.stdout }).on("line", (line) => {
      printed += `${line}\n`;
      onLine?.(line);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      complained += chunk;
    });
    const end = (code: number | null) => {
      cancellation?.dispose();
      resolve({ code, printed, complained });
    };
    child.on("error", (error) => {
      complained += error.message;
      end(null);
    });
    child.on("close", end);
  });
}

/** The variable that names the hub or a mirror, the same as for the hub's own client. */
function hub(): NodeJS.ProcessEnv {
  const named = vscode.workspace.getConfiguration(SECTION).get("modelHub", "");
  return named === "" ? {} : { HF_ENDPOINT: named };
}
