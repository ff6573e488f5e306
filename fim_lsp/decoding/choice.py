"""Which token comes next: the model's most preferred one that the engine, and the scope, let through.

Sampling is the same with noise: with Gumbel noise added to the logits, taking the best first and the next
best if that one is refused is to draw from the distribution of those that are not (Gumbel-max; Kool et al.,
*Stochastic Beams and Where to Find Them*).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
import numpy.typing as npt

from fim_lsp.decoding.advised import Members
from fim_lsp.decoding.binding import Binding
from fim_lsp.decoding.exports import Exports
from fim_lsp.decoding.fence import Fence
from fim_lsp.decoding.hypothesis import Hypothesis
from fim_lsp.decoding.layout import Layout
from fim_lsp.decoding.logits import ranked, softmax
from fim_lsp.decoding.model import Model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.step import Refusal
from fim_lsp.runtimes.runtime import Row

# The paper looks at this many candidates. Where none of them fits, we ask for all that do.
N_CANDIDATES = 50
# Of what the engine lets through, so many are also held against scope and layout: it takes 0.05 ms each.
MOST_TRIED = 1000


@dataclass(frozen=True, slots=True)
class WrongName:
    """A name that has been written already, and that what the model wants next would leave undefined.

    `place` is where it begins, in bytes from the beginning of the hole.
    """

    name: str
    place: int


@dataclass(slots=True)
class Chooser:
    """Chooses tokens for one completion. `fence` keeps them in the scope, `layout` in good form."""

    model: Model
    options: Options
    fence: Fence | None
    generator: np.random.Generator
    layout: Layout | None = None
    # What other completions began with, and this one must not; without white space around it.
    taken: set[bytes] = field(default_factory=set)
    # Who was refused at the last choice, if somebody wants to know.
    refusals: list[Refusal] | None = None
    # Whether the last choice came to nothing because the text fits, and what the model wants next leaves the
    # scope; how much of that still belongs to the text, `__` of `__)` behind `f(__name`, and what does not.
    is_leaving: bool = False
    kept: bytes = b""
    left: bytes = b""
    # Whether the model's wish may be followed back to a wrong name, instead of taking the next best. Then
    # such a choice comes to nothing, and here is why.
    may_go_back: bool = False
    wrong_name: WrongName | None = None
    # Why names were gone back to, in words.
    against: list[str] = field(default_factory=list)
    # What must not come again behind a text that was gone back to.
    forbidden: dict[bytes, set[int]] = field(default_factory=dict)
    # What may come behind dots, where a type checker knows it, and in `__all__`.
    members: list[Members | Exports] = field(default_factory=list)
    # What the first statement is to bind.
    binding: Binding | None = None
    # Whether scope and layout give way where they are against all that is known to fit.
    may_relax: bool = True
    _may_leave: bool = False
    _allowed: npt.NDArray[np.bool_] | None = None
    # The text that goes on next.
    _next: Hypothesis | None = None

    def prepare(self, hypothesis: Hypothesis) -> None:
        """Does what needs no logits: works out what may come, where all of it is going to be asked for."""
        self._allowed, self._next = None, hypothesis
        if self.is_sampling and not hypothesis.pending:
            self._allowed = self.allowed(hypothesis)

    def choose(self, hypothesis: Hypothesis, row: Row, is_member: bool) -> int | None:
        """The next token, which the hypothesis' recognizer has read when this returns; None if none can come.

        `row` has the logits of shape (vocabulary,); `is_member` says whether the text fits as it is.
        """
        self._may_leave, self.is_leaving, self.kept, self.left = is_member, False, b"", b""
        self.wrong_name = None
        if self.refusals is not None:
            self.refusals = []
        if hypothesis.pending:
            token = self._rewritten(hypothesis, row)
            if token is not None or not self.may_relax:
                return token
            # No tokens spell what is left of it, so it stays as it is.
            hypothesis.pending = b""
        if self.is_sampling:
            return self._sampled(hypothesis, row)
        return self._greedy(hypothesis, row)

    @property
    def is_sampling(self) -> bool:
        return self.options.strategy == "sample" and self.options.temperature > 0

    def _greedy(self, hypothesis: Hypothesis, row: Row) -> int | None:
        # Nearly always the best one is let through, and sorting the others would cost more than asking for
        # it.
        best = int(row.argmax())
        if self._first(hypothesis, [best]) is not None:
            return best
        if self.is_leaving or self._is_behind_wrong_name(hypothesis, self.model.token_bytes[best]):
            return None
        candidates = ranked(row, N_CANDIDATES)[1:]
        token = self._first(hypothesis, candidates)
        may_ask_all = self._is_constrained(hypothesis) and not self.options.is_plain
        if token is None and not self.has_bound(hypothesis):
            return self._first(hypothesis, self._on_the_way(hypothesis, row))
        if token is None and may_ask_all and not self.is_leaving:
            token = self._any(hypothesis, row, self.allowed(hypothesis))
        return token

    def _is_behind_wrong_name(self, hypothesis: Hypothesis, wish: bytes) -> bool:
        """Whether names alone are against the model's wish, because of one that has been written already.

        `print(bad` may go on with `=`, which is not what the model means: its wish was the wrong name.
        """
        recognizer = hypothesis.recognizer
        if not self.may_go_back or recognizer is None or not recognizer.has_names:
            return False
        found = recognizer.refusal(wish) or recognizer.refusal(b"")
        if found is None:
            return False
        name, n_bytes, words = found
        if words not in self.against:
            self.against.append(words)
        if not 0 < n_bytes <= len(hypothesis.text):
            return False
        self.wrong_name = WrongName(name, len(hypothesis.text) - n_bytes)
        return True

    def _sampled(self, hypothesis: Hypothesis, row: Row) -> int | None:
        allowed = self.allowed(hypothesis) if self._allowed is None else self._allowed
        row = where(allowed, row)
        token = self._first(hypothesis, ranked(self._noisy(self._truncated(row)), self.options.top_k))
        if token is None and not self.is_leaving:
            token = self._any(hypothesis, row, allowed)
        return token

    def _any(self, hypothesis: Hypothesis, row: Row, allowed: npt.NDArray[np.bool_]) -> int | None:
        """The best of all tokens that fit; where the scope is against all of them, the grammar goes first.

        The right context can be such that there is no other way; a scope never leads to a dead end.
        """
        ordered = ranked(where(allowed, row), MOST_TRIED if self.members else N_CANDIDATES)
        candidates, others = ordered[:N_CANDIDATES], ordered[N_CANDIDATES:]
        token = self._first(hypothesis, candidates)
        if token is None and others and not self.is_leaving:
            # Of few names that may come none need be among the first.
            texts = self.model.token_bytes
            found = (one for one in others if not self._is_no_member(hypothesis, texts[one]))
            token = self._first(hypothesis, [*islice(found, N_CANDIDATES)])
        bounds = self.fence, self.layout, self.members
        if token is None and self.may_relax and any(bounds) and not self.is_leaving:
            self.fence, self.layout, self.members = None, None, []
            token = self._first(hypothesis, candidates)
            self.fence, self.layout, self.members = bounds
        return token

    def _on_the_way(self, hypothesis: Hypothesis, row: Row) -> list[int]:
        """The tokens that lead to where a name is bound, the best one first."""
        assert self.binding is not None
        model, pending = self.model, hypothesis.pending
        texts = [pending + rest for rest in self.binding.rests(hypothesis.text)]
        found = {token for text in texts for token in (*model.beginnings_of(text), *model.begun_with(text))}
        return sorted(found, key=lambda token: -row[token])

    def wanted(self, most: int) -> list[int]:
        """The tokens of which one has to come next, for whoever knows none of them; none if they are more
        than so many.
        """
        hypothesis = self._next
        if hypothesis is None:
            return []
        pending = hypothesis.pending
        if pending:
            candidates = self.model.beginnings_of(pending) + self.model.begun_with(pending)
        else:
            candidates = np.flatnonzero(self.allowed(hypothesis)).tolist()
        if len(candidates) > most:
            return []
        if len(candidates) > MOST_TRIED:
            return candidates
        return [token for token in candidates if self._would_take(hypothesis, token)]

    def _would_take(self, hypothesis: Hypothesis, token: int) -> bool:
        text, pending = self.model.token_bytes[token], hypothesis.pending
        if token in self.model.ends:
            return not self.has_to_begin(hypothesis)
        if token in self.forbidden.get(hypothesis.text, ()):
            return False
        return len(text) <= len(pending) or self.takes(hypothesis.fork(), text[len(pending) :])

    def allowed(self, hypothesis: Hypothesis) -> npt.NDArray[np.bool_]:
        """All tokens that may come, (vocabulary,)."""
        if not self._is_constrained(hypothesis):
            return ~self.model.silent
        from quotient.logits import allowed_tokens

        assert hypothesis.recognizer is not None
        mask = hypothesis.recognizer.mask(self.model.vocabulary)
        return allowed_tokens(mask, len(self.model.silent))

    def _truncated(self, row: Row) -> Row:
        """The logits over the temperature; those that top-k and top-p leave out are minus infinity."""
        row = row / np.float32(self.options.temperature)
        places = ranked(row, self.options.top_k)
        if not places:
            return row
        probabilities = softmax(row[places])
        before = probabilities.cumsum() - probabilities
        kept = [place for place, share in zip(places, before, strict=True) if share < self.options.top_p]
        truncated = np.full_like(row, -np.inf)
        truncated[kept] = row[kept]
        return truncated

    def _noisy(self, row: Row) -> Row:
        return row + self.generator.gumbel(size=row.shape).astype(np.float32)

    def _rewritten(self, hypothesis: Hypothesis, row: Row) -> int | None:
        """A token that begins with the pending text, or is a beginning of it."""
        model, pending = self.model, hypothesis.pending
        candidates = model.beginnings_of(pending) + model.begun_with(pending)
        if not candidates:
            return None
        scores = row[candidates]
        if self.is_sampling:
            scores = self._noisy(scores / np.float32(self.options.temperature))
        for place in ranked(scores, N_CANDIDATES):
            token = candidates[place]
            text = model.token_bytes[token]
            if token in self.forbidden.get(b"", ()):
                continue
            if len(text) <= len(pending) or self.takes(hypothesis, text[len(pending) :]):
                return token
        if not self.has_bound(hypothesis):
            return next(
                (
                    token
                    for token in self._on_the_way(hypothesis, row)
                    if self.takes(hypothesis, model.token_bytes[token][len(pending) :])
                ),
                None,
            )
        # A row of the likeliest tokens only may not have told of the one that fits.
        return next(iter(model.beginnings_of(pending)[::-1]), None) if self.may_relax else None

    def _first(self, hypothesis: Hypothesis, candidates: list[int]) -> int | None:
        """The first of some candidates that may come; it is read."""
        model, recognizer = self.model, hypothesis.recognizer
        if recognizer is None or not self._is_constrained(hypothesis):
            return next((token for token in candidates if not model.silent[token]), None)
        rest = iter(candidates)
        for token in self._let_through(hypothesis, rest):
            if token in model.ends:
                if self._may_leave and not self.has_to_begin(hypothesis):
                    return token
            elif self._is_taken(hypothesis, model.token_bytes[token]):
                self._refuse(token, "taken")
            elif self.takes(hypothesis, model.token_bytes[token], token):
                return token
            elif self._is_bad_form(hypothesis, model.token_bytes[token]):
                self._refuse(token, "layout")
            elif self._is_no_member(hypothesis, model.token_bytes[token]):
                self._refuse(token, "member")
            elif self._leaves(hypothesis, model.token_bytes[token]):
                return None
            else:
                self._refuse(token, "scope")
        return None

    def _leaves(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether the text ends where a token goes on to leave the scope, or within that token."""
        recognizer, fence = hypothesis.recognizer, self.fence
        assert recognizer is not None
        if fence is not None:
            for length in range(len(text) - 1, 0, -1):
                fork = recognizer.fork()
                if (
                    fence.is_within(recognizer, hypothesis.text, text[:length])
                    and fork.advance(text[:length])
                    and fork.is_member()
                ):
                    self.kept = text[:length]
                    break
        self.is_leaving = bool(self.kept) or (self._may_leave and not self.has_to_begin(hypothesis))
        self.left = text[len(self.kept) :]
        return self.is_leaving

    def _let_through(self, hypothesis: Hypothesis, candidates: Iterable[int]) -> Iterator[int]:
        """Those candidates that the engine has nothing against."""
        recognizer, vocabulary = hypothesis.recognizer, self.model.vocabulary
        assert recognizer is not None
        remaining = list(candidates)
        while remaining:
            token = recognizer.first_allowed(vocabulary, remaining)
            place = len(remaining) if token is None else remaining.index(token)
            for refused in remaining[:place]:
                self._refuse(refused, self._why(hypothesis, self.model.token_bytes[refused]))
            if token is None:
                return
            if token in self.forbidden.get(hypothesis.text, ()):
                self._refuse(token, "name")
            else:
                yield token
            remaining = remaining[place + 1 :]

    def takes(self, hypothesis: Hypothesis, text: bytes, token: int | None = None) -> bool:
        """Reads a text, unless another completion began with it, or the engine or the scope is against it."""
        recognizer = hypothesis.recognizer
        if self._is_taken(hypothesis, text):
            return False
        if recognizer is None or not self._is_constrained(hypothesis):
            return True
        if self._is_bad_form(hypothesis, text) or self._is_no_member(hypothesis, text):
            return False
        if self.fence is not None and not self.fence.is_within(recognizer, hypothesis.text, text):
            return False
        if token is not None:
            return recognizer.advance_token(self.model.vocabulary, token)
        return recognizer.advance(text)

    def has_to_begin(self, hypothesis: Hypothesis) -> bool:
        """Whether anything has to come: other texts have been written, and this one is still empty, or it is
        to bind a name."""
        return (bool(self.taken) and not hypothesis.first) or not self.has_bound(hypothesis)

    def has_bound(self, hypothesis: Hypothesis) -> bool:
        """Whether a text has bound what it is to bind."""
        return self.binding is None or self.binding.is_bound(hypothesis.text)

    def _is_taken(self, hypothesis: Hypothesis, text: bytes) -> bool:
        return not hypothesis.first and text.strip() in self.taken

    def _is_bad_form(self, hypothesis: Hypothesis, text: bytes) -> bool:
        recognizer = hypothesis.recognizer
        if recognizer is None or self.layout is None:
            return False
        return not self.layout.suits(recognizer, hypothesis.text, text)

    def _is_no_member(self, hypothesis: Hypothesis, text: bytes) -> bool:
        if self.binding is not None and not self.binding.allow(hypothesis.text, text):
            return True
        return any(not some.allow(hypothesis.text, text) for some in self.members)

    def _why(self, hypothesis: Hypothesis, text: bytes) -> str:
        """Who is against a text that the engine does not let through, if somebody wants to know."""
        if self.refusals is None or not text:
            return "grammar" if text else "end"
        assert hypothesis.recognizer is not None
        found = hypothesis.recognizer.refusal(text) if hypothesis.recognizer.has_names else None
        return "grammar" if found is None else found[2]

    def _refuse(self, token: int, why: str) -> None:
        if self.refusals is not None:
            self.refusals.append(Refusal(token, why))

    def _is_constrained(self, hypothesis: Hypothesis) -> bool:
        return hypothesis.recognizer is not None and self.options.constraint == "constrained"


def where(allowed: npt.NDArray[np.bool_], row: Row) -> Row:
    """The row without what is not allowed."""
    return np.where(allowed, row, np.float32(-np.inf))
