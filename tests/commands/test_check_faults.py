"""Faults as `fim-lsp check` reports them: the place, the blamed text, and texts that may come instead."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.checked import check, source


@pytest.mark.parametrize(
    ("content", "places"),
    [
        ("x = )\ny = 1\nz = (]\n", [(1, 5), (3, 6)]),
        # The open bracket is blamed, and reading starts again behind it.
        ("rows = [1, 2\n\ndef f():\n    pass\n\nx = )\n", [(3, 1), (6, 5)]),
        ("def f(a, b:\n    return (1\n\nclass A:\n    x = )\n", [(2, 5), (5, 9)]),
        ("if x\n    y = )\nelse:\n    z = 2 2\n", [(1, 5), (2, 9), (4, 11)]),
        (
            "class A:\n    def f(self):\n        return +\n\n    def g(self)\n        pass\n",
            [(3, 17), (5, 16)],
        ),
        ("x = 'abc\ny = 2 2\n", [(1, 9), (2, 7)]),
        ("try:\n    x = (\nexcept OSError:\n    y = )\n", [(3, 1), (4, 9)]),
    ],
)
def test_all_faults_are_found_as_far_as_reading_on_leads(
    content: str, places: list[tuple[int, int]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = check(capsys, "--json", source(tmp_path, content))
    [file] = json.loads(out)["files"]
    assert [(fault["line"], fault["column"]) for fault in file["faults"]] == places


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("x = [1,\ny = 2\n", ":2:3: unexpected '='. Next may come"),
        ("x = 1 +\n", ":1:8: the line ends too early. Next may come a value"),
        ("x = 'abc\n", ":1:9: the line ends too early."),
        ("if x =\n", ":1:6: unexpected '='."),
    ],
)
def test_what_is_blamed_is_what_one_sees(
    content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = check(capsys, source(tmp_path, content))
    assert said in out.splitlines()[0]


def test_what_may_come_is_said_in_few_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = check(capsys, source(tmp_path, "x = )\n)\nimport 1\n"))
    assert [line.partition("Next may come ")[2] for line in out.splitlines()] == [
        "a value, `*` or `yield`.",
        "a statement.",
        "a name.",
    ]


@pytest.mark.parametrize(
    ("name", "content", "note"),
    [
        ("a.py", "total = sum(\nx = 1\nprint(x)\n", "nothing closes the `(` at 1:12"),
        ("a.py", "rows = {'a': [1, 2}\nx = 1\n", None),
        ("a.py", "rows = [\n    (1,\n    2,\n]\n", "nothing closes the `(` at 2:5"),
        ("a.py", "s = '('\nx = )\n", None),
        ("a.py", "d = {\n    'a': 1\n    'b': (2),\n}\n", None),
        ("a.go", "package p\n\nfunc f() {\n\tg(\n}\n", "nothing closes the `(` at 4:3"),
        ("a.json", '{"a": [1,\n2\n', "nothing closes the `[` at 1:7"),
        ("a.ts", "const a = `${[1]}`;\nlet b = (\nlet c = 1;\n", "nothing closes the `(` at 2:9"),
        # The open bracket is on the fault's own line, so no other one is blamed.
        ("a.java", "class A {\n void f() {\n  g(1;\n }\n}\n", None),
        ("a.go", "package p\n\nfunc f() {\n\ts := `{abc\n}\n", "nothing closes the ` at 4:7"),
        ("a.go", "package p\n\nfunc f() {\n\t/* (\n}\n", "nothing closes the `/*` at 4:2"),
        ("a.py", 'def f(x):\n    """Doc (\n    return x\n', 'nothing closes the `"""` at 2:5'),
        # A line's end cannot be shown as a fault by itself.
        (
            "a.go",
            "package p\n\nfunc f() {\n\tg(1\n}\n",
            "the line ends too early; nothing closes the `(` at 4:3",
        ),
    ],
)
def test_a_bracket_that_nothing_closes_is_told_where_it_was_opened(
    name: str, content: str, note: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = check(capsys, source(tmp_path, content, name))
    assert code == 1
    if note is None:
        assert "othing closes" not in out
    else:
        assert note.removeprefix("n") in out


@pytest.mark.parametrize(
    ("name", "content", "places"),
    [
        ("a.json", '{"a": 1,, "b": 2}\n', [(1, 9)]),
        ("a.json", '{"a": tru}\n', [(1, 7)]),
        ("a.json", '{\n "a": {\n  "b": 1\n "c": 2\n}\n', [(4, 2)]),
        ("a.json", '[\n {"a": 2\n {"a": 3}\n]\n', [(3, 2)]),
        ("a.go", "package p\n\nfunc f() {\n\tif x\n\t\tg()\n\t}\n}\n", [(5, 6)]),
        # Another bracket was opened, and nothing closes it either.
        ("a.go", "package p\n\nfunc f() {\n\tg(1\n}\n\nfunc h() {\n", [(4, 5), (8, 1)]),
        ("a.go", "package p\n\nfunc f() {\n\tg(\n}\n\nfunc h() {\n\tg(\n}\n", [(5, 1), (9, 1)]),
    ],
)
def test_what_only_follows_from_a_fault_is_none(
    name: str,
    content: str,
    places: list[tuple[int, int]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, out, _ = check(capsys, "--json", source(tmp_path, content, name))
    [file] = json.loads(out)["files"]
    assert [(fault["line"], fault["column"]) for fault in file["faults"]] == places
