"""Edit formats: how a model that was trained on edits sees the last change and the lines to rewrite.

    Sweep   <|file_sep|>till.py.diff          what was changed
            original: ... updated: ...
            <|file_sep|>original/till.py      the lines as they were before the last change
            <|file_sep|>current/till.py       as they are
            <|file_sep|>updated/till.py       and here it writes them anew
    Zeta    an instruction, diffs, an excerpt with the lines between two marks, and the same lines again
    Zeta 2  what stands behind, diffs, what stands in front, and the lines between two marks, as the two
            sides of a hole, in which it writes them anew

Such a model is one of a family that fills in the middle, and was trained on: its tokens are that family's,
and its name tells it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from fim_lsp.fim_formats import format_named_in
from fim_lsp.positions import lines_of

SWEEP_SIGN, SWEEP_CURSOR = "<|file_sep|>", "<|cursor|>"
LINE_ENDS = "\r\n"
REGION_START, REGION_END = "<|editable_region_start|>", "<|editable_region_end|>"
CURSOR, FILE_START = "<|user_cursor_is_here|>", "<|start_of_file|>"
# The beginning of every example of Zeta's data set.
ZETA_TASK = (
    "You are a code completion assistant and your task is to analyze user edits and then rewrite an excerpt"
    " that the user provides, suggesting the appropriate edits within the excerpt, taking into account the"
    " cursor location."
)
# Zeta 2 was trained on Seed-Coder, and fills in as that does.
SEED = format_named_in("Seed-Coder-8B")
assert SEED is not None
assert SEED.middle is not None
SEED_SIGNS = SEED_SUFFIX, SEED_PREFIX, SEED_MIDDLE = SEED.suffix, SEED.prefix, SEED.middle
SEED_FILE, SEED_CURSOR = "<filename>", "<|user_cursor|>"
LINES_START, LINES_MIDDLE, LINES_END = "<<<<<<< CURRENT", "=======", ">>>>>>> UPDATED"
NO_EDITS = "NO_EDITS"
FIRST_MARK, SECOND_MARK = "<|marker_1|>", "<|marker_2|>"


@dataclass(frozen=True, slots=True)
class ShownChange:
    """Lines that were changed, as they were and as they are, and the number of the first, counted from 1."""

    path: str
    old: str
    new: str
    first: int = 1


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
    # The number of the first line, counted from 1.
    first: int = 1
    # The lines together with many more on both sides.
    wide: str = ""

    def with_cursor(self, sign: str) -> str:
        """The lines with a sign for the cursor."""
        return self.lines[: self.cursor] + sign + self.lines[self.cursor :]


@dataclass(frozen=True, slots=True)
class Sign:
    """A token that is no text."""

    name: str


Part = str | Sign


def nothing_given(_asked: LinesToRewrite) -> str:
    return ""


def plain_answer(written: str, _asked: LinesToRewrite) -> str | None:
    return written


@dataclass(frozen=True, slots=True)
class EditFormat:
    """A way to ask for lines."""

    name: str
    models: str
    # A pattern in the model's name, less all that is neither letter nor digit; later ones have other formats.
    named: re.Pattern[str]
    # Tokens that these models have.
    signs: tuple[str, ...]
    # The number of lines that are written anew on either side of the last change.
    n_lines: int
    # A text behind the lines that ends them: one of the model's ends, or this.
    end: str
    # The text between the prompt and the lines.
    lead: str
    parts: Callable[[LinesToRewrite], Iterator[Part]]
    # The sign of the cursor, which a model may repeat.
    cursor: str = ""
    # The lines that end the prompt, and that the model does not write.
    given: Callable[[LinesToRewrite], str] = nothing_given
    # The lines that an answer means; None if it means no change.
    answer: Callable[[str, LinesToRewrite], str | None] = plain_answer
    # Signs that are text where a model has no token for them.
    more_signs: tuple[str, ...] = ()


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


def second_sweep_parts(asked: LinesToRewrite) -> Iterator[Part]:
    """As in the first version, with numbers of lines, a wide view of the file, and the cursor."""
    sign = Sign(SWEEP_SIGN)
    yield sign
    yield f"{asked.path}\n{asked.wide}\n"
    for change in asked.changes:
        yield sign
        last = change.first + max(n_lines(change.old), 1) - 1
        yield f"{change.path}:{change.first}:{last}\noriginal:\n{change.old.rstrip(LINE_ENDS)}\n"
        yield f"updated:\n{change.new.rstrip(LINE_ENDS)}\n"
    at = f"{asked.path}:{asked.first}:{asked.first + max(n_lines(asked.lines), 1) - 1}"
    # Behind each part is a line break, also where the part ends with one.
    for name, text in (("original", asked.were), ("current", asked.with_cursor(SWEEP_CURSOR))):
        yield sign
        yield f"{name}/{at}\n{text}\n"
    yield sign
    yield f"updated/{at}\n{lines_above(asked)}"


def zeta_parts(asked: LinesToRewrite) -> Iterator[Part]:
    yield f"### Instruction:\n{ZETA_TASK}\n\n### User Edits:\n\n"
    yield "\n\n".join(zeta_change(change) for change in asked.changes)
    yield f"\n\n### User Excerpt:\n\n```{asked.path}\n"
    yield f"{FILE_START}\n" if asked.is_start else ""
    yield f"{asked.before}{REGION_START}\n{with_line_break(asked.with_cursor(CURSOR))}{REGION_END}\n"
    yield f"{with_line_break(asked.behind)}```"
    yield f"\n\n### Response:\n\n{REGION_START}\n"


def zeta_change(change: ShownChange) -> str:
    return f'User edited "{change.path}":\n```diff\n{diff_of(change)}\n```'


def diff_of(change: ShownChange, first: int = 1) -> str:
    old, new = lines_of(change.old), lines_of(change.new)
    lines = [
        f"@@ -{first},{len(old)} +{first},{len(new)} @@",
        *(f"-{line}" for line in old),
        *(f"+{line}" for line in new),
    ]
    return "\n".join(lines)


def second_zeta_parts(asked: LinesToRewrite) -> Iterator[Part]:
    """The lines stand between the signs of a merge."""
    lines = with_line_break(asked.with_cursor(SEED_CURSOR))
    yield from seed_parts(asked, f"{LINES_START}\n{lines}{LINES_MIDDLE}\n")


def marked_zeta_parts(asked: LinesToRewrite) -> Iterator[Part]:
    """The lines stand between two numbered marks."""
    yield from seed_parts(asked, f"{FIRST_MARK}{asked.with_cursor(SEED_CURSOR)}{SECOND_MARK}\n")


def seed_parts(asked: LinesToRewrite, lines: str) -> Iterator[Part]:
    """A prompt in the order of Seed-Coder, on which both are based: what stands behind comes first."""
    yield Sign(SEED_SUFFIX)
    yield with_line_break(asked.behind) or "\n"
    yield Sign(SEED_PREFIX)
    if asked.changes:
        yield Sign(SEED_FILE)
        yield "edit_history\n"
    for change in asked.changes:
        path = change.path.replace("\\", "/").lstrip("/")
        yield f"--- a/{path}\n+++ b/{path}\n{diff_of(change, change.first)}\n"
    if asked.changes:
        yield "\n"
    yield Sign(SEED_FILE)
    yield f"{asked.path}\n{asked.before}{lines}"
    yield Sign(SEED_MIDDLE)


def unless_no_edits(written: str, _asked: LinesToRewrite) -> str | None:
    return None if written.strip() == NO_EDITS else written


def behind_mark(written: str, asked: LinesToRewrite) -> str | None:
    """The lines behind the first mark. Without that mark other lines are meant, or none."""
    if not written.startswith(FIRST_MARK):
        return None
    lines = written.removeprefix(FIRST_MARK).replace(FIRST_MARK, "")
    # The card has a line break behind a mark, the program that makes the prompts has none.
    return lines if asked.lines.startswith("\n") else lines.removeprefix("\n")


def lines_above(asked: LinesToRewrite) -> str:
    """The lines above the cursor's."""
    return asked.lines[: asked.lines.rfind("\n", 0, asked.cursor) + 1]


