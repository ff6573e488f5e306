"""The table in docs/python-versions.md: what each version accepts, from the corpus of versions.

    python -m tests.reference.version_table

replaces the table and keeps the text around it. A construct's row shows the first of its cases.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.reference.statements import VERSIONS_CORPUS

PAGE = Path(__file__).parents[2] / "docs" / "python-versions.md"
VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.15")
BEGIN = "<!-- The tables are written by tests/reference/version_table.py. -->\n"
END = "<!-- The end of the tables. -->\n"
YES, NO = "yes", "–"


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in VERSIONS_CORPUS.read_text(encoding="utf-8").splitlines()]


# A longer example, such as a hundred brackets, is shown by its ends.
LONGEST = 80


def first_cases() -> Iterator[dict[str, Any]]:
    """The first case of each construct, in the order of the corpus."""
    seen: set[str] = set()
    for case in cases():
        if case["construct"] not in seen:
            seen.add(case["construct"])
            yield case


def code(text: str) -> str:
    """An example for a cell: on one line, with special characters written as escapes."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 3]} ... {text[-LONGEST // 3 :]}"
    plain = "".join(
        one if one == "\n" or (one.isascii() and one.isprintable()) else ascii(one)[1:-1] for one in text
    )
    return "`" + plain.replace("|", "\\|").replace("\n", "⏎") + "`"


def tables() -> str:
    columns = ("construct", "source", "example", *VERSIONS)
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    always: list[str] = []
    never: list[str] = []
    for case in first_cases():
        if case["accepted"] in ([], list(VERSIONS)):
            same = always if case["accepted"] else never
            same.append(f"| {case['construct']} | {case['source']} | {code(case['text'])} |")
            continue
        verdicts = [YES if version in case["accepted"] else NO for version in VERSIONS]
        row = (case["construct"], case["source"], code(case["text"]), *verdicts)
        lines.append("| " + " | ".join(row) + " |")
    for title, rows in (("In every version from 3.8 to 3.15:", always), ("In none:", never)):
        lines += ["", title, "", "| construct | source | example |", "|---|---|---|", *rows]
    return "\n".join(lines) + "\n"


def page_with_tables(page: str) -> str:
    before, _, rest = page.partition(BEGIN)
    _, _, behind = rest.partition(END)
    return f"{before}{BEGIN}\n{tables()}\n{END}{behind}"


def main() -> None:
    PAGE.write_text(page_with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
