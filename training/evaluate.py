"""The model card's figures: how well the model knows code that it has not seen, and how well it fills holes.

Bits per byte say how well it predicts, whatever the tokenizer: left to right over whole files, and for
the middle of a hole given both sides. Exact match and edit similarity compare the first line of a
completion, made by the same `Session` that the server uses, with the line that was there; once with the
grammar's constraint and once without.
"""

from __future__ import annotations

import ast
import math
import platform
import random
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional

from fim_lsp.decoding.model import Model, load_model
from fim_lsp.decoding.options import Constraint, Options
from fim_lsp.decoding.session import Session
from quotient import Language, NoCompletion, Recognizer
from training.cuts import cut
from training.holes import Hole, held_out_texts, human_eval_holes, library_holes
from training.progress import Progress
from training.samples import trimmed
from training.similarity import edit_similarity

HUMAN_EVAL_HOLES = (
    Path(__file__).parent.parent
    / "datasets"
    / "human-eval-infilling"
    / "HumanEval-SingleLineInfilling.jsonl.gz"
)
# A line of code has seldom more tokens than this.
MAX_TOKENS = 48

# What was measured, under the name of each part. Values are numbers, but for what names the setting.
Figures = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    folder: Path
    n_holes: int
    # So many windows for bits per byte left to right, and twice as many cuts for infilling.
    n_windows: int
    # None or missing: HumanEval is left out, and the figures say so by not having it.
    human_eval: Path | None


def evaluate(evaluation: Evaluation, progress: Progress) -> Figures:
    torch.manual_seed(0)
    model = load_model(str(evaluation.folder))
    figures: Figures = {
        "measured with": {
            "Python": platform.python_version(),
            "PyTorch": torch.__version__,
            "device": model.device,
            "parameters": model.n_parameters,
        },
        "bits per byte": bits_per_byte(model, evaluation.n_windows, progress),
    }
    sets = {"standard library": library_holes(evaluation.n_holes)}
    if evaluation.human_eval is not None and evaluation.human_eval.exists():
        sets["HumanEval single line"] = list(human_eval_holes(evaluation.human_eval))
    constraints: tuple[Constraint, ...] = ("constrained", "none")
    for name, holes in sets.items():
        for constraint in constraints:
            progress.show(0.0, f"{name}, {constraint}")
            figures[f"{name}, {constraint}"] = filled(model, holes, constraint, progress)
    return figures


def bits_per_byte(model: Model, n_windows: int, progress: Progress) -> dict[str, float | int]:
    left_to_right = Tally()
    for ids in windows(model, n_windows):
        left_to_right.add(model, ids, 1)
        progress.show(0.0, "left to right")
    alone, between = Tally(), Tally()
    for before, with_suffix, middle in cut_windows(model, 2 * n_windows):
        alone.add(model, [*before, *middle], len(before))
        between.add(model, [*with_suffix, *middle], len(with_suffix))
        progress.show(0.0, "infilling")
    return {
        "left to right": left_to_right.bits_per_byte(),
        "middle, given both sides": between.bits_per_byte(),
        "middle, given the left side": alone.bits_per_byte(),
        "windows": n_windows,
        "cuts": 2 * n_windows,
    }


@dataclass(slots=True)
class Tally:
    bits: float = 0.0
    n_bytes: int = 0

    @torch.inference_mode()
    def add(self, model: Model, ids: Sequence[int], n_given: int) -> None:
        """Adds the tokens behind the given ones."""
        row = torch.tensor(ids, device=model.device)[None]  # (1, T)
        logits = model.network(input_ids=row[:, :-1]).logits[0].float()  # (T - 1, vocabulary)
        losses = functional.cross_entropy(logits, row[0, 1:], reduction="none")
        self.bits += losses[n_given - 1 :].sum().item() / math.log(2)
        self.n_bytes += sum(len(model.token_bytes[index]) for index in ids[n_given:])

    def bits_per_byte(self) -> float:
        return round(self.bits / self.n_bytes, 4)


def windows(model: Model, n_windows: int) -> Iterator[list[int]]:
    """The first and the middle window of each file, as wide as the model can read."""
    texts = held_out_texts(n_windows // 2)
    for text in texts:
        ids = model.encode(text)
        middle = max(0, len(ids) // 2 - model.n_positions // 2)
        yield ids[: model.n_positions]
        yield ids[middle : middle + model.n_positions]


def cut_windows(model: Model, n_cuts: int) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """What precedes the middle without and with the right side, and the middle. Cut as in the training."""
    rng = random.Random(0)
    end = int(model.network.config.eos_token_id)
    texts = held_out_texts(n_cuts // 2)
    for index in range(n_cuts):
        text = texts[index % len(texts)]
        start = text.rfind("\n", 0, rng.randint(0, max(1, len(text) - 2000))) + 1
        parts = cut(text[start : start + 2000], rng)
        left, middle, right = (model.encode(part) for part in parts)
        middle = [*middle[: model.n_positions // 4], end]
        left, right = trimmed(left, right, model.n_positions - len(middle) - 8)
        # A left side of nothing would leave nothing to predict the first token from.
        without = [end, *left]
        yield without, [model.prefix, model.suffix, *right, int(model.middle or 0), *left], middle


def filled(
    model: Model, holes: Sequence[Hole], constraint: Constraint, progress: Progress
) -> dict[str, float | int]:
    language = Language.load("python", version="3.11")
    options = Options(max_tokens=MAX_TOKENS, constraint=constraint, multi_line=False)
    n_exact = n_parsing = n_none = 0
    similarity = 0.0
    seconds: list[float] = []
    for done, hole in enumerate(holes):
        start = time.perf_counter()
        text = completion(model, language, hole, options)
        seconds.append(time.perf_counter() - start)
        n_none += text is None
        n_parsing += text is not None and parses(hole.left + text + hole.right)
        wanted, made = hole.middle.strip("\n"), first_line(text or "")
        n_exact += made.strip() == wanted.strip()
        similarity += edit_similarity(made.strip(), wanted.strip())
        progress.show(done / len(holes), f"{constraint}: {n_exact} of {done + 1} exact")
    seconds.sort()
    return {
        "holes": len(holes),
        "exact match": round(n_exact / len(holes), 4),
        "edit similarity": round(similarity / len(holes), 4),
        "file parses": round(n_parsing / len(holes), 4),
        "nothing offered": n_none,
        "median seconds": round(seconds[len(seconds) // 2], 3),
    }


def completion(model: Model, language: Language, hole: Hole, options: Options) -> str | None:
    """What is offered for a hole, as the server would; None if nothing is."""
    recognizer: Recognizer | None = None
    if options.constraint != "none":
        try:
            recognizer = language.recognizer(hole.left, hole.right)
        except NoCompletion:
            return None
    found = Session(model).complete(hole.left, hole.right, recognizer, options)
    return found[0].text if found else None


def first_line(text: str) -> str:
    """HumanEval's holes begin in front of the indentation and end behind the line break."""
    return text.lstrip("\n").split("\n", 1)[0]


def parses(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
