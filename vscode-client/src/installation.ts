/**
 * The extension's own environment, made from its wheels: whether it exists, whether it is made from the
 * present wheels, and its installation, which shows progress and can be cancelled. The output goes to the
 * log.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import {
  type Carried,
  installationSteps,
  interpreters,
  noPython,
  remedy,
  type Step,
  serverWheel,
  suitabilityCheck,
  supportedVersions,
  unpackedFolder,
  unsuitability,
} from "./environment";
import { t } from "./l10n";

/** The wheels in the extension (`.ci/pack-wheels`): a line for each, with its name and its size. */
const LIST = "wheels.txt";
/**
 * A file that lists an environment's wheels. It is written last, so an unfinished environment does not count.
 */
const STAMP = "fim-lsp-wheels.txt";

export class OwnEnvironment {
  private readonly carried: Carried;
  private readonly listed: string;

  constructor(
    /** The folder with the wheels, which may be empty. */
    wheels: string,
    private readonly folder: string,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.listed = readText(path.join(wheels, LIST)) ?? "";
    const names = this.listed.split("\n").map((line) => line.split(" ")[0] ?? "");
    this.carried = {
      archive: path.join(wheels, "wheels.tar.xz"),
      names: names.filter((name) => name !== ""),
    };
  }

  get canInstall(): boolean {
    return serverWheel(this.carried) !== undefined;
  }

  /** The environment's folder; empty if it has to be made, or made anew. */
  get ready(): string {
    const isMade = readText(path.join(this.folder, STAMP)) === this.listed;
    // The interpreter is a link, which is broken after the system's Python was replaced.
    const hasPython = ["bin/python", "Scripts/python.exe"].some((name) =>
      statSync(path.join(this.folder, name), { throwIfNoEntry: false })?.isFile(),
    );
    return isMade && hasPython ? this.folder : "";
  }

  /** Whether the server was installed; false if the user cancelled. Throws an error with a remedy. */
  async install(settings: vscode.WorkspaceConfiguration): Promise<boolean> {
    const wheel = this.chosenWheel(settings.get("installFrom", ""));
    const options = { location: vscode.ProgressLocation.Notification, title: "fim-lsp", cancellable: true };
    return vscode.window.withProgress(options, async (progress, token) => {
      const begun = Date.now();
      progress.report({ message: t("Looking for Python") });
      const interpreter = await this.interpreter(settings.get("installWith", ""));
      mkdirSync(path.dirname(this.folder), { recursive: true });
      const steps = installationSteps(interpreter, this.folder, this.carried, wheel, process.platform);
      for (const step of steps) {
        progress.report({ message: step.title });
        const { code, printed } = await run(step, this.log, token);
        if (token.isCancellationRequested) {
          rmSync(this.folder, { recursive: true, force: true });
          return false;
        }
        if (code !== 0) {
          throw new Error(remedy(step, printed, this.folder));
        }
      }
      rmSync(unpackedFolder(this.folder, process.platform), { recursive: true, force: true });
      writeFileSync(path.join(this.folder, STAMP), this.listed);
      this.log.info(`installed in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
      return true;
    });
  }

  /** The user's own wheel; empty for the extension's. */
  private chosenWheel(named: string): string {
    if (!this.canInstall) {
      throw new Error(
        t(
          "This package of the extension contains no server. Install the package that make vsix builds, or set fim-lsp.python to an interpreter that has fim-lsp.",
        ),
      );
    }
    if (named !== "" && !(named.endsWith(".whl") && statSync(named, { throwIfNoEntry: false })?.isFile())) {
      throw new Error(
        t(
          "The setting fim-lsp.installFrom does not name a wheel: {0}. Leave it empty to install the server in the extension.",
          named,
        ),
      );
    }
    return named;
  }

  private async interpreter(named: string): Promise<readonly string[]> {
    const supported = supportedVersions(this.carried);
    for (const candidate of interpreters(named, supported, process.platform)) {
      const { code, printed } = await run(suitabilityCheck(candidate), this.log);
      const reason = code === 0 ? unsuitability(printed, supported) : "it cannot be used";
      if (reason === "") {
        return candidate;
      }
      this.log.info(`${candidate.join(" ")}: ${reason}`);
    }
    throw new Error(noPython(supported));
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

interface Ended {
  /** Null for a program that was killed, and for one that could not be started. */
  readonly code: number | null;
  readonly printed: string;
}

function run(
  { program, args }: Step,
  log: vscode.LogOutputChannel,
  token?: vscode.CancellationToken,
): Promise<Ended> {
  log.info(`$ ${[program, ...args].join(" ")}`);
  return new Promise((resolve) => {
    // Python may import from the working directory, which could be the folder that the user has opened.
    const child = spawn(program, [...args], { cwd: __dirname, stdio: ["ignore", "pipe", "pipe"] });
    const cancellation = token?.onCancellationRequested(() => child.kill());
    let printed = "";
    const take = (chunk: Buffer) => {
      printed += chunk;
      log.info(String(chunk).trimEnd());
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    const end = (code: number | null) => {
      cancellation?.dispose();
      resolve({ code, printed });
    };
    child.on("error", (error) => {
      printed += error.message;
      end(null);
    });
    child.on("close", end);
  });
}
