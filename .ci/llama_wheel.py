"""A wheel with llama.cpp in it: the engine's own, with the libraries beside it.

    python .ci/llama_wheel.py WHEEL FOLDER OLDEST

lays it beside the wheel, with the libraries of the folder, for systems from the oldest up (manylinux_2_34,
14.0), and prints its path.

The engine runs on older systems than the libraries do, so it is compiled once, for the oldest. A wheel's
name, its `WHEEL` and the list of its files then say what has changed. The same files give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
import zipfile
from pathlib import Path

PLACE = "fim_lsp/llama_libraries"


def with_llama(wheel: Path, libraries: Path, oldest: str | None) -> Path:
    """The wheel with the libraries, for systems from `oldest` up; a Windows wheel keeps its name."""
    tag = newer(wheel.stem.rpartition("-")[2], oldest)
    made = wheel.with_name(f"{wheel.stem.rpartition('-')[0]}-{tag}.whl")
    files = {f"{PLACE}/{path.name}": path.read_bytes() for path in sorted(libraries.iterdir())}
    scratch = made.with_suffix(".new")
    with zipfile.ZipFile(wheel) as before, zipfile.ZipFile(scratch, "w", zipfile.ZIP_DEFLATED) as after:
        [engine] = [entry for entry in before.infolist() if re.search(r"/_native\.(?!pyi)", entry.filename)]
        [list_of_files] = [
            entry for entry in before.infolist() if entry.filename.endswith(".dist-info/RECORD")
        ]
        described = before.read(list_of_files).decode()
        for entry in before.infolist():
            content = before.read(entry)
            if entry.filename.endswith(".dist-info/WHEEL"):
                content = said_of(content.decode(), tag).encode()
                described = re.sub(
                    rf"(?m)^{re.escape(entry.filename)},.*$", line(entry.filename, content), described
                )
            if entry is list_of_files:
                for name, library in files.items():
                    after.writestr(like(engine, name), library)
                described = "".join(line(name, library) + "\n" for name, library in files.items()) + described
                content = described.encode()
            after.writestr(like(entry, entry.filename), content)
    scratch.replace(made)
    return made


def newer(tag: str, oldest: str | None) -> str:
    """A wheel's tag for another age of its system."""
    processor = re.search(r"x86_64|aarch64|arm64$", tag)
    if oldest is None or processor is None or tag.startswith("win"):
        return tag
    name = oldest if "linux" in oldest else f"macosx_{oldest.replace('.', '_')}"
    return f"{name}_{processor[0]}"


def said_of(text: str, tag: str) -> str:
    """The file `WHEEL`, with one tag."""
    [python] = {found.rpartition("-")[0] for found in re.findall(r"(?m)^Tag: (.*)$", text)}
    kept = [one for one in text.splitlines() if one and not one.startswith("Tag: ")]
    return "\n".join([*kept, f"Tag: {python}-{tag}"]) + "\n"


def line(name: str, content: bytes) -> str:
    """What the list of files says of one."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}"


def like(entry: zipfile.ZipInfo, name: str) -> zipfile.ZipInfo:
    """An entry with the date and the rights of another one."""
    made = zipfile.ZipInfo(name, entry.date_time)
    made.external_attr, made.compress_type = entry.external_attr, zipfile.ZIP_DEFLATED
    return made


if __name__ == "__main__":
    print(with_llama(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
