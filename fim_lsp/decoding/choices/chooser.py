"""The chooser of tokens: it takes the model's favourite among those that the engine and all constraints
allow.

Sampling is the same with Gumbel noise added to the logits: the best allowed token is then a draw from the
distribution of the allowed tokens (Gumbel-max; Kool et al., *Stochastic Beams and Where to Find Them*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import numpy.typing as npt

from fim_lsp.decoding.choices.binding import BindingConstraint
from fim_lsp.decoding.choices.choice import Choice, End, Leaving, Token, Turn, WrongBeginning, WrongName
from fim_lsp.decoding.choices.constraint import Constraint
from fim_lsp.decoding.choices.fence import Fence
from fim_lsp.decoding.choices.layout import Layout
from fim_lsp.decoding.choices.lessons import Lessons
from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.texts.step import Refusal
from fim_lsp.runtimes.logits import ranked_tokens, softmax
from fim_lsp.runtimes.runtime import Row
from quotient import Recognizer

# The paper's number of candidates. If none of them fits, all tokens are tried.
N_CANDIDATES = 50
# A token is unlikely if its logit is lower than the favourite's by so much.
UNLIKELY = 4.0
# The most tokens, of those that the engine allows, that are checked against constraints (0.05 ms each).
MOST_TRIED = 1000
# The word in which a text ends.
WORD_AT_END = re.compile(rb"\w+\Z")


@dataclass(frozen=True, slots=True)
class Chooser:
    """Chooses the tokens of one text."""

    model: Model
    options: Options
    # The random numbers of samples; None where nothing is sampled.
    generator: np.random.Generator | None
    lessons: Lessons
    # The constraints that each token must meet beside the grammar, in this order.
    constraints: tuple[Constraint, ...] = ()
    # Whether refused tokens are recorded.
    is_traced: bool = False

    def choose(self, turn: Turn) -> Choice | None:
        """Makes the choice; None if no token can follow.

        If it is a token, the hypothesis' recognizer has read it. If no token spells the pending text, that
        text stays as it is and is no longer pending.
        """
        turn.refusals.clear()
        if turn.hypothesis.pending:
            choice = self._rewritten(turn)
            if choice is not None or not turn.may_relax:
                return choice
            turn.hypothesis.pending = b""
        return self._sampled(turn) if self.is_sampling else self._greedy(turn)

    @property
    def is_sampling(self) -> bool:
        return self.options.strategy == "sample" and self.options.temperature > 0

    @property
    def fence(self) -> Fence | None:
        return next((one for one in self.constraints if isinstance(one, Fence)), None)

    @property
    def layout(self) -> Layout | None:
        return next((one for one in self.constraints if isinstance(one, Layout)), None)

    @property
    def binding(self) -> BindingConstraint | None:
        return next((one for one in self.constraints if isinstance(one, BindingConstraint)), None)

    def prepared_mask(self, hypothesis: Hypothesis) -> npt.NDArray[np.bool_] | None:
        """The mask of allowed tokens, if all of it will be needed; it needs no logits."""
        return self.allowed_tokens(hypothesis) if self.is_sampling and not hypothesis.pending else None

    def allowed_tokens(self, hypothesis: Hypothesis) -> npt.NDArray[np.bool_]:
        """The mask of all tokens that the engine allows, (vocabulary,)."""
        if not self._is_constrained(hypothesis):
            return ~self.model.silent
        from quotient.logits import allowed_tokens

        assert hypothesis.recognizer is not None
        mask = hypothesis.recognizer.mask(self.model.vocabulary)
        return allowed_tokens(mask, len(self.model.silent))

    def reads(self, hypothesis: Hypothesis, text: bytes, token: int | None = None) -> bool:
        """Reads a text, unless a constraint or the engine refuses it."""
        if self._against(hypothesis, text) is not None:
            return False
        recognizer = hypothesis.recognizer
        if recognizer is None or not self._is_constrained(hypothesis):
            return True
        if token is not None:
            return recognizer.advance_token(self.model.vocabulary, token)
        return recognizer.advance(text)

    def may_end(self, hypothesis: Hypothesis) -> bool:
        """Whether all constraints let a text end."""
        return all(constraint.may_end(hypothesis) for constraint in self.constraints)

    def spellings(self, pending: bytes) -> list[int]:
        """The tokens that spell a text, begin it, or begin with it."""
        return self.model.beginnings_of(pending) + self.model.longer_tokens(pending)

    def _rewritten(self, turn: Turn) -> Choice | None:
        """A token that begins with the pending text, or is a beginning of it."""
        model, hypothesis, pending = self.model, turn.hypothesis, turn.hypothesis.pending
        candidates = self.spellings(pending)
        if not candidates:
            return None
        scores = turn.row[candidates]
        if self.is_sampling:
            scores = self._noisy(scores / np.float32(self.options.temperature))
        ranked = [candidates[place] for place in ranked_tokens(scores, N_CANDIDATES)]
        for place, token in enumerate(ranked):
            text = model.token_bytes[token]
            if self.lessons.forbids(b"", token):
                continue
            if len(text) < len(pending):
                return Token(token, turn.row, whole=self._whole_spelling(turn, ranked[place + 1 :]))
            if len(text) == len(pending) or self.reads(hypothesis, text[len(pending) :]):
                return self._chosen(turn, token)
        if (binding := self._unmet_binding(hypothesis)) is not None:
            for token in self._on_the_way(turn, binding):
                if self.reads(hypothesis, model.token_bytes[token][len(pending) :]):
                    return self._chosen(turn, token)
            return None
        # A row of only the likeliest tokens may lack the one that fits.
        beginnings = model.beginnings_of(pending) if turn.may_relax else []
        return self._chosen(turn, beginnings[-1]) if beginnings else None

    def _whole_spelling(self, turn: Turn, candidates: Iterable[int]) -> int | None:
        """The first candidate that spells the whole pending text, perhaps with more behind it."""
        model, pending = self.model, turn.hypothesis.pending
        if not turn.may_go_back or self.is_sampling:
            return None
        for token in candidates:
            text = model.token_bytes[token]
            if len(text) >= len(pending) and self.reads(turn.hypothesis.fork(), text[len(pending) :]):
                return token
        return None

    def _greedy(self, turn: Turn) -> Choice | None:
        # The best token is nearly always allowed, and sorting the others would cost more than this check.
        best = int(turn.row.argmax())
        if (choice := self._first(turn, [best])) is not None:
            return choice
        if (wrong_name := self._wrong_name(turn, self.model.token_bytes[best])) is not None:
            return wrong_name
        if (wrong_beginning := self._wrong_beginning(turn, best)) is not None:
            return wrong_beginning
        if (choice := self._first(turn, ranked_tokens(turn.row, N_CANDIDATES)[1:])) is not None:
            return choice
        if (binding := self._unmet_binding(turn.hypothesis)) is not None:
            return self._first(turn, self._on_the_way(turn, binding))
        if self.options.is_plain or not self._is_constrained(turn.hypothesis):
            return None
        return self._any(turn, self.allowed_tokens(turn.hypothesis))

    def _sampled(self, turn: Turn) -> Choice | None:
        allowed = self.allowed_tokens(turn.hypothesis) if turn.allowed is None else turn.allowed
        row = self._noisy(self._truncated(where(allowed, turn.row)))
        choice = self._first(turn, ranked_tokens(row, self.options.top_k))
        return self._any(turn, allowed) if choice is None else choice

    def _any(self, turn: Turn, allowed: npt.NDArray[np.bool_]) -> Choice | None:
        """The best of all tokens that fit; if constraints refuse all of them, the grammar decides alone.

        The right context may leave no other way, and so a scope never leads to a dead end.
        """
        is_selective = any(constraint.is_selective for constraint in self.constraints)
        ordered = ranked_tokens(where(allowed, turn.row), MOST_TRIED if is_selective else N_CANDIDATES)
        candidates, others = ordered[:N_CANDIDATES], ordered[N_CANDIDATES:]
        choice = self._first(turn, candidates)
        if choice is None and others:
            choice = self._first(turn, islice(self._named(turn, others), N_CANDIDATES))
        strict = tuple(constraint for constraint in self.constraints if not constraint.gives_way)
        if choice is None and turn.may_relax and len(strict) < len(self.constraints):
            return replace(self, constraints=strict)._first(turn, candidates)
        return choice

    def _named(self, turn: Turn, candidates: Iterable[int]) -> Iterator[int]:
        """The candidates that selective constraints allow; these few need not be among the likeliest."""
        names = [constraint for constraint in self.constraints if constraint.is_selective]
        for token in candidates:
            text = self.model.token_bytes[token]
            if all(constraint.allows(turn.hypothesis, text) for constraint in names):
                yield token

    def _first(self, turn: Turn, candidates: Iterable[int]) -> Choice | None:
        """The choice of the first candidate that is allowed, or that ends the text."""
        model, hypothesis = self.model, turn.hypothesis
        recognizer = hypothesis.recognizer
        if recognizer is None or not self._is_constrained(hypothesis):
            heard = (token for token in candidates if not model.silent[token])
            return next((self._chosen(turn, token) for token in heard), None)
        for token in self._let_through(turn, candidates):
            text = model.token_bytes[token]
            if token in model.ends:
                if turn.is_member and self.may_end(hypothesis):
                    return End(token)
                continue
            match against := self._against(hypothesis, text):
                case None if recognizer.advance_token(model.vocabulary, token):
                    return self._chosen(turn, token)
                case _ if against is not None and against.ends_text and self._may_end_here(turn):
                    return Leaving(b"", text)
                case None | Fence():
                    if (leaving := self._leaving(turn, text)) is not None:
                        return leaving
            self._refuse(turn, token, Fence.why if against is None else against.why)
        return None

    def _let_through(self, turn: Turn, candidates: Iterable[int]) -> Iterator[int]:
        """The candidates that the engine allows."""
        hypothesis, vocabulary = turn.hypothesis, self.model.vocabulary
        recognizer = hypothesis.recognizer
        assert recognizer is not None
        remaining = list(candidates)
        while remaining:
            token = recognizer.first_allowed(vocabulary, remaining)
            place = len(remaining) if token is None else remaining.index(token)
            for refused in remaining[:place] if self.is_traced else ():
                self._refuse(turn, refused, self._why(hypothesis, self.model.token_bytes[refused]))
            if token is None:
                return
            if self.lessons.forbids(hypothesis.text, token):
                self._refuse(turn, token, "name")
            else:
                yield token
            remaining = remaining[place + 1 :]

    def _against(self, hypothesis: Hypothesis, text: bytes) -> Constraint | None:
        """The first constraint that refuses a text."""
        for constraint in self.constraints:
            if not constraint.allows(hypothesis, text):
                return constraint
        return None

    def _may_end_here(self, turn: Turn) -> bool:
        """Whether the text says something and may end."""
        return turn.is_member and bool(turn.hypothesis.text.strip()) and self.may_end(turn.hypothesis)

    def _leaving(self, turn: Turn, text: bytes) -> Leaving | None:
        """The end of the text at a token that leaves the scope, or inside it."""
        fence, hypothesis = self.fence, turn.hypothesis
        if fence is not None and fence.is_misplaced(hypothesis.text):
            return None
        kept = b"" if fence is None or not turn.may_split else fence.inner_beginning(hypothesis, text)
        if kept or (turn.is_member and self.may_end(hypothesis)):
            return Leaving(kept, text[len(kept) :])
        return None

    def _wrong_name(self, turn: Turn, wish: bytes) -> WrongName | None:
        """The written name that is to blame if only the law of names refuses the model's favourite.

        `print(bad` may go on with `=`, which the model does not mean: it wanted the wrong name.
        """
        hypothesis = turn.hypothesis
        recognizer = hypothesis.recognizer
        if not turn.may_go_back or recognizer is None or not recognizer.has_law:
            return None
        found = recognizer.refusal(wish) or recognizer.refusal(b"")
        if found is None:
            return None
        name, n_bytes, words = found
        self.lessons.note(words)
        if not 0 < n_bytes <= len(hypothesis.text):
            return None
        return WrongName(name, len(hypothesis.text) - n_bytes)

    def _wrong_beginning(self, turn: Turn, best: int) -> WrongBeginning | None:
        """The line's blanks or first word, if they are to blame for the refusal of the model's favourite.

        Behind `else:` the model writes four blanks and wants `return`, which would need eight; in a class it
        writes `module` and wants `.exports`. Whatever fits there is junk.
        """
        hypothesis, vocabulary = turn.hypothesis, self.model.vocabulary
        recognizer = hypothesis.recognizer
        if not turn.may_go_back or recognizer is None or not self._is_constrained(hypothesis):
            return None
        n_bytes = self._n_begun(hypothesis, recognizer)
        wish = self.model.token_bytes[best]
        if not n_bytes or not wish.strip():
            return None
        constraints: tuple[Constraint, ...] = ()
        if recognizer.first_allowed(vocabulary, [best]) is not None:
            against = self._against(hypothesis, wish)
            if against is None or not against.is_of_column or hypothesis.text[-1:].strip():
                return None
            constraints = self.constraints
        other = self._first_within(turn, constraints)
        if other is not None and turn.row[best] - turn.row[other] < UNLIKELY:
            return None
        return WrongBeginning(len(hypothesis.text) - n_bytes)

    def _first_within(self, turn: Turn, constraints: Iterable[Constraint]) -> int | None:
        """The likeliest token that the engine and some constraints allow."""
        hypothesis, vocabulary = turn.hypothesis, self.model.vocabulary
        recognizer = hypothesis.recognizer
        assert recognizer is not None
        ranked = ranked_tokens(turn.row, N_CANDIDATES)
        while (token := recognizer.first_allowed(vocabulary, ranked)) is not None:
            text = self.model.token_bytes[token]
            if all(one.allows(hypothesis, text) for one in constraints):
                return token
            ranked = ranked[ranked.index(token) + 1 :]
        return None

    def _n_begun(self, hypothesis: Hypothesis, recognizer: Recognizer) -> int:
        """The bytes of the blanks or the word with which the text begins its last line, if it is no more."""
        text, layout = hypothesis.text, self.layout
        word = WORD_AT_END.search(text)
        if word is not None and layout is not None and layout.is_at_line_start(text[: word.start()]):
            return len(word[0])
        n_blanks = len(text) - len(text.rstrip(b" \t"))
        indentation = recognizer.nesting().indentation
        # Blanks that the left context begins are not the model's. Only Python's engine counts columns.
        if self.fence is not None and self.fence.enclosure is not None:
            is_whole = n_blanks > 0 and layout is not None and layout.is_at_line_start(text)
        else:
            is_whole = n_blanks > 0 and indentation == len(text[-n_blanks:].expandtabs())
        return n_blanks if is_whole else 0

    def _unmet_binding(self, hypothesis: Hypothesis) -> BindingConstraint | None:
        """The binding constraint, if the text has not met it yet."""
        binding = self.binding
        return None if binding is None or binding.may_end(hypothesis) else binding

    def _on_the_way(self, turn: Turn, binding: BindingConstraint) -> list[int]:
        """The tokens that lead to a binding of a name, the best one first."""
        pending = turn.hypothesis.pending
        texts = [pending + rest for rest in binding.rests(turn.hypothesis.text)]
        found = {token for text in texts for token in self.spellings(text)}
        return sorted(found, key=lambda token: -turn.row[token])

    def _truncated(self, row: Row) -> Row:
        """The logits divided by the temperature; minus infinity for tokens that top-k and top-p exclude."""
        row = row / np.float32(self.options.temperature)
        places = ranked_tokens(row, self.options.top_k)
        if not places:
            return row
        probabilities = softmax(row[places])
        before = probabilities.cumsum() - probabilities
        kept = [place for place, share in zip(places, before, strict=True) if share < self.options.top_p]
        truncated = np.full_like(row, -np.inf)
        truncated[kept] = row[kept]
        return truncated

    def _noisy(self, row: Row) -> Row:
        assert self.generator is not None
        return row + self.generator.gumbel(size=row.shape).astype(np.float32)

    def _chosen(self, turn: Turn, token: int) -> Token | End:
        return End(token) if token in self.model.ends else Token(token, turn.row, tuple(turn.refusals))

    def _why(self, hypothesis: Hypothesis, text: bytes) -> str:
        """The name of the constraint or law that refuses a text."""
        if not text:
            return "end"
        assert hypothesis.recognizer is not None
        found = hypothesis.recognizer.refusal(text) if hypothesis.recognizer.has_law else None
        return "grammar" if found is None else found[2]

    def _refuse(self, turn: Turn, token: int, why: str) -> None:
        if self.is_traced:
            turn.refusals.append(Refusal(token, why))

    def _is_constrained(self, hypothesis: Hypothesis) -> bool:
        return hypothesis.recognizer is not None and self.options.constraint == "constrained"


def where(allowed: npt.NDArray[np.bool_], row: Row) -> Row:
    """The row with minus infinity for tokens that are not allowed."""
    return np.where(allowed, row, np.float32(-np.inf))
