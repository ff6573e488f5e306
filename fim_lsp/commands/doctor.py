"""`fim-lsp doctor`: the parts that are installed, those that are missing, and the commands that get them.

Exit code 0 when completions can be served, by the bundled model at least and by the server that was asked,
1 when they cannot.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from fim_lsp.commands.doctor_server import ServerStatus, lines, server
from fim_lsp.commands.models import check_folders
from fim_lsp.inventory import INSTALL_FOR_OTHERS, PACKAGES, Engine, Inventory, PackageStatus, inventory
from fim_lsp.known_languages import titles_with_braces
from fim_lsp.terminal import Palette, duration

NAME_WIDTH = max(len(name) for name, *_ in PACKAGES)
VERSION_WIDTH = 13


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--models", action="append", default=[], type=Path, metavar="FOLDER", help="look for models here too"
    )

    parser.add_argument("--server", metavar="ADDRESS", help="ask a server of models what it can do, too")


def run(arguments: argparse.Namespace) -> int:
    check_folders(arguments.models)
    found = inventory(arguments.models)
    asked = None if arguments.server is None else server(arguments.server)
    if arguments.json:
        print(json.dumps(as_json(found, asked), indent=2))
    else:
        print("\n".join(report(found, asked, Palette.of(sys.stdout))))
    return 0 if found.is_able_to_serve and (asked is None or asked.fault is None) else 1


def as_json(found: Inventory, asked: ServerStatus | None) -> dict[str, object]:
    missing = [
        {"name": package.name, "remedy": package.remedy, "is_required": package.is_required}
        for package in found.missing
    ]
    more = {} if asked is None else {"server": asdict(asked)}
    return asdict(found) | {"missing": missing, "is_able_to_serve": found.is_able_to_serve} | more


def report(found: Inventory, asked: ServerStatus | None, palette: Palette) -> Iterator[str]:
    def heading(title: str) -> str:
        return palette.heading(f"\n{title}")

    def mark(is_good: bool, is_required: bool = True) -> str:
        if is_good:
            return palette.good("ok     ")
        return palette.bad("missing") if is_required else palette.dim("absent ")

    yield f"fim-lsp {found.fim_lsp}, {found.python}, {found.platform}"
    yield palette.dim(found.executable)
    yield heading("Engine")
    yield f"  {mark(found.engine.fault is None)} {engine_line(found.engine)}"
    if found.engine.grammars:
        yield f"          grammars: {', '.join(found.engine.grammars)}"
    yield heading("Packages")
    for package in found.packages:
        yield f"  {mark(package.version is not None, package.is_required)} {package_line(package)}"
    yield heading("Devices")
    yield from (f"          {device}" for device in found.devices)
    yield f"          PyTorch {found.torch}" if found.torch else "          PyTorch is not installed"
    yield heading("Models")
    for model in [*([found.bundled] if found.bundled else []), *found.models]:
        can_fill = model.fim_format is not None
        how = f"fills in the middle, in the format {model.fim_format}" if can_fill else "no FIM tokens"
        yield f"  {mark(can_fill, False)} {model.name}: {how}"
        if model is found.bundled:
            has_braces = bool(model.path_of_braces)
            said = "is there, too" if has_braces else "is not in this installation: closes what is open"
            yield f"  {mark(has_braces, False)} that of {titles_with_braces()} {said}"
    for file in found.files:
        how = f"in the format {file.fim_format}" if file.fim_format else "no FIM tokens"
        yield f"  {mark(file.fim_format is not None, False)} {file.name}: a GGUF file, {how}"
    if not found.models and not found.files:
        yield f"          no other found in {', '.join(found.models_searched)}"
    if asked is not None:
        yield heading("Server")
        yield f"  {mark(asked.fault is None)} {asked.address}"
        yield from (f"          {line}" for line in lines(asked))
    yield heading("Ways to run a model")
    yield from ways(found)
    yield heading("Verdict")
    yield f"  {verdict(found, palette)}"


def engine_line(engine: Engine) -> str:
    if engine.fault is not None or engine.self_test_seconds is None:
        return f"{engine.fault}; build it again with `make setup` in a checkout, or reinstall the wheel"
    return f"version {engine.version}, self-test passed in {duration(engine.self_test_seconds)}"


def package_line(package: PackageStatus) -> str:
    described = f"{package.name:{NAME_WIDTH}} {package.version or '':{VERSION_WIDTH}} {package.purpose}"
    return described if package.version else f"{described}; get it with: {package.remedy}"


def ways(found: Inventory) -> Iterator[str]:
    """The remedies, each with what it takes."""
    bundled = found.embedded if found.bundled else "not in this installation"
    yield f"          the bundled model: {bundled}; nothing more to install"
    others = f"PyTorch {found.torch}" if found.is_able_to_run_others else INSTALL_FOR_OTHERS
    yield f"          a folder or a name on the hub, and GPUs: {others}"
    yield f"          a GGUF file: {found.llama}"
    yield "          a server of models: its address; nothing more to install"
    yield "          docs/models.md says what each is good for, and how to add another"


def verdict(found: Inventory, palette: Palette) -> str:
    if not found.is_able_to_serve:
        return palette.bad("cannot serve completions: see what is missing above")
    named = ["the bundled model"] if found.bundled else []
    named += ["one that you name"] if found.is_able_to_run_others else []
    if not named:
        return f"{palette.good('closes what is open')}; no model is bundled, for others: {INSTALL_FOR_OTHERS}"
    return palette.good(f"serves completions by {', or '.join(named)}")
