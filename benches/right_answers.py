"""`python -m benches.right_answers HUMANEVAL --model FILE`: the right answers that the guarantee costs.

HUMANEVAL is the file of HumanEval-Infilling's single lines. The cursor stands behind a line's indentation,
and the model writes the line three times: unconstrained and cut at the line's end; constrained, as in an
editor; and constrained with a memory of the file. Two laws hold: the constraint loses at most one in a
hundred of the lines that the model gets right by itself, and where the memory loses one, it has overruled the
model.

Rows are kept in the folder, so the same command continues a stopped run. The exit code is 1 if a law fails.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fim_lsp.commands.replay_run import is_finished
from fim_lsp.decoding.models.model import load_model
from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.memory.project import ProjectMemory
from fim_lsp.memory.weights import shipped_weights
from fim_lsp.replay.case import Case
from fim_lsp.replay.journal import read_rows
from fim_lsp.replay.recipes import Selection, gather_cases
from fim_lsp.replay.running import in_this_process
from fim_lsp.server.worker.with_model import is_better
from quotient import Language

MOST_LOST = 0.01
N_TOKENS = 48
URI = "file:///right_answers.py"
Row = dict[str, Any]


def behind_indentation(cases: Iterable[Case]) -> Iterator[Case]:
    """The holes behind a line's indentation, up to the line's end, as users meet them."""
    for case in cases:
        line = case.middle.split("\n", 1)[0]
        start = case.start + len(line) - len(line.lstrip())
        stop = case.start + len(line.rstrip())
        if stop > start and "\n" not in case.middle.rstrip("\n"):
            yield Case(case.id, case.text, start, stop)


@dataclass(slots=True)
class Asking:
    """One model, asked for the lines in one process."""

    session: DecodingSession
    memory: ProjectMemory
    language: Language = field(default_factory=lambda: Language.load("python"))

    @classmethod
    def of(cls, name: str, n_threads: int | None = None) -> Asking:
        model = load_model(name, RuntimeWishes(n_threads=n_threads))
        return cls(
            DecodingSession(model),
            ProjectMemory(model.encode_here, len(model.vocabulary), shipped_weights(is_better(model))),
        )

    def rows(self, case: Case) -> tuple[Row, Row]:
        row: Row = {"case": case.id, "truth": case.middle, "alone": self.alone(case)}
        for name, remembers in (("held", False), ("remembering", True)):
            found = self.held(case, remembers)
            is_offered = found is not None and found.is_wanted
            row[name] = first_line(found.text) if found is not None and is_offered else ""
            row[f"{name} sure"] = None if found is None else sureness(found)
            row[f"{name} told"] = found is not None and found.has_overruled
        return row, {"case": case.id}

    def alone(self, case: Case) -> str:
        """The line that the model writes without any constraint."""
        texts = [""]
        options = Options(max_tokens=N_TOKENS, constraint="none")

        def has_line() -> bool:
            return "\n" in texts[-1]

        self.session.complete(
            CompletionRequest(
                case.left, case.right, None, options, is_cancelled=has_line, on_partial=texts.append
            )
        )
        # Text at another indentation is another line, but blanks in front of the text are no error of the
        # model.
        return first_line(texts[-1])

    def held(self, case: Case, remembers: bool) -> Completion | None:
        recognizer = self.language.recognizer(case.left, case.right, ())
        options = Options(max_tokens=N_TOKENS, multi_line=False)

        def recall(n_pending: int) -> Any:
            return self.memory.recall(URI, case.left, case.right, n_pending)

        request = CompletionRequest(
            case.left, case.right, recognizer, options, remembers=recall if remembers else None
        )
        return next(iter(self.session.complete(request)), None)


def sureness(found: Completion) -> list[float]:
    """The log probabilities of the first tokens, and of the least probable one."""
    marks = [mark.logprob for mark in found.marks if mark.logprob is not None]
    return [round(one, 2) for one in (*marks[:2], min(marks, default=0.0))]


def first_line(text: str) -> str:
    return text.split("\n", 1)[0].strip()


def summary(rows: Sequence[Row]) -> tuple[str, bool]:
    """The summary of the rows, and whether the laws hold."""
    right = [row for row in rows if row["alone"] == row["truth"]]
    lost = [row for row in right if row["held"] != row["truth"]]
    forgotten = [row for row in right if row["held"] == row["truth"] and row["remembering"] != row["truth"]]
    untold = [row for row in forgotten if not row["remembering told"]]
    lines = [
        (
            f"{len(rows)} lines, right: {len(right)} alone,"
            f" {sum(row['held'] == row['truth'] for row in rows)} held,"
            f" {sum(row['remembering'] == row['truth'] for row in rows)} with a memory"
        ),
        f"lost to the constraint: {len(lost)} of {len(right)}",
        f"lost to the memory: {len(forgotten)}, {len(untold)} of them untold",
    ]
    for name, rest in (("held", lost), ("remembering", forgotten)):
        lines += [f"  {name}: {row['truth']!r} became {row[name]!r} ({row['case']})" for row in rest]
    return "\n".join(lines), len(lost) <= MOST_LOST * len(right) and not untold


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benches.right_answers", description=__doc__.split("\n")[0]
    )
    parser.add_argument("data", help="HumanEval-SingleLineInfilling.jsonl.gz")
    parser.add_argument("--model", default=os.environ.get("FIM_GGUF"), help="(default: FIM_GGUF)")
    parser.add_argument("--limit", type=int, help="ask for the first lines only")
    parser.add_argument("--threads", type=int, metavar="N", help="of the network (default: what suits it)")
    parser.add_argument("--out", type=Path, default=Path("target/right-answers"))
    parser.add_argument("--fresh", action="store_true", help="begin anew: the rows are lost")
    chosen = parser.parse_args(arguments)
    if not chosen.model:
        print("no model: name one with --model, or set FIM_GGUF", file=sys.stderr)
        return 2
    selection = Selection("human-eval-infilling", chosen.data, infilling="single-line")
    cases = list(behind_indentation(gather_cases(selection, None).cases))[: chosen.limit]
    plan = {
        "selection": {"dataset": "right-answers", "data": Path(chosen.data).name},
        "settings": {"model": Path(chosen.model).name, "tokens": N_TOKENS, "blanks in front": "ignored"},
    }

    def maker(*, n_threads: int | None = None) -> Asking:
        return Asking.of(chosen.model, n_threads or chosen.threads)

    if not is_finished(cases, in_this_process(maker), (chosen.out, plan, chosen.fresh), []):
        return 130
    wanted = {case.id for case in cases}
    text, holds = summary([row for row in read_rows(chosen.out) if row["case"] in wanted])
    print(text)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
