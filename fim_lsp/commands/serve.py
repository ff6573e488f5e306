"""`fim-lsp serve`: the language server, on stdin and stdout unless told otherwise."""

from __future__ import annotations

import argparse
import logging
import sys

from fim_lsp.cli import Unable

# Whoever can reach the port can read what is open in the editor, so other machines cannot.
LOOPBACK = "127.0.0.1"
LOG_LEVELS = ("error", "warning", "info", "debug")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stdio", action="store_true", help="speak over stdin and stdout (the default)")
    parser.add_argument(
        "--tcp", type=int, metavar="PORT", help="listen on 127.0.0.1:PORT instead, for one client"
    )
    parser.add_argument(
        "--log-level", choices=LOG_LEVELS, default="warning", help="what to log (default: %(default)s)"
    )
    parser.add_argument("--log-file", metavar="FILE", help="log to FILE instead of stderr")


def run(arguments: argparse.Namespace) -> int:
    # Stdout belongs to the protocol: the log goes to stderr, which editors show, or to a file.
    logging.basicConfig(
        filename=arguments.log_file,
        level=arguments.log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    # pygls logs whole messages at its debug level, source text included; ours never does.
    logging.getLogger("pygls").setLevel(logging.WARNING)

    from fim_lsp.server import server

    if arguments.tcp is None:
        server.start_io()
        return 0
    print(f"fim-lsp serve: listening on {LOOPBACK}:{arguments.tcp}", file=sys.stderr, flush=True)
    try:
        server.start_tcp(LOOPBACK, arguments.tcp)
    except OSError as error:
        raise Unable(f"cannot listen on {LOOPBACK}:{arguments.tcp}: {error.strerror}") from error
    return 0
