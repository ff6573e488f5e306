"""The origin of replay's cases: the paper's cuts, sources of files, and the published problems."""

from __future__ import annotations

import ast
import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from fim_lsp.replay import benchmarks
from fim_lsp.replay.case import Case, Excluded
from fim_lsp.replay.corpus import UNPARSABLE, File, NoData, files, hub_library
from fim_lsp.replay.cuts import Cut, boundary_cuts, span_cuts, symbols
from fim_lsp.replay.judge import ParserJudge
from fim_lsp.replay.recipes import Selection, gather_cases
from fim_lsp.replay.report.tables import first_line
from fim_lsp.replay.stack import TOO_LONG, UNCUTTABLE, cases

ROOT = Path(__file__).parents[2]
GOOD = 'def f(x, *, y=1):\n    """Doc."""\n    return [x, {y: f"{x!r}"}]\n\n\nprint(f(2))\n'


@pytest.mark.parametrize("n_characters", [0, 1, 4, 50, 499, 500, 501, 10_000])
def test_a_span_is_as_long_as_the_paper_lets_it_be(n_characters: int) -> None:
    text = "x" * n_characters
    for cut in span_cuts(text, 300, Random(1)):
        assert 0 <= cut.start <= n_characters * 9 // 10
        assert cut.stop - cut.start == min(100, n_characters // 5, n_characters - cut.start)


def test_spans_begin_everywhere_in_the_first_nine_tenths() -> None:
    starts = {cut.start for cut in span_cuts("x" * 20, 1000, Random(1))}
    assert starts == set(range(19))


def test_a_boundary_cut_joins_two_symbols_of_one_level() -> None:
    found = symbols(GOOD)
    starts = {symbol.start: symbol for symbol in found}
    for cut in boundary_cuts(GOOD, 500, Random(1)):
        second = starts[cut.stop]
        # The cut begins in the first symbol, or at its end, where a symbol of another level may begin.
        firsts = [one for one in found if one.start <= cut.start <= one.stop and one.start < second.start]
        assert any(one.depth == second.depth for one in firsts)
        assert cut.start <= cut.stop


def test_all_pairs_of_symbols_are_cut_and_any_amount_of_the_first() -> None:
    text = "abc = 1\n"
    cuts = set(boundary_cuts(text, 1000, Random(1)))
    assert cuts == {
        *(Cut(start, stop) for start in range(4) for stop in (4, 6)),
        Cut(4, 6),
        Cut(5, 6),
    }


def test_levels_do_not_mix() -> None:
    text = "if a:\n    b\nc\n"
    inner = text.index("b")
    # The block has one symbol, so no other one of its level is left for a pair.
    assert all(cut.stop != inner for cut in boundary_cuts(text, 200, Random(1)))


def test_text_that_only_the_tokenizer_cannot_read_has_no_symbols() -> None:
    assert symbols("x = (") == []


def stack(*found: File | Excluded, rule: str = "stack-randspan", seed: int = 0) -> list[Case | Excluded]:
    return list(cases(rule, found, ParserJudge(), seed=seed, longest=1000))


def test_ten_cuts_a_file_and_reasons_for_those_left_out() -> None:
    found = stack(
        File("good.py", GOOD),
        File("bad.py", "def f(:\n"),
        File("null.py", "x\0y"),
        File("long.py", "x = 1\n" * 500),
        Excluded("secret.py", "cannot be read"),
    )
    assert [case.id for case in found if isinstance(case, Case)] == [
        f"good.py#{number}" for number in range(10)
    ]
    reasons = {one.name: one.reason for one in found if isinstance(one, Excluded)}
    assert reasons == {
        "bad.py": UNPARSABLE,
        "null.py": UNPARSABLE,
        "long.py": TOO_LONG,
        "secret.py": "cannot be read",
    }


def test_a_file_without_a_pair_is_left_out_by_the_boundary_rule_alone() -> None:
    [excluded] = stack(File("empty.py", ""), rule="stack-boundary")
    assert isinstance(excluded, Excluded)
    assert excluded.reason == UNCUTTABLE
    assert len(stack(File("empty.py", ""))) == 10


def test_cuts_depend_on_the_seed_and_the_text_and_nothing_else() -> None:
    def of(name: str, *found: File | Excluded, seed: int = 0) -> list[tuple[int, int]]:
        chosen = [case for case in stack(*found, seed=seed) if isinstance(case, Case)]
        return [(case.start, case.stop) for case in chosen if case.id.startswith(name)]

    alone = of("a.py", File("a.py", GOOD))
    assert alone == of("a.py", File("0.py", "x = 1\n"), File("a.py", GOOD))
    assert alone == of("b.py", File("b.py", GOOD))
    assert alone != of("a.py", File("a.py", GOOD), seed=1)
    assert alone != of("a.py", File("a.py", GOOD + "\n"))


def test_the_left_the_middle_and_the_right_are_the_file() -> None:
    for case in stack(File("good.py", GOOD)):
        assert isinstance(case, Case)
        assert case.left + case.middle + case.right == case.with_middle(case.middle) == GOOD


ROWS: list[dict[str, object]] = [
    {"content": GOOD, "max_stars_repo_path": "setup.py"},
    {"content": "x = 1\n"},
    {"size": 3},
]


def as_jsonl(path: Path) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS) + "\n", encoding="utf-8")


