"""A Linux on ARM in a folder: Debian's Python with its dependencies, our wheel, and ARM wheels of other
packages.

QEMU translates each program as it runs. A program that starts another one asks this machine's kernel, which
cannot run programs for ARM. So Python is called by a shell script, which calls QEMU and lies where a virtual
environment has its Python, so that `sys.executable` names the script.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.windows.setting_up import PACKER, PATIENCE, ROOT, TOOLS, Missing, checked, lay_sources

FOLDER = ROOT / "target" / "arm"
# Debian 12's Python, with which everything is compared.
SUITE, VERSION = "bookworm", "3.11"
SYSTEM = FOLDER / "system"
HOME = FOLDER / "environment"
PYTHON = HOME / "bin" / "python3"
PACKAGES = HOME / "lib" / f"python{VERSION}" / "site-packages"
SOURCES = FOLDER / "sources"
KEYS = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
# Python, and the library that NumPy needs and every system has.
PACKAGED = (f"python{VERSION}", "libstdc++6")
# Debian 12's C library, named because uv assumes a newer one by default.
LIBRARY = "aarch64-manylinux_2_36"


# Versions for QEMU 7 instead of the locked ones: newer ones read files about the processor, which describe
# this machine's.
OLDER = ("onnxruntime==1.23.2",)


def emulator() -> str:
    """QEMU for single processes."""
    for name in ("qemu-aarch64-static", "qemu-aarch64"):
        if found := shutil.which(name):
            return found
    raise Missing("QEMU is not here and cannot be installed: on Debian, apt-get install qemu-user-static")


def python(
    *arguments: str | Path, timeout: float | None = 600, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs the Python for ARM in the folder of the tests' sources."""
    return subprocess.run(
        [PYTHON, *map(str, arguments)],
        cwd=SOURCES,
        env=environment() | dict(variables or {}),
        capture_output=True,
        timeout=timeout,
        check=False,
    )


def environment() -> dict[str, str]:
    """The environment of programs there, without this machine's variables that would mean something else."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {
        "FIM_LSP_CACHE": str(FOLDER / "cache"),
        "PYTHONPATH": str(SOURCES),
        "FIM_LSP_PATIENCE": PATIENCE,
    }


def set_up(wheel: Path) -> None:
    """Sets up everything that is missing. Our wheel and the tests' sources are always copied again."""
    emulator()
    if not (FOLDER / ".ready").exists():
        shutil.rmtree(SYSTEM, ignore_errors=True)
        shutil.rmtree(HOME, ignore_errors=True)
        _unpack_system()
        _lay_environment()
        _install_packages()
        (FOLDER / ".ready").touch()
    shutil.rmtree(PACKAGES / "fim_lsp", ignore_errors=True)
    _install("--no-deps", "--reinstall", wheel)
    lay_sources(SOURCES)
    done = python("-c", "import quotient._native, platform; print(platform.machine())")
    if done.stdout.strip() != b"aarch64":
        raise Missing(
            f"no Python runs there: {(done.stderr or done.stdout).decode(errors='replace')[-1000:]}"
        )


def _apt(program: str, *arguments: str) -> str:
    """apt for ARM with lists of its own, so that this machine's stay unchanged."""
    state = FOLDER / "apt"
    options = {
        "Dir::Etc::sourcelist": state / "sources.list",
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::status": "/dev/null",
        "Dir::State::lists": state / "lists",
        "Dir::Cache": state / "cache",
        "APT::Architecture": "arm64",
        "APT::Architectures": "arm64",
        "APT::Sandbox::User": "",
    }
    given = [part for name, value in options.items() for part in ("-o", f"{name}={value}")]
    return checked(f"apt-{program}", *given, *arguments, cwd=state)


def _unpack_system() -> None:
    """Unpacks Debian's packages of Python and of its dependencies, without installing them."""
    if not (KEYS.exists() and shutil.which("apt-get") and shutil.which("dpkg-deb")):
        raise Missing("this is no Debian: no Python for ARM from there")
    state = FOLDER / "apt"
    for name in ("lists/partial", "cache/archives/partial"):
        (state / name).mkdir(parents=True, exist_ok=True)
    said = checked("apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages")
    mirrors = [line for line in said.splitlines() if "security" not in line]
    if not mirrors:
        raise Missing("apt names no mirror to get a Python for ARM from")
    (state / "sources.list").write_text(f"deb [signed-by={KEYS}] {mirrors[0]} {SUITE} main\n")
    _apt("get", "update", "-qq")
    without = [
        f"--no-{kind}" for kind in ("recommends", "suggests", "conflicts", "breaks", "replaces", "enhances")
    ]
    listed = _apt("cache", "depends", "--recurse", *without, *PACKAGED)
    names = sorted({line for line in listed.splitlines() if line[:1].isalnum()})
    _apt("get", "download", "-qq", *names)
    for archive in sorted(state.glob("*.deb")):
        checked("dpkg-deb", "-x", archive, SYSTEM)
        archive.unlink()


def _lay_environment() -> None:
    PACKAGES.mkdir(parents=True)
    PYTHON.parent.mkdir(parents=True)
    (HOME / "pyvenv.cfg").write_text(f"home = {SYSTEM}/usr/bin\ninclude-system-site-packages = false\n")
    PYTHON.write_text(
        f'#!/bin/sh\nexec {emulator()} -L {SYSTEM} -0 {PYTHON} {SYSTEM}/usr/bin/python{VERSION} "$@"\n'
    )
    PYTHON.chmod(0o755)
    for name in ("python", f"python{VERSION}"):
        PYTHON.with_name(name).symlink_to(PYTHON.name)


def _install_packages() -> None:
    """Installs the locked releases, as wheels for ARM."""
    asked = checked(sys.executable, ROOT / ".ci" / "runtime-dependencies")
    requirements, constraints = FOLDER / "requirements.txt", FOLDER / "constraints.txt"
    requirements.write_text(asked + "\n".join(TOOLS) + "\n")
    older = {line.partition("==")[0] for line in OLDER}
    locked = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    constraints.write_text(
        "\n".join([*(one for one in locked if one.partition("==")[0] not in older), *OLDER])
    )
    _install("--constraint", constraints, "--requirement", requirements)


def _install(*what: str | Path) -> None:
    where: list[str | Path] = [
        "--python-platform",
        LIBRARY,
        "--python-version",
        VERSION,
        "--target",
        PACKAGES,
    ]
    checked(PACKER / "uv", "pip", "install", "--quiet", "--only-binary", ":all:", *where, *what)
