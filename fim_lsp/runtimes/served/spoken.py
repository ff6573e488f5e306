"""Servers that exchange text: their drafts in tokens of our own.

The tokens of such a server are not known, and need not be. Each piece of its draft, and each other likely
text at its place, is spelled in the tokens of the bundled model's tokenizer; decoding sees rows over that
vocabulary. If a piece is refused, the beginning of another likely one is taken, and the server goes on from
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from fim_lsp.fim_formats import FimFormat
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.runtime import Unavailable
from fim_lsp.runtimes.served.draft import Drafted
from fim_lsp.runtimes.served.runtime import Wish

N_DRAFTED = 80
# The logit of a beginning of a likely text: less than the logit of any given text.
WORTH_OF_A_BEGINNING = -20.0


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text, and the likely texts at its place with log-probabilities. An empty text is the
    end."""

    text: bytes
    likeliest: Sequence[tuple[bytes, float]] = ()


class Pieces(Iterator[Piece], Protocol):
    def close(self) -> None: ...


class Teller(Protocol):
    """A server that continues a text."""

    @property
    def name(self) -> str: ...

    def pieces(self, prompt: str, n_tokens: int, contexts: HoleContexts | None) -> Pieces:
        """Continues a prompt by at most so many of its tokens, constrained to contexts if it can be. Raises
        `Unavailable`."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """The tokens for spelling drafts, and the special tokens that divide a prompt of them."""

    texts: list[bytes]
    encode: Callable[[str], list[int]]
    prefix: int
    suffix: int
    middle: int
    end: int

    def parts(self, prompt: Sequence[int]) -> tuple[str, str, str]:
        """Prefix, suffix and begun middle of a prompt, in that order."""
        tokens = list(prompt)
        first, second, third = (tokens.index(sign) for sign in (self.prefix, self.suffix, self.middle))
        return (
            self.text(tokens[first + 1 : second]),
            self.text(tokens[second + 1 : third]),
            self.text(tokens[third + 1 :]),
        )

    def spelling_tokens(self, text: bytes) -> list[int]:
        """The tokens of a text; none for bytes that are no text, such as half a character."""
        try:
            return self.encode(text.decode())
        except UnicodeDecodeError:
            return []

    def text(self, tokens: Sequence[int]) -> str:
        return b"".join(self.texts[token] for token in tokens).decode(errors="replace")

    def beginnings(self, token: int) -> Iterator[int]:
        """Tokens that this one begins with."""
        text = self.texts[token]
        for length in range(1, len(text)):
            found = self.spelling_tokens(text[:length])
            if len(found) == 1:
                yield found[0]


@dataclass(frozen=True)
class SpokenServer:
    """A server that exchanges text, with prompts in the format of its model's family."""

    teller: Teller
    spelling: Spelling
    fim_format: FimFormat
    n_positions: int
    is_text_alone: bool = False
    n_first = 0

    @property
    def name(self) -> str:
        return self.teller.name

    @property
    def sign(self) -> int:
        return self.spelling.prefix

    @property
    def n_tokens(self) -> int:
        return len(self.spelling.texts)

    def begin_draft(self, wish: Wish) -> Spelled:
        prompt, hole = wish.prompt, wish.hole
        # We need about as many tokens as the server does.
        room = max(1, min(N_DRAFTED, self.n_positions - len(prompt)))
        contexts = hole.contexts
        if contexts is not None:
            written = b"".join(self.spelling.texts[token] for token in prompt[hole.n_prompt :])
            contexts = contexts.behind(hole.pending, written)
        pieces = self.teller.pieces(self.prompt(*self.spelling.parts(prompt)), room, contexts)
        return Spelled(self.spelling, pieces, self.fim_format)

    def has_more(self, level: int) -> bool:  # noqa: ARG002
        """False: such a server has given everything that it can."""
        return False

    def more(self, wish: Wish, level: int) -> Spelled:  # noqa: ARG002
        raise Unavailable(f"{self.name} tells no more")

    def prompt(self, prefix: str, suffix: str, begun: str) -> str:
        """The prompt as text. Special tokens in a file are split by a blank, so that the model sees text."""
        known = self.fim_format
        shown, middle = self._shown_text, known.middle or ""
        match known.order:
            case "prefix-suffix-middle":
                return f"{known.prefix}{shown(prefix)}{known.suffix}{shown(suffix)}{middle}{shown(begun)}"
            case "suffix-prefix-middle":
                return f"{known.suffix}{shown(suffix)}{known.prefix}{shown(prefix)}{middle}{shown(begun)}"
            case "suffix-middle-prefix":
                return f"{known.prefix}{known.suffix}{shown(suffix)}{middle}{shown(prefix + begun)}"

    def _shown_text(self, text: str) -> str:
        for sign in {*self.fim_format.tokens, *self.fim_format.ends}:
            text = text.replace(sign, f"{sign[0]} {sign[1:]}")
        return text


@dataclass(slots=True)
class Spelled:
    """A draft in our tokens, made from pieces."""

    spelling: Spelling
    pieces: Pieces
    fim_format: FimFormat
    _ready: list[Drafted] = field(default_factory=list)

    def __iter__(self) -> Spelled:
        return self

    def __next__(self) -> Drafted:
        while not self._ready:
            self._ready = list(self._drafted_places(next(self.pieces)))
        return self._ready.pop(0)

    def close(self) -> None:
        self.pieces.close()

    def _drafted_places(self, piece: Piece) -> Iterator[Drafted]:
        spelling = self.spelling
        tokens = spelling.spelling_tokens(piece.text) if piece.text else [spelling.end]
        likeliest = list(self._meant(piece.likeliest))
        for index, token in enumerate(tokens):
            worth: dict[int, float] = {}
            for text, logprob in likeliest if index == 0 else ((spelling.texts[token], 0.0),):
                first = spelling.spelling_tokens(text)[:1] if text else [spelling.end]
                for other in first:
                    worth[other] = max(worth.get(other, logprob), logprob)
            worth.setdefault(token, 0.0 if not worth else max(worth.values()))
            for known in list(worth):
                for beginning in spelling.beginnings(known):
                    worth.setdefault(beginning, WORTH_OF_A_BEGINNING + worth[known])
            yield Drafted(token, list(worth.items()))

    def _meant(self, likeliest: Sequence[tuple[bytes, float]]) -> Iterator[tuple[bytes, float]]:
        """Likely texts without special tokens, which some servers, as Ollama, spell out; an end is empty."""
        for text, logprob in likeliest:
            if text in map(str.encode, self.fim_format.ends):
                yield b"", logprob
            elif text not in map(str.encode, self.fim_format.tokens):
                yield text, logprob