def as_gzip(path: Path) -> None:
    path.write_bytes(gzip.compress("\n".join(json.dumps(row) for row in ROWS).encode()))


def as_parquet(path: Path) -> None:
    columns = {
        "content": [row.get("content") for row in ROWS],
        "max_stars_repo_path": [row.get("max_stars_repo_path") for row in ROWS],
    }
    import_module("pyarrow.parquet").write_table(import_module("pyarrow").table(columns), path)


@pytest.mark.parametrize(
    ("name", "write"),
    [("files.jsonl", as_jsonl), ("files.jsonl.gz", as_gzip), ("files.parquet", as_parquet)],
)
def test_files_in_tables(tmp_path: Path, name: str, write: Callable[[Path], None]) -> None:
    write(tmp_path / name)
    first, second, third = files(str(tmp_path / name))
    assert first == File("0:setup.py", GOOD)
    assert second == File("1", "x = 1\n")
    assert isinstance(third, Excluded)


def test_files_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "latin.py").write_bytes(b"# coding: latin-1\nx = '\xe4'\n")
    (tmp_path / "a.py").write_bytes(b"\xff\xfe")
    (tmp_path / "notes.txt").write_text("no Python")
    excluded, latin = files(str(tmp_path))
    assert isinstance(excluded, Excluded)
    assert excluded.name == "a.py"
    assert latin == File("b/latin.py", "# coding: latin-1\nx = 'ä'\n")


