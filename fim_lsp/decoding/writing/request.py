"""A request to a session: one hole to fill, and everything that may be known of it."""

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
    """A request that nothing takes back."""
    return False


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """A request for the completions of the hole between `left` and `right`.

    `recognizer` stands at the hole's beginning and is left as it is; None: nothing is checked. With one and
    the default options, each text fits.
    """

    left: str
    right: str
    recognizer: Recognizer | None
    options: Options = field(default_factory=Options)
    # The function asked before each step. Once it is true, only completions that fit are returned, if any.
    is_cancelled: Callable[[], bool] = never
    # The function that is told each text as it grows, before it is known to fit.
    on_partial: Callable[[str], None] | None = None
    # The function that is told each token that is written, and those refused in its place.
    on_step: Callable[[DecodedToken], None] | None = None
    # Gives the project's memory for a place so many bytes in front of the cursor; None: there is none.
    remembers: Callable[[int], Recall] | None = None
    # The tokens of other files in the prompt.
    told: CrossFileTokens = NOTHING_TOLD
    # Knows types: a text that it is against is written anew where it went wrong.
    adviser: Adviser | None = None
    # The contexts of the recognizer's hole, for a server of models that can be held to it.
    contexts: HoleContexts | None = None
    # The text that is expected here: it is read ahead, and changes the speed alone.
    expected: str = ""
    # The project's imports of a name that the hole should bind.
    imports: Imports = no_imports

    @property
    def says_nothing(self) -> bool:
        """Whether a model can only guess what the file is about, and even what it is written in."""
        return self.has_braces and not (self.left.strip() or self.right.strip() or self.told.n_tokens)

    @property
    def has_braces(self) -> bool:
        """Whether it is known to be of a language whose blocks are held together by brackets."""
        return not self.known_language.has_suites

    @property
    def line_comment(self) -> str:
        """The sign that begins a comment up to its line's end."""
        return self.known_language.line_comment

    @property
    def known_language(self) -> KnownLanguage:
        return PYTHON if self.contexts is None else language_named(self.contexts.language)
