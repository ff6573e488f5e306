"""The command line `fim-lsp`: which subcommand is meant, and nothing else.

Only the subcommand that was asked for is imported, so `--help` costs no more than argparse. Each module in
`fim_lsp.commands` offers `add_arguments(parser)` and `run(arguments) -> exit code`.

Exit codes, the same for all: 0 it worked and the answer is yes; 1 it worked and the answer is no; 2 it could
not be done as asked (bad usage, an unreadable file, a full disk).
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib import import_module
from typing import NoReturn

from fim_lsp.system.consoles import is_reader_gone, take_all_signs

COMMANDS = {
    "serve": "run the language server on stdin and stdout",
    "endpoint": "serve other plugins over HTTP, instead of their model server",
    "complete": "complete at FILE:LINE:COL and say what may come there",
    "edits": "propose the next edits in a file that was changed",
    "fit": "make the text on standard input fit at FILE:LINE:COL",
    "check": "say whether files parse, or whether a hole can be filled",
    "languages": "list the languages that fim-lsp knows",
    "settings": "list the settings that editors may send to the server",
    "replay": "repeat the papers' experiments on real files, with reports",
    "bench": "time the engine on your files, against ast.parse",
    "models": "list the models on this machine and those to fetch",
    "doctor": "say what is installed, what is missing, and how to get it",
}

# The fault as argparse says it; up to 3.11 with quotes around what there is.
INVALID_CHOICE = re.compile(r"invalid choice: '(?P<word>[^']*)' \(choose from (?P<known>.*)\)")

EPILOG = "`fim-lsp COMMAND --help` says more. Exit codes: 0 yes, 1 no, 2 could not be done as asked."


class CommandError(Exception):
    """A command cannot do what was asked; the message is for the user, and the exit code is 2."""


def main(argv: Sequence[str] | None = None) -> int:
    open_missing_streams()
    take_all_signs()
    try:
        with what_is_seen():
            return run_chosen(argv)
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130


@contextmanager
def what_is_seen() -> Iterator[None]:
    """Prints no control characters but our own, whosever text it is."""
    from fim_lsp.terminal import EscapedStream

    with redirect_stdout(EscapedStream(sys.stdout)), redirect_stderr(EscapedStream(sys.stderr)):
        yield


def open_missing_streams() -> None:
    """Python has None for a stream that the caller closed, as in `fim-lsp check . >&-`. Processes that we
    start want their descriptors to be there, too."""
    for descriptor in (0, 1, 2):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest number that is free, so this one.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


class Parser(argparse.ArgumentParser):
    """A parser that suggests a word where it does not know the user's."""

    def error(self, message: str) -> NoReturn:
        found = INVALID_CHOICE.search(message)
        if found is not None:
            message += suggestion(found["word"], re.findall(r"[\w-]+", found["known"]))
        super().error(message)


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean check?`, or nothing if no word is like it."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]}?" if close else ""


def run_chosen(argv: Sequence[str] | None) -> int:
    """Reads the arguments and runs the subcommand that they name."""
    parser = Parser(
        prog="fim-lsp",
        description="Fill-in-the-middle completions that leave the file parsing.",
        epilog=EPILOG,
    )
    parser.add_argument("-V", "--version", action="store_true", help="print the version and exit")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    words = list(sys.argv[1:] if argv is None else argv)
    command = next((word for word in words if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        subparser = subparsers.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}."
        )
        if name == command:
            import_module(f"fim_lsp.commands.{name}").add_arguments(subparser)
    if command is not None and command not in COMMANDS:
        parser.error(f"there is no command {command!r}{meant_command(command)}")
    arguments = parse_arguments(parser, subparsers.choices, words)
    if arguments.version:
        print(f"fim-lsp {version()}")
        return 0
    if arguments.command is None:
        parser.print_help()
        return 2
    return run(arguments)


def meant_command(word: str) -> str:
    if os.path.exists(word):  # noqa: PTH110
        return f"; did you mean fim-lsp check {word}?"
    return suggestion(word, COMMANDS)


def parse_arguments(
    parser: argparse.ArgumentParser, commands: Mapping[str, argparse.ArgumentParser], words: list[str]
) -> argparse.Namespace:
    """The arguments; further places may follow behind options, as in `check a.py --json b.py`."""
    arguments, rest = parser.parse_known_args(words)
    places = getattr(arguments, "places", None)
    if places is not None and all(not word.startswith("-") or word == "-" for word in rest):
        places.extend(rest)
    elif rest:
        chosen_parser = commands.get(arguments.command, parser)
        options = [name for action in chosen_parser._actions for name in action.option_strings]
        guess = suggestion(rest[0].partition("=")[0], options) if rest[0].startswith("-") else ""
        chosen_parser.error(f"unrecognized arguments: {' '.join(rest)}{guess}")
    return arguments


def run(arguments: argparse.Namespace) -> int:
    command = import_module(f"fim_lsp.commands.{arguments.command}")
    try:
        code = int(command.run(arguments))
        sys.stdout.flush()
        return code
    except CommandError as unable:
        print(f"fim-lsp {arguments.command}: {unable}", file=sys.stderr)
        return 2
    except MemoryError:
        print(f"fim-lsp {arguments.command}: out of memory", file=sys.stderr)
        return 2
    except OSError as error:
        if is_reader_gone(error):
            # The reader has what it wanted, as in `fim-lsp check . | head`.
            drop_output()
            return 0
        # A folder that may not be written to, a full disk: the system says it in the words that users know.
        what = error.filename or "output"
        print(f"fim-lsp {arguments.command}: {what}: {error.strerror or repr(error)}", file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:
            drop_output()
        return 2
    except Exception as error:
        if is_unavailable(error):
            print(f"fim-lsp {arguments.command}: {error}", file=sys.stderr)
            return 2
        # A fault of ours is no answer either; a user who reports it needs to say where it was.
        import traceback

        traceback.print_exc()
        print(f"fim-lsp {arguments.command}: this is a bug in fim-lsp", file=sys.stderr)
        return 2


def is_unavailable(error: Exception) -> bool:
    """Whether a server of models has failed, which is known where one was asked at all."""
    runtime = sys.modules.get("fim_lsp.runtimes.runtime")
    return runtime is not None and isinstance(error, runtime.Unavailable)


def drop_output() -> None:
    """Drops output that is not taken: Python would complain once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def version() -> str:
    from importlib.metadata import version as installed_version

    return installed_version("fim-lsp")
