"""An answer that arrives line by line, as its parts: tokens with the likely ones at their places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.wire import NONSENSE, ServerError, StreamedLines, parse_answer

Part = TypeVar("Part")
DONE = b"[DONE]"


class Stream(Generic[Part]):
    """The parts of an answer, up to its end or until the caller closes it.

    `parts` makes them from the JSON of a line. Lines are bare JSON, or events that begin with `data:`.
    """

    def __init__(
        self,
        address: Address,
        lines: StreamedLines,
        parts: Callable[[Any], Iterator[Part]],
        *,
        has_events: bool = True,
    ) -> None:
        self._address = address
        self._lines = lines
        self._parts = parts
        self._has_events = has_events
        self._read = self._reading()

    def __iter__(self) -> Stream[Part]:
        return self

    def __next__(self) -> Part:
        return next(self._read)

    def close(self) -> None:
        """Ends it, from any thread."""
        self._lines.close()

    def _reading(self) -> Iterator[Part]:
        for line in self._lines:
            content = self._content(line)
            if content == DONE:
                return
            if content is None:
                continue
            try:
                answer = parse_answer(self._address, content)
                if isinstance(answer, dict) and answer.get("error"):
                    raise ServerError(f"{self._address} gave up on a text: {complaint(answer['error'])}")
                for part in self._parts(answer):
                    self._lines.go_on()
                    yield part
                    # The caller's own time between two parts does not count as the server's silence.
                    self._lines.go_on()
            except NONSENSE as error:
                raise ServerError(f"{self._address} sent an unexpected answer") from error

    def _content(self, line: bytes) -> bytes | None:
        """A line's content; None for a line that keeps the connection alive or names the next event."""
        if not self._has_events:
            return line
        if line.startswith(b"data:"):
            return line[len(b"data:") :].strip()
        if line.startswith(b"error:"):
            raise ServerError(f"{self._address} gave up on a text")
        return None


class Otherwise(Generic[Part]):
    """An answer to one request, or to another one if the server fails before it has sent anything.

    A vLLM notices only after it has begun its answer that nothing fits by its grammar.
    """

    def __init__(self, first: Callable[[], Stream[Part]], second: Callable[[], Stream[Part]]) -> None:
        self._second = second
        self._may_ask = True
        self._is_closed = False
        try:
            self._stream = first()
        except ServerError as error:
            if error.status is None:
                raise
            self._ask_second()

    def __iter__(self) -> Otherwise[Part]:
        return self

    def __next__(self) -> Part:
        try:
            part = next(self._stream)
        except ServerError:
            if not self._may_ask or self._is_closed:
                raise
            self._ask_second()
            return next(self)
        self._may_ask = False
        return part

    def close(self) -> None:
        """Ends it, from any thread."""
        self._is_closed = True
        self._stream.close()

    def _ask_second(self) -> None:
        self._may_ask = False
        self._stream = self._second()
        if self._is_closed:
            self._stream.close()


def complaint(error: object) -> str:
    """A server's complaint, short and on one line."""
    message = error.get("message", error) if isinstance(error, dict) else error
    return " ".join(str(message).split())[:200]
