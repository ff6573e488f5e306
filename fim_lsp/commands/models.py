"""`fim-lsp models`: the models on this machine, and which of them can fill in the middle."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from fim_lsp.cli import Unable
from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.models import LocalModel, bundled_model, hub_cache, local_models


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="look here too, at any depth")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    check_folders(arguments.folders)
    searched = [hub_cache(), *arguments.folders]
    found = list(local_models(searched))
    if arguments.json:
        print(json.dumps(as_json(found, searched), indent=2))
    else:
        show(found, searched)
    return 0


def check_folders(folders: Iterable[Path]) -> None:
    for folder in folders:
        if not folder.is_dir():
            raise Unable(f"{folder} is not a folder")


def as_json(found: list[LocalModel], searched: list[Path]) -> dict[str, object]:
    bundled = bundled_model()
    return {
        "bundled": None if bundled is None else asdict(bundled),
        "models": [asdict(model) for model in found],
        "searched": [str(folder) for folder in searched],
        "formats": [asdict(known) for known in FIM_FORMATS],
    }


def show(found: list[LocalModel], searched: list[Path]) -> None:
    bundled = bundled_model()
    for model in [*([bundled] if bundled else []), *found]:
        print(f"{model.name}\n    {described(model)}\n    {model.path}")
    if not found:
        print("no other models found" if bundled else "no models found")
    print(
        "searched: "
        + ", ".join(f"{folder}{'' if folder.is_dir() else ' (not there)'}" for folder in searched)
    )
    print("known formats:")
    for known in FIM_FORMATS:
        print(f"    {known.name:11} {known.models}")
    print("complete with one of them: fim-lsp complete --model NAME FILE:LINE:COL")


def described(model: LocalModel) -> str:
    filling = (
        f"FIM format {model.fim_format}" if model.fim_format else "no FIM tokens: cannot fill in the middle"
    )
    return f"{model.architecture}, {filling}, {size(model.n_weight_bytes)} of weights"


def size(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:.2f} GB" if n_bytes >= 1e8 else f"{n_bytes / 1e6:.1f} MB"
