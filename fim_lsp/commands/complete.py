"""`fim-lsp complete FILE:LINE:COL`: the completion of one hole, on the terminal.

No model runs yet. What is printed is what the engine alone knows: the shortest text that makes the file
parse, and in words what may come.
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
import time

from fim_lsp.cli import Unable
from fim_lsp.commands.check import unfillable_message
from fim_lsp.commands.languages import add_python_version, chosen_language
from fim_lsp.holes import Filled, Unfillable, fill
from fim_lsp.positions import Lines
from fim_lsp.sources import Place, Unreadable, read_source
from fim_lsp.terminal import Palette, duration

NO_MODEL = "from the grammar alone: no model is bundled with this version yet"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "place", metavar="FILE:LINE:COL", help="where to complete; lines and columns count from 1"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_python_version(parser)


def run(arguments: argparse.Namespace) -> int:
    place = Place.parse(arguments.place)
    if place is None:
        raise Unable(f"{arguments.place!r} is not FILE:LINE:COL, such as app.py:12:8")
    try:
        text = read_source(place.name).text
        offset = place.offset(text)
    except (Unreadable, ValueError) as error:
        raise Unable(str(error)) from error
    language = chosen_language(arguments)
    start = time.perf_counter()
    answer = fill(language, text[:offset], text[offset:])
    seconds = time.perf_counter() - start
    if arguments.json:
        print(json.dumps(as_json(answer, offset, seconds), indent=2))
    else:
        show(answer, text, offset, seconds)
    return 0 if isinstance(answer, Filled) else 1


def as_json(answer: Filled | Unfillable, offset: int, seconds: float) -> dict[str, object]:
    shared: dict[str, object] = {"offset": offset, "model": None, "seconds": seconds}
    match answer:
        case Filled(shortest, explanation):
            return {
                "completions": [{"text": shortest, "source": "grammar"}],
                "explanation": explanation,
            } | shared
        case Unfillable(side, fault_offset, message):
            fault = {"side": side, "offset": fault_offset, "message": message}
            return {"completions": [], "fault": fault} | shared


def show(answer: Filled | Unfillable, text: str, offset: int, seconds: float) -> None:
    palette = Palette.of(sys.stdout)
    match answer:
        case Filled(shortest, explanation):
            print(hole_in_context(text, offset, shortest, palette))
            if answer.is_filled_already:
                print("the file parses as it stands: nothing has to come here")
            else:
                print(f"shortest text that makes the file parse: {shortest!r}")
            print(textwrap.fill(explanation, 100))
            print(palette.dim(f"({NO_MODEL}; {duration(seconds)})"))
        case Unfillable(side, fault_offset, message):
            print(unfillable_message(text, side, fault_offset, message))


def hole_in_context(text: str, offset: int, shortest: str, palette: Palette, n_lines: int = 2) -> str:
    """The lines around the hole with the filling in place, numbered as in the file."""
    lines = Lines(text)
    line = lines.position(offset).line
    first = max(0, line - n_lines)
    last = min(len(lines.starts), line + n_lines + 1)
    stop = lines.starts[last] if last < len(lines.starts) else len(text)
    marked = palette.hole(shortest or " ") if palette.has_colours else f"«{shortest}»"
    shown = text[lines.starts[first] : offset] + marked + text[offset:stop]
    numbered = enumerate(shown.rstrip("\r\n").split("\n"), start=first + 1)
    return "\n".join(f"{palette.dim(f'{number:4} |')} {content.rstrip()}" for number, content in numbered)
