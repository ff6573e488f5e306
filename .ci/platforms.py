"""The systems and processors that wheels and extensions are built for, by Node's names for them.

    python .ci/platforms.py                  prints them, a line each
    python .ci/platforms.py --triples        prints Rust's names for them
    python .ci/platforms.py linux-x64 dist   prints that one's wheels in a folder, or fails

A file that only one of them can load says so in its first bytes; `made_for` reads them.
"""

from __future__ import annotations

import re
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Platform:
    name: str
    # Rust's name.
    triple: str
    # The name by which uv looks for what runs there, and those by which pip does.
    resolved: str
    tags: tuple[str, ...]

    @property
    def kind(self) -> tuple[str, str]:
        """The format of its programs, and the processor."""
        system, processor = self.name.split("-")
        return {"win32": "PE", "darwin": "Mach-O"}.get(system, "ELF"), processor


def _glibc(processor: str, newest: int = 28) -> tuple[str, ...]:
    """pip takes a wheel for an old C library only where that is named. VS Code itself wants glibc 2.28."""
    old = ("manylinux1", "manylinux2010") if processor == "x86_64" else ()
    numbered = [f"manylinux_2_{minor}" for minor in range(newest, 4, -1)]
    return tuple(f"{name}_{processor}" for name in (*numbered, "manylinux2014", *old))


def _musl(processor: str) -> tuple[str, ...]:
    return tuple(f"musllinux_1_{minor}_{processor}" for minor in (2, 1, 0))


PLATFORMS = (
    Platform("linux-x64", "x86_64-unknown-linux-gnu", "x86_64-manylinux_2_28", _glibc("x86_64")),
    Platform("linux-arm64", "aarch64-unknown-linux-gnu", "aarch64-manylinux_2_28", _glibc("aarch64")),
    Platform("alpine-x64", "x86_64-unknown-linux-musl", "x86_64-unknown-linux-musl", _musl("x86_64")),
    Platform("alpine-arm64", "aarch64-unknown-linux-musl", "aarch64-unknown-linux-musl", _musl("aarch64")),
    Platform("win32-x64", "x86_64-pc-windows-gnullvm", "x86_64-pc-windows-msvc", ("win_amd64",)),
    Platform("win32-arm64", "aarch64-pc-windows-gnullvm", "aarch64-pc-windows-msvc", ("win_arm64",)),
    Platform("darwin-arm64", "aarch64-apple-darwin", "aarch64-apple-darwin", ("macosx_13_0_arm64",)),
    Platform("darwin-x64", "x86_64-apple-darwin", "x86_64-apple-darwin", ("macosx_13_0_x86_64",)),
)
KNOWN = {platform.name: platform for platform in PLATFORMS}

_SYSTEMS = {
    "linux": ("manylinux", "linux_"),
    "alpine": ("musllinux",),
    "win32": ("win",),
    "darwin": ("macosx",),
}
_PROCESSORS = {"x64": ("x86_64", "amd64", "universal2"), "arm64": ("aarch64", "arm64", "universal2")}
_ELF = {0x3E: "x64", 0xB7: "arm64", 0x03: "x86", 0x28: "arm"}
_PE = {0x8664: "x64", 0xAA64: "arm64", 0x14C: "x86", 0x1C4: "arm"}
_MACH = {0x01000007: "x64", 0x0100000C: "arm64", 7: "x86", 12: "arm"}


def made_for(head: bytes) -> tuple[str, Sequence[str]] | None:
    """The format and the processors of a program or library, by its first kilobytes; None for other files."""
    if head[:4] == b"\x7fELF" and len(head) >= 20:
        order = "<" if head[5] == 1 else ">"
        [machine] = struct.unpack_from(f"{order}H", head, 18)
        return "ELF", [_ELF.get(machine, hex(machine))]
    if head[:2] == b"MZ" and len(head) >= 64:
        [at] = struct.unpack_from("<I", head, 60)
        if head[at : at + 4] == b"PE\0\0" and len(head) >= at + 6:
            [machine] = struct.unpack_from("<H", head, at + 4)
            return "PE", [_PE.get(machine, hex(machine))]
    if head[:4] in (b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe") and len(head) >= 8:
        [machine] = struct.unpack_from("<I", head, 4)
        return "Mach-O", [_MACH.get(machine, hex(machine))]
    # Several in one file. Java's classes begin alike, where a version stands for the number of them.
    if head[:4] == b"\xca\xfe\xba\xbe" and len(head) >= 8:
        [count] = struct.unpack_from(">I", head, 4)
        if 0 < count < 20 and len(head) >= 8 + 20 * count:
            machines = [struct.unpack_from(">I", head, 8 + 20 * number)[0] for number in range(count)]
            return "Mach-O", [_MACH.get(machine, hex(machine)) for machine in machines]
    return None


def fits(wheel: str, platform: Platform) -> bool:
    """Does a wheel say by its name that it is for this platform, or for all?"""
    system, processor = platform.name.split("-")
    tags = wheel.removesuffix(".whl").rpartition("-")[2].split(".")
    return any(
        tag == "any" or (tag.startswith(_SYSTEMS[system]) and tag.endswith(_PROCESSORS[processor]))
        for tag in tags
    )


def ours(folder: Path, platform: Platform) -> list[Path]:
    """Our own wheels for a platform, the one for its newest systems first, which has most in it."""
    found = [path for path in folder.glob("fim_lsp-*.whl") if fits(path.name, platform)]
    return sorted(found, key=lambda path: age(path.name), reverse=True)


def age(wheel: str) -> list[int]:
    """The version of the oldest system, of all that a wheel's name says; `manylinux2014` says it twice."""
    tags = wheel.removesuffix(".whl").rpartition("-")[2].split(".")
    found = [re.findall(r"_(\d+)_(\d+)_", tag) for tag in tags]
    # A plain `linux` is for none that is known.
    return min(([int(part) for part in versions[0]] for versions in found if versions), default=[sys.maxsize])


def is_foreign(head: bytes, platform: Platform) -> bool:
    """Can no program of this platform load a file that begins so?"""
    made = made_for(head)
    system, processor = platform.kind
    return made is not None and not (made[0] == system and processor in made[1])


def main() -> None:
    if len(sys.argv) == 1:
        print(*KNOWN, sep="\n")
        return
    if sys.argv[1] == "--triples":
        print(*(platform.triple for platform in PLATFORMS), sep="\n")
        return
    wheels = ours(Path(sys.argv[2]), KNOWN[sys.argv[1]])
    if not wheels:
        sys.exit(f"no wheel for {sys.argv[1]} in {sys.argv[2]}")
    print(*wheels, sep="\n")


if __name__ == "__main__":
    main()
