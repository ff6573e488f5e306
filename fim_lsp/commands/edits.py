"""`fim-lsp edits`: the next edits in a file that was changed.

    $ fim-lsp edits app.py --since old/app.py
    app.py: the parameter `width` is called `breadth` now (97%)
    ...

Each edit is an alternative on the file as it is. Offsets are indices into the decoded text, without a byte
order mark; line ends stay what they are.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tokenize
from collections.abc import Sequence
from dataclasses import asdict, replace
from difflib import unified_diff
from pathlib import Path

from fim_lsp.cli import CommandError
from fim_lsp.commands.argument_types import positive
from fim_lsp.commands.language_options import (
    add_language,
    grammar_of_file,
    language_of_arguments,
    language_of_text,
)
from fim_lsp.commands.model_options import add_edits_model, edits_model
from fim_lsp.edits.filling import edit_writer
from fim_lsp.edits.next_edits import BAR, MOST, EditContext, next_edits
from fim_lsp.edits.projects.history import History
from fim_lsp.edits.projects.project import Folder, edits_by_others, edits_elsewhere, importing_of
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.known_languages import PYTHON, KnownLanguage, UnknownLanguage
from fim_lsp.positions import Lines
from fim_lsp.sources import STANDARD_INPUT, Unreadable, read_source
from fim_lsp.terminal import Palette

# Longer files are data, or made by programs.
MOST_CHARACTERS = 2_000_000
N_CONTEXT = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("new", metavar="NEW", help="the changed file, or `-` for standard input")
    parser.add_argument("--since", required=True, metavar="OLD", help="the file before the change, or `-`")
    parser.add_argument(
        "--project", type=Path, metavar="DIR", help="a folder whose other files may need edits, too"
    )
    parser.add_argument(
        "--earlier",
        nargs=2,
        action="append",
        default=[],
        metavar=("OLD", "NEW"),
        help="another file that was changed before this one, as it was and as it is; with --project, what its"
        " changed definitions ask for comes next, too; may be given again",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a list of edits, the likeliest first")
    form.add_argument("--apply", action="store_true", help="make the likeliest edit")
    parser.add_argument(
        "--most", type=positive, default=MOST, metavar="N", help="print at most N edits (%(default)s)"
    )
    parser.add_argument(
        "--least-probability",
        type=share,
        default=BAR,
        metavar="P",
        help="leave out less probable edits (%(default)s)",
    )
    add_language(parser)
    add_edits_model(parser)


def share(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 1:
        raise argparse.ArgumentTypeError(f"must be a number from 0 to 1, not {text!r}")
    return found


def run(arguments: argparse.Namespace) -> int:
    if arguments.new == arguments.since == STANDARD_INPUT:
        raise CommandError("only one of the two texts can come from standard input")
    if arguments.apply and arguments.new == STANDARD_INPUT:
        raise CommandError("--apply needs a file, not standard input")
    if arguments.project is not None and not arguments.project.is_dir():
        raise CommandError(f"{arguments.project}: no such folder")
    try:
        known_language = language_of(arguments)
        new, old = text_of(arguments.new, known_language), text_of(arguments.since, known_language)
        known_language = language_of_text(arguments, known_language, new)
        earlier = changes_of(arguments.earlier, known_language)
    except (Unreadable, UnknownLanguage) as error:
        raise CommandError(str(error)) from error
    found = edits(arguments, known_language, (old, new), earlier)
    if arguments.apply:
        return apply(found, known_language)
    if arguments.json:
        print(json.dumps([edit_as_json(one, arguments.new, new) for one in found], indent=2))
    else:
        show(found, arguments.new, new, known_language)
    return 0


def edit_as_json(edit: NextEdit, name: str, text: str) -> dict[str, object]:
    """An edit as JSON has it: one replacement, with all that goes with it."""
    whole = asdict(edit.whole(text) if edit.path == name else edit)
    del whole["also"]
    return whole


def language_of(arguments: argparse.Namespace) -> KnownLanguage:
    """The language of NEW; of OLD where NEW comes from standard input."""
    name = arguments.since if arguments.new == STANDARD_INPUT else arguments.new
    return language_of_arguments(arguments, name)


def text_of(name: str, known_language: KnownLanguage) -> str:
    """A file's text. Raises `Unreadable` for what is no text, or too long to be looked at."""
    text = read_source(name, is_python=known_language is PYTHON).text
    if "\0" in text:
        raise Unreadable(f"{name}: not readable as source: it contains null bytes")
    if len(text) > MOST_CHARACTERS:
        raise Unreadable(f"{name}: too long: {len(text)} characters, and {MOST_CHARACTERS} is the limit")
    return text


