"""The options that say what computes a model; several commands share them."""

from __future__ import annotations

import argparse

from fim_lsp.bundled_models import NO_MODEL
from fim_lsp.cli import CommandError
from fim_lsp.runtimes.served.address import is_address

# The help of the option for a model of next edits.
MODEL_HELP = (
    "also ask a model, best one trained on edits such as Sweep Next-Edit or Zeta: a folder, a GGUF file or a"
    " name (default: none is asked)"
)


def add_edits_model(parser: argparse.ArgumentParser) -> None:
    """The options that say which model is asked about next edits, and where it runs."""
    parser.add_argument("--model", metavar="NAME", help=MODEL_HELP)
    add_runtime(parser)


def edits_model(arguments: argparse.Namespace) -> str | None:
    """The model that is asked about next edits; None without one. A server reports too few probabilities of
    texts that it would not have written."""
    name: str | None = arguments.model
    if name is not None and is_address(name):
        raise CommandError(f"{name} is a server: about next edits a model in a file or a folder is asked")
    return None if name == NO_MODEL else name


def add_runtime(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--runtime",
        choices=["embedded", "torch"],
        help="what computes a folder or a name (default: embedded for the bundled one, else torch)",
    )
    parser.add_argument("--device", metavar="NAME", help="cpu, cuda or mps (default: the best there is)")
