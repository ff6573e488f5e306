"""Edit formats: how a model that was trained on edits sees the last change and the lines to rewrite.

    Sweep   <|file_sep|>till.py.diff          what was changed
            original: ... updated: ...
            <|file_sep|>original/till.py      the lines as they were before the last change
            <|file_sep|>current/till.py       as they are
            <|file_sep|>updated/till.py       and here it writes them anew
    Zeta    an instruction, diffs, an excerpt with the lines between two marks, and the same lines again

Such a model is one of a family that fills in the middle, and was trained on: its tokens are that family's,
and its name tells it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

SWEEP_SIGN = "<|file_sep|>"
REGION_START, REGION_END = "<|editable_region_start|>", "<|editable_region_end|>"
CURSOR, FILE_START = "<|user_cursor_is_here|>", "<|start_of_file|>"
# The beginning of every example of Zeta's data set.
ZETA_TASK = (
    "You are a code completion assistant and your task is to analyze user edits and then rewrite an excerpt"
    " that the user provides, suggesting the appropriate edits within the excerpt, taking into account the"
    " cursor location."
)


@dataclass(frozen=True, slots=True)
class ShownChange:
    """Lines that were changed, as they were and as they are."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class LinesToRewrite:
    """Whole lines of a file, the text around them, and the changes, the latest at the end."""

    path: str
    before: str
    lines: str
    behind: str
    # The lines as they were before the last change, and where in them that ends.
    were: str
    cursor: int
    changes: tuple[ShownChange, ...]
    # Whether the file begins with `before`.
    is_start: bool = False


@dataclass(frozen=True, slots=True)
class Sign:
    """A token that is no text."""

    name: str


Part = str | Sign


@dataclass(frozen=True, slots=True)
class EditFormat:
    """A way to ask for lines."""

    name: str
    models: str
    # A pattern in the model's name, less all that is neither letter nor digit; later ones have other formats.
    named: re.Pattern[str]
    signs: tuple[str, ...]
    # The number of lines that are written anew on either side of the last change.
    n_lines: int
    # A text behind the lines that ends them: one of the model's ends, or this.
    end: str
    # The text between the prompt and the lines.
    lead: str
    parts: Callable[[LinesToRewrite], Iterator[Part]]


def sweep_parts(asked: LinesToRewrite) -> Iterator[Part]:
    sign = Sign(SWEEP_SIGN)
    for change in asked.changes:
        yield sign
        yield f"{change.path}.diff\noriginal:\n{with_line_break(change.old)}"
        yield f"updated:\n{with_line_break(change.new)}"
    for name, text in (("original", asked.were), ("current", asked.lines)):
        yield sign
        yield f"{name}/{asked.path}\n{with_line_break(text)}"
    yield sign
    yield f"updated/{asked.path}"


def zeta_parts(asked: LinesToRewrite) -> Iterator[Part]:
    yield f"### Instruction:\n{ZETA_TASK}\n\n### User Edits:\n\n"
    yield "\n\n".join(zeta_change(change) for change in asked.changes)
    marked = asked.lines[: asked.cursor] + CURSOR + asked.lines[asked.cursor :]
    yield f"\n\n### User Excerpt:\n\n```{asked.path}\n"
    yield f"{FILE_START}\n" if asked.is_start else ""
    yield f"{asked.before}{REGION_START}\n{with_line_break(marked)}{REGION_END}\n"
    yield f"{with_line_break(asked.behind)}```"
    yield f"\n\n### Response:\n\n{REGION_START}\n"


def zeta_change(change: ShownChange) -> str:
    old, new = change.old.splitlines(), change.new.splitlines()
    lines = [
        f"@@ -1,{len(old)} +1,{len(new)} @@",
        *(f"-{line}" for line in old),
        *(f"+{line}" for line in new),
    ]
    said = "\n".join(lines)
    return f'User edited "{change.path}":\n```diff\n{said}\n```'


def with_line_break(text: str) -> str:
    """The text with a line break at the end, if it is not empty."""
    return text if not text or text.endswith("\n") else f"{text}\n"


EDIT_FORMATS = (
    # The card of sweepai/sweep-next-edit-1.5B, and blog.sweep.dev/posts/oss-next-edit: 21 lines.
    EditFormat(
        "sweep",
        "Sweep Next-Edit",
        re.compile(r"sweepnextedit(?!v\d)"),
        (SWEEP_SIGN,),
        10,
        SWEEP_SIGN,
        "\n",
        sweep_parts,
    ),
    # The card of zed-industries/zeta, and the data set of the same name.
    EditFormat("zeta", "Zeta", re.compile(r"zeta(?!\d)"), (), 8, REGION_END, "", zeta_parts),
)


def edit_format(names: Iterable[str | None], vocabulary: Collection[str]) -> EditFormat | None:
    """The format of a model, by its name, if it has the tokens for it; None for a model that was not trained
    on edits."""
    for name in names:
        plain = "".join(letter for letter in (name or "").lower() if letter.isalnum())
        for known in EDIT_FORMATS:
            if known.named.search(plain) and all(sign in vocabulary for sign in known.signs):
                return known
    return None
