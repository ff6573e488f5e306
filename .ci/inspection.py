"""What a wheel holds and what it asks of the system, by tools that were made to look into wheels.

abi3audit reads whether a library calls what a later Python alone has; auditwheel, pyelftools, pefile (which
delvewheel reads with) and macholib (which delocate's authors use) read what its loader will look for. Refused
is what the system that the wheel's name says does not have, and any file for another platform.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pefile
from elftools.elf.elffile import ELFFile
from macholib.MachO import MachO
from platforms import Platform, age, fits, is_foreign, made_for
from signature import has_true_signature

PROGRAMS = Path(sys.executable).parent
HERE = os.fsencode(Path(__file__).absolute().parents[1])
# Part of Windows 10 and 11, or of every Python there, which brings the runtime of its own compiler.
WINDOWS = re.compile(
    r"(kernel32|ntdll|advapi32|bcrypt|bcryptprimitives|ws2_32|user32|userenv|ucrtbase|vcruntime140|vcruntime140_1|python3"
    r"|api-ms-win-(core|crt)-[\w-]+)\.dll"
)
# Not part of Windows: what ONNX Runtime asks for, too, so a machine where that one runs has it.
REDISTRIBUTED = "msvcp140.dll"
MAC = (
    "/usr/lib/libSystem.B.dylib",
    "/usr/lib/libc++.1.dylib",
    "/usr/lib/libobjc.A.dylib",
    "/usr/lib/libiconv.2.dylib",
    "/usr/lib/libcharset.1.dylib",
)


class WheelRefused(Exception):
    """A wheel is not what its name says, or asks for what its system lacks."""


def looked_into(platform: Platform, wheel: Path, has_llama: bool) -> str:
    """What it asks of the system, in words."""
    if not fits(wheel.name, platform):
        raise WheelRefused(f"{wheel.name} says another platform")
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        if telling := [name for name in names if HERE in opened.read(name)]:
            raise WheelRefused(f"these name the folder that it was built in: {telling}")
        foreign = [name for name in names if is_foreign(opened.read(name)[:4096], platform)]
        if foreign:
            raise WheelRefused(f"it has files for another platform: {foreign}")
        if any(re.search(r"llama_libraries/.*llama\.", name) for name in names) != has_llama:
            raise WheelRefused(f"llama.cpp should {'' if has_llama else 'not '}be in it")
        with tempfile.TemporaryDirectory() as folder:
            opened.extractall(folder)
            libraries = [
                path
                for path in Path(folder).rglob("*")
                if path.is_file() and made_for(path.read_bytes()[:4096])
            ]
            if not any(path.name.startswith("_native.") for path in libraries):
                raise WheelRefused("the engine is not in it")
            kinds = {"ELF": _of_linux, "PE": _of_windows, "Mach-O": _of_a_mac}
            look = _of_musl if platform.name.startswith("alpine") else kinds[platform.kind[0]]
            asked = look(wheel, libraries)
    _said(PROGRAMS / "abi3audit", "--strict", wheel)
    return asked


def _said(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise WheelRefused(f"{Path(command[0]).name}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def _of_linux(wheel: Path, _: list[Path]) -> str:
    """auditwheel knows by the libraries and versions that are asked for which systems have them."""
    said = _said(PROGRAMS / "auditwheel", "show", wheel)
    found = re.search(r'consistent with\s+the following platform tag:\s+"(\w+)"', said)
    if found is None or age(found[1]) > age(wheel.name):
        raise WheelRefused(f"auditwheel finds {found[1] if found else said} where {wheel.name} is said")
    return f"{_system(found[1])}, by auditwheel"


def _of_musl(wheel: Path, libraries: list[Path]) -> str:
    """musl's loader takes the plain name for itself, which auditwheel does not know; others are refused."""
    own = {path.name for path in libraries}
    asked = {name for path in libraries for name in _needed(path)} - own
    lacking = sorted(name for name in asked if not re.fullmatch(r"libc\.(musl-\w+\.so\.1|so)", name))
    if lacking:
        raise WheelRefused(f"musl's systems have no {', '.join(lacking)}")
    return f"musl {'.'.join(map(str, age(wheel.name)))}"


