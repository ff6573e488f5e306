"""`python -m training STEP`: the steps of the recipe. Each reads the files of the one before it.

collect    sources of installed packages and of those in packages.txt -> documents.jsonl, SOURCES.md
tokenizer  documents.jsonl -> tokenizer.json
train      both -> checkpoint.pt, losses.jsonl; continues a stopped run
decay      checkpoint.pt -> branch.pt, branch-losses.jsonl: a branch on which the rate falls to zero
export     branch.pt, or else the average in checkpoint.pt -> a folder that transformers loads
evaluate   that folder -> figures.json, the picture of the loss, the tables of the model card
all        all of these, except those whose result exists already
pack       documents.jsonl, tokenizer.json, checkpoint.pt -> kit/, for a machine with a GPU; see kit.py
keep       checkpoint.pt -> checkpoint/ beside this file: the weights, for training on another machine
restore    these, or an exported folder -> checkpoint.pt, tokenizer.json
take       the parts of the weights that came back from the kit -> gpu/, from which export makes a model
gguf       the exported folder -> model.gguf, for llama.cpp, Ollama and LM Studio
begin      tokenizer.json, the weights in checkpoint/ -> checkpoint.pt, for a model with another tokenizer

With `--braces` the steps make the second bundled model, for Go, Java, JavaScript and TypeScript. Its training
begins with the weights of the first one.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

from fim_lsp.bundled_models import BUNDLED, BUNDLED_OF_BRACES
from fim_lsp.runtimes.folder import ModelError
from training.begin import begin
from training.card import BEGIN, BEGIN_BRACES, tables, update_card
from training.collect import TrainingDocument, collect, read_documents, sources_table, write_documents
from training.collect_languages import collect_languages
from training.evaluate import HUMAN_EVAL_HOLES, Evaluation, evaluate
from training.evaluate_languages import evaluate_languages, languages_table
from training.export import CARD, export, keep, restore
from training.folder import (
    BRANCH,
    BRANCH_LOSSES,
    CHECKPOINT,
    DOCUMENTS,
    LOSSES,
    TOKENIZER,
    decayed,
    tokenizer_of,
    trained,
)
from training.kit import pack, take
from training.picture import draw_losses
from training.progress import Progress
from training.recipe import TrainingRecipe, recipe_here
from training.tokenizer import train_tokenizer, up_to
from training.train import Computation

HERE = Path(__file__).parent
SOURCES = "SOURCES.md"
ROOT = HERE.parent
# The weights of a training that has not ended.
KEPT = {BUNDLED: HERE / "checkpoint", BUNDLED_OF_BRACES: HERE / "checkpoint_braces"}


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m training",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("step", choices=[*STEPS, *BESIDES, "all"])
    made.add_argument("parts", type=Path, nargs="?", help="for take: the folder that holds the parts")
    made.add_argument("--braces", action="store_true", help="the model of Go, Java, JavaScript, TypeScript")
    made.add_argument("--work", type=Path, help="where results lie (default: in target/)")
    made.add_argument("--output", type=Path, help="the model's folder (default: the bundled one's)")
    made.add_argument("--minutes", type=float, default=math.inf, help="how long to train in this call")
    made.add_argument("--tokens", type=int, help="how many tokens the training is to have seen in all")
    made.add_argument(
        "--workers", type=int, default=2, help="threads that compute passes side by side on a CPU"
    )
    made.add_argument("--no-compile", action="store_true", help="train without torch.compile")
    made.add_argument("--tiny", action="store_true", help="a model of toy size, to try the recipe in seconds")
    made.add_argument("--packages", type=Path, action="append", help="collect from these folders alone")
    made.add_argument("--holes", type=int, default=500, help="how many holes of the standard library")
    made.add_argument("--windows", type=int, default=200, help="how many windows and cuts for bits per byte")
    made.add_argument(
        "--held-out", type=Path, help="the folder of the packages in held-out.txt, else they are downloaded"
    )
    made.add_argument(
        "--human-eval", type=Path, default=HUMAN_EVAL_HOLES, help="HumanEval's single-line infilling holes"
    )
    return made


def recipe_of(arguments: argparse.Namespace) -> TrainingRecipe:
    return recipe_here(is_tiny=arguments.tiny, max_tokens=arguments.tokens)


def run_collect(arguments: argparse.Namespace) -> None:
    if arguments.braces:
        documents, sources = collect_languages(arguments.work / "packages", Progress("collect"))
        held_out = "The packages of `held_out_languages.txt` are held out."
        write_collected(arguments.work, documents, sources_table(sources, "collect --braces", held_out))
        return
    folders = arguments.packages
    if folders is None:
        folders = [
            Path(sysconfig.get_path("purelib")),
            downloaded(arguments.work / "packages", HERE / "packages.txt"),
        ]
    documents, sources = collect(folders, recipe_of(arguments).max_package_bytes, Progress("collect"))
    write_collected(arguments.work, documents, sources_table(sources))


def write_collected(work: Path, documents: list[TrainingDocument], sources: str) -> None:
    write_documents(work / DOCUMENTS, documents)
    (work / SOURCES).write_text(sources, encoding="utf-8")


def downloaded(folder: Path, listed: Path) -> Path:
    """The packages of a list, unpacked and not installed, because only their text is wanted."""
    if not folder.exists():
        print(f"downloading the packages of {listed.name}", file=sys.stderr)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
        more = ["--only-binary=:all:", "--target", str(folder), "--requirement", str(listed)]
        subprocess.run([*pip, *more], check=True)
    return folder


def run_tokenizer(arguments: argparse.Namespace) -> None:
    recipe = recipe_of(arguments)
    texts = (document.text for document in read_documents(arguments.work / DOCUMENTS))
    tokenizer = train_tokenizer(up_to(texts, recipe.max_tokenizer_bytes), recipe.n_vocab)
    tokenizer.save(str(arguments.work / TOKENIZER))
    Progress("tokenizer").done(f"{tokenizer.get_vocab_size()} tokens")


def run_train(arguments: argparse.Namespace) -> None:
    trained(arguments.work, recipe_of(arguments), computation_of(arguments))


def run_decay(arguments: argparse.Namespace) -> None:
    decayed(arguments.work, recipe_of(arguments), computation_of(arguments))


def computation_of(arguments: argparse.Namespace) -> Computation:
    return Computation(not arguments.no_compile, arguments.workers, arguments.minutes)


def run_export(arguments: argparse.Namespace) -> None:
    """Exports the branch, which is better than the training that it left, or else the average of the
    weights."""
    branch = arguments.work / BRANCH
    checkpoint = branch if branch.exists() else arguments.work / CHECKPOINT
    export(checkpoint, tokenizer_of(arguments.work), arguments.output, averaged=not branch.exists())
    sources = arguments.work / SOURCES
    if arguments.output in KEPT and sources.exists():
        shutil.copyfile(sources, HERE / ("SOURCES_BRACES.md" if arguments.braces else SOURCES))
    Progress("export").done(str(arguments.output))


def run_evaluate(arguments: argparse.Namespace) -> None:
    """Evaluates a model. The bundled model's figures are written where they are read: in the repository and
    its pages."""
    if arguments.braces:
        figures = evaluate_languages(arguments.output, arguments.holes, arguments.work / "packages")
        text = json.dumps(figures, indent=2) + "\n"
        folder = HERE if arguments.output == BUNDLED_OF_BRACES else arguments.work
        (folder / "figures_braces.json").write_text(text, encoding="utf-8")
        print(languages_table(figures))
        if arguments.output == BUNDLED_OF_BRACES:
            write_card(languages_table(figures) + "\n", BEGIN_BRACES)
        return
    is_bundled = arguments.output == BUNDLED
    packages = arguments.held_out or downloaded(arguments.work / "held-out", HERE / "held-out.txt")
    human_eval, n_processes = arguments.human_eval, arguments.workers
    evaluation = Evaluation(
        arguments.output, arguments.holes, arguments.windows, human_eval, packages, n_processes
    )
    figures = evaluate(evaluation, Progress("evaluate"))
    text = json.dumps(figures, indent=2) + "\n"
    (HERE if is_bundled else arguments.work).joinpath("figures.json").write_text(text, encoding="utf-8")
    print(tables(figures))
    losses = arguments.work / LOSSES
    if losses.exists():
        pictures = ROOT / "docs" / "figures" if is_bundled else arguments.work
        draw_losses(losses, arguments.work / BRANCH_LOSSES, pictures / "model-loss.svg")
    if is_bundled:
        write_card(tables(figures), BEGIN)


def write_card(written: str, begin: str) -> None:
    """Writes the model card, which accompanies both models."""
    update_card(CARD, written, begin)
    for folder in KEPT:
        shutil.copyfile(CARD, folder / "README.md")


def run_pack(arguments: argparse.Namespace) -> None:
    pack(arguments.work, arguments.work / "kit", Progress("pack"))


def run_keep(arguments: argparse.Namespace) -> None:
    keep(arguments.work / CHECKPOINT, kept_in(arguments))
    Progress("keep").done(str(kept_in(arguments)))


def run_restore(arguments: argparse.Namespace) -> None:
    folder = kept_in(arguments)
    own = folder / TOKENIZER
    try:
        tokenizer = own if own.exists() else arguments.output / TOKENIZER
        checkpoint = restore(folder, tokenizer, arguments.work, recipe_of(arguments))
    except (OSError, ValueError) as error:
        raise SystemExit(f"restore: {error}") from error
    Progress("restore").done(f"{folder} -> {checkpoint}")


def kept_in(arguments: argparse.Namespace) -> Path:
    output: Path = arguments.output
    return KEPT.get(output, output)


def run_begin(arguments: argparse.Namespace) -> None:
    try:
        checkpoint = begin(KEPT[BUNDLED], BUNDLED / TOKENIZER, arguments.work, recipe_of(arguments))
    except ValueError as error:
        raise SystemExit(f"begin: {error}") from error
    Progress("begin").done(str(checkpoint))


def run_take(arguments: argparse.Namespace) -> None:
    if arguments.parts is None:
        raise SystemExit("take: say which folder holds the parts")
    try:
        checkpoint = take(arguments.parts, arguments.work)
    except ValueError as error:
        raise SystemExit(f"take: {error}") from error
    Progress("take").done(str(checkpoint))


def run_gguf(arguments: argparse.Namespace) -> None:
    # Only this step needs the package.
    from training.gguf_file import write_gguf

    path = arguments.work / "model.gguf"
    try:
        write_gguf(arguments.output, path)
    except ModelError as error:
        raise SystemExit(f"gguf: {error}") from error
    Progress("gguf").done(str(path))


STEPS: dict[str, Callable[[argparse.Namespace], None]] = {
    "collect": run_collect,
    "tokenizer": run_tokenizer,
    "train": run_train,
    "decay": run_decay,
    "export": run_export,
    "evaluate": run_evaluate,
}
# Commands that are not steps of their own recipe.
BESIDES: dict[str, Callable[[argparse.Namespace], None]] = {
    "pack": run_pack,
    "keep": run_keep,
    "restore": run_restore,
    "take": run_take,
    "gguf": run_gguf,
    "begin": run_begin,
}
# The result of each step; `all` skips a step whose result exists. Training decides by itself.
RESULTS = {"collect": DOCUMENTS, "tokenizer": TOKENIZER}


def main() -> int:
    arguments = parser().parse_args()
    if arguments.work is None:
        arguments.work = ROOT / "target" / ("training-braces" if arguments.braces else "training")
    if arguments.output is None:
        arguments.output = BUNDLED_OF_BRACES if arguments.braces else BUNDLED
    arguments.work.mkdir(parents=True, exist_ok=True)
    if arguments.step != "all":
        {**STEPS, **BESIDES}[arguments.step](arguments)
        return 0
    for name, run in STEPS.items():
        if name == "train" and arguments.braces and not (arguments.work / CHECKPOINT).exists():
            run_begin(arguments)
        if name not in RESULTS or not (arguments.work / RESULTS[name]).exists():
            run(arguments)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
