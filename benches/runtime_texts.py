"""The texts of several runtimes in the same holes, which should be equal, and the places where two of them
part.

At such a place the two tokens are shown with their margin: how much likelier the reference runtime finds the
one than the other. A margin smaller than what number formats round away is no error.
"""

from __future__ import annotations

import ast
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.prompts.drafts import LONGEST
from fim_lsp.decoding.prompts.prompt import N_PENDING
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.served.draft import Drafted, DraftSource
from fim_lsp.runtimes.served.runtime import ModelServer, ServedRuntime, Wish
from quotient import Language
from training.holes import MeasuredHole


@dataclass
class Traffic:
    """The traffic between us and a server."""

    n_trips: int = 0
    n_drafted: int = 0


@dataclass(frozen=True)
class CountedServer:
    """A server whose drafts are counted."""

    server: ModelServer
    traffic: Traffic

    @property
    def name(self) -> str:
        return self.server.name

    @property
    def n_positions(self) -> int:
        return self.server.n_positions

    @property
    def n_tokens(self) -> int:
        return self.server.n_tokens

    @property
    def sign(self) -> int:
        return self.server.sign

    @property
    def is_text_alone(self) -> bool:
        return self.server.is_text_alone

    @property
    def n_first(self) -> int:
        return self.server.n_first

    def begin_draft(self, wish: Wish) -> DraftSource:
        return self._counted(self.server.begin_draft(wish))

    def has_more(self, level: int) -> bool:
        return self.server.has_more(level)

    def more(self, wish: Wish, level: int) -> DraftSource:
        return self._counted(self.server.more(wish, level))

    def _counted(self, source: DraftSource) -> DraftSource:
        self.traffic.n_trips += 1
        return CountedSource(source, self.traffic)


@dataclass
class CountedSource:
    source: DraftSource
    traffic: Traffic

    def __iter__(self) -> Iterator[Drafted]:
        return self

    def __next__(self) -> Drafted:
        drafted = next(self.source)
        self.traffic.n_drafted += 1
        return drafted

    def close(self) -> None:
        self.source.close()


@dataclass(frozen=True)
class RuntimeText:
    """The text that one runtime wrote into a hole, and its cost."""

    text: str | None
    tokens: tuple[int, ...]
    fits: bool
    seconds: float
    n_trips: int = 0
    n_drafted: int = 0


@dataclass(frozen=True)
class Difference:
    """The place where two texts part: the reference's token, the other one, and how much likelier the first
    one is."""

    hole: int
    first: bytes
    other: bytes
    margin: float | None

    def __str__(self) -> str:
        margin = "one ends where the other goes on" if self.margin is None else f"{self.margin:.4f}"
        return f"hole {self.hole}: {self.first!r} or {self.other!r}, {margin}"


def written(model: Model, holes: Sequence[MeasuredHole], options: Options) -> list[RuntimeText]:
    """The texts that a model writes into each hole."""
    language = Language.load("python", version="3.11")
    session, traffic = DecodingSession(model), Traffic()
    if isinstance(model.runtime, ServedRuntime):
        server = CountedServer(model.runtime.server, traffic)
        session = DecodingSession(replace(model, runtime=replace(model.runtime, server=server)))
    found = []
    for hole in holes:
        traffic.n_trips = traffic.n_drafted = 0
        recognizer = language.recognizer(hole.left, hole.right)
        start = time.perf_counter()
        contexts = HoleContexts(hole.left, hole.right, version="3.11")
        completions, steps = session.trace(
            CompletionRequest(hole.left, hole.right, recognizer, options, contexts=contexts)
        )
        seconds = time.perf_counter() - start
        text = completions[0].text if completions else None
        tokens = tuple(step.token for step in steps)
        fits = text is None or parses(hole.left + text + hole.right)
        found.append(RuntimeText(text, tokens, fits, seconds, traffic.n_trips, traffic.n_drafted))
    return found


def parses(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            ast.parse(text)
        except (SyntaxError, ValueError):
            return False
    return True


def differences(
    measure: Model,
    holes: Sequence[MeasuredHole],
    options: Options,
    ours: Sequence[RuntimeText],
    theirs: Sequence[RuntimeText],
) -> list[Difference]:
    """The differences between texts, with their margins.

    A file's prompt depends on the prompts before it, so all prompts are made anew, in their order.
    """
    found, session = [], DecodingSession(measure)
    room = min(options.context_tokens, measure.n_positions - options.max_tokens - LONGEST) - N_PENDING
    for index, (hole, mine, other) in enumerate(zip(holes, ours, theirs, strict=True)):
        prompt = session.window.prompt(hole.left, hole.right, room).tokens
        if mine.text == other.text:
            continue
        pairs = list(zip(mine.tokens, other.tokens, strict=False))
        place = next((at for at, (one, two) in enumerate(pairs) if one != two), None)
        if place is None:
            found.append(Difference(index, b"", b"", None))
            continue
        first, second = pairs[place]
        row = session.reader.prompt([*prompt, *mine.tokens[:place]], 1, lambda: False)[0]
        margin = abs(float(row[first] - row[second]))
        found.append(Difference(index, measure.token_bytes[first], measure.token_bytes[second], margin))
    return found
