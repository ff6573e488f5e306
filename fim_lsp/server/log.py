"""The log: stderr or a file, and the last lines in memory for the command that shows them.

It carries no source text. Our own modules take care of that; pygls logs whole messages and unreadable input.
So its lines are reduced to the event, unless the user wants everything (`--log-source`).
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections import deque
from contextlib import suppress

logger = logging.getLogger(__name__)

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
MAX_LINES = 500
OTHERS = ("pygls", "asyncio")
# The place of an argument in another library's line.
PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[-\d.]*[sdrifx]")


class RecentLines(logging.Handler):
    """Keeps the last lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=MAX_LINES)

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


class WithoutSource(logging.Filter):
    """Reduces other libraries' lines to their fixed text, without arguments."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.split(".")[0] in OTHERS:
            error = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
            first_line = PLACEHOLDER.sub("...", str(record.msg).split("\n")[0])
            record.msg, record.args = "%s", (" ".join(part for part in (first_line, error) if part),)
            record.exc_info = record.exc_text = None
        return True


def start_log(level: str, file: str | None, is_with_source: bool) -> RecentLines:
    """Sends the log to stderr or a file. Stdout belongs to the protocol."""
    to_user = logging.FileHandler(file, encoding="utf-8") if file else logging.StreamHandler()
    recent = RecentLines()
    for handler in (to_user, recent):
        handler.setFormatter(logging.Formatter(FORMAT))
        if not is_with_source:
            handler.addFilter(WithoutSource())
    logging.basicConfig(level=level, handlers=[to_user, recent])
    if not is_with_source:
        # Below this level pygls logs only messages and their parameters.
        logging.getLogger("pygls").setLevel(logging.WARNING)
    return recent


def last_words(message: str) -> None:
    """Says why the process ends: in the log and, if that is a file, on stderr."""
    logger.critical("%s", message)
    if not any(type(handler) is logging.StreamHandler for handler in logging.getLogger().handlers):
        with suppress(OSError):
            print(f"fim-lsp serve: {message}", file=sys.stderr, flush=True)


def log_fault(what: str, error: BaseException) -> None:
    """Logs the place of an error without its message, which may quote source text."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    logger.error("%s: %s\n%s", what, type(error).__name__, frames)