def _needed(path: Path) -> list[str]:
    with path.open("rb") as file:
        dynamic = ELFFile(file).get_section_by_name(".dynamic")
        return [tag.needed for tag in dynamic.iter_tags("DT_NEEDED")] if dynamic else []


def _system(tag: str) -> str:
    name = "musl" if tag.startswith("musl") else "glibc"
    return f"{name} {'.'.join(map(str, age(tag)))}"


def _of_windows(_: Path, libraries: list[Path]) -> str:
    """What the import tables name: other libraries of the wheel, or what Windows and Python have."""
    own = {path.name.lower() for path in libraries}
    asked = {name for path in libraries for name in _imported(path)} - own
    lacking = sorted(name for name in asked if not WINDOWS.fullmatch(name) and name != REDISTRIBUTED)
    if lacking:
        raise WheelRefused(f"Windows has no {', '.join(lacking)}")
    engine = [path for path in libraries if path.name.startswith("_native.")]
    if REDISTRIBUTED in {name for path in engine for name in _imported(path)}:
        raise WheelRefused(f"the engine asks for {REDISTRIBUTED}, which Windows does not have")
    return "Windows 10" + (
        f"; llama.cpp, as ONNX Runtime: `{REDISTRIBUTED}`" if REDISTRIBUTED in asked else ""
    )


def _imported(path: Path) -> Iterator[str]:
    with pefile.PE(str(path), fast_load=True) as read:
        read.parse_data_directories([pefile.DIRECTORY_ENTRY["IMAGE_DIRECTORY_ENTRY_IMPORT"]])
        yield from (entry.dll.decode().lower() for entry in read.DIRECTORY_ENTRY_IMPORT)


def _of_a_mac(wheel: Path, libraries: list[Path]) -> str:
    """What the load commands name, and the oldest system that they say."""
    own = {f"@rpath/{path.name}" for path in libraries}
    newest = (0, 0)
    for path in libraries:
        for header in MachO(str(path)).headers:
            asked = {name for _, _, name in header.walkRelocatables()} - own
            lacking = sorted(
                name for name in asked if name not in MAC and not name.startswith("/System/Library/")
            )
            if lacking:
                raise WheelRefused(f"{path.name}: macOS has no {', '.join(lacking)}")
            newest = max(newest, *_oldest(header))
            if not _is_signed(path, header):
                raise WheelRefused(f"{path.name}: its signature is missing or not of what it is now")
    said = tuple(int(part) for part in re.findall(r"macosx_(\d+)_(\d+)_", wheel.name)[0])
    if newest > said:
        raise WheelRefused(f"it wants macOS {newest[0]}.{newest[1]}, and says {said[0]}.{said[1]}")
    return f"macOS {said[0]}.{said[1]}"


def _is_signed(path: Path, header: object) -> bool:
    """Macs with Intel's processors ask for none."""
    if header.header.cputype != 0x0100000C:  # type: ignore[attr-defined]
        return True
    library = path.read_bytes()[header.offset :]  # type: ignore[attr-defined]
    signatures = [
        command
        for load, command, _ in header.commands  # type: ignore[attr-defined]
        if load.get_cmd_name() == "LC_CODE_SIGNATURE"
    ]
    return any(has_true_signature(library, int(one.dataoff), int(one.datasize)) for one in signatures)


def _oldest(header: object) -> Iterator[tuple[int, int]]:
    """The oldest system of each processor, as 0xMMMMmmpp."""
    for load, command, _ in header.commands:  # type: ignore[attr-defined]
        if load.get_cmd_name() in ("LC_BUILD_VERSION", "LC_VERSION_MIN_MACOSX"):
            version = int(getattr(command, "minos", getattr(command, "version", 0)))
            yield version >> 16, version >> 8 & 255
