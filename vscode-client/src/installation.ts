/**
 * The environment that the extension makes for itself, from the wheels that it carries: is it there, is it of these
 * wheels, and how it is made, with progress that can be cancelled. The output on the way goes to the log.
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

/** The wheels that the extension carries (`.ci/pack-wheels`): a line for each, its name and its size. */
const LIST = "wheels.txt";
/** Says which wheels an environment was made of. Written last, so that one that is half made does not count. */
const STAMP = "fim-lsp-wheels.txt";

export class OwnEnvironment {
  private readonly carried: Carried;
  private readonly listed: string;

  constructor(
    /** The folder with the wheels; without any where the extension was packaged so. */
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

  /** Where the environment is; empty where it has to be made first, or made anew. */
  get ready(): string {
    const isMade = readText(path.join(this.folder, STAMP)) === this.listed;
    // The interpreter is a link that dangles when the system's Python has been replaced.
    const hasPython = ["bin/python", "Scripts/python.exe"].some((name) =>
      statSync(path.join(this.folder, name), { throwIfNoEntry: false })?.isFile(),
    );
    return isMade && hasPython ? this.folder : "";
  }

  /** True when the server has been installed; false when the user cancelled. Throws what there is to do. */
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

  /** A wheel of the user's own; empty for the one that is carried. */
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
  /** Null for a program that was ended, and for one that could not be started. */
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
    // Python may import from the working directory, which may be a folder that the user has just opened.
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
