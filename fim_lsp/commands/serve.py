"""`fim-lsp serve`: the language server, on stdin and stdout.

There is no port to connect to. A program that can reach a port could read the editor's open files, and on
127.0.0.1 that is every user of the machine and every page in a browser. LSP has no means to recognize its
client; a pipe has just one.
"""

from __future__ import annotations

import argparse
import gc
import linecache
import os
import signal
import sys
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from fim_lsp.cli import CommandError
from fim_lsp.system.files import is_nowhere
from fim_lsp.system.memory import give_back
from fim_lsp.system.processes import end_children_with_us

if TYPE_CHECKING:
    from fim_lsp.server.features import FimServer

LOG_LEVELS = ("error", "warning", "info", "debug")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stdio", action="store_true", help="speak over stdin and stdout (it always does)")
    parser.add_argument(
        "--log-level", choices=LOG_LEVELS, default="warning", help="what to log (default: %(default)s)"
    )
    parser.add_argument("--log-file", metavar="FILE", help="log to FILE instead of stderr")
    parser.add_argument(
        "--log-source", action="store_true", help="allow source text in the log, to report a bug"
    )


def run(arguments: argparse.Namespace) -> NoReturn:
    import asyncio

    from fim_lsp.server.log import start_log
    from fim_lsp.server.pipes import Incoming, Outgoing, leave
    from fim_lsp.server.worker_client import new_process

    if is_nowhere(sys.stdout.fileno()):
        raise CommandError("stdout is closed, but the server answers there")
    # Ctrl+C ends the process: an orderly end would wait for a line on stdin.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_children_with_us()
    level = arguments.log_level.upper()
    recent = start_log(level, arguments.log_file, arguments.log_source)
    server: FimServer | None = None

    async def converse() -> None:
        nonlocal server
        # The worker imports its own modules while LSP's types are made here.
        early = await new_process(level)
        import_types()
        from fim_lsp.server.features import new_server

        gc.freeze()
        gc.enable()
        server = new_server(recent, level, arguments.log_file, early)
        incoming = Incoming(sys.stdin.buffer, server.client_gone)
        await server.converse(incoming, Outgoing(protocol_output(), server.client_gone))

    try:
        asyncio.run(converse())
    except SystemExit:
        # pygls exits like this on request; the exit code is ours.
        pass
    finally:
        if server is not None:
            server.shutdown()
    assert server is not None
    # The interpreter's own end would wait for the thread that reads stdin, in vain.
    leave(server.exit_code())


def import_types() -> None:
    """Imports LSP's types, some hundred classes, and leaves the collection of garbage off.

    Looking for garbage again and again while they are made takes a tenth of the start. They get no `__repr__`
    (a third of making them, and three megabytes): the log names no values. The rest of making them, as the
    sources of their methods, is thrown away once: nine megabytes, for which there is a use.
    """
    gc.disable()
    import attrs

    define = attrs.define
    setattr(attrs, "define", partial(define, repr=False))  # noqa: B010
    try:
        import lsprotocol.types  # noqa: F401
    finally:
        setattr(attrs, "define", define)  # noqa: B010

    linecache.clearcache()
    gc.collect()
    give_back()


def protocol_output() -> BinaryIO:
    """The former stdout. Libraries print to stderr from now on, where they garble nothing."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return output
