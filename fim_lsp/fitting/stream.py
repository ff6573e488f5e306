"""`Fitting` reads a text while it is being written, and says when no more of it can be kept."""

from __future__ import annotations

from collections.abc import Iterable

from fim_lsp.fitting.columns import reindented_texts
from fim_lsp.fitting.documents import DOCUMENTS
from fim_lsp.fitting.fenced import is_fence_begun, open_content
from fim_lsp.fitting.fit import SURROGATE, Fit, fit_at, nothing_fits, place_of
from fim_lsp.fitting.nearest import FittingContext
from fim_lsp.fitting.prose import behind_leading_prose
from fim_lsp.fitting.said_before import is_said_so_far, length_said_before, without_beginning
from fim_lsp.fitting.signs import behind_leading_signs, is_sign_begun
from fim_lsp.known_languages import PYTHON
from quotient import EncodingError, Language, NoCompletion, Recognizer


class Fitting:
    """Fits a text that comes in pieces. Raises `TooCostly` as `fit` does.

    >>> from fim_lsp import Fitting
    >>> fitting = Fitting("print(sum(", ")", language="python")
    >>> fitting.feed("1, 2"), fitting.feed("]"), fitting.feed(" and so on")
    (True, False, False)
    >>> fitting.fit().text
    '1, 2)'
    """

    def __init__(
        self,
        left: str,
        right: str,
        *,
        language: str | Language = "python",
        names: Iterable[str] | None = None,
    ) -> None:
        loaded = Language.load(language) if isinstance(language, str) else language
        names = None if names is None else list(names)
        recognizer, why = None, ""
        try:
            recognizer = DOCUMENTS.recognizer(loaded, left, right, names)
        except (NoCompletion, EncodingError) as refusal:
            why = f"no text fits here: {refusal}"
        except UnicodeEncodeError:
            why = "no text fits here: the file is not Unicode text"
        self._begin(recognizer, place_of(loaded, left, right, names), why)

    @classmethod
    def at(cls, recognizer: Recognizer, place: FittingContext) -> Fitting:
        """For callers that have a recognizer of the hole. The recognizer is left as it was."""
        fitting = cls.__new__(cls)
        fitting._begin(recognizer, place, "")
        return fitting

    def _begin(self, recognizer: Recognizer | None, place: FittingContext, why: str) -> None:
        self.text = ""
        self._place = place
        self._why = why
        self._recognizer = recognizer
        self._reading = None if recognizer is None else recognizer.fork()
        self.is_hopeless = recognizer is None

    def feed(self, piece: str) -> bool:
        """Takes the next piece; False once no more of the text can be kept, whatever follows."""
        self.text += piece
        if self.is_hopeless or self._recognizer is None:
            return False
        if self._reading is not None and not self._advance(piece):
            self._reading = None
        if self._reading is None:
            self.is_hopeless = not self._is_alive_elsewhere(self._recognizer)
        return not self.is_hopeless

    def _advance(self, piece: str) -> bool:
        assert self._reading is not None
        return not SURROGATE.search(piece) and self._reading.advance(piece)

    def _is_alive_elsewhere(self, recognizer: Recognizer) -> bool:
        """Whether the text may still fit in other columns, in a fence, or behind a model's special token or
        what stands left of the cursor already."""
        if SURROGATE.search(self.text):
            return False
        if is_sign_begun(recognizer, self.text):
            return True
        plain = behind_leading_signs(recognizer, self.text)
        said = self.text if plain is None else plain
        if is_fence_begun(recognizer, said, self._place):
            return True
        fenced = open_content(recognizer, said, self._place)
        contents = (said, fenced, behind_leading_prose(recognizer, said, self._place))
        return any(
            self._is_alive_in_columns(recognizer, content) or self._is_alive_behind(recognizer, content)
            for content in contents
            if content is not None
        )

    def _is_alive_behind(self, recognizer: Recognizer, said: str) -> bool:
        """Whether a text repeats what stands left of the cursor, and the rest of it may fit."""
        left = self._place.left
        if is_said_so_far(left, said):
            return True
        length = length_said_before(left, said)
        return length > 0 and self._is_alive_in_columns(recognizer, without_beginning(left, said, length))

    def _is_alive_in_columns(self, recognizer: Recognizer, said: str) -> bool:
        if said != self.text and recognizer.fork().advance(said):
            return True
        if self._place.known_language is not PYTHON:
            return False
        return any(
            recognizer.fork().advance(form) for form in reindented_texts(recognizer, said, self._place)
        )

    def fit(self) -> Fit:
        """The text so far, made to fit."""
        if self._recognizer is None:
            return nothing_fits(self.text, self._why)
        return fit_at(self._recognizer, self.text, self._place)
