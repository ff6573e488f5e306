"""`python -m training.judge`: the judge of offers, fitted on what a simulated typist would have taken.

    collect   types the tuning packages' regions, asks at some of the keys, and keeps each offer with its
              beginnings, the judge's features, and whether it would have been of use: a file for each model
              and language; with `--model none` the offers of memory, in languages with braces
    fit       the bundled model's offers in Python -> fim_lsp/worth/bundled.json, the offers of all models in
              all languages -> any.json, those of memory -> remembered.json, and how well they judge projects
              that they were not fitted on

`all` does both. What was collected is not collected again, so a stopped run continues.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from fim_lsp.bundled_models import BUNDLED_NAME, NO_MODEL
from fim_lsp.known_languages import KNOWN, PYTHON, KnownLanguage, language_named
from fim_lsp.replay.journal import whole_rows
from fim_lsp.replay.plan import name_of_model
from fim_lsp.replay.progress import CaseProgress
from fim_lsp.replay.running import in_this_process, in_workers
from fim_lsp.replay.typing.drawing import TypedProject, Typing, draw_regions
from fim_lsp.replay.typing.filler import RegionTyper, TypingSettings
from fim_lsp.replay.typing.page import close, open_page, settle_page
from fim_lsp.replay.typing.projects import of_folders, of_set
from fim_lsp.replay.typing.typist import (
    LEAST_SAVED_BY_WHOLE,
    LEAST_SAVED_BY_WORDS,
    n_agreeing,
    words_agreeing,
)
from fim_lsp.server.worker.site import Site
from fim_lsp.worth.judge import HERE, Judged
from training.folds import folds

Row = dict[str, Any]
Numbers = npt.NDArray[np.float64]
WORK = Path("target") / "judge"
QUESTIONS = ("useful", "whole")
N_FOLDS = 4
N_REGIONS = 1200
MOST_PLACES = 10
# The share of the regions that are typed as in a single file: without a project's memory, the same numbers
# mean less.
SHARE_ALONE = 0.25
# Features that depend on the model's own knowledge. The judge of any model does not use them.
OF_ONE_MODEL = ("model's own: beginning", "model's own: mean", "model's own: least", "tokens")
PARAMETERS = {
    "max_iter": 120,
    "learning_rate": 0.06,
    "max_leaf_nodes": 12,
    "min_samples_leaf": 60,
    "l2_regularization": 5.0,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m training.judge",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("step", choices=("collect", "fit", "all"))
    parser.add_argument("--on", nargs="+", help="folders, a project each (default: the tuning packages)")
    parser.add_argument("--limit", type=int, default=N_REGIONS, help="regions (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes (%(default)s)")
    parser.add_argument("--model", help="a folder, a GGUF file or a name (default: bundled)")
    parser.add_argument("--language", choices=[one.name for one in KNOWN], default=PYTHON.name)
    parser.add_argument("--work", type=Path, default=WORK, help="where the offers lie")
    parser.add_argument("--out", type=Path, default=HERE)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    known_language = language_named(arguments.language)
    if arguments.step in ("collect", "all"):
        projects, _ = (
            of_folders(arguments.on, known_language) if arguments.on else of_set("tuning", known_language)
        )
        offers = arguments.work / offers_name(arguments.model, known_language)
        collect(projects, arguments.seed, arguments.limit, arguments.model, offers, arguments.workers)
    if arguments.step in ("fit", "all"):
        fit(arguments.work, arguments.out)


def offers_name(model: str | None, known_language: KnownLanguage) -> str:
    """The file in which the offers of a model in a language lie."""
    return f"offers-{Path(model or BUNDLED_NAME).stem}-{known_language.name}.jsonl"


# --- collecting ------------------------------------------------------------------------------------------


def collect(
    projects: Sequence[TypedProject], seed: int, limit: int, model: str | None, path: Path, n_workers: int
) -> None:
    typings = [one for one in draw_regions(projects, seed, limit) if isinstance(one, Typing)]
    done = resumed(path)
    missing = [typing for typing in typings if typing.id not in done]
    maker = partial(Collector.of, TypingSettings(model=model), projects, seed)
    fill = in_this_process(maker) if n_workers == 1 else in_workers(maker, n_workers)
    progress = CaseProgress(sys.stderr, len(typings), len(typings) - len(missing))
    with path.open("a", encoding="utf-8") as file:
        for found, _ in fill(missing):
            file.writelines(json.dumps(one) + "\n" for one in found["offers"])
            file.flush()
            progress.step()
    progress.close()


@dataclass(frozen=True, slots=True)
class Collector:
    """A typist in one process, who records the judged offers."""

    filler: RegionTyper
    seed: int

    @classmethod
    def of(
        cls,
        settings: TypingSettings,
        projects: Sequence[TypedProject],
        seed: int,
        n_threads: int | None = None,
    ) -> Collector:
        filler = RegionTyper.of(settings, projects, n_threads)
        # The offers of this model alone, without the second model that would be asked first.
        filler.completer.quick = None
        return cls(filler, seed)

    def rows(self, typing: Typing) -> tuple[Row, Row]:
        filler, random = self.filler, Random(f"{self.seed} {typing.id}")
        rows: list[Row] = []
        is_of_memory = filler.completer.name == NO_MODEL
        noted = partial(note, rows, typing, is_of_memory)
        filler.worker.job_loop.completing.choosing.judging.on_judged = noted
        filler.begin(typing)
        if random.random() < SHARE_ALONE:
            filler.forget_project(typing.known_language)
        asyncio.run(asked(filler, typing, random))
        return {"offers": rows or [{"case": typing.id, "cuts": []}]}, {}


async def asked(filler: RegionTyper, typing: Typing, random: Random) -> None:
    """Types a region and asks at some of its places, because neighbouring places bring nearly the same
    offers."""
    region = typing.region
    text = region.text[: region.start] + region.text[region.stop :]
    uri = filler.uri(typing.project, typing.file)
    page = open_page(filler.service, uri, text, region.start, typing.known_language.name)
    await settle_page(page)
    places = range(region.stop - region.start - 2)
    done = 0
    for place in sorted(random.sample(places, min(MOST_PLACES, len(places)))):
        page.write(region.typed[done:place])
        done = place
        await page.offer()
    close(filler.service, page)


def note(rows: list[Row], typing: Typing, is_of_memory: bool, site: Site, judged: list[Judged]) -> None:
    """Records an offer with its beginnings. `judged` is empty if nothing is offered."""
    if any(cut.is_remembered != is_of_memory for cut in judged):
        # Memory is asked before the model.
        return
    region = typing.region
    place = site.hole.start - region.start
    key = typing.id, place
    if any((row["case"], row["place"]) == key for row in rows):
        return
    coming = region.typed[place:]
    found = [
        {"text": cut.text, "features": list(cut.features.values()), **becomes(cut.text, coming)}
        for cut in judged
    ]
    names = list(judged[0].features) if judged else []
    rows.append(
        {
            "case": typing.id,
            "project": typing.project,
            "kind": region.kind,
            "place": place,
            "coming": len(coming),
            "names": names if not rows else [],
            "cuts": found,
        }
    )


def becomes(offer: str, coming: str) -> Row:
    """The keys that a typist would save with an offer, as `saved` counts them."""
    n_whole = n_agreeing(offer, coming)
    if n_whole is not None and n_whole - 1 >= LEAST_SAVED_BY_WHOLE:
        return {"whole": True, "useful": True, "saved": n_whole - 1}
    words = words_agreeing(offer, coming)
    n_saved = sum(map(len, words)) - len(words)
    is_useful = n_saved >= LEAST_SAVED_BY_WORDS
    return {"whole": False, "useful": is_useful, "saved": n_saved if is_useful else 0}


def read(path: Path) -> list[Row]:
    """The rows, up to one that was cut off."""
    return [row for row, _ in whole_rows(path.read_bytes())]


def resumed(path: Path) -> set[str]:
    """The finished regions. A row that was cut off is removed from the end, with the earlier rows of its
    region, which is then typed again."""
    if not path.exists():
        return set()
    content = path.read_bytes()
    found = [(row["case"], stop) for row, stop in whole_rows(content)]
    if found and found[-1][1] < len(content):
        torn = found[-1][0]
        found = [(case, stop) for case, stop in found if case != torn]
    size = found[-1][1] if found else 0
    if size < len(content):
        with path.open("r+b") as file:
            file.truncate(size)
    return {case for case, _ in found}


# --- fitting ---------------------------------------------------------------------------------------------


def fit(work: Path, out: Path) -> None:
    files = {path: judged_rows(path) for path in sorted(work.glob("offers-*.jsonl"))}
    own = work / offers_name(None, PYTHON)
    of_memory = {path for path in files if path.name.startswith(f"offers-{NO_MODEL}-")}
    remembered, every = (
        [row for path, found in files.items() if (path in of_memory) == is_chosen for row in found]
        for is_chosen in (True, False)
    )
    for file, what, rows, left_out in (
        ("bundled.json", name_of_model(None), files.get(own, []), ()),
        ("any.json", "any", every, OF_ONE_MODEL),
        ("remembered.json", NO_MODEL, remembered, ()),
    ):
        if not rows:
            print(f"{file} stays: there are no offers")
            continue
        kept = {"model": what, **fitted_to(rows, left_out)}
        (out / file).write_text(json.dumps(kept, separators=(",", ":")) + "\n", encoding="utf-8")
        print(file, {name: value for name, value in kept.items() if name not in QUESTIONS})


def judged_rows(path: Path) -> list[Row]:
    """The offers of a file, sorted, because several processes write them in no fixed order."""
    found = sorted(read(path), key=lambda row: (row["case"], row.get("place", 0)))
    names: list[str] = next((row["names"] for row in found if row.get("names")), [])
    return [{**row, "names": names} for row in found if row["cuts"]]


@dataclass(frozen=True, slots=True)
class CutTable:
    """The beginnings of offers as a table: the judge's features, the projects, what became of them."""

    names: tuple[str, ...]
    numbers: Numbers
    projects: npt.NDArray[np.str_]
    labels: dict[str, npt.NDArray[np.bool_]]
    # Each offer has the same weight, however many beginnings it has.
    weights: Numbers

    @classmethod
    def of(cls, rows: Sequence[Row], left_out: Sequence[str] = ()) -> CutTable:
        names = rows[0]["names"]
        assert all(row["names"] == names for row in rows), (
            "the features have changed: collect all offers anew"
        )
        columns = [idx for idx, name in enumerate(names) if name not in left_out]
        cuts = [(row, cut) for row in rows for cut in row["cuts"]]
        return cls(
            tuple(names[idx] for idx in columns),
            np.array([cut["features"] for _, cut in cuts])[:, columns],
            np.array([row["project"] for row, _ in cuts]),
            {question: np.array([cut[question] for _, cut in cuts], bool) for question in QUESTIONS},
            np.array([1 / len(row["cuts"]) for row, _ in cuts]),
        )


