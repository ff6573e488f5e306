/**
 * The commands that make an environment with the server, from the wheels in the extension and nothing else.
 * Pure: `installation.ts` runs them.
 *
 * They need only an interpreter: pip is included, too, and runs from its wheel, because some systems have
 * Python without it. No index is used, so a stranger's package on an index cannot take the place of one of
 * ours.
 */
import { t } from "./l10n";
import { pathsOf, programsOf } from "./serverCommand";

export interface Step {
  /** The text of the progress notification during the step. */
  readonly title: string;
  readonly program: string;
  readonly args: readonly string[];
}

/** The wheels that lie beside the extension, in one archive. */
export interface Carried {
  readonly archive: string;
  readonly names: readonly string[];
}

/** Their folder while the server is installed; it contains nothing else. */
export function unpackedFolder(environment: string, platform: NodeJS.Platform): string {
  return pathsOf(platform).join(environment, "wheels");
}

export function serverWheel({ names }: Carried): string | undefined {
  return names.find((name) => name.startsWith("fim_lsp-"));
}

function pipWheel({ names }: Carried): string {
  return names.find((name) => name.startsWith("pip-")) ?? "pip.whl";
}

/** The versions of Python for which all wheels exist: some wheels are for one version each. */
export function supportedVersions({ names }: Carried): readonly string[] {
  const tags = names.flatMap((name) => /-cp3(\d+)-cp3\1-/.exec(name)?.[1] ?? []);
  return [...new Set(tags)]
    .map(Number)
    .sort((a, b) => a - b)
    .map((minor) => `3.${minor}`);
}

/**
 * A program that prints the kind of interpreter, as words between blanks. Without lzma nothing can be
 * unpacked.
 */
const KIND =
  "import lzma, sys, venv; print(sys.implementation.name, '%d.%d' % sys.version_info[:2], sys.maxsize > 2**32," +
  " hasattr(sys, '_is_gil_enabled') and not sys._is_gil_enabled())";

/** Puts the files of an archive into a folder. */
const UNPACK =
  "import os, sys, tarfile; folder = sys.argv[2]; os.makedirs(folder, exist_ok=True)\n" +
  "with tarfile.open(sys.argv[1]) as archive:\n" +
  "  for member in archive:\n" +
  "    with open(os.path.join(folder, os.path.basename(member.name)), 'wb') as file:\n" +
  "      file.write(archive.extractfile(member).read())\n";

export function suitabilityCheck(interpreter: readonly string[]): Step {
  const [program = "", ...args] = interpreter;
  return { title: t("Looking for Python"), program, args: [...args, "-I", "-c", KIND] };
}

/** The reason why an interpreter that printed this cannot run the server; empty if it can. */
export function unsuitability(printed: string, supported: readonly string[]): string {
  const [implementation, version, is64Bit, isFreeThreaded] = printed.trim().split(" ");
  if (implementation !== "cpython" || is64Bit !== "True" || isFreeThreaded !== "False") {
    return "it is not a usual 64-bit CPython";
  }
  return supported.includes(version ?? "") ? "" : `it is Python ${version}`;
}

/** The interpreters to try; the user's own choice comes first. */
export function interpreters(
  named: string,
  supported: readonly string[],
  platform: NodeJS.Platform,
): readonly (readonly string[])[] {
  const usual = platform === "win32" ? [["py", "-3"], ["python"]] : [["python3"], ["python"]];
  const versions = supported.map((version) =>
    platform === "win32" ? ["py", `-${version}`] : [`python${version}`],
  );
  return [...(named === "" ? [] : [[named]]), ...usual, ...versions];
}

export function noPython(supported: readonly string[]): string {
  const [first = "", last = first] = [supported[0], supported.at(-1)];
  const found =
    first === last
      ? t("No Python {0} was found on this machine.", last)
      : t("No Python from {0} to {1} was found on this machine.", first, last);
  const remedy = t(
    'Install one, for example with "sudo apt install python3" or from python.org, and then choose "Install the server" again. If it is not on PATH, name it in the setting fim-lsp.installWith.',
  );
  return `${found} ${remedy}`;
}

/** Makes the environment and installs the server into it. `wheel` is a wheel of the user's own, or empty. */
export function installationSteps(
  interpreter: readonly string[],
  environment: string,
  carried: Carried,
  wheel: string,
  platform: NodeJS.Platform,
): readonly Step[] {
  const [program = "", ...args] = interpreter;
  const paths = pathsOf(platform);
  const folder = unpackedFolder(environment, platform);
  const python = paths.join(
    programsOf(environment, platform),
    platform === "win32" ? "python.exe" : "python",
  );
  return [
    {
      title: t("Making an environment"),
      program,
      args: [...args, "-I", "-m", "venv", "--clear", "--without-pip", environment],
    },
    { title: t("Unpacking"), program: python, args: ["-I", "-c", UNPACK, carried.archive, folder] },
    {
      title: t("Installing the server"),
      program: python,
      args: [
        "-I",
        paths.join(folder, pipWheel(carried), "pip"),
        // The user's configuration of pip, its variables and any index are ignored.
        "--isolated",
        "install",
        "--no-index",
        "--find-links",
        folder,
        "--no-cache-dir",
        "--disable-pip-version-check",
        "--no-warn-script-location",
        // By its name: among several wheels pip takes the one for this system's age.
        wheel || "fim-lsp",
      ],
    },
    {
      title: t("Trying the server"),
      program: python,
      args: ["-I", "-c", "from fim_lsp.cli import main; main(['languages'])"],
    },
  ];
}

/** The remedy for a step that failed, by its last output. */
export function remedy(step: Step, printed: string, environment: string): string {
  if (/No space left|ENOSPC|disk full/i.test(printed)) {
    return t("The disk is full: half a gigabyte is needed in {0}.", environment);
  }
  if (/Permission denied|EACCES|Read-only file system/i.test(printed)) {
    return t("{0} cannot be written to. Make it writable, then install again.", environment);
  }
  if (/No matching distribution|not a supported wheel|Could not find a version/i.test(printed)) {
    return t(
      "This package of the extension is for another kind of machine or system. Install the package for this platform, or build it here with make vsix.",
    );
  }
  return t("“{0}” failed. Install again; if it fails again, see the log for the output.", step.title);
}
