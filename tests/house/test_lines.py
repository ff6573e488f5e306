"""Lines of source texts end where editors and Python end them, and nowhere else."""

from __future__ import annotations

import re

from tests.house.own_files import text_of, tracked

ELSEWHERE = re.compile(r"^.*\.splitlines\(.*$", re.MULTILINE)
# What other programs print, lists and settings, which are no source texts.
NO_SOURCES = re.compile(
    r"\b(?:answer|said|words|status|pyproject|record|note|strip\(\)|type\(error\)\.__name__\))\.splitlines\("
    r"|\bread_text\(encoding=\"utf-8\"\)\.splitlines\(|text_within\(folder / \"requirements"
)


def test_no_module_splits_a_source_text_at_other_line_ends() -> None:
    sources = tracked("fim_lsp/*.py", "quotient/*.py", "training/*.py")
    assert len(sources) > 500
    found = {name: list(ELSEWHERE.findall(text_of(name))) for name in sources}
    assert sum(map(len, found.values())) > 5
    assert {
        name: rest
        for name, lines in found.items()
        if (rest := [line.strip() for line in lines if not NO_SOURCES.search(line)])
    } == {}
