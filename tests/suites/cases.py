"""The texts of each suite, with the suite's verdicts."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fim_lsp.replay import judges
from tests.suites import sources

# A list of strings in Go: `"...",` or in backquotes, one after the other.
STRINGS_OF_GO = re.compile(r'"(?:[^"\\\n]|\\.)*"|`[^`]*`')
LIST_OF_GO = re.compile(r"^var (valids|invalids|validWithTParamsOnly) = \[\]string\{\n(.*?)^\}", re.M | re.S)


@dataclass(frozen=True, slots=True)
class Case:
    """A text, and whether it belongs to its language; None if the suite leaves that open."""

    name: str
    content: bytes
    is_valid: bool | None


@dataclass(frozen=True, slots=True)
class Suite:
    """Texts of one language. `cases` raises `NotFetched` and `NoJudge` if they are not available."""

    name: str
    title: str
    language: str
    version: str | None
    cases: Callable[[], Iterator[Case]]


def json_cases() -> Iterator[Case]:
    """Texts that must be accepted, must be refused, or may be either."""
    text = (sources.JSON.folder / "package/data/parsing.js").read_text(encoding="utf-8")
    for case in json.loads(text[text.index("[") :]):
        wanted = {"y": True, "n": False, "i": None}[case["name"][0]]
        yield Case(case["name"], case["input"].encode("utf-8", "surrogatepass"), wanted)


def toml_cases(version: str) -> Iterator[Case]:
    """Return the texts that the suite has for a version of TOML."""
    folder = sources.TOML.folder / "tests"
    for name in (folder / f"files-toml-{version}.0").read_text(encoding="utf-8").split():
        if name.endswith(".toml"):
            yield Case(name, (folder / name).read_bytes(), name.startswith("valid/"))


def test262_cases() -> Iterator[Case]:
    """Programs: valid ones, those with an early error, and those that no grammar accepts."""
    for kind in ("pass", "pass-explicit", "fail", "early"):
        for path in sorted((sources.TEST262.folder / "package" / kind).iterdir()):
            yield Case(f"{kind}/{path.name}", path.read_bytes(), kind.startswith("pass"))


def go_cases() -> Iterator[Case]:
    """Return the texts in the tests of Go's two parsers, of the installed Go, and its own `test` folder."""
    root = Path(judges.go()).resolve().parents[1]
    parser, syntax = root / "src/go/parser", root / "src/cmd/compile/internal/syntax"
    for found in LIST_OF_GO.finditer((parser / "short_test.go").read_text(encoding="utf-8")):
        for number, literal in enumerate(STRINGS_OF_GO.findall(uncommented(found[2])), start=1):
            text = literal[1:-1] if literal[0] == "`" else ast.literal_eval(literal)
            yield Case(f"short_test.go, {found[1]} {number}", text.encode(), None)
    for folder in (parser / "testdata", syntax / "testdata", root / "test"):
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix in (".go", ".src", ".go2"):
                yield Case(path.relative_to(root).as_posix(), path.read_bytes(), None)


def uncommented(lines: str) -> str:
    """Lines of Go without comments that occupy a whole line."""
    return re.sub(r"^\s*//.*$", "", lines, flags=re.M)


SUITES = (
    Suite("json", f"JSONTestSuite: {sources.JSON.title}", "json", None, json_cases),
    Suite("toml 1.0", f"toml-test: {sources.TOML.title}", "toml", "1.0", lambda: toml_cases("1.0")),
    Suite("toml 1.1", f"toml-test: {sources.TOML.title}", "toml", "1.1", lambda: toml_cases("1.1")),
    Suite("test262", f"test262's parser tests: {sources.TEST262.title}", "javascript", None, test262_cases),
    Suite(
        "go", "the tests of Go's parsers and Go's `test` folder, of the installed Go", "go", None, go_cases
    ),
)
