"""Trains one piece on a machine that has little more than PyTorch and transformers (`kit.py`).

It runs in the folder of the unpacked archive.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from training.folder import decayed, trained
from training.kit import write_parts
from training.progress import Progress
from training.recipe import recipe_here
from training.train import Computation


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.piece", description=__doc__)
    parser.add_argument("what", choices=["train", "decay"], nargs="?", default="train")
    parser.add_argument(
        "--minutes", type=float, required=True, help="how long to train, starting up included"
    )
    parser.add_argument("--out", type=Path, required=True, help="where the parts of the weights go")
    parser.add_argument("--work", type=Path, default=Path(), help="where the archive was unpacked")
    parser.add_argument("--tokens", type=int, help="how many tokens the training is to have seen in all")
    parser.add_argument("--tiny", action="store_true", help="a model of toy size")
    parser.add_argument("--no-compile", action="store_true", help="train without torch.compile")
    arguments = parser.parse_args()
    recipe = recipe_here(is_tiny=arguments.tiny, max_tokens=arguments.tokens)
    how = Computation(not arguments.no_compile, minutes=arguments.minutes)
    (decayed if arguments.what == "decay" else trained)(arguments.work, recipe, how)
    parts = write_parts(arguments.work, arguments.out)
    Progress("piece").done(f"{len(parts)} files in {arguments.out}")


if __name__ == "__main__":
    main()
