"""`fim-lsp models`: the models on this machine, which of them can fill in the middle, and what each needs.

It also tries one (`--try`) and fetches one from the hub (`--download`), for editors that offer a choice.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from threading import Lock

from fim_lsp.catalogue import PUBLISHED, has_llama, has_torch, needs, needs_of_published
from fim_lsp.cli import Unable
from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.models import LocalModel, bundled_model, hub_cache, local_models, model_at


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
        "--download", metavar="NAME", help="fetch this one from the hub, or what is missing of it"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object; progress as one a line")


def run(arguments: argparse.Namespace) -> int:
    if arguments.tried is not None:
        return try_out(arguments.tried, arguments.json)
    if arguments.download is not None:
        return download(arguments.download, arguments.json)
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
    here = {model.name for model in found}
    return {
        "bundled": None
        if bundled is None
        else asdict(bundled) | {"needs": asdict(needs(bundled, "embedded"))},
        "models": [asdict(model) | {"needs": asdict(needs(model, "torch"))} for model in found],
        "published": [
            {"name": model.name, "is_here": model.name in here, "needs": asdict(needs_of_published(model))}
            for model in PUBLISHED
        ],
        "has_torch": has_torch(),
        "has_llama": has_llama(),
        "searched": [str(folder) for folder in searched],
        "formats": [asdict(known) for known in FIM_FORMATS],
    }


def try_out(name: str, is_json: bool) -> int:
    """Whether a model can be used, without loading it. Of a server it asks what it is and what it can do."""
    from fim_lsp.decoding.models.model import ModelError

    try:
        is_usable, message = True, tried(name)
    except ModelError as error:
        is_usable, message = False, str(error)
    print(json.dumps({"name": name, "is_usable": is_usable, "message": message}) if is_json else message)
    return 0 if is_usable else 1


def tried(name: str) -> str:
    """What is to be said for a model. Raises `ModelError` with what is against it."""
    from fim_lsp.decoding.models.model import GGUF_SUFFIX, INSTALL, ModelError
    from fim_lsp.decoding.models.served import served_model
    from fim_lsp.runtimes.served.address import address_of, is_address
    from fim_lsp.runtimes.served.finding import find

    if is_address(name):
        found = find(address_of(name))
        # That it fills in the middle is known once its tokens are.
        served_model(name, {}, lambda _stage, _fraction: None)
        return f"{found.kind} with {found.model}: {found.ability}"
    if name.lower().endswith(GGUF_SUFFIX):
        from fim_lsp.decoding.models import gguf

        spoken = gguf.tried(name)
        return f"GGUF, FIM format {spoken.name}, {size(Path(name).expanduser().stat().st_size)} of weights"
    folder = Path(name).expanduser()
    model = model_at(folder / "config.json") if folder.is_dir() else None
    if model is None:
        raise ModelError(f"{name} is no folder with a model: there is no config.json of one that writes text")
    if model.fim_format is None:
        raise ModelError(f"{name} has no tokens for filling in the middle")
    if not model.n_weight_bytes:
        raise ModelError(f"{name} has no weights")
    if not has_torch():
        raise ModelError(f"{name} needs PyTorch: {INSTALL}")
    return described(model)


def download(name: str, is_json: bool) -> int:
    """Fetches a model. Ended on the way, it goes on there the next time."""
    from fim_lsp.decoding.models.model import INSTALL, ModelError

    shown = 0
    lock = Lock()

    def told(stage: str, fraction: float) -> None:
        """From several threads, of several bars: what is furthest counts."""
        nonlocal shown
        # Of loading, this is the first half.
        percent = min(round(200 * fraction), 100)
        with lock:
            if percent > shown:
                shown = percent
                line = (
                    json.dumps({"stage": stage, "percent": percent}) if is_json else f"{stage}: {percent} %"
                )
                print(line, flush=True)

    if not has_torch():
        raise Unable(f"models of the hub need PyTorch: {INSTALL}")
    from fim_lsp.decoding.models.hub import downloaded

    try:
        folder = downloaded(name, False, told)
    except ModelError as error:
        raise Unable(str(error)) from error
    print(json.dumps({"name": name, "path": str(folder)}) if is_json else folder)
    return 0


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
