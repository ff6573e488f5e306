"""A walk from one release of a file to the next: hunk by hunk, with what is proposed on the way.

What is right is taken, so the walk is shorter by that; what is wrong is refused and not shown again, and then
somebody makes the next hunk by hand. A proposal is right if every line that it leaves behind stands like that
in the next release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from fim_lsp.edits.change import Change
from fim_lsp.edits.edit import Edit
from fim_lsp.edits.hunks import Difference, Hunk
from fim_lsp.edits.substitutions import Substitution, forms, substitutions

# Nobody is shown more in one file.
MOST_STEPS = 2_000


@dataclass(slots=True)
class Step:
    """A hunk that was made, by hand or by taking what was proposed; or what was shown in vain."""

    kind: str
    # Whether the hunk is nothing but substitutions that were made before.
    is_repeated: bool = False
    is_replacement: bool = False
    n_characters: int = 0
    edit: Edit | None = None
    seconds: float = 0.0
    text: str = ""


def walk(
    path: str,
    old: str,
    target: str,
    earlier: Sequence[Substitution],
    proposed: Callable[[Change, set[tuple[str, str, str]]], list[Edit]],
) -> Iterator[Step]:
    known = {(one.old, one.new) for one in earlier}
    state, refused = old, set()
    last = 0
    for _ in range(MOST_STEPS):
        rest = Difference.of(state, target).hunks
        if not rest:
            return
        change = Change.of(path, old, state)
        if change.hunks or earlier:
            start = perf_counter()
            found = proposed(change, refused)
            seconds = perf_counter() - start
            if found:
                edit = found[0]
                after = edit.applied(state)
                kind, hunk = verdict(state, after, target, rest)
                if kind == "wrong":
                    refused.add((edit.path, edit.old, edit.new))
                    yield Step("wrong", edit=edit, seconds=seconds)
                else:
                    yield step_of(kind, change, hunk, state, after, target, known, edit, seconds)
                    state = after
                    continue
            else:
                yield Step("silent", seconds=seconds)
        hunk = next((one for one in rest if one.old_start >= last), rest[0])
        after = state[: hunk.old_start] + target[hunk.new_start : hunk.new_stop] + state[hunk.old_stop :]
        yield step_of("by hand", change, hunk, state, after, target, known, None, 0.0)
        last = hunk.old_start + hunk.new_stop - hunk.new_start
        state = after


def step_of(kind, change, hunk, state, after, target, known, edit, seconds) -> Step:
    own = known | {(one.old, one.new) for one in substitutions([change])}
    local = Change.of(change.path, state, after)
    is_replacement = hunk.old_last - hunk.old_first == hunk.new_last - hunk.new_first
    made = {
        (local.old.text[a:b], new) for one in local.replaced for a, b, new in forms(local, one)
    }
    complete = all([*forms(local, one)] for one in local.replaced) and bool(local.replaced)
    return Step(
        kind,
        is_replacement and complete and made <= own,
        is_replacement,
        hunk.new_stop - hunk.new_start,
        edit,
        seconds,
        after,
    )


def verdict(state: str, after: str, target: str, rest: Sequence[Hunk]) -> tuple[str, Hunk]:
    """Whether what was proposed is a whole hunk, right as far as it goes, or wrong."""
    for hunk in rest:
        whole = state[: hunk.old_start] + target[hunk.new_start : hunk.new_stop] + state[hunk.old_stop :]
        if after == whole:
            return "exact", hunk
    own = Difference.of(state, after).hunks
    left = Difference.of(after, target).hunks
    for mine in own:
        for other in left:
            touches = mine.new_first < other.old_last and other.old_first < mine.new_last
            if touches or mine.new_first == mine.new_last:
                return "wrong", rest[0]
    return "part", next((h for h in rest if h.old_last > own[0].old_first), rest[0])
