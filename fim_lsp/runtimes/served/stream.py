"""An answer that comes line by line, as the parts that it is made of: tokens with what was likely there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.wire import NONSENSE, ServerError, StreamedLines, parse_answer

Part = TypeVar("Part")
DONE = b"[DONE]"


class Stream(Generic[Part]):
    """The parts of an answer, up to its end or until the caller has had enough of it.

    `parts` makes them of the JSON of a line. Lines are bare JSON, or events, which begin with `data:`.
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
                    # However long the caller takes to ask for more, the server is not to blame.
                    self._lines.go_on()
            except NONSENSE as error:
                raise ServerError(
                    f"{self._address} answers with something else than was asked for"
                ) from error

    def _content(self, line: bytes) -> bytes | None:
        """A line's content; None for one that only keeps the connection alive, or names what comes next."""
        if not self._has_events:
            return line
        if line.startswith(b"data:"):
            return line[len(b"data:") :].strip()
        if line.startswith(b"error:"):
            raise ServerError(f"{self._address} gave up on a text")
        return None


class Otherwise(Generic[Part]):
    """An answer to one question, or where the server gives up on it before it has said anything, to another.

    A vLLM notices only behind the beginning of its answer that nothing fits by its grammar.
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
    """The complaint of a server, short and on one line."""
    said = error.get("message", error) if isinstance(error, dict) else error
    return " ".join(str(said).split())[:200]
