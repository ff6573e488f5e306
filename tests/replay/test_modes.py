"""The ways to fill a hole, with a network of random weights, which never ends a text by itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.known_languages import JAVASCRIPT, KnownLanguage
from fim_lsp.replay.case import Case
from fim_lsp.replay.judge import ParserJudge
from fim_lsp.replay.modes import WITH_MODEL, HoleFiller, Mode, ReplaySettings, options_of
from fim_lsp.replay.outcome import CaseOutcome
from fim_lsp.replay.plan import Plan
from fim_lsp.replay.recipes import Selection
from fim_lsp.replay.report.fits import TrendLine
from fim_lsp.replay.report.results import Results
from fim_lsp.replay.report.tables import failures, syntax_errors, two_by_three
from fim_lsp.replay.show import case_lines
from fim_lsp.terminal import Palette
from quotient import Language
from tests.models import save_tiny_model, tiny_model

TEXT = 'def area(r, *, unit="m"):\n    return [r * r, unit]\n\n\nprint(area(2, unit="cm"))\n'


def filler(*modes: Mode, max_tokens: int = 24) -> HoleFiller:
    settings = ReplaySettings(modes, "hole", max_tokens=max_tokens, python_version="3.11")
    return HoleFiller(
        settings, Language.load("python", version="3.11"), ParserJudge(), DecodingSession(tiny_model())
    )


def case(start: int, stop: int) -> Case:
    return Case(f"{start}-{stop}", TEXT, start, stop)


# The holes are in a string, in brackets, in a name, in white space, and at both ends.
HOLES = [(18, 23), (9, 24), (5, 7), (26, 30), (0, 4), (len(TEXT), len(TEXT)), (40, 70)]


@pytest.mark.parametrize("mode", ["constrained", "steered"])
@pytest.mark.parametrize("hole", HOLES)
def test_constrained_texts_parse_whatever_the_model_wants(hole: tuple[int, int], mode: Mode) -> None:
    outcome, cost = filler(mode).outcome(case(*hole), mode)
    assert outcome.is_success, outcome
    assert cost.seconds > cost.once > 0
    assert cost.checking > 0


@pytest.mark.parametrize("hole", HOLES)
def test_checking_saves_what_it_can(hole: tuple[int, int]) -> None:
    """The checked text is a beginning of the unconstrained one, and parses if any such beginning does."""
    one = filler("unconstrained", "checked")
    unconstrained, _ = one.outcome(case(*hole), "unconstrained")
    checked, cost = one.outcome(case(*hole), "checked")
    assert unconstrained.text.startswith(checked.text)
    beginnings = (unconstrained.text[:length] for length in range(len(unconstrained.text) + 1))
    could_parse = any(ParserJudge().accepts(case(*hole).with_middle(text)) for text in beginnings)
    assert checked.is_success <= could_parse
    assert checked.is_success >= unconstrained.is_success
    assert cost.n_checks >= 1


def test_the_papers_loop_keeps_the_constraint_and_nothing_leads_to_an_end() -> None:
    outcomes = [filler("paper").outcome(case(*hole), "paper")[0] for hole in HOLES]
    assert all(outcome.error is None for outcome in outcomes)
    assert all(outcome.parses or outcome.stopped_by == "nothing" for outcome in outcomes)


def test_the_modes_of_the_paper_do_not_use_what_is_ours() -> None:
    settings = ReplaySettings(WITH_MODEL, "hole", max_tokens=500, scope="statement")
    for mode in ("unconstrained", "checked", "paper"):
        options = options_of(mode, settings)
        assert (options.scope, options.steer, options.strategy, options.top_k) == (
            "free",
            False,
            "greedy",
            50,
        )
    assert options_of("constrained", settings) == replace(options_of("paper", settings), steer=True)
    assert options_of("steered", settings).scope == "statement"
    assert options_of("steered", settings).steer


def test_a_session_is_told_the_language_of_the_case() -> None:
    """It decides on comments, and on the braces that a text does not leave."""
    told: list[KnownLanguage] = []

    class Listening(DecodingSession):
        def complete(self, request: CompletionRequest) -> list[Completion]:
            told.append(request.known_language)
            return []

    settings = ReplaySettings(("steered",), "hole", language="javascript")
    one = HoleFiller(settings, Language.load("javascript"), ParserJudge(), Listening(tiny_model()))
    one.outcome(Case("block", "function f() {\n  g();\n}\n", 15, 21, language="javascript"), "steered")
    assert told == [JAVASCRIPT]


def test_what_goes_wrong_inside_is_an_outcome() -> None:
    class Broken(DecodingSession):
        def complete(self, *_: object, **__: object) -> list[object]:  # type: ignore[override]
            raise RuntimeError("out of memory")

    one = filler("steered")
    one.session = Broken(tiny_model())
    outcome, _ = one.outcome(case(5, 7), "steered")
    assert outcome.error == "RuntimeError: out of memory"
    assert not outcome.is_success


def test_a_hole_that_cannot_be_filled_is_an_error_of_ours() -> None:
    broken = Case("broken", "x = )\ny\n", 6, 7)
    for mode in ("truth", "steered"):
        outcome, _ = filler(mode).outcome(broken, mode)
        assert outcome.error is not None
        assert outcome.error.startswith("no completion")


def test_a_case_is_shown_step_by_step() -> None:
    lines = "\n".join(case_lines(filler("steered"), case(26, 30), "steered", Palette(False)))
    assert "26-30, steered" in lines
    assert "refused" in lines
    assert "does not fit" in lines
    assert "parses; ended by" in lines


def test_a_plan_is_what_it_was_when_it_is_read_again(tmp_path: Path) -> None:
    save_tiny_model(tmp_path)
    settings = ReplaySettings(("constrained",), "hole", str(tmp_path), "cpu", 7, "free", 3, "3.11", False)
    plan = Plan(Selection("stack-boundary", None, 3), settings)
    row = plan.row()
    assert row["settings"]["model"].startswith(f"{tmp_path} (")
    again = Plan.of(row)
    assert again.selection == plan.selection
    assert again.settings.modes == ("constrained",)
    assert again.settings.model == str(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    assert plan.row() != row


def outcome(fault: str | None) -> CaseOutcome:
    return CaseOutcome("", parses=fault is None, fault=fault, message="m")


def results(task: str, *cases: dict[str, str | None]) -> Results:
    """Results whose outcomes have the given faults, by mode."""
    from fim_lsp.replay.report.results import Result

    plan = {"selection": {"dataset": "d"}, "settings": {"modes": list(cases[0]), "task": task}}
    found = [
        Result(str(idx), 9, "", None, {mode: outcome(fault) for mode, fault in faults.items()}, {})
        for idx, faults in enumerate(cases)
    ]
    return Results(plan, found, [])


BAD = "SyntaxError"


def test_the_two_by_three_of_the_paper() -> None:
    found = results(
        "hole",
        {"unconstrained": None, "checked": None, "constrained": None},
        {"unconstrained": None, "checked": None, "constrained": BAD},
        {"unconstrained": BAD, "checked": None, "constrained": None},
        {"unconstrained": BAD, "checked": None, "constrained": None},
        {"unconstrained": BAD, "checked": BAD, "constrained": None},
        {"unconstrained": BAD, "checked": BAD, "constrained": BAD},
    )
    table = two_by_three(found, "constrained")
    assert table.header == ["", "Constrained ✓", "Constrained ✗", "Total"]
    assert table.rows == [
        ["Unconstrained ✓", "1", "1", "2"],
        ["Unconstrained ✗", "2", "0", "2"],
        ["Checked Unconstrained ✗", "1", "1", "2"],
        ["Total", "4", "2", "6"],
    ]
    assert [row[0] for row in failures(found).rows] == ["1", "5"]


def test_the_table_of_syncode() -> None:
    table = syntax_errors(
        results(
            "left to right",
            {"unconstrained": BAD, "steered": None},
            {"unconstrained": BAD, "steered": "TabError"},
            {"unconstrained": "IndentationError", "steered": None},
            {"unconstrained": None, "steered": None},
        )
    )
    assert table.header == ["Error type", "Standard", "Constrained, in scope", "↓"]
    assert table.rows == [
        ["Syntax", "2", "0", "100.00 %"],
        ["Indentation", "1", "1", "0.00 %"],
        ["Both", "3", "1", "66.67 %"],
    ]


def test_fits_are_lines_through_the_points() -> None:
    fit = TrendLine.of([(1.0, 5.0), (2.0, 7.0), (3.0, 9.0)])
    assert fit is not None
    assert (round(fit.slope, 9), round(fit.intercept, 9), round(fit.r_squared, 9)) == (2.0, 3.0, 1.0)
    assert TrendLine.of([(1.0, 5.0)]) is None
    assert TrendLine.of([(1.0, 5.0), (1.0, 6.0)]) is None
