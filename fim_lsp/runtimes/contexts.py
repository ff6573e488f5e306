"""The contexts of a hole, in words for a server that makes the masks elsewhere.

A server with our plugin in it (`fim_lsp/vllm_plugin`) is sent both contexts along with the prompt, and lets
its model write nothing that does not fit between them. The prompt shows a part of both, which is enough for
the model; the grammar needs all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

MARK = "fim:"
# The most tokens that may be named.
MOST_NAMED = 1000


@dataclass(frozen=True, slots=True)
class HoleContexts:
    """The texts left and right of what is written, by their language.

    `pending` is what has to be written first: it stands left of the cursor, and is in neither context. The
    first token is one of `first`, if there are any: the caller may know more than a grammar. Bytes that are
    no characters of their own are surrogates, as `bytes.decode(errors="surrogateescape")` makes them.
    """

    left: str
    right: str
    language: str = "python"
    version: str | None = None
    # Whether names have to exist, too.
    has_names: bool = False
    pending: str = ""
    first: tuple[int, ...] = ()
    # Names that exist although they stand in neither context: a notebook's other cells bind them.
    known: tuple[str, ...] = ()

    def behind(self, pending: bytes, written: bytes, first: Iterable[int] = ()) -> HoleContexts:
        """The contexts of what comes behind a text that has been written.

        The last `pending` bytes of the left one are a part of that text, or are still to come in it.
        """
        left = self.left.encode(errors="surrogateescape")
        left = left[: len(left) - len(pending)] + written
        return HoleContexts(
            left.decode(errors="surrogateescape"),
            self.right,
            self.language,
            self.version,
            self.has_names,
            pending[len(written) :].decode(errors="surrogateescape"),
            tuple(first),
            self.known,
        )

    def ends_with(self, pending: bytes) -> bool:
        """Whether this stands left of the cursor. Halves of characters, as editors have them for a moment,
        cannot be sent."""
        try:
            self.right.encode(errors="surrogateescape")
            return self.left.encode(errors="surrogateescape").endswith(pending)
        except UnicodeEncodeError:
            return False

    @property
    def spec(self) -> str:
        """The contexts as a server is told."""
        return MARK + json.dumps(asdict(self))

    @classmethod
    def of_spec(cls, spec: str) -> HoleContexts:
        """Raises `ValueError` with a sentence for its author."""
        try:
            said = json.loads(spec.removeprefix(MARK))
            first, known = tuple(map(int, said.get("first", ()))), tuple(said.get("known", ()))
            contexts = cls(**said | {"first": first, "known": known})
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"{MARK} wants an object with left and right behind it") from error
        if len(contexts.first) > MOST_NAMED:
            raise ValueError(f"{MARK} takes {MOST_NAMED} first tokens at most")
        texts = (contexts.left, contexts.right, contexts.language, contexts.pending, *contexts.known)
        is_text = all(isinstance(text, str) for text in texts)
        if (
            not is_text
            or not isinstance(contexts.version, str | None)
            or not isinstance(contexts.has_names, bool)
        ):
            raise ValueError(f"{MARK} wants texts: left, right, language, version, pending and known")
        return contexts
