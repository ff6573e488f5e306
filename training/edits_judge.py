"""`python -m training.edits_judge`: the judge of substitutions, fitted on pairs of releases.

    collect   makes some of the hunks of each file of the tuning pairs, finds the other places of the
              substitutions made so far, and whether the next release has them -> places.jsonl
    fit       places.jsonl -> fim_lsp/edits/repeating/judge.json, and how well packages are judged that
              it was not fitted on

`all` does both. A package in places.jsonl is skipped, so a stopped run continues.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from fim_lsp.edits.projects.history import History
from fim_lsp.edits.repeating.candidates import candidates, is_meant
from fim_lsp.edits.repeating.judge import KEPT
from fim_lsp.edits.repeating.substitutions import merged_substitutions, substitutions
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.replay.edits.pairs import Pair, projects
from fim_lsp.replay.edits.verdict import is_inside, is_whole
from fim_lsp.replay.journal import whole_rows
from training.folds import folds
from training.judge import exported

Row = dict[str, Any]
Numbers = npt.NDArray[np.float64]
# The number of looks at each file.
N_LOOKS = 8
SHARE_AHEAD = 0.3
MOST_CHARACTERS = 200_000
N_FOLDS = 5
PARAMETERS = {
    "max_iter": 80,
    "learning_rate": 0.08,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 40,
    "l2_regularization": 10.0,
}
# A feature that never makes an edit less likely when it grows, or never more likely.
RISING = ("made", "made so", "made so in this file", "share of places here", "share of places elsewhere",
          "share of those alike", "same around", "share alone")  # fmt: skip
FALLING = ("passed over here", "passed over elsewhere", "files passed over")
# A larger number of places adds nothing.
MOST_SHOWN = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m training.edits_judge",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("step", choices=("collect", "fit", "all"))
    parser.add_argument("--work", type=Path, default=Path("target") / "edits-judge", help="where places lie")
    parser.add_argument("--only", nargs="+", default=(), metavar="PACKAGE", help="collect of these alone")
    parser.add_argument("--out", type=Path, default=KEPT)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    places = arguments.work / "places.jsonl"
    if arguments.step in ("collect", "all"):
        collect(places, arguments.only)
    if arguments.step in ("fit", "all"):
        fit(places, arguments.out)


# --- collecting ------------------------------------------------------------------------------------------


def collect(path: Path, only: Sequence[str]) -> None:
    done = {row["project"] for row in read(path)} if path.exists() else set()
    for project in projects("tuning"):
        if project.name in done or (only and project.name not in only):
            continue
        history = History()
        rows: list[Row] = []
        for pair in project.pairs:
            if len(pair.old) <= MOST_CHARACTERS:
                rows += rows_of(pair, history)
                history.add(FileChange.of(pair.path, pair.old, pair.new))
        # A line holds a whole package, so that no package is kept in part.
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"project": project.name, "places": rows}) + "\n")
        print(f"{project.name}: {len(rows)} places", file=sys.stderr)


def rows_of(pair: Pair, history: History) -> Iterator[Row]:
    source = SourceText(pair.path, pair.old)
    hunks = FileChange.of(pair.path, pair.old, pair.new).hunks
    random = Random(f"{pair.project} {pair.path}")
    earlier = history.of(pair.old)
    for n_made in sorted(random.sample(range(len(hunks)), min(len(hunks), N_LOOKS))):
        text = pair.old
        # Every other time, the typist has jumped ahead.
        share = SHARE_AHEAD if random.random() < 0.5 else 0.0
        ahead = [one for one in hunks[n_made + 1 :] if random.random() < share]
        for hunk in reversed([*hunks[:n_made], *ahead]):
            text = text[: hunk.old_start] + pair.new[hunk.new_start : hunk.new_stop] + text[hunk.old_stop :]
        change = FileChange(source, SourceText(pair.path, text))
        rest = FileChange.of(pair.path, text, pair.new)
        for one in candidates(change, merged_substitutions(earlier, substitutions([change]))):
            if not is_meant(change, one):
                continue
            made = one.substitution
            yield {
                "file": pair.path,
                "look": n_made,
                "old": made.old,
                "new": made.new,
                "start": one.start,
                "features": one.features,
                "is_right": is_right(
                    rest, NextEdit(pair.path, one.start, one.stop, made.old, made.new, "", 0)
                ),
            }


def is_right(rest: FileChange, edit: NextEdit) -> bool:
    current, goal = rest.old.lines, rest.new.lines
    for hunk in rest.hunks:
        is_near = hunk.old_start <= edit.end + 1 and edit.start <= hunk.old_stop + 1
        if is_near and (
            is_whole(current.text, goal.text, hunk, edit) or is_inside(current, goal, hunk, edit)
        ):
            return True
    return False


def read(path: Path) -> list[Row]:
    """The packages, up to a line that was cut off."""
    return [row for row, _ in whole_rows(path.read_bytes())]


# --- fitting ---------------------------------------------------------------------------------------------


def fit(path: Path, out: Path) -> None:
    found = sorted(read(path), key=lambda row: str(row["project"]))
    rows = [{"project": one["project"], **row} for one in found for row in one["places"]]
    names = [*rows[0]["features"]]
    numbers = np.array([[row["features"][name] for name in names] for row in rows])
    label = np.array([row["is_right"] for row in rows], bool)
    owners = np.array([row["project"] for row in rows])
    weights = weights_of(rows)
    said = crossed(names, numbers, label, owners, weights)
    area = import_module("sklearn.metrics").roc_auc_score(label, said, sample_weight=weights)
    kept = {
        "places": len(rows),
        "right": int(label.sum()),
        "packages": sorted(set(owners.tolist())),
        "area": round(float(area), 4),
    }
    for bar, n_shown, precision, n_right in told(rows, said):
        print(f"bar {bar:.2f}: {n_shown} shown, {precision:.1%} right, {n_right} right")
    trees = {"names": names, **exported(fitted(names, numbers, label, weights))}
    out.write_text(json.dumps({**kept, "trees": trees}, separators=(",", ":")) + "\n", encoding="utf-8")
    print(kept)


def weights_of(rows: Sequence[Row]) -> Numbers:
    """The weight of each place, about as often as it would be shown. A right edit is shown at all its places,
    a wrong one once, because it is then refused."""
    looks: dict[tuple[object, ...], set[int]] = {}
    for row in rows:
        looks.setdefault((*key_of(row), row["is_right"]), set()).add(row["look"])
    times = Counter((*key_of(row), row["is_right"]) for row in rows)
    found = []
    for row in rows:
        key = (*key_of(row), row["is_right"])
        n_shown = min(times[key] / len(looks[key]), MOST_SHOWN) if row["is_right"] else 1.0
        found.append(n_shown / times[key])
    # A package with ten times as many places counts three times as much.
    weights, owners = np.array(found), np.array([row["project"] for row in rows])
    for owner in set(owners.tolist()):
        weights[owners == owner] /= weights[owners == owner].sum() ** 0.5
    weighed: Numbers = weights / weights.mean()
    return weighed


def key_of(row: Row) -> tuple[str, str, str, str]:
    return row["project"], row["file"], row["old"], row["new"]


def fitted(names: Sequence[str], numbers: Numbers, label: npt.NDArray[np.bool_], weights: Numbers) -> Any:
    boosting = import_module("sklearn.ensemble").HistGradientBoostingClassifier
    order = [int(name in RISING) - int(name in FALLING) for name in names]
    classifier = boosting(random_state=0, early_stopping=False, monotonic_cst=order, **PARAMETERS)
    return classifier.fit(numbers, label, sample_weight=weights)


def crossed(
    names: Sequence[str],
    numbers: Numbers,
    label: npt.NDArray[np.bool_],
    owners: npt.NDArray[np.str_],
    weights: Numbers,
) -> Numbers:
    """The prediction for each place, by classifiers that have not seen its package."""
    said = np.zeros(len(label))
    for is_left_out in folds(owners, N_FOLDS):
        classifier = fitted(names, numbers[~is_left_out], label[~is_left_out], weights[~is_left_out])
        said[is_left_out] = classifier.predict_proba(numbers[is_left_out])[:, 1]
    return said


def told(rows: Sequence[Row], said: Numbers) -> Iterator[tuple[float, int, float, int]]:
    """The offers that some bars would show, and the share of right ones; a place counts once, and so does a
    refusal."""
    for bar in (0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9):
        right: dict[tuple[str, ...], set[int]] = {}
        wrong: set[tuple[str, ...]] = set()
        for row, probability in zip(rows, said.tolist(), strict=True):
            if probability >= bar:
                if row["is_right"]:
                    right.setdefault(key_of(row), set()).add(row["start"])
                else:
                    wrong.add(key_of(row))
        n_right = int(sum(min(len(places), MOST_SHOWN) for places in right.values()))
        if right or wrong:
            yield bar, n_right + len(wrong), n_right / (n_right + len(wrong)), n_right


if __name__ == "__main__":
    main()
