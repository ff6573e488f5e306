"""The second wheel of a platform: the same engine with llama.cpp beside it, and its metadata."""

from __future__ import annotations

import base64
import hashlib
import runpy
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
llama_wheel = runpy.run_path(str(ROOT / ".ci" / "llama_wheel.py"))
INFO = "fim_lsp-0.1.0.dist-info"
OLD = "manylinux_2_17_x86_64.manylinux2014_x86_64"


def engine(folder: Path, tag: str) -> Path:
    """A wheel as maturin builds it."""
    path = folder / f"fim_lsp-0.1.0-cp310-abi3-{tag}.whl"
    said = "Wheel-Version: 1.0\nGenerator: maturin\nRoot-Is-Purelib: false\n"
    said += "".join(f"Tag: cp310-abi3-{one}\n" for one in tag.split("."))
    files = {
        "quotient/_native.abi3.so": b"engine",
        "quotient/_native.pyi": b"types",
        f"{INFO}/WHEEL": said.encode(),
    }
    lines = [llama_wheel["line"](name, content) + "\n" for name, content in files.items()]
    with zipfile.ZipFile(path, "w") as made:
        for name, content in [
            *files.items(),
            (f"{INFO}/RECORD", "".join([*lines, f"{INFO}/RECORD,,\n"]).encode()),
        ]:
            entry = zipfile.ZipInfo(name, (2026, 1, 2, 3, 4, 6))
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            made.writestr(entry, content)
    return path


@pytest.fixture
def libraries(tmp_path: Path) -> Path:
    folder = tmp_path / "libraries"
    folder.mkdir()
    (folder / "libllama.so").write_bytes(b"llama")
    (folder / "LICENSE").write_bytes(b"MIT")
    return folder


def test_it_has_the_engine_the_libraries_and_a_true_list_of_both(tmp_path: Path, libraries: Path) -> None:
    before = engine(tmp_path, OLD)
    made = llama_wheel["with_llama"](before, libraries, "manylinux_2_34")
    assert made.name == "fim_lsp-0.1.0-cp310-abi3-manylinux_2_34_x86_64.whl"
    assert before.exists()
    with zipfile.ZipFile(made) as opened:
        names = opened.namelist()
        assert len(names) == len(set(names)) == 6
        assert opened.read("quotient/_native.abi3.so") == b"engine"
        assert opened.getinfo("fim_lsp/llama_libraries/libllama.so").external_attr >> 16 == 0o100755
        assert opened.read(f"{INFO}/WHEEL").decode().splitlines()[3:] == [
            "Tag: cp310-abi3-manylinux_2_34_x86_64"
        ]
        listed = [line.split(",") for line in opened.read(f"{INFO}/RECORD").decode().splitlines()]
        assert sorted(name for name, _, _ in listed) == sorted(names)
        for name, digest, size in listed:
            if name != f"{INFO}/RECORD":
                content = opened.read(name)
                expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                assert (digest, int(size)) == (f"sha256={expected}", len(content))


def test_twice_the_same_bytes(tmp_path: Path, libraries: Path) -> None:
    first = llama_wheel["with_llama"](engine(tmp_path, OLD), libraries, "manylinux_2_34").read_bytes()
    other = tmp_path / "other"
    other.mkdir()
    assert llama_wheel["with_llama"](engine(other, OLD), libraries, "manylinux_2_34").read_bytes() == first


@pytest.mark.parametrize(
    ("tag", "oldest", "expected"),
    [
        ("macosx_11_0_arm64", "14.0", "macosx_14_0_arm64"),
        ("macosx_10_12_x86_64", "14.0", "macosx_14_0_x86_64"),
        ("manylinux_2_17_aarch64.manylinux2014_aarch64", "manylinux_2_34", "manylinux_2_34_aarch64"),
        ("win_amd64", "10", "win_amd64"),
        ("win_arm64", "10", "win_arm64"),
    ],
)
def test_its_name_says_the_oldest_system_that_has_what_it_asks_for(
    tag: str, oldest: str, expected: str
) -> None:
    assert llama_wheel["newer"](tag, oldest) == expected


def test_a_wheel_for_windows_is_made_in_its_own_place(tmp_path: Path, libraries: Path) -> None:
    before = engine(tmp_path, "win_amd64")
    assert llama_wheel["with_llama"](before, libraries, "10") == before
    with zipfile.ZipFile(before) as opened:
        assert "fim_lsp/llama_libraries/libllama.so" in opened.namelist()
    assert [path.suffix for path in tmp_path.glob("fim_lsp*")] == [".whl"]
