"""The options that say what computes a model; several commands share them."""

from __future__ import annotations

import argparse


def add_runtime(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--runtime",
        choices=["embedded", "torch"],
        help="what computes the model (default: embedded for the bundled one, else torch)",
    )
    parser.add_argument("--device", metavar="NAME", help="cpu, cuda or mps (default: the best there is)")
