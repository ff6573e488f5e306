"""`python -m training.unseen_models`: the judge for any model, and the offers of models that it never saw.

`python -m training.judge collect --model FILE` collects the offers of a model. For each model of which there
are some, this fits two judges: one on the offers of all other models, and one that also saw the model's own.
Both judge offers of projects that neither was fitted on. The judge needs no fitting to each model if the
first is no worse.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy as np

from fim_lsp.known_languages import PYTHON, KnownLanguage, language_named
from fim_lsp.replay.report.tables import Table
from fim_lsp.replay.report.writing import aligned_table
from training.folds import folds
from training.judge import N_FOLDS, OF_ONE_MODEL, WORK, CutTable, Row, fitted, judged_rows

QUESTION = "useful"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The areas under the ROC curve for the offers of one model."""

    model: str
    n_offers: int
    unseen: float
    seen: float


def judgements(offers: dict[str, Sequence[Row]]) -> list[Judgement]:
    """A judgement for each of at least two models."""
    tables = {model: CutTable.of(rows, OF_ONE_MODEL) for model, rows in offers.items()}
    found: list[Judgement] = []
    for model, own in tables.items():
        others = [table for name, table in tables.items() if name != model]
        areas = (area_of(own, others), area_of(own, [*others, own]))
        found.append(Judgement(model, len(offers[model]), *areas))
    return found


def area_of(own: CutTable, fitted_on: Sequence[CutTable]) -> float:
    """The area for a model's offers, by judges that were fitted on some tables without the projects of the
    judged offers."""
    said = np.zeros(len(own.weights))
    for is_judged in folds(own.projects, N_FOLDS):
        judged = own.projects[is_judged]
        kept = [~np.isin(table.projects, judged) for table in fitted_on]
        numbers, labels, weights = (
            np.concatenate([part[rows] for part, rows in zip(parts, kept, strict=True)])
            for parts in (
                [table.numbers for table in fitted_on],
                [table.labels[QUESTION] for table in fitted_on],
                [table.weights for table in fitted_on],
            )
        )
        said[is_judged] = fitted(numbers, labels, weights).predict_proba(own.numbers[is_judged])[:, 1]
    roc_auc_score = import_module("sklearn.metrics").roc_auc_score
    return float(roc_auc_score(own.labels[QUESTION], said, sample_weight=own.weights))


def collected_offers(work: Path, known_language: KnownLanguage) -> dict[str, Sequence[Row]]:
    """The offers in a folder by the name of their model."""
    suffix = f"-{known_language.name}.jsonl"
    files = {path: judged_rows(path) for path in sorted(work.glob(f"offers-*{suffix}"))}
    return {path.name[len("offers-") : -len(suffix)]: rows for path, rows in files.items() if rows}


def area_table(found: Sequence[Judgement]) -> Table:
    rows = [[one.model, f"{one.n_offers:,}", f"{one.unseen:.3f}", f"{one.seen:.3f}"] for one in found]
    header = ["offers of", "offers", "area, never seen", "area, seen"]
    return Table("unseen-models", "The judge for any model", header, rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m training.unseen_models",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--language", default=PYTHON.name, help="of the offers (python)")
    parser.add_argument("--work", type=Path, default=WORK, help="where the offers lie")
    arguments = parser.parse_args()
    offers = collected_offers(arguments.work, language_named(arguments.language))
    if len(offers) < 2:
        parser.error("the offers of at least two models are needed: see python -m training.judge --help")
    print(aligned_table(area_table(judgements(offers))))


if __name__ == "__main__":
    main()
