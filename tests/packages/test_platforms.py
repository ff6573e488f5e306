"""The files of one platform and no other: what a VSIX refuses, and which wheel it takes."""

from __future__ import annotations

import json
import os
import re
import runpy
import struct
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
platforms = runpy.run_path(str(ROOT / ".ci" / "platforms.py"))
PLATFORMS = (
    "linux-x64",
    "linux-arm64",
    "alpine-x64",
    "alpine-arm64",
    "win32-x64",
    "win32-arm64",
    "darwin-arm64",
    "darwin-x64",
)
TAGS = {
    "linux-x64": "manylinux_2_34_x86_64",
    "linux-arm64": "manylinux_2_34_aarch64",
    "alpine-x64": "musllinux_1_2_x86_64",
    "alpine-arm64": "musllinux_1_2_aarch64",
    "win32-x64": "win_amd64",
    "win32-arm64": "win_arm64",
    "darwin-arm64": "macosx_11_0_arm64",
    "darwin-x64": "macosx_11_0_x86_64",
}


def elf(machine: int) -> bytes:
    return b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HH", 3, machine) + bytes(44)


def pe(machine: int) -> bytes:
    return b"MZ" + bytes(58) + struct.pack("<I", 0x80) + bytes(64) + b"PE\0\0" + struct.pack("<H", machine)


def mach(*machines: int) -> bytes:
    if len(machines) == 1:
        return b"\xcf\xfa\xed\xfe" + struct.pack("<I", machines[0]) + bytes(24)
    slices = b"".join(struct.pack(">IIIII", machine, 0, 4096, 4096, 12) for machine in machines)
    return b"\xca\xfe\xba\xbe" + struct.pack(">I", len(machines)) + slices


LIBRARIES = {
    "linux-x64": elf(0x3E),
    "linux-arm64": elf(0xB7),
    "alpine-x64": elf(0x3E),
    "alpine-arm64": elf(0xB7),
    "win32-x64": pe(0x8664),
    "win32-arm64": pe(0xAA64),
    "darwin-arm64": mach(0x0100000C),
    "darwin-x64": mach(0x01000007),
}


def wheel(folder: Path, name: str, tag: str, **files: bytes) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}-1.0-py3-none-{tag}.whl"
    with zipfile.ZipFile(path, "w") as opened:
        for inside, content in files.items():
            opened.writestr(inside, content)
        opened.writestr(f"{name}-1.0.dist-info/RECORD", "".join(f"{inside},,\n" for inside in files))
    return path


def pack(folder: Path, platform: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / ".ci" / "pack-wheels"), str(folder), platform]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def names(folder: Path) -> list[str]:
    """The names in the packed wheels of a folder."""
    with tarfile.open(folder / "wheels.tar.xz") as packed:
        opened = [packed.extractfile(member) for member in packed]
        return [name for file in opened if file for name in zipfile.ZipFile(file).namelist()]


def test_the_platforms_are_those_that_the_marketplace_has_names_for() -> None:
    listed = subprocess.run([sys.executable, ROOT / ".ci" / "platforms.py"], capture_output=True, text=True)
    assert tuple(listed.stdout.split()) == PLATFORMS
    vsce = (ROOT / "vscode-client" / "node_modules" / "@vscode" / "vsce" / "out" / "package.js").read_text()
    [theirs] = re.findall(r"Targets = new Set\(\[([^\]]+)\]", vsce)
    assert set(PLATFORMS) <= set(re.findall(r"'([\w-]+)'", theirs))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_library_for_another_system_or_processor_is_foreign(platform: str) -> None:
    known = platforms["KNOWN"][platform]
    for content in LIBRARIES.values():
        assert platforms["is_foreign"](content, known) == (content != LIBRARIES[platform])
    for content in (
        b"",
        b"MZ",
        b"MZ, and no program" + bytes(80),
        b"\x7fEL",
        b"a text\n",
        b"\xca\xfe\xba\xbe",
    ):
        assert not platforms["is_foreign"](content, known)


