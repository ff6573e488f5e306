"""`fim-lsp endpoint`: a server on this machine that other plugins can ask, and whose texts fit.

    $ fim-lsp endpoint
    http://127.0.0.1:8012
    token: ...

With `--model` a model of ours writes, held while it does so; with `--forward` another server does, and its
texts are made to fit. It runs until Ctrl+C.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fim_lsp.cli import CommandError
from fim_lsp.commands.language_options import OF_PROJECT, add_python_version, language_of_version
from fim_lsp.commands.model_options import add_runtime
from fim_lsp.endpoint.part import NEWEST, PythonVersions
from fim_lsp.python_version import known_versions, python_version
from fim_lsp.runtimes.folder import ModelError

if TYPE_CHECKING:
    from fim_lsp.endpoint.writers import TextWriter

TOKEN_VARIABLE = "FIM_LSP_ENDPOINT_TOKEN"
PORT = 8012


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=PORT, help="(default: %(default)s; 0: any free one)")
    parser.add_argument(
        "--no-token",
        action="store_true",
        help="answer every program on this machine, of every user: for plugins that cannot send a token",
    )
    writer = parser.add_mutually_exclusive_group()
    writer.add_argument(
        "--model",
        metavar="NAME",
        help="a folder, a name on the hub, a GGUF file, a server (default: bundled)",
    )
    writer.add_argument(
        "--forward", metavar="ADDRESS", help="let another server write, and make its texts fit"
    )
    add_runtime(parser)
    add_python_version(parser, f"{OF_PROJECT}, by the working directory; then the newest")
    parser.add_argument("--offline", action="store_true", help="download nothing")


def run(arguments: argparse.Namespace) -> int:
    from fim_lsp.endpoint.gate import Gate

    if not 0 <= arguments.port <= 65535:
        raise CommandError(f"there is no port {arguments.port}")
    token = None if arguments.no_token else token_of_user()
    pythons = python_versions(arguments.python_version)
    writer = writer_of(arguments)
    try:
        gate = Gate(writer, arguments.port, token, pythons)
    except OSError as error:
        raise CommandError(f"port {arguments.port}: {error.strerror or error}") from error
    print(gate.address, flush=True)
    if token is None:
        print(
            "no token is asked for: every program on this machine, of every user, may ask",
            file=sys.stderr,
            flush=True,
        )
    elif os.environ.get(TOKEN_VARIABLE) is None:
        print(f"token: {token}", flush=True)
    with gate:
        gate.prepare()
        gate.serve_forever(poll_interval=0.2)
    return 0


def python_versions(asked: str | None) -> PythonVersions:
    """The version that the user asks for alone; otherwise that of the project in the working directory, and
    the newest for files that need it."""
    if asked is not None:
        return (language_of_version(asked).version,)
    version = python_version(Path.cwd(), None)
    return (version, *NEWEST) if version != known_versions()[-1] else NEWEST


def token_of_user() -> str:
    """The token that the environment has, or a new one."""
    token = os.environ.get(TOKEN_VARIABLE)
    if token is None:
        return secrets.token_urlsafe(32)
    if len(token) < 16 or not token.isascii() or not token.isprintable() or " " in token:
        raise CommandError(f"{TOKEN_VARIABLE} must have at least 16 ASCII characters and no blanks")
    return token


def writer_of(arguments: argparse.Namespace) -> TextWriter:
    from fim_lsp.endpoint.writers import Forwarded
    from fim_lsp.runtimes.served.address import address_of

    try:
        if arguments.forward is not None:
            return Forwarded(address_of(arguments.forward))
        from fim_lsp.decoding.models.model import load_model
        from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
        from fim_lsp.endpoint.held_writer import GrammarHeldWriter

        wishes = RuntimeWishes(runtime=arguments.runtime, device=arguments.device)
        model = load_model(
            arguments.model,
            wishes,
            offline=arguments.offline,
        )
        return GrammarHeldWriter(model, arguments.model)
    except ModelError as error:
        raise CommandError(str(error)) from error
