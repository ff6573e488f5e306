/**
 * What has to be run to get a Python environment with fim-lsp. Pure: `installation.ts` asks where, and runs it.
 */
import { pathsOf, programsOf } from "./serverCommand";

export interface Step {
  /** What the progress notification says meanwhile. */
  readonly title: string;
  readonly program: string;
  readonly args: readonly string[];
}

/** What prints "ok" in an interpreter that can make environments for fim-lsp. */
const SUITABLE = "import sys, venv, ensurepip; print('ok' if sys.version_info >= (3, 10) else sys.version)";

export function suitabilityCheck(interpreter: readonly string[]): Step {
  const [program = "", ...args] = interpreter;
  return { title: "Looking for Python", program, args: [...args, "-c", SUITABLE] };
}

/** Interpreters to try, the one that the user named first. */
export function interpreters(named: string, platform: NodeJS.Platform): readonly (readonly string[])[] {
  const usual = platform === "win32" ? [["py", "-3"], ["python"]] : [["python3"], ["python"]];
  const versions = ["3.11", "3.12", "3.13", "3.14", "3.10"].map((version) =>
    platform === "win32" ? ["py", `-${version}`] : [`python${version}`],
  );
  return [...(named === "" ? [] : [[named]]), ...usual, ...versions];
}

/** Makes the environment, where it is not there yet, and installs into it. */
export function installationSteps(
  interpreter: readonly string[],
  environment: string,
  isThere: boolean,
  requirement: string,
  platform: NodeJS.Platform,
): readonly Step[] {
  const [program = "", ...args] = interpreter;
  const python = pathsOf(platform).join(
    programsOf(environment, platform),
    platform === "win32" ? "python.exe" : "python",
  );
  const creation = {
    title: `Creating ${environment}`,
    program,
    args: [...args, "-m", "venv", environment],
  };
  const installation = {
    title: `Installing ${requirement}`,
    program: python,
    args: ["-m", "pip", "install", "--disable-pip-version-check", "--upgrade", requirement],
  };
  return isThere ? [installation] : [creation, installation];
}
