"""Closing braces that the engine adds stand where programmers put them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.server.worker.ladder import Footing, footing
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.site import Site
from fim_lsp.server.worker.wording import offered_text

WISHES = Wishes(1, 64, 20, True, "", False, None)
# A language, a text with the cursor in it, the written text, and the offer.
CASES = [
    ("javascript", "if (item) {\n  $0\n", "count += 1;}", "count += 1;\n}"),
    ("javascript", "f(() => {\n  g({\n    $0\n", "a: 1})})", "a: 1\n  })\n})"),
    ("javascript", "f(() => { g({ $0\n", "a: 1})})", "a: 1})})"),
    ("javascript", "f({\n  a: 1,\n  $0\n", "b: 2 });", "b: 2\n});"),
    ("javascript", "if (item) {$0\n", "count += 1;}", "count += 1;}"),
    ("javascript", "if (item) {\n  f(`\n$0\n", "`);}", "`);\n}"),
    ("go", "package a\n\nfunc f() {\n\tif b {\n\t\t$0\n", "return}}", "return\n\t}\n}"),
    ("go", "package a\n\nvar b = []int{\n\t$0\n", "1}", "1}"),
    ("java", "class A {\n  int f() {\n    $0\n", "return 1;}}", "return 1;\n  }\n}"),
    ("json", '{\n  "a": [\n    $0\n', "1]}", "1\n  ]\n}"),
    ("json", '{"a": [$0\n', "1]}", "1]}"),
    ("typescript", "interface A {\r\n\tb: {\r\n\t\t$0\r\n", "c: number}}", "c: number\r\n\t}\r\n}"),
    ("toml", "a = {b = [\n$0\n", "1]}", "1\n]}"),
    ("python", "a = [\n    $0\n", "1]", "1]"),
    # A closer right of the cursor gets a line of its own, too.
    ("javascript", "const a = {$0};\n", "\n  b: 1,", "\n  b: 1,\n"),
    ("javascript", "f({$0});\n", "a: 1,\n  b: 2", "a: 1,\n  b: 2"),
    ("javascript", "const a = {$0};\n", "\n  b: 1,\n", "\n  b: 1,\n"),
    ("go", "package a\n\nfunc f() {\n\tg(A{$0})\n}\n", "\n\t\tB: 1,", "\n\t\tB: 1,\n\t"),
    ("java", "class A {\r\n    int[] b = {$0};\r\n}\r\n", "\n        1,", "\r\n        1,\r\n    "),
    ("python", "a = [$0]\n", "\n    1,", "\n    1,"),
]


def held(language: str, marked: str) -> Footing:
    place = marked.index("$0")
    text = marked.replace("$0", "")
    document = WorkerText(
        SentText("", 0, "3.11" if language == "python" else "", text, language=language), text
    )
    found = footing(Site.of(document, Hole(place, place)))
    assert found is not None
    return found


@pytest.mark.parametrize(("language", "marked", "written", "offered"), CASES)
def test_braces_of_blocks_stand_on_lines_of_their_own(
    language: str, marked: str, written: str, offered: str
) -> None:
    assert offered_text(written, held(language, marked), WISHES) == offered


def test_but_where_one_line_is_wished_for() -> None:
    place = held("javascript", "if (item) {\n  $0\n")
    wishes = [replace(WISHES, closer_lines=False), replace(WISHES, max_lines=1)]
    assert [offered_text("count += 1;}", place, one) for one in wishes] == ["count += 1;}"] * 2
