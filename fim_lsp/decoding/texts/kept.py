"""Kept completions: if the user types the beginning of one, its rest is offered without a computation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fim_lsp.decoding.texts.completion import Completion


@dataclass(frozen=True, slots=True)
class KeptCompletions:
    """The finished completions of a hole."""

    left: str
    right: str
    completions: tuple[Completion, ...]

    def behind(self, left: str, right: str) -> tuple[Completion, ...]:
        """The rests of the completions that agree with the text typed since."""
        if right != self.right or not left.startswith(self.left):
            return ()
        typed = left[len(self.left) :]
        found = (rest_of(completion, typed) for completion in self.completions)
        return tuple(rest for rest in found if rest is not None)


def rest_of(completion: Completion, typed: str) -> Completion | None:
    """The rest of a completion behind the typed text; None if they disagree, or nothing is left.

    A partly typed token belongs to the rest. It is more probable than it was, since the user's keys agree
    with it.
    """
    text = completion.text
    if not text.startswith(typed) or len(text) == len(typed):
        return None
    if not typed:
        return completion
    n_typed, n_text = len(typed.encode(errors="replace")), len(text.encode(errors="replace"))
    starts = (0, *(mark.n_bytes for mark in completion.marks))
    marks = tuple(
        mark.behind(n_typed, max(n_typed - start, 0))
        for start, mark in zip(starts, completion.marks, strict=False)
        if mark.n_bytes > n_typed
    )
    chosen = [mark.logprob for mark in marks if mark.n_bytes <= n_text - n_typed and mark.logprob is not None]
    wrong_from = completion.wrong_from
    return replace(
        completion,
        text=text[len(typed) :],
        marks=marks,
        n_tokens=max(completion.n_tokens - (len(completion.marks) - len(marks)), 1),
        mean_logprob=sum(chosen) / len(chosen) if chosen else 0.0,
        wrong_from=None if wrong_from is None else max(wrong_from - len(typed), 0),
    )
