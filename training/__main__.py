"""`python -m training STEP`: the steps of the recipe, each of which reads what the one before it has written.

collect    sources of installed packages and of those in packages.txt -> documents.jsonl, SOURCES.md
tokenizer  documents.jsonl -> tokenizer.json
train      both -> checkpoint.pt, losses.jsonl; goes on where it was stopped
export     checkpoint.pt -> a folder that transformers loads
evaluate   that folder -> figures.json, the picture of the loss, the tables of the model card
all        every step whose result is not there yet
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import torch
from tokenizers import Tokenizer

from training.ahead import Ahead
from training.card import tables, update_card
from training.collect import collect, read_documents, sources_table, write_documents
from training.evaluate import HUMAN_EVAL_HOLES, Evaluation, evaluate
from training.export import CARD, export
from training.model import new_model
from training.picture import draw_losses
from training.progress import Progress
from training.recipe import TINY, Recipe
from training.samples import Samples
from training.tokenizer import train_tokenizer, up_to
from training.train import train

HERE = Path(__file__).parent
ROOT = HERE.parent
BUNDLED = ROOT / "fim_lsp" / "bundled" / "model"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m training",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("step", choices=[*STEPS, "all"])
    made.add_argument("--work", type=Path, default=ROOT / "target" / "training", help="where results lie")
    made.add_argument("--output", type=Path, default=BUNDLED, help="the model's folder")
    made.add_argument("--minutes", type=float, help="how long to train; the rate falls to zero at the end")
    made.add_argument(
        "--workers", type=int, default=2, help="threads that compute passes side by side on a CPU"
    )
    made.add_argument("--no-compile", action="store_true", help="train without torch.compile")
    made.add_argument("--averaged", action="store_true", help="export the average of an unfinished training")
    made.add_argument("--tiny", action="store_true", help="a model of toy size, to try the recipe in seconds")
    made.add_argument("--packages", type=Path, action="append", help="collect from these folders alone")
    made.add_argument("--holes", type=int, default=500, help="how many holes of the standard library")
    made.add_argument("--windows", type=int, default=200, help="how many windows and cuts for bits per byte")
    made.add_argument(
        "--human-eval", type=Path, default=HUMAN_EVAL_HOLES, help="HumanEval's single-line infilling holes"
    )
    return made


def recipe_of(arguments: argparse.Namespace) -> Recipe:
    recipe = TINY if arguments.tiny else Recipe().on_gpu() if torch.cuda.is_available() else Recipe()
    return recipe if arguments.minutes is None else replace(recipe, max_minutes=arguments.minutes)


def run_collect(arguments: argparse.Namespace) -> None:
    folders = arguments.packages
    if folders is None:
        folders = [Path(sysconfig.get_path("purelib")), downloaded_packages(arguments.work / "packages")]
    documents, sources = collect(folders, recipe_of(arguments).max_package_bytes, Progress("collect"))
    write_documents(arguments.work / "documents.jsonl", documents)
    (arguments.work / "SOURCES.md").write_text(sources_table(sources), encoding="utf-8")


def downloaded_packages(folder: Path) -> Path:
    """The packages of packages.txt, unpacked and not installed: only their text is wanted."""
    if not folder.exists():
        print("collect: downloading the packages of packages.txt", file=sys.stderr)
        pip = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-deps",
            "--no-compile",
            "--only-binary=:all:",
        ]
        subprocess.run(
            [*pip, "--target", str(folder), "--requirement", str(HERE / "packages.txt")], check=True
        )
    return folder


def run_tokenizer(arguments: argparse.Namespace) -> None:
    recipe = recipe_of(arguments)
    texts = (document.text for document in read_documents(arguments.work / "documents.jsonl"))
    tokenizer = train_tokenizer(up_to(texts, recipe.max_tokenizer_bytes), recipe.n_vocab)
    tokenizer.save(str(arguments.work / "tokenizer.json"))
    Progress("tokenizer").done(f"{tokenizer.get_vocab_size()} tokens")


def run_train(arguments: argparse.Namespace) -> None:
    # Parallel passes make better use of a few cores than parallel operations do; see train.one_step.
    torch.set_num_threads(1)
    recipe = recipe_of(arguments)
    tokenizer = tokenizer_of(arguments)
    model = new_model(recipe, tokenizer)
    make = partial(samples_of, arguments.work, recipe)
    if torch.cuda.is_available():
        ahead = Ahead(make, n_processes=max(1, min(8, (os.cpu_count() or 2) - 1)))
        train(model, ahead, recipe, arguments.work, compiled=not arguments.no_compile, n_workers=1)
        ahead.close()
    else:
        compiled, n_workers = not arguments.no_compile, arguments.workers
        train(model, make(), recipe, arguments.work, compiled=compiled, n_workers=n_workers)


def samples_of(work: Path, recipe: Recipe) -> Samples:
    tokenizer = Tokenizer.from_file(str(work / "tokenizer.json"))
    return Samples(read_documents(work / "documents.jsonl"), tokenizer, recipe)


def run_export(arguments: argparse.Namespace) -> None:
    checkpoint = arguments.work / "checkpoint.pt"
    export(
        checkpoint,
        tokenizer_of(arguments),
        recipe_of(arguments),
        arguments.output,
        averaged=arguments.averaged,
    )
    sources = arguments.work / "SOURCES.md"
    if arguments.output == BUNDLED and sources.exists():
        shutil.copyfile(sources, HERE / "SOURCES.md")
    Progress("export").done(str(arguments.output))


def run_evaluate(arguments: argparse.Namespace) -> None:
    """For the bundled model the figures go where they are read: into the repository and its documents."""
    is_bundled = arguments.output == BUNDLED
    evaluation = Evaluation(
        arguments.output, arguments.holes, arguments.windows, arguments.human_eval, arguments.workers
    )
    figures = evaluate(evaluation, Progress("evaluate"))
    text = json.dumps(figures, indent=2) + "\n"
    (HERE if is_bundled else arguments.work).joinpath("figures.json").write_text(text, encoding="utf-8")
    print(tables(figures))
    losses = arguments.work / "losses.jsonl"
    if losses.exists():
        pictures = ROOT / "docs" / "figures" if is_bundled else arguments.work
        draw_losses(losses, pictures / "model-loss.svg")
    if is_bundled:
        update_card(CARD, figures)
        shutil.copyfile(CARD, BUNDLED / "README.md")


def tokenizer_of(arguments: argparse.Namespace) -> Tokenizer:
    return Tokenizer.from_file(str(arguments.work / "tokenizer.json"))


STEPS: dict[str, Callable[[argparse.Namespace], None]] = {
    "collect": run_collect,
    "tokenizer": run_tokenizer,
    "train": run_train,
    "export": run_export,
    "evaluate": run_evaluate,
}
# What a step leaves behind; `all` does not repeat a step whose result is there. Training knows by itself.
RESULTS = {"collect": "documents.jsonl", "tokenizer": "tokenizer.json"}


def main() -> int:
    arguments = parser().parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    if arguments.step != "all":
        STEPS[arguments.step](arguments)
        return 0
    for name, run in STEPS.items():
        if name not in RESULTS or not (arguments.work / RESULTS[name]).exists():
            run(arguments)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
