"""DevBench as its authors publish it: a folder for each language, in it one for each of six kinds of work,
with lines of JSON.

benchmark/python/low_context/low_context.jsonl      prefix | golden_completion | suffix      id
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from fim_lsp.replay.case import Case, Excluded
from fim_lsp.replay.corpus import UNPARSABLE, NoData, table_rows
from fim_lsp.replay.judge import ParserJudge

ORIGIN = "https://github.com/microsoft/devbench"
# Its names for those of its languages that are known here.
LANGUAGES = ("python", "javascript", "typescript", "java")


def data_files(data: str | None, language: str) -> list[Path]:
    """The files of one language in the named folder, which may be any folder above them."""
    if data is None:
        raise NoData(f"devbench is fetched from {ORIGIN}, and its folder named with --data")
    found = [
        path
        for inner in (f"benchmark/{language}", language, ".")
        for path in sorted(Path(data, inner).glob("*/*.jsonl"))
        if path.stem == path.parent.name
    ]
    if not found:
        raise NoData(f"{data}: no problems of DevBench in {language}; it is published at {ORIGIN}")
    return found


def cases(data: str | None, language: str, judge: ParserJudge, seed: int) -> Iterator[Case | Excluded]:
    """The cases of all kinds mixed, so that the first N cases are a sample of all."""
    rows = [(path, row) for path in data_files(data, language) for row in table_rows(path)]
    Random(f"{seed} devbench").shuffle(rows)
    for path, row in rows:
        yield case(path, row, language, judge)


def case(path: Path, row: dict[str, Any], language: str, judge: ParserJudge) -> Case | Excluded:
    """The case of a problem; a problem that does not parse with the true middle is left out.

    Some problems have lost the line breaks between their three parts. If the parts parse only with them, the
    line breaks are put back, into the contexts around the hole.
    """
    try:
        name = f"{path.parent.name}/{row['id']}"
        left, middle, right = (str(row[part]) for part in ("prefix", "golden_completion", "suffix"))
    except KeyError as error:
        raise NoData(f"{path}: no problem of this kind: {error!r} in {row.get('id', 'a row')}") from error
    for ended, begun in product(("", "\n"), repeat=2):
        found = Case(
            name,
            left + ended + middle + begun + right,
            len(left + ended),
            len(left + ended + middle),
            language=language,
        )
        if judge.accepts(found.text):
            return found
    fault = judge.fault(left + middle + right)
    return Excluded(name, UNPARSABLE, f"{fault.kind}: {fault.message}" if fault else "")