def fitted_to(rows: Sequence[Row], left_out: Sequence[str]) -> Row:
    """A judge, and how well it judges projects that it was not fitted on."""
    table = CutTable.of(rows, left_out)
    kept: Row = {"offers": len(rows), "projects": sorted(set(table.projects.tolist()))}
    for question, label in table.labels.items():
        kept[f"area_{question}"] = round(crossed(table.numbers, label, table.projects, table.weights), 4)
        kept[question] = {
            "names": [*table.names],
            **exported(fitted(table.numbers, label, table.weights)),
        }
    return kept


def fitted(numbers: Numbers, label: npt.NDArray[np.bool_], weights: Numbers) -> Any:
    boosting = import_module("sklearn.ensemble").HistGradientBoostingClassifier
    classifier = boosting(random_state=0, early_stopping=False, **PARAMETERS)
    # The table is small, and on a busy machine several threads wait for each other most of the time.
    with import_module("threadpoolctl").threadpool_limits(1, "openmp"):
        return classifier.fit(numbers, label, sample_weight=weights)


def crossed(
    numbers: Numbers, label: npt.NDArray[np.bool_], projects: npt.NDArray[np.str_], weights: Numbers
) -> float:
    """The area under the ROC curve over projects that were left out, fold by fold."""
    said = np.zeros(len(label))
    for is_left_out in folds(projects, N_FOLDS):
        classifier = fitted(numbers[~is_left_out], label[~is_left_out], weights[~is_left_out])
        said[is_left_out] = classifier.predict_proba(numbers[is_left_out])[:, 1]
    return float(import_module("sklearn.metrics").roc_auc_score(label, said, sample_weight=weights))


