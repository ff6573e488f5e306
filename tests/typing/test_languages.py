"""The typist in other languages than Python: the removed regions, the judges, the pinned lists."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from fim_lsp.cli import main
from fim_lsp.known_languages import KNOWN, PYTHON, language_named
from fim_lsp.replay.judges.names import judge_of, names_nowhere
from fim_lsp.replay.typing.packages import FETCHED_BY, of_language
from fim_lsp.replay.typing.parsing import parses
from fim_lsp.replay.typing.projects import OTHER_LISTS, requirements
from fim_lsp.replay.typing.regions import KINDS, LONGEST, Kind, region_of
from fim_lsp.replay.typing.tree_regions import TreeAnatomy
from fim_lsp.replay.typing.undefined import FilledText, new_undeclared

GO = """\
package shop

// Total adds up what is in the basket.
func Total(prices []int, größe string) int {
	result := 0 // nothing yet
	for _, price := range prices {
		result += max(price, smallest)
	}
	if result > 10 { return 10 }
	return result
}
"""
OTHERS = {
    "java": "class Shop {\n    private final int width = 10;\n\n"
    "    int area() {\n        return width * width;\n    }\n}\n",
    "javascript": "const values = require('values');\n\n"
    "values.each((value) => {\n  print(value, other);\n});\n",
    "javascriptreact": "const Shop = () => {\n  return <b title='shop'>{total}</b>;\n};\n",
    "typescript": "interface Shop {\n  readonly width: number;\n}\n"
    "export const width = (shop: Shop) => shop.width;\n",
    "typescriptreact": "export const Shop = () => {\n  return <b title='shop'>{total}</b>;\n};\n",
    "json": '{\n  "name": "shop",\n  "numbers": [\n    1234567,\n    2345678\n  ]\n}\n',
    "toml": '[project]\nname = "shop"\nnumbers = [\n    1234567,\n    2345678,\n]\n',
}


def texts(kind: Kind, text: str, language: str) -> set[str]:
    anatomy = TreeAnatomy(text, language_named(language))
    return {text[span.start : span.stop] for span in anatomy.spans(kind, Random(0))}


def test_statements_stand_alone_and_headers_end_where_their_block_opens() -> None:
    found = texts("statement", GO, "go")
    assert "func Total(prices []int, größe string) int {" in found
    assert "for _, price := range prices {" in found
    assert "return result" in found
    # A comment follows it; the other one is part of a line.
    assert not any(text.startswith(("result := 0", "return 10")) for text in found)


def test_the_other_kinds() -> None:
    assert "result += max(price, smallest)" in texts("body", GO, "go")
    assert "price, smallest" in texts("bracket", GO, "go")
    assert " adds up what is in the basket." in texts("prose", GO, "go")
    for text in texts("name", GO, "go"):
        place = GO.index(text)
        assert GO[place - 1].isalpha()
        assert GO[place].isalpha()


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_statements_and_regions_are_parts_of_the_text(language: str) -> None:
    text = OTHERS[language]
    anatomy = TreeAnatomy(text, language_named(language))
    assert anatomy.parses
    assert anatomy.statements
    for kind in KINDS:
        region = region_of(anatomy, kind, Random(1), set())
        if region is None:
            continue
        assert 6 <= len(region.typed) <= LONGEST[kind]
        assert region.typed in text
        assert parses(region.text, language_named(language)) == (kind != "broken")


def test_a_file_that_does_not_parse_has_lines() -> None:
    assert texts("broken", "package p\nvar x = = 3\n// no\nvar y = 4\n", "go") == {
        "package p",
        "var x = = 3",
        "var y = 4",
    }
    assert not texts("body", "package p\nfunc f( {\n\tlonger()\n}\n", "go")


def test_a_folder_of_go_gives_the_line_of_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "a.go").write_text(GO, encoding="utf-8")
    (folder / "b.go").write_text(GO.replace("Total", "TotalAgain"), encoding="utf-8")
    (folder / "bytes.go").write_bytes(b"package \xff\xfe\n")
    (folder / "c.py").write_text("x = 1\n")
    out = tmp_path / "run"
    arguments = ["--language", "go", "--on", str(folder), "--limit", "6", "--no-curve", "--json"]
    assert main(["replay", "typing", *arguments, "--out", str(out)]) == 0
    found = json.loads(capsys.readouterr().out.rstrip("\n").rpartition("\n")[2])
    assert (found["regions"], found["errors"], found["excluded"]) == (6, 0, 1)
    # One file is nearly equal to the other, and memory knows it.
    assert found["saved"] > 0.3
    assert found["useful"] > 0.5
    assert found["new_undefined"] == 0
    assert found["judged"] == found["shown"]
    report = (out / "report.md").read_text()
    assert "Language: go; parsed by: " in report
    assert f"names judged by: {judge_of(language_named('go'))}" in report
    # Two processes make the same rows.
    assert main(["replay", "typing", *arguments, "--workers", "2", "--out", str(tmp_path / "two")]) == 0
    assert (tmp_path / "two" / "rows.jsonl").read_bytes() == (out / "rows.jsonl").read_bytes()


def test_sets_are_pinned_and_nothing_is_in_both() -> None:
    held_out, tuning = (requirements(OTHER_LISTS[name]) for name in ("packages", "tuning"))
    assert not set(held_out) & set(tuning)
    for language in KNOWN:
        if language.family in FETCHED_BY and not language.kin.endswith(language.name):
            for lines in (held_out, tuning):
                for package in of_language(lines, language):
                    assert package.rpartition("@")[2] != package or package.count(":") == 2, package
    for lines in (held_out, tuning):
        assert {line.partition(" ")[0] for line in lines} == {"go", "java", "javascript", "typescript"}


def test_a_language_without_a_set_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "typing", "--language", "toml"]) == 2
    assert "--on names folders that have some" in capsys.readouterr().err
    assert PYTHON.name == "python"


JUDGED = {
    "go": (
        'package p\n\nimport "strings"\n\nfunc f(prices []int) int {\n\treturn prices[0]\n}\n',
        "prices[0]",
        ("len(prices)", "beside()", "strings.Count(`a`, `b`)"),
        ("sum(prices)", "prces[0]"),
    ),
    "javascript": (
        "import { a } from './a';\n\nexport function f(prices) {\n  page(a);\n  return prices[0];\n}\n",
        "prices[0]",
        ("prices.length", "page(1)", "Math.max(1)"),
        ("sum(prices)", "prces[0]"),
    ),
    "typescript": (
        "import { a } from './a';\n\nexport function f(prices: number[]): number {\n  return prices[0];\n}\n",
        "prices[0]",
        ("prices.length", "a(1)"),
        ("sum(prices)",),
    ),
    "java": (
        "class A {\n    int f(int price) {\n        return price;\n    }\n}\n",
        "price;",
        ("price + 1;", "Math.abs(price);"),
        ("prce;",),
    ),
}


@pytest.mark.parametrize("language", JUDGED)
def test_names_that_offers_bring_are_judged(language: str, tmp_path: Path) -> None:
    text, region, good, wrong = JUDGED[language]
    start, known_language = text.index(region), language_named(language)
    path, beside = (
        tmp_path / f"A{known_language.extensions[0]}",
        ("package p\n\nfunc beside() int { return 1 }\n",),
    )
    original = FilledText(text, start, start + len(region), known_language, path, beside)
    offers = [
        FilledText(text.replace(region, one), start, start + len(one), known_language, path, beside)
        for one in (*good, *wrong)
    ]
    assert new_undeclared(offers, original) == [False] * len(good) + [True] * len(wrong)


def test_where_there_are_no_names_none_are_judged() -> None:
    original = FilledText("{}", 0, 2, language_named("json"))
    assert new_undeclared([original], original) is None
    assert judge_of(language_named("json")) == "nobody"


def test_a_module_of_node_is_no_name_that_is_declared_nowhere() -> None:
    text = "var path = require('path');\nvar fs = require(`fs`);\nmissing(path, fs);\n"
    found = [one.name for one in names_nowhere(language_named("javascript"), text, (), None)]
    assert [name for name in found if name != "require"] == ["missing"]


ODD = {
    "one file": {"a.go": GO},
    "broken files": {"a.go": GO, "b.go": "package p\nfunc f( {\n\tlonger()\n", "c.go": "", "d.go": "\0\0"},
    "line ends of Windows": {"a.go": GO.replace("\n", "\r\n"), "b.go": "\ufeff" + GO.replace("Total", "Sum")},
    "what others wrote": {"a.go": GO, "vendor/x/x.go": GO, "node_modules/y/y.go": GO, ".git/z.go": GO},
    "a huge file": {"a.go": GO, "data.go": "package p\n" + "var a = 1\n" * 150_000},
    "nothing but a word": {"a.go": "package p\n"},
}


@pytest.mark.parametrize("name", ODD)
def test_a_folder_of_an_odd_kind_ends_well(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, text in ODD[name].items():
        (tmp_path / "odd" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "odd" / path).write_bytes(text.encode())
    arguments = ["--language", "go", "--on", str(tmp_path / "odd"), "--limit", "2", "--no-curve", "--json"]
    done = main(["replay", "typing", *arguments, "--out", str(tmp_path / "run")])
    said = capsys.readouterr()
    found = json.loads(said.out.rstrip("\n").rpartition("\n")[2])
    assert (done, found["errors"], found["new_undefined"]) == (0, 0, 0)