def test_the_standard_library_is_the_default_without_what_is_installed_beside_it() -> None:
    names = [file.name for file in files(None)]
    assert "json/decoder.py" in names
    assert not any("site-packages" in name for name in names)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"not JSON\n", "not JSON"), (b"[1]\n", "a JSON object"), (b"\xff\xff", "not readable")],
)
def test_a_table_that_is_none(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "files.jsonl"
    path.write_bytes(content)
    with pytest.raises(NoData, match=words):
        files(str(path))


def test_a_damaged_parquet_file(tmp_path: Path) -> None:
    path = tmp_path / "files.parquet"
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(NoData, match="not readable as parquet"):
        files(str(path))


def test_what_is_no_source_at_all() -> None:
    with pytest.raises(NoData, match=r"no such folder, file, or name"):
        files("there/is/no/such/folder")


@pytest.mark.skipif(hub_library() is not None, reason="the library is installed and would be asked")
def test_the_hub_needs_a_library_and_the_message_says_which() -> None:
    with pytest.raises(NoData, match="pip install datasets"):
        files("bigcode/the-stack-smol-xl")


@pytest.mark.parametrize(("dataset", "n_cases"), [("human-eval", 164), ("mbxp", 972)])
def test_left_to_right_problems_parse_and_have_nothing_behind_the_hole(dataset: str, n_cases: int) -> None:
    found = gather_cases(Selection(dataset), None)
    assert len(found.cases) == n_cases
    assert len({case.id for case in found.cases}) == n_cases
    for case in found.cases:
        assert case.right == ""
        assert ParserJudge().accepts(case.text)
        ast.parse(case.tests)


def test_problems_that_do_not_parse_with_their_own_solution_are_left_out() -> None:
    excluded = gather_cases(Selection("mbxp"), None).excluded
    assert [(one.name, one.reason) for one in excluded] == [("MBPP/64", UNPARSABLE), ("MBPP/966", UNPARSABLE)]


def test_infilling_problems_are_mixed_and_parse() -> None:
    found = gather_cases(Selection("human-eval-infilling"), 200)
    kinds = {case.id.split("Infilling")[0] for case in found.cases}
    assert kinds == {"SingleLine", "MultiLine", "RandomSpan"}
    assert all(ParserJudge().accepts(case.text) for case in found.cases)


def test_one_kind_of_infilling() -> None:
    found = gather_cases(Selection("human-eval-infilling", infilling="single-line"), None)
    assert len(found.cases) == 1033
    assert all(case.id.startswith("SingleLine") for case in found.cases)


def test_a_limit_takes_the_first_cases() -> None:
    some = gather_cases(Selection("human-eval-infilling"), 5).cases
    assert gather_cases(Selection("human-eval-infilling"), 9).cases[:5] == some


def test_problems_that_are_not_on_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(benchmarks, "FOLDER", tmp_path)
    with pytest.raises(NoData, match=r"https://github.com/openai/human-eval and name it with --data"):
        gather_cases(Selection("human-eval"), None)
    with pytest.raises(NoData, match="no such file"):
        gather_cases(Selection("human-eval", data=str(tmp_path / "none.jsonl")), None)


def test_a_file_of_something_else_is_no_problem(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text('{"question": "?"}\n')
    with pytest.raises(NoData, match=r"no problem of this kind"):
        gather_cases(Selection("human-eval", data=str(path)), None)


def problem(number: int, prefix: str, golden: str, suffix: str) -> str:
    row = {"id": str(number), "prefix": prefix, "golden_completion": golden, "suffix": suffix}
    return json.dumps(row) + "\n"


@pytest.fixture
def devbench_folder(tmp_path: Path) -> Path:
    """Three problems of two kinds: a complete one, one without its line break, and one that never parses."""
    folder = tmp_path / "benchmark" / "python"
    for kind, text in (
        ("low_context", problem(1, "def f(x):\n    ", "return x", "\n") + problem(2, "def f(:", "x", "\n")),
        ("api_usage", problem(1, "import os", "root = os.getcwd()", "\nprint(root)\n")),
    ):
        (folder / kind).mkdir(parents=True)
        (folder / kind / f"{kind}.jsonl").write_text(text)
        # The models' results are beside it.
        (folder / kind / f"{kind}-some-model.jsonl").write_text('{"completion": "x"}\n')
    return tmp_path


@pytest.mark.parametrize("inner", ["", "benchmark", "benchmark/python"])
def test_devbench_is_read_from_any_folder_around_it(devbench_folder: Path, inner: str) -> None:
    found = gather_cases(Selection("devbench", data=str(devbench_folder / inner)), None)
    assert {(case.id, case.left, case.middle, case.right) for case in found.cases} == {
        ("low_context/1", "def f(x):\n    ", "return x", "\n"),
        # The lost line break is restored beside the hole.
        ("api_usage/1", "import os\n", "root = os.getcwd()", "\nprint(root)\n"),
    }
    assert [(one.name, one.reason) for one in found.excluded] == [("low_context/2", UNPARSABLE)]
    assert "low_context.jsonl" in found.origin
    assert "some-model" not in found.origin


def test_devbench_that_is_not_there_is_named_with_where_it_is(tmp_path: Path) -> None:
    with pytest.raises(NoData, match=r"https://github.com/microsoft/devbench, and its folder"):
        gather_cases(Selection("devbench"), None)
    with pytest.raises(NoData, match=r"no problems of DevBench in java"):
        gather_cases(Selection("devbench", data=str(tmp_path), language="java"), None)
    (tmp_path / "low_context").mkdir()
    (tmp_path / "low_context" / "low_context.jsonl").write_text('{"id": "7", "prefix": "x"}\n')
    with pytest.raises(NoData, match=r"no problem of this kind: KeyError\('golden_completion'\) in 7"):
        gather_cases(Selection("devbench", data=str(tmp_path)), None)


def test_devbench_counts_first_lines_by_kind(devbench_folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = [sys.executable, "-m", "fim_lsp", "replay", "devbench", "--data", str(devbench_folder)]
    subprocess.run([*command, "--modes", "truth", "--out", str(out)], check=True, capture_output=True)
    report = (out / "report.md").read_text()
    assert "Is the first line right?" in report
    assert "| Mode | All | api_usage | low_context |" in report
    row = next(line for line in report.splitlines() if line.startswith("| True middle | 2 of 2"))
    assert row.count("1 of 1 (100.00 %)") == 2


@pytest.mark.parametrize(
    ("text", "expected"), [("", ""), ("\n    x = 1  \n y", "x = 1"), ("a\r\nb", "a"), ("  z", "z")]
)
def test_a_first_line_has_something_in_it(text: str, expected: str) -> None:
    assert first_line(text) == expected


def test_the_judge_is_of_one_version() -> None:
    walrus = "if (n := 1): pass\n"
    assert ParserJudge.of("3.8").accepts(walrus)
    assert not ParserJudge.of("3.7").accepts(walrus)
    assert ParserJudge.of("3.8.10") == ParserJudge.of("3.8")
    with pytest.raises(ValueError, match=r"run fim-lsp on Python 3\.99"):
        ParserJudge.of("3.99")
