/**
 * The server's program: the first available one of the command setting, the interpreter setting, the
 * interpreter that the Python extension has selected, the workspace's virtual environment, this extension's
 * own environment, and PATH. Pure: `isFile` looks at the disk.
 *
 * An opened folder must not supply code: neither as the server's working directory, where Windows looks for
 * programs first and Python for modules, nor through a relative entry of PYTHONPATH.
 */
import * as path from "node:path";

export interface Surroundings {
  /** The setting `fim-lsp.command`: the whole command line, or empty. */
  readonly command: readonly string[];
  /** The setting `fim-lsp.python`: an interpreter, or empty. */
  readonly python: string;
  readonly serverArguments: readonly string[];
  /** The interpreter that the Python extension has selected, or empty. */
  readonly selectedPython: string;
  readonly workspaceFolders: readonly string[];
  /** A folder of this extension's own installation, in which the server runs. */
  readonly ownFolder: string;
  /** This extension's own environment; empty if there is none. */
  readonly ownEnvironment: string;
  /** The folders of PATH. */
  readonly searchPath: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly isFile: (file: string) => boolean;
}

export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  /** Its working directory. */
  readonly cwd: string;
  /** Its origin, for the log and the status bar. */
  readonly origin:
    | "setting command"
    | "setting python"
    | "selected interpreter"
    | "workspace environment"
    | "environment of the extension"
    | "PATH";
}

/**
 * The arguments for the interpreter of the setting. It is not `-m fim_lsp`, which imports from the working
 * directory first, not `-P`, which is new in Python 3.11, and not `-I`, which ignores the user's own
 * packages.
 */
const START =
  "import sys; sys.path[:] = filter(None, sys.path); from fim_lsp.cli import main; sys.exit(main())";
const ENVIRONMENT_FOLDERS = [".venv", "venv"];

/** The command that starts the server; undefined if there is none, which the user then sees. */
export function serverCommand(surroundings: Surroundings): ServerCommand | undefined {
  return (
    fromCommandSetting(surroundings) ??
    fromPythonSetting(surroundings) ??
    fromSelectedPython(surroundings) ??
    fromWorkspace(surroundings) ??
    fromOwnEnvironment(surroundings) ??
    fromSearchPath(surroundings)
  );
}

function fromCommandSetting(surroundings: Surroundings): ServerCommand | undefined {
  const { command, serverArguments, ownFolder } = surroundings;
  const [program, ...args] = command;
  if (program === undefined) {
    return undefined;
  }
  return { program, args: [...args, ...serverArguments], cwd: ownFolder, origin: "setting command" };
}

function fromPythonSetting(surroundings: Surroundings): ServerCommand | undefined {
  const { python, serverArguments, workspaceFolders, ownFolder } = surroundings;
  if (python === "") {
    return undefined;
  }
  return {
    // A function, because `$&` in a replacement text would mean something.
    program: python.replaceAll("${workspaceFolder}", () => workspaceFolders[0] ?? ""),
    args: ["-c", START, "serve", ...serverArguments],
    cwd: ownFolder,
    origin: "setting python",
  };
}

function fromSelectedPython(surroundings: Surroundings): ServerCommand | undefined {
  const { selectedPython, platform } = surroundings;
  if (selectedPython === "") {
    return undefined;
  }
  return firstIn([pathsOf(platform).dirname(selectedPython)], surroundings, "selected interpreter");
}

function fromWorkspace(surroundings: Surroundings): ServerCommand | undefined {
  const { workspaceFolders, platform } = surroundings;
  const folders = workspaceFolders.flatMap((folder) =>
    ENVIRONMENT_FOLDERS.map((name) => programsOf(pathsOf(platform).join(folder, name), platform)),
  );
  return firstIn(folders, surroundings, "workspace environment");
}

function fromOwnEnvironment(surroundings: Surroundings): ServerCommand | undefined {
  const { ownEnvironment, platform } = surroundings;
  const folders = ownEnvironment === "" ? [] : [programsOf(ownEnvironment, platform)];
  return firstIn(folders, surroundings, "environment of the extension");
}

function fromSearchPath(surroundings: Surroundings): ServerCommand | undefined {
  return firstIn(surroundings.searchPath, surroundings, "PATH");
}

function firstIn(
  folders: readonly string[],
  { platform, isFile, serverArguments, ownFolder }: Surroundings,
  origin: ServerCommand["origin"],
): ServerCommand | undefined {
  const script = platform === "win32" ? "fim-lsp.exe" : "fim-lsp";
  const program = folders.map((folder) => pathsOf(platform).join(folder, script)).find(isFile);
  return program === undefined
    ? undefined
    : { program, args: ["serve", ...serverArguments], cwd: ownFolder, origin };
}

/** The folder of an environment's programs. */
export function programsOf(environment: string, platform: NodeJS.Platform): string {
  return pathsOf(platform).join(environment, platform === "win32" ? "Scripts" : "bin");
}

export function pathsOf(platform: NodeJS.Platform): path.PlatformPath {
  return platform === "win32" ? path.win32 : path.posix;
}
