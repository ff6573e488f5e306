"""The contexts of a hole, serialized for a server that makes the masks itself.

A server with our plugin (`fim_lsp/vllm_plugin`) gets both contexts along with the prompt, and its model can
write only what fits between them. The prompt shows a part of both, which is enough for the model; the grammar
needs all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

MARK = "fim:"
# The most tokens in `first`.
MOST_NAMED = 1000


@dataclass(frozen=True, slots=True)
class HoleContexts:
    """The texts left and right of the hole, in a language.

    `pending` must be written first: it stands left of the cursor, and is in neither context. The first token
    is one of `first`, if that is not empty: the caller may know more than the grammar. Bytes that form no
    character are surrogates, as in `bytes.decode(errors="surrogateescape")`.
    """

    left: str
    right: str
    language: str = "python"
    version: str | None = None
    # Whether the law of the language stands beside its grammar.
    has_law: bool = False
    pending: str = ""
    first: tuple[int, ...] = ()
    # Existing names that neither context binds, such as those of a notebook's other cells.
    known: tuple[str, ...] = ()

    def behind(self, pending: bytes, written: bytes, first: Iterable[int] = ()) -> HoleContexts:
        """The contexts behind a written text.

        The bytes `pending` at the end of the left context are the beginning of that text, or still to be
        written.
        """
        left = self.left.encode(errors="surrogateescape")
        left = left[: len(left) - len(pending)] + written
        return HoleContexts(
            left.decode(errors="surrogateescape"),
            self.right,
            self.language,
            self.version,
            self.has_law,
            pending[len(written) :].decode(errors="surrogateescape"),
            tuple(first),
            self.known,
        )

    def ends_with(self, pending: bytes) -> bool:
        """Whether the left context ends with these bytes. Contexts with half characters, which editors have
        for a moment, cannot be sent."""
        try:
            self.right.encode(errors="surrogateescape")
            return self.left.encode(errors="surrogateescape").endswith(pending)
        except UnicodeEncodeError:
            return False

    @property
    def spec(self) -> str:
        """The contexts as a text for the server."""
        return MARK + json.dumps(asdict(self))

    @classmethod
    def of_spec(cls, spec: str) -> HoleContexts:
        """The contexts of such a text. Raises `ValueError` with a sentence for its author."""
        try:
            values = json.loads(spec.removeprefix(MARK))
            first, known = tuple(map(int, values.get("first", ()))), tuple(values.get("known", ()))
            contexts = cls(**values | {"first": first, "known": known})
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"{MARK} wants an object with left and right behind it") from error
        if len(contexts.first) > MOST_NAMED:
            raise ValueError(f"{MARK} takes {MOST_NAMED} first tokens at most")
        texts = (contexts.left, contexts.right, contexts.language, contexts.pending, *contexts.known)
        is_text = all(isinstance(text, str) for text in texts)
        if (
            not is_text
            or not isinstance(contexts.version, str | None)
            or not isinstance(contexts.has_law, bool)
        ):
            raise ValueError(f"{MARK} wants texts: left, right, language, version, pending and known")
        return contexts
