/**
 * Asks where fim-lsp shall be installed and installs it, with progress that can be cancelled. What is printed on
 * the way goes to the log.
 */
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import * as vscode from "vscode";
import { installationSteps, interpreters, type Step, suitabilityCheck } from "./environment";
import { pathsOf, programsOf } from "./serverCommand";

/** Where to install: the choice that the user makes in a quick pick. */
interface Place extends vscode.QuickPickItem {
  readonly environment: string;
}

/** True when fim-lsp has been installed; false when the user changed their mind. Throws what went wrong. */
export async function installServer(
  settings: vscode.WorkspaceConfiguration,
  ownEnvironment: string,
  log: vscode.LogOutputChannel,
): Promise<boolean> {
  const place = await chosenPlace(ownEnvironment);
  if (place === undefined) {
    return false;
  }
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: "fim-lsp",
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    progress.report({ message: "Looking for Python" });
    const interpreter = await firstSuitable(interpreters(settings.get("python", ""), process.platform), log);
    const requirement = settings.get("installFrom", "fim-lsp[model]");
    const isThere = isDirectory(programsOf(place.environment, process.platform));
    for (const step of installationSteps(
      interpreter,
      place.environment,
      isThere,
      requirement,
      process.platform,
    )) {
      progress.report({ message: step.title });
      await run(step, log, token);
      if (token.isCancellationRequested) {
        return false;
      }
    }
    return true;
  });
}

async function chosenPlace(ownEnvironment: string): Promise<Place | undefined> {
  const own = {
    label: "An environment of the extension's own",
    description: "for all workspaces",
    detail: ownEnvironment,
    environment: ownEnvironment,
  };
  const inWorkspace = (vscode.workspace.workspaceFolders ?? []).map((folder) => {
    const environment = pathsOf(process.platform).join(folder.uri.fsPath, ".venv");
    return { label: `The .venv of ${folder.name}`, detail: environment, environment };
  });
  // The program of a workspace that is not trusted is not run, so nothing is installed there either.
  const places: Place[] = vscode.workspace.isTrusted ? [own, ...inWorkspace] : [own];
  return vscode.window.showQuickPick(places, {
    title: "Install the Python package fim-lsp",
    placeHolder: "Where? It is created where it does not exist yet.",
  });
}

async function firstSuitable(
  candidates: readonly (readonly string[])[],
  log: vscode.LogOutputChannel,
): Promise<readonly string[]> {
  for (const candidate of candidates) {
    try {
      if ((await run(suitabilityCheck(candidate), log)).trim() === "ok") {
        return candidate;
      }
    } catch (error) {
      log.info(`${candidate.join(" ")}: ${error instanceof Error ? error.message : error}`);
    }
  }
  throw new Error("no Python from 3.10 up with venv was found; install one, or set fim-lsp.python");
}

/** What the program printed. */
function run(
  { program, args }: Step,
  log: vscode.LogOutputChannel,
  token?: vscode.CancellationToken,
): Promise<string> {
  log.info(`$ ${[program, ...args].join(" ")}`);
  return new Promise((resolve, reject) => {
    // `-m` imports from the working directory, which may be a folder that somebody has just opened.
    const child = spawn(program, [...args], { cwd: __dirname, stdio: ["ignore", "pipe", "pipe"] });
    const cancellation = token?.onCancellationRequested(() => child.kill());
    let printed = "";
    let lastComplaint = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk;
      log.info(String(chunk).trimEnd());
    });
    child.stderr.on("data", (chunk: Buffer) => {
      lastComplaint = String(chunk).trim();
      log.info(lastComplaint);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      cancellation?.dispose();
      if (code === 0 || token?.isCancellationRequested) {
        resolve(printed);
      } else {
        reject(new Error(`${program} ended with ${code}: ${lastComplaint.split("\n").at(-1) ?? ""}`));
      }
    });
  });
}

function isDirectory(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
