"""`fim-lsp models`: the models on this machine and those to fetch, with their needs and their pace here.

It also tries a model (`--try`) and fetches one from the hub (`--download`), for editors that offer a choice.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from fim_lsp.catalogue import ListError
from fim_lsp.cli import CommandError
from fim_lsp.commands.models_fetched import download
from fim_lsp.commands.models_shown import described_model, show, size
from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.models import LocalModel, bundled_model, hub_cache, local_models, model_at
from fim_lsp.needs import has_llama, has_torch, needs
from fim_lsp.offered import Shelf, shelf


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="look here too, at any depth")
    wanted = parser.add_mutually_exclusive_group()
    wanted.add_argument(
        "--try",
        dest="tried",
        metavar="NAME",
        help="only say whether this one can be used: a folder, a GGUF file or an address",
    )
    wanted.add_argument(
        "--download",
        metavar="NAME",
        help="fetch this model, or resume its download: a name of the list, owner/repository/file.gguf,"
        " or for PyTorch owner/repository",
    )
    parser.add_argument("--json", action="store_true", help="print JSON; progress as one object per line")


def run(arguments: argparse.Namespace) -> int:
    if arguments.tried is not None:
        return try_out(arguments.tried, arguments.json)
    if arguments.download is not None:
        return download(arguments.download, arguments.json)
    check_folders(arguments.folders)
    searched = [hub_cache(), *arguments.folders]
    found = list(local_models(searched))
    try:
        files = shelf(arguments.folders)
    except ListError as error:
        raise CommandError(str(error)) from error
    if arguments.json:
        print(json.dumps(as_json(found, searched, files), indent=2))
    else:
        show(bundled_model(), found, searched, files)
    return 0


def check_folders(folders: Iterable[Path]) -> None:
    for folder in folders:
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder")


def as_json(found: list[LocalModel], searched: list[Path], files: Shelf) -> dict[str, object]:
    bundled = bundled_model()
    return {
        "bundled": None
        if bundled is None
        else asdict(bundled) | {"needs": asdict(needs(bundled, "embedded"))},
        "models": [asdict(model) | {"needs": asdict(needs(model, "torch"))} for model in found],
        "files": [
            asdict(here.file) | {"needs": asdict(here.needs), "estimate": asdict(here.estimate)}
            for here in files.here
        ],
        "published": [
            asdict(had.model)
            | {"needs": asdict(had.needs), "estimate": asdict(had.estimate), "path": had.path}
            for had in files.to_be_had
        ],
        "offered": {
            "path": files.offered_here.file.path if files.offered_here else None,
            "name": files.offered.model.name if files.offered else None,
        },
        "has_torch": has_torch(),
        "has_llama": has_llama(),
        "searched": [str(folder) for folder in searched],
        "formats": [asdict(known) for known in FIM_FORMATS],
    }


def try_out(name: str, is_json: bool) -> int:
    """Whether a model can be used, without loading it. Of a server it asks what it is and what it can do."""
    from fim_lsp.decoding.models.model import ModelError

    try:
        is_usable, message = True, try_model(name)
    except ModelError as error:
        is_usable, message = False, str(error)
    print(json.dumps({"name": name, "is_usable": is_usable, "message": message}) if is_json else message)
    return 0 if is_usable else 1


def try_model(name: str) -> str:
    """The sentence for a model that works. Raises `ModelError` with the reason if it does not."""
    from fim_lsp.decoding.models.model import INSTALL, ModelError, is_gguf
    from fim_lsp.decoding.models.served import served_model
    from fim_lsp.runtimes.served.address import address_of, is_address
    from fim_lsp.runtimes.served.finding import find

    if is_address(name):
        found = find(address_of(name))
        # A server's ability to fill in the middle is known once its tokens are.
        served_model(name, {}, lambda _stage, _fraction: None)
        return f"{found.kind} with {found.model}: {found.ability}"
    if is_gguf(name):
        from fim_lsp.decoding.models import gguf

        spoken = gguf.probe_format(name)
        return f"GGUF, FIM format {spoken.name}, {size(Path(name).expanduser().stat().st_size)} of weights"
    folder = Path(name).expanduser()
    model = model_at(folder / "config.json") if folder.is_dir() else None
    if model is None:
        raise ModelError(f"{name} has no config.json of a model that writes text")
    if model.fim_format is None:
        raise ModelError(f"{name} has no tokens for filling in the middle")
    if not model.n_weight_bytes:
        raise ModelError(f"{name} has no weights")
    if not has_torch():
        raise ModelError(f"{name} needs PyTorch: {INSTALL}")
    return described_model(model)
