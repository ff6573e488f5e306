"""HumanEval, its infilling versions, and MBXP for Python, as their authors publish them: lines of JSON.

HumanEval, MBXP      prompt | canonical_solution            test, entry_point: left to right, nothing behind
HumanEval-Infilling  prompt | canonical_solution | suffix   test, entry_point
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from fim_lsp.replay.case import Case, Excluded
from fim_lsp.replay.corpus import UNPARSABLE, NoData, table_rows
from fim_lsp.replay.judge import ParserJudge

# The folder beside the packages in a checkout; an installed wheel does not carry it.
FOLDER = Path(__file__).parent.parent.parent / "datasets"
FILES = {
    "human-eval": ("human-eval/HumanEval.jsonl.gz",),
    "human-eval-infilling": (
        "human-eval-infilling/HumanEval-SingleLineInfilling.jsonl.gz",
        "human-eval-infilling/HumanEval-MultiLineInfilling-sample.jsonl.gz",
        "human-eval-infilling/HumanEval-RandomSpanInfillingLight.jsonl.gz",
    ),
    "mbxp": ("mxeval/mbpp_release_v1.jsonl.gz",),
}
ORIGINS = {
    "human-eval": "https://github.com/openai/human-eval",
    "human-eval-infilling": "https://github.com/openai/human-eval-infilling",
    "mbxp": "https://github.com/amazon-science/mxeval",
}


def data_files(dataset: str, data: str | None) -> list[Path]:
    """The files that hold a data set: the one that is named, or those in the checkout."""
    if data is not None:
        if not Path(data).is_file():
            raise NoData(f"{data}: no such file; {dataset} is published at {ORIGINS[dataset]}")
        return [Path(data)]
    paths = [FOLDER / name for name in FILES[dataset]]
    if missing := next((path for path in paths if not path.is_file()), None):
        raise NoData(
            f"{dataset} is not on this machine ({missing.name} is part of a checkout, not of an install);"
            f" download it from {ORIGINS[dataset]} and name it with --data"
        )
    return paths


def cases(paths: Iterable[Path], judge: ParserJudge) -> Iterator[Case | Excluded]:
    """The problems of some files, except those that do not parse with their own solution: MBXP has two."""
    for path in paths:
        for row in table_rows(path):
            problem = case(path, row)
            if fault := judge.fault(problem.text):
                yield Excluded(problem.id, UNPARSABLE, f"{fault.kind}: {fault.message}")
            else:
                yield problem


def case(path: Path, row: dict[str, Any]) -> Case:
    try:
        left, middle = row["prompt"], row["canonical_solution"]
        right = row.get("suffix", "")
        tests = f"{row['test']}\ncheck({row['entry_point']})\n"
        return Case(row["task_id"], left + middle + right, len(left), len(left) + len(middle), tests)
    except (KeyError, TypeError) as error:
        raise NoData(
            f"{path}: no problem of this kind: {error!r} in {row.get('task_id', 'a row')}"
        ) from error