def with_line_break(text: str) -> str:
    """The text with a line break at the end, if it is not empty."""
    return text if not text or text.endswith("\n") else f"{text}\n"


def n_lines(text: str) -> int:
    return with_line_break(text).count("\n")


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
    # The program beside the weights of sweepai/sweep-next-edit-v2-7B: 21 lines, of which those above the
    # cursor's are given.
    EditFormat(
        "sweep-2",
        "Sweep Next-Edit v2",
        re.compile(r"sweepnexteditv2"),
        (SWEEP_SIGN,),
        10,
        SWEEP_SIGN,
        "",
        second_sweep_parts,
        SWEEP_CURSOR,
        lines_above,
    ),
    # The card of zed-industries/zeta, and the data set of the same name.
    EditFormat("zeta", "Zeta", re.compile(r"zeta(?!\d)"), (), 8, REGION_END, "", zeta_parts, CURSOR),
    # `V0211SeedCoder` in crates/zeta_prompt of zed-industries/zed, which is Zeta 2's by the page of
    # zed-zeta-bindings on PyPI.
    EditFormat(
        "zeta-2",
        "Zeta 2",
        re.compile(r"zeta2(?!\d)|zeta28b"),
        SEED_SIGNS,
        8,
        LINES_END,
        "",
        second_zeta_parts,
        SEED_CURSOR,
        answer=unless_no_edits,
        more_signs=(SEED_FILE,),
    ),
    # The card of zed-industries/zeta-2.1, and `V0318SeedMultiRegions` at the same places. A block between two
    # marks has at most 16 lines there, so these lines are one.
    EditFormat(
        "zeta-2.1",
        "Zeta 2.1",
        re.compile(r"zeta21(?!\d)|zeta218b"),
        SEED_SIGNS,
        7,
        SECOND_MARK,
        FIRST_MARK,
        marked_zeta_parts,
        SEED_CURSOR,
        answer=behind_mark,
        more_signs=(SEED_FILE,),
    ),
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
