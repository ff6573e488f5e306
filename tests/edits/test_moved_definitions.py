"""Functions and classes that were moved to another module of the project: the imports follow."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from fim_lsp.cli import main

HELPERS = """\
def slug(name):
    return name.lower()


def total(rows):
    return sum(rows)
"""
TOTAL = HELPERS[HELPERS.index("def total") :]
SLUG = HELPERS[: HELPERS.index("\n\ndef total")]


@dataclass(frozen=True)
class MovedCase:
    """A project's other files, and those that change, after their edits."""

    name: str
    old: str
    new: str
    files: dict[str, str]
    follows: dict[str, str]


CASES = (
    MovedCase(
        "imports, by any name, alone and beside others",
        HELPERS,
        TOTAL,
        {
            "shop/text.py": SLUG,
            "shop/page.py": "from shop.helpers import slug, total\n\nprint(slug('A'), total([]))\n",
            "shop/beside.py": "from .helpers import slug\n\nprint(slug('A'))\n",
            "app.py": "from shop.helpers import (\n    slug,\n    total,\n)\n\nprint(slug('A'), total([]))\n",
            "other.py": "from stranger.helpers import slug\n\nprint(slug('A'))\n",
        },
        {
            "shop/page.py": "from shop.helpers import total\nfrom shop.text import slug\n\n"
            "print(slug('A'), total([]))\n",
            "shop/beside.py": "from .text import slug\n\nprint(slug('A'))\n",
            "app.py": "from shop.helpers import (\n    total,\n)\nfrom shop.text import slug\n\n"
            "print(slug('A'), total([]))\n",
        },
    ),
    MovedCase(
        "the file itself, which uses it still",
        HELPERS.replace("sum(rows)", "sum(rows), slug('b')"),
        TOTAL.replace("sum(rows)", "sum(rows), slug('b')"),
        {"shop/text.py": SLUG},
        {
            "shop/helpers.py": "from shop.text import slug\n\n\n"
            + TOTAL.replace("sum(rows)", "sum(rows), slug('b')")
        },
    ),
    MovedCase(
        "the file itself, which the new module imports",
        HELPERS.replace("sum(rows)", "sum(rows), slug('b')"),
        TOTAL.replace("sum(rows)", "sum(rows), slug('b')"),
        {"shop/text.py": "from shop.helpers import total\n\n\n" + SLUG + "    print(total)\n"},
        {},
    ),
    MovedCase(
        "what several modules define",
        HELPERS,
        TOTAL,
        {
            "shop/text.py": SLUG,
            "shop/more.py": SLUG,
            "app.py": "from shop.helpers import slug\n\nprint(slug('A'))\n",
        },
        {},
    ),
    MovedCase(
        "what no module defines",
        HELPERS,
        TOTAL,
        {"app.py": "from shop.helpers import slug\n\nprint(slug('A'))\n"},
        {},
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_imports_name_the_new_module(
    case: MovedCase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, old = tmp_path / "project", tmp_path / "old.py"
    own = root / "shop" / "helpers.py"
    old.write_text(case.old)
    for name, text in {"shop/__init__.py": "", "shop/helpers.py": case.new, **case.files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    assert main(["edits", str(own), "--since", str(old), "--project", str(root), "--json"]) == 0
    then = {}
    for one in json.loads(capsys.readouterr().out):
        path = Path(one["path"])
        text = path.read_text()
        then[path.relative_to(root).as_posix()] = text[: one["start"]] + one["new"] + text[one["end"] :]
    assert then == case.follows
