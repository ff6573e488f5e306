"""The reader of Lark grammars: from the text to the compiled description that the engine loads.

The built-in languages are compiled ahead, so that only this module and its imports need the `lark` package:

    python -m quotient.compiler.reader quotient/grammars/json.lark
    python -m quotient.compiler.reader quotient/grammars/python.lark \
        --version 3.8 3.9 3.10 3.11 3.12 3.12.10 3.13 3.14 3.15
    python -m quotient.compiler.reader quotient/grammars/toml.lark --version 1.0 1.1

Read `grammar.py` next. Lark's meaning of foreign grammars is a room of its own (`quotient/lark_meaning/`).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from quotient.compiler.description import Description, as_json
from quotient.compiler.faults import GrammarError
from quotient.compiler.grammar import parse_grammar


def description(
    text: str,
    *,
    name: str = "grammar",
    version: str | None = None,
    start: str | None = None,
    layout: str | None = None,
    source: str = "<string>",
) -> Description:
    """Read a grammar.

    `start` and `layout` override the grammar's own directives. Relative imports start from the file `source`.
    Raises GrammarError with all faults, each with its place.
    """
    return parse_grammar(text, name, version, start, layout, source, (), ()).description


def main() -> None:
    parser = argparse.ArgumentParser(description="Compile a Lark grammar to its JSON description.")
    parser.add_argument("grammar", type=Path)
    parser.add_argument("--name", help="the language's name; by default that of the file")
    parser.add_argument(
        "--version",
        nargs="+",
        default=[None],
        help="for which versions to read the parts between `@since` and `@end`; each is a file of its own",
    )
    parser.add_argument("--start", help="the start rule, if the grammar does not say")
    parser.add_argument("--layout", choices=("none", "python"))
    parser.add_argument("-o", "--output", type=Path, help="the folder to write to; by default the grammar's")
    arguments = parser.parse_args()
    name = arguments.name or arguments.grammar.stem
    folder = arguments.output or arguments.grammar.parent
    for version in arguments.version:
        try:
            compiled = description(
                arguments.grammar.read_text(encoding="utf-8"),
                name=name,
                version=version,
                start=arguments.start,
                layout=arguments.layout,
                source=str(arguments.grammar),
            )
        except OSError as error:
            sys.exit(f"{arguments.grammar}: {error.strerror}")
        except GrammarError as error:
            sys.exit(str(error))
        file_name = f"{name}-{version}.json" if version else f"{name}.json"
        # As bytes, so that line ends are the same on every system.
        (folder / file_name).write_bytes(as_json(compiled).encode())


if __name__ == "__main__":
    main()