def changes_of(earlier: Sequence[tuple[str, str]], known_language: KnownLanguage) -> list[FileChange]:
    """The changes of other files before. Raises `Unreadable`."""
    return [
        FileChange.of(new, text_of(old, known_language), text_of(new, known_language), known_language)
        for old, new in earlier
    ]


def edits(
    arguments: argparse.Namespace,
    known_language: KnownLanguage,
    texts: tuple[str, str],
    earlier: Sequence[FileChange],
) -> list[NextEdit]:
    history = History()
    for one in earlier:
        history.add(one)
    language = grammar_of_file(arguments, known_language, arguments.new)
    change = FileChange.of(arguments.new, *texts, known_language)
    around = asking(arguments, EditContext(earlier=history.of(change.new.text), converted=history.converted))
    folder = None
    if arguments.project is not None:
        folder = folder_of(arguments, known_language)
        if known_language is PYTHON:
            importable, asker = importing_of(folder)
            around = replace(around, importable=importable, asker=asker)
    elif known_language is PYTHON:
        around = replace(around, importable=history.imports.source)
    bar, most = arguments.least_probability, arguments.most
    found = next_edits(change, language, around, bar, most)
    if folder is not None:
        found += edits_by_others(change, earlier, folder, language, around, bar, most)
    if folder is not None and change.hunks:
        found += edits_elsewhere(change, folder, language, bar, most)
    return sorted(found, key=lambda one: -one.probability)[:most]


def asking(arguments: argparse.Namespace, around: EditContext) -> EditContext:
    """The context with the model that is asked, if one is."""
    name = edits_model(arguments)
    if name is None:
        return around
    from fim_lsp.decoding.models.model import ModelError, load_model
    from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes

    try:
        model = load_model(name, RuntimeWishes(runtime=arguments.runtime, device=arguments.device))
        return replace(around, writer=edit_writer(model))
    except ModelError as error:
        raise CommandError(str(error)) from error


def folder_of(arguments: argparse.Namespace, known_language: KnownLanguage) -> Folder:
    from fim_lsp.server.exclusion import exclusion

    root = arguments.project.resolve().as_uri()
    own = Path("" if arguments.new == STANDARD_INPUT else arguments.new)
    return Folder(
        arguments.project,
        known_language,
        lambda path: exclusion(path.resolve().as_uri(), (), (root,)) is None,
        own,
    )


def apply(found: Sequence[NextEdit], known_language: KnownLanguage) -> int:
    """Writes the likeliest edit into its file, in the file's own encoding; 1 where there is none."""
    if not found:
        print("no edit follows", file=sys.stderr)
        return 1
    edit = found[0]
    path = Path(edit.path)
    content = path.read_bytes()
    encoding = encoding_of(content, known_language)
    try:
        written = edit.edited_text(content.decode(encoding)).encode(encoding)
    except UnicodeEncodeError as error:
        raise CommandError(
            f"{edit.path}: the edit cannot be written in {encoding}: {error.reason}"
        ) from error
    path.write_bytes(written)
    print(f"{edit.path}: {edit.reason}", file=sys.stderr)
    return 0


def encoding_of(content: bytes, known_language: KnownLanguage) -> str:
    """The encoding of a file's bytes, with a byte order mark if it has one."""
    if known_language is PYTHON:
        return tokenize.detect_encoding(io.BytesIO(content).readline)[0]
    return "utf-8-sig" if content.startswith(b"\xef\xbb\xbf") else "utf-8"


def show(found: Sequence[NextEdit], name: str, text: str, known_language: KnownLanguage) -> None:
    """The edits as a diff, each with its reason."""
    palette = Palette.of(sys.stdout)
    for edit in found:
        own = text if edit.path == name else read_source(edit.path, is_python=known_language is PYTHON).text
        print(palette.bold(f"{edit.path}: {edit.reason} ({edit.probability:.0%})"))
        before, after = lines_of(own), lines_of(edit.edited_text(own))
        print("\n".join(unified_diff(before, after, edit.path, edit.path, n=N_CONTEXT, lineterm="")))
    if not found:
        print("no edit follows", file=sys.stderr)


def lines_of(text: str) -> list[str]:
    lines = Lines(text)
    found = [lines.content(number) for number in range(len(lines))]
    return found[:-1] if found[-1] == "" else found
