"""`fim-lsp serve`: the language server, on stdin and stdout unless told otherwise."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
from typing import BinaryIO

from fim_lsp.cli import Unable

# Whoever can reach the port can read what is open in the editor, so other machines cannot.
LOOPBACK = "127.0.0.1"
LAST_PORT = 65_535
LOG_LEVELS = ("error", "warning", "info", "debug")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stdio", action="store_true", help="speak over stdin and stdout (the default)")
    parser.add_argument(
        "--tcp", type=port, metavar="PORT", help="listen on 127.0.0.1:PORT instead, for one client"
    )
    parser.add_argument(
        "--log-level", choices=LOG_LEVELS, default="warning", help="what to log (default: %(default)s)"
    )
    parser.add_argument("--log-file", metavar="FILE", help="log to FILE instead of stderr")
    parser.add_argument(
        "--log-source", action="store_true", help="let the log carry source text, to report a bug"
    )


def port(text: str) -> int:
    if not text.isdecimal() or int(text) > LAST_PORT:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to {LAST_PORT}, not {text!r}")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    # LSP's types are some thousand classes. Nothing of them is garbage, and looking for some takes a tenth
    # of the start.
    gc.disable()
    from fim_lsp.server.features import new_server
    from fim_lsp.server.log import start_log
    from fim_lsp.server.pipes import MessageReader, Output, TolerantInput, leave

    gc.freeze()
    gc.enable()
    # Ctrl+C ends the process: an orderly end would wait for a line on stdin.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    level = arguments.log_level.upper()
    recent = start_log(level, arguments.log_file, arguments.log_source)
    server = new_server(recent, level, arguments.log_file)
    if arguments.tcp is None:
        reader = MessageReader(TolerantInput(sys.stdin.buffer, server.client_gone))
        server.start_stdio(reader, Output(protocol_output(), server.client_gone))
        # The interpreter's own end would wait for the thread that reads stdin, in vain.
        leave(server.exit_code())
    print(f"fim-lsp serve: listening on {LOOPBACK}:{arguments.tcp}", file=sys.stderr, flush=True)
    try:
        server.start_tcp(LOOPBACK, arguments.tcp)
    except OSError as error:
        raise Unable(f"cannot listen on {LOOPBACK}:{arguments.tcp}: {error.strerror}") from error
    return server.exit_code()


def protocol_output() -> BinaryIO:
    """What was stdout. What libraries print goes to stderr from now on, where it garbles nothing."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return output
