"""The wheels in the VSIX: files that are never imported are left out, the rest installs, and the bytes are
reproducible."""

from __future__ import annotations

import random
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

PACK = Path(__file__).parents[2] / ".ci" / "pack-wheels"
INFO = "thing-1.0.dist-info"
# The beginning of a library for x86-64.
ELF = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\0\x3e\0"


def wheel(folder: Path, python: str, **more: bytes) -> Path:
    """A wheel of one kind, for one Python."""
    files = {
        "thing/__init__.py": b"value = 1\n",
        "thing/tests/test_it.py": b"assert False\n",
        "thing/testing.py": b"",
        **{name.replace("__", "/"): content for name, content in more.items()},
        f"{INFO}/METADATA": b"Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n",
        f"{INFO}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: cp{python}-none-any\n".encode(),
    }
    files[f"{INFO}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{INFO}/RECORD"]).encode()
    path = folder / f"thing-1.0-cp{python}-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return path


def packed(folder: Path, scratch: Path, platform: str = "linux-x64") -> dict[str, zipfile.ZipFile]:
    subprocess.run([sys.executable, PACK, folder, platform], check=True, capture_output=True)
    assert sorted(path.name for path in folder.iterdir()) == ["wheels.tar.xz", "wheels.txt"]
    with tarfile.open(folder / "wheels.tar.xz") as archive:
        archive.extractall(scratch, filter="data")
    listed = (folder / "wheels.txt").read_text().splitlines()
    assert listed == [f"{path.name} {path.stat().st_size}" for path in sorted(scratch.iterdir())]
    return {path.name: zipfile.ZipFile(path) for path in scratch.iterdir()}


def test_what_is_left_installs_and_its_list_is_whole(tmp_path: Path) -> None:
    (tmp_path / "wheels").mkdir()
    wheel(tmp_path / "wheels", "".join(map(str, sys.version_info[:2])))
    [(name, opened)] = packed(tmp_path / "wheels", tmp_path / "scratch").items()
    names = opened.namelist()
    assert "thing/__init__.py" in names
    assert "thing/testing.py" in names
    assert "thing/tests/test_it.py" not in names
    listed = [line.split(",")[0] for line in opened.read(f"{INFO}/RECORD").decode().splitlines()]
    assert sorted(listed) == sorted(names)
    assert {entry.compress_type for entry in opened.infolist()} == {zipfile.ZIP_STORED}
    target = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--target", str(target)]
    subprocess.run([*install, tmp_path / "scratch" / name], check=True, capture_output=True)
    assert (target / "thing" / "__init__.py").read_text() == "value = 1\n"


@pytest.mark.parametrize("is_linked", [True, False])
def test_a_library_stays_where_the_module_is_linked_to_it(tmp_path: Path, is_linked: bool) -> None:
    (tmp_path / "wheels").mkdir()
    library = "libonnxruntime.so.1"
    linked = (library.encode() + b"\0") if is_linked else b"libc.so.6\0"
    parts = {
        f"onnxruntime__capi__{library}": b"a library",
        "onnxruntime__capi__onnxruntime_pybind11_state.so": ELF + linked,
        "onnxruntime__tools__make.py": b"",
    }
    wheel(tmp_path / "wheels", "312", **parts)
    [opened] = packed(tmp_path / "wheels", tmp_path / "scratch").values()
    assert (f"onnxruntime/capi/{library}" in opened.namelist()) == is_linked
    assert "onnxruntime/tools/make.py" not in opened.namelist()


def test_two_of_a_kind_cost_little_more_than_one_and_twice_the_same_bytes(tmp_path: Path) -> None:
    # Incompressible bytes: half a megabyte for each Python.
    content = random.Random(1).randbytes(500_000)
    sizes = []
    for number, pythons in enumerate((["311"], ["311", "312", "313"], ["311", "312", "313"])):
        folder = tmp_path / str(number)
        folder.mkdir()
        for python in pythons:
            wheel(folder, python, thing__data=content)
        packed(folder, tmp_path / f"scratch-{number}")
        sizes.append((folder / "wheels.tar.xz").read_bytes())
    one, three, again = sizes
    assert len(three) < 1.05 * len(one)
    assert three == again