def test_a_library_for_several_processors_is_for_each_of_them() -> None:
    both = mach(0x01000007, 0x0100000C)
    for platform in PLATFORMS:
        assert platforms["is_foreign"](both, platforms["KNOWN"][platform]) != platform.startswith("darwin")
    # Compiled Java classes have the same first bytes; the version number of Java 17 is in the place of their
    # count of processors.
    compiled = b"\xca\xfe\xba\xbe\0\0\0\x3d" + bytes(2000)
    assert not platforms["is_foreign"](compiled, platforms["KNOWN"]["linux-x64"])


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_wheel_says_by_its_name_what_it_is_for(platform: str) -> None:
    fits = {
        other: platforms["fits"](f"thing-1.0-py3-none-{tag}.whl", platforms["KNOWN"][platform])
        for other, tag in TAGS.items()
    }
    assert [other for other, is_fit in fits.items() if is_fit] == [platform]
    assert platforms["fits"]("thing-1.0-py3-none-any.whl", platforms["KNOWN"][platform])


@pytest.mark.parametrize("machine", ["x86_64", "AMD64", "aarch64", "arm64", "ARM64"])
def test_what_computes_the_model_is_asked_for_wherever_it_has_wheels(machine: str) -> None:
    """The processors have their systems' own names; Windows writes its own in capitals."""
    asked = re.findall(r'"(onnxruntime[^"]+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    [marker] = [marker for one in asked if (marker := Requirement(one).marker)]
    assert marker.evaluate({"platform_machine": machine})
    assert not marker.evaluate({"platform_machine": "riscv64"})


def test_what_is_not_for_the_platform_is_not_packed(tmp_path: Path) -> None:
    own = LIBRARIES["linux-x64"]
    wheel(tmp_path / "own", "thing", TAGS["linux-x64"], **{"thing/library": own})
    assert pack(tmp_path / "own", "linux-x64").returncode == 0
    assert "thing/library" in names(tmp_path / "own")
    wheel(
        tmp_path / "other",
        "thing",
        "any",
        **{"thing/library": own, "thing/more/other": LIBRARIES["linux-arm64"]},
    )
    refused = pack(tmp_path / "other", "linux-x64")
    assert (refused.returncode, "thing/more/other" in refused.stderr) == (1, True)
    wheel(tmp_path / "named", "thing", TAGS["linux-arm64"], **{"thing/text": b""})
    assert pack(tmp_path / "named", "linux-x64").returncode == 1


@pytest.mark.parametrize(
    ("platform", "kept"),
    [("linux-x64", set()), ("win32-x64", {"t64.exe", "w64.exe"}), ("win32-arm64", {"t64-arm.exe"})],
)
def test_pip_keeps_the_launchers_of_its_platform(tmp_path: Path, platform: str, kept: set[str]) -> None:
    machines = {"t32.exe": 0x14C, "t64.exe": 0x8664, "w64.exe": 0x8664, "t64-arm.exe": 0xAA64}
    files = {f"pip/_vendor/distlib/{name}": pe(machine) for name, machine in machines.items()}
    wheel(tmp_path / "wheels", "pip", "any", **files)
    assert pack(tmp_path / "wheels", platform).returncode == 0
    left = {name.rpartition("/")[2] for name in names(tmp_path / "wheels") if name.endswith(".exe")}
    assert left == kept


@pytest.mark.parametrize(("library", "code"), [("vcruntime140_1", 0), ("msvcp140", 1)])
def test_what_only_emulated_programs_load_is_left_out_of_windows_on_arm(
    tmp_path: Path, library: str, code: int
) -> None:
    """Visual C++'s library for ARM includes one for x86-64; no other foreign file is allowed."""
    scripts = "msvc_runtime-1.0.data/data/Scripts"
    files = {f"{scripts}/{library}.dll": pe(0x8664), f"{scripts}/vcruntime140.dll": pe(0xAA64)}
    wheel(tmp_path / "wheels", "msvc_runtime", "win_arm64", **files)
    assert pack(tmp_path / "wheels", "win32-arm64").returncode == code
    if code == 0:
        left = [name for name in names(tmp_path / "wheels") if name.endswith(".dll")]
        assert left == [f"{scripts}/vcruntime140.dll"]


def test_all_of_a_platforms_own_wheels_are_taken_that_for_newer_systems_first(tmp_path: Path) -> None:
    older = "manylinux2014_x86_64.manylinux_2_17_x86_64"
    for tag in (*TAGS.values(), older):
        (tmp_path / f"fim_lsp-0.1.0-cp310-abi3-{tag}.whl").touch()
    for platform, tag in TAGS.items():
        found = platforms["ours"](tmp_path, platforms["KNOWN"][platform])
        expected = [tag, older] if platform == "linux-x64" else [tag]
        assert found == [tmp_path / f"fim_lsp-0.1.0-cp310-abi3-{tag}.whl" for tag in expected]
    (tmp_path / f"fim_lsp-0.1.0-cp310-abi3-{TAGS['win32-arm64']}.whl").unlink()
    assert platforms["ours"](tmp_path, platforms["KNOWN"]["win32-arm64"]) == []


def planned(*arguments: str) -> str:
    """The commands that make would run, independent of the make that runs the tests."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "--dry-run", "--always-make", "vsix", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    ).stdout


def test_with_a_wheel_no_compiler_is_needed() -> None:
    plan = planned("PLATFORM=win32-arm64", "WHEEL=other.whl")
    assert "maturin build" not in plan
    assert "rust" not in plan
    assert ".ci/wheelhouse" in plan
    assert '"win32-arm64"' in plan
    assert "dist/fim-lsp-win32-arm64.vsix" in plan


def test_all_that_a_folder_has_wheels_for_are_packed_by_one_command(tmp_path: Path) -> None:
    """The test's make prints its goals; one failure does not stop the other packages."""
    for platform in ("linux-arm64", "win32-x64", "darwin-x64"):
        (tmp_path / f"fim_lsp-0.1.0-cp310-abi3-{TAGS[platform]}.whl").touch()
    log = tmp_path / "log"
    fake = tmp_path / "make"
    fake.write_text(f'#!/bin/sh\necho "$@" >> {log}\ncase "$*" in *win32*) exit 1 ;; esac\n')
    fake.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    command = ["make", "--silent", "vsixes", f"WHEELS={tmp_path}", f"MAKE={fake}"]
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    asked = [line.split() for line in log.read_text().splitlines()]
    assert [words[2] for words in asked] == [
        "PLATFORM=linux-arm64",
        "PLATFORM=win32-x64",
        "PLATFORM=darwin-x64",
    ]
    # The target is the folder, because it may have several wheels for one platform.
    assert {words[3] for words in asked} == {f"WHEEL={tmp_path}"}
    assert "no extension for win32-x64" in said.stderr
    assert "no wheel for alpine-x64" in said.stderr


@pytest.mark.parametrize("built", sorted((ROOT / "dist").glob("fim-lsp*.vsix")), ids=lambda path: path.stem)
def test_what_was_built_holds_no_file_for_another_platform(tmp_path: Path, built: Path) -> None:
    """Packing the wheels of every extension in dist/ again refuses foreign files."""
    with zipfile.ZipFile(built) as vsix:
        [platform] = re.findall(r'TargetPlatform="([^"]+)"', vsix.read("extension.vsixmanifest").decode())
        with (
            vsix.open("extension/wheels/wheels.tar.xz") as file,
            tarfile.open(fileobj=file, mode="r|xz") as packed,
        ):
            packed.extractall(tmp_path, filter="data")
        assert json.loads(vsix.read("extension/package.json"))["name"] == "fim-lsp"
    for path in [*tmp_path.iterdir()]:
        alone = tmp_path / path.stem
        alone.mkdir()
        path.rename(alone / path.name)
        assert pack(alone, platform).returncode == 0, path.name
