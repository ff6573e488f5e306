"""A request to a session: one hole to fill, and all known facts about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fim_lsp.decoding.choices.binding import Imports, no_imports
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.prompts.several_files import NOTHING_TOLD, CrossFileTokens
from fim_lsp.known_languages import PYTHON, KnownLanguage, language_named

if TYPE_CHECKING:
    from fim_lsp.decoding.texts.step import DecodedToken
    from fim_lsp.decoding.writing.advised import Adviser
    from fim_lsp.memory.recall import Recall
    from fim_lsp.runtimes.contexts import HoleContexts
    from quotient import Recognizer


def never() -> bool:
    """Never cancels a request."""
    return False


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """A request for the completions of the hole between `left` and `right`.

    `recognizer` is at the hole's beginning and is not changed; with None nothing is checked. With a
    recognizer and the default options, each text fits.
    """

    left: str
    right: str
    recognizer: Recognizer | None
    options: Options = field(default_factory=Options)
    # Asked before each step. Once it is true, only completions that fit already are returned.
    is_cancelled: Callable[[], bool] = never
    # Gets each text as it grows, before it is known to fit.
    on_partial: Callable[[str], None] | None = None
    # Gets each written token with those refused in its place.
    on_step: Callable[[DecodedToken], None] | None = None
    # Gives the memory for a place, some bytes in front of the cursor; None without memory.
    remembers: Callable[[int], Recall] | None = None
    # The tokens of other files in the prompt.
    told: CrossFileTokens = NOTHING_TOLD
    # A type checker; a text that it refuses is written again from its error on.
    adviser: Adviser | None = None
    # Whether the text is kept for the keys that agree with it.
    is_kept: bool = False
    # The contexts of the hole, for a model server that runs the engine itself.
    contexts: HoleContexts | None = None
    # The expected text, which is read as a draft and changes only the speed.
    expected: str = ""
    # The project's imports of a name that the hole should bind.
    imports: Imports = no_imports

    @property
    def says_nothing(self) -> bool:
        """Whether the file is so empty that a model can only guess its content and its language."""
        return self.has_braces and not (self.left.strip() or self.right.strip() or self.told.n_tokens)

    @property
    def has_braces(self) -> bool:
        """Whether the file is known to be in a language with braces."""
        return not self.known_language.has_suites

    @property
    def line_comment(self) -> str:
        """The sign of line comments."""
        return self.known_language.line_comment

    @property
    def known_language(self) -> KnownLanguage:
        return PYTHON if self.contexts is None else language_named(self.contexts.language)