def exported(classifier: Any) -> Row:
    """The trees in the format that `fim_lsp.worth.trees` reads. Each node has its mean, to explain a
    judgement."""
    trees = []
    for (predictor,) in classifier._predictors:
        nodes = predictor.nodes
        is_leaf = nodes["is_leaf"].astype(bool)
        values = nodes["value"].astype(float)
        # Parents come before their children, and get their values from them.
        for idx in range(len(nodes) - 1, -1, -1):
            if not is_leaf[idx]:
                left, right = int(nodes["left"][idx]), int(nodes["right"][idx])
                n_left, n_right = float(nodes["count"][left]), float(nodes["count"][right])
                values[idx] = (values[left] * n_left + values[right] * n_right) / (n_left + n_right)
        trees.append(
            {
                "feature": np.where(is_leaf, -1, nodes["feature_idx"].astype(int)).tolist(),
                "threshold": [
                    float(f"{value:.5g}") if np.isfinite(value) else 1e9 for value in nodes["num_threshold"]
                ],
                "left": nodes["left"].astype(int).tolist(),
                "right": nodes["right"].astype(int).tolist(),
                "value": [round(float(value), 5) for value in values],
            }
        )
    return {"base": float(classifier._baseline_prediction[0, 0]), "trees": trees}


if __name__ == "__main__":
    main()
