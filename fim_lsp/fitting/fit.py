"""`fim_lsp.fit` changes a text as little as possible so that the file parses with it.

A text that fits is never touched. Otherwise a beginning of it is kept and ended, with the fewest changes
(`nearest.py`). In Python the text moves to another column where that keeps more of it (`columns.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from fim_lsp.document.code_lines import indentation
from fim_lsp.fitting.columns import reindented_texts
from fim_lsp.fitting.documents import DOCUMENTS
from fim_lsp.fitting.fenced import is_answer_in_fence, length_of_sentence, without_fences
from fim_lsp.fitting.functions import leaves_block
from fim_lsp.fitting.layout import laid_out_end, leaves_open
from fim_lsp.fitting.nearest import MAX_INDENTATION, FittingContext, KeptText
from fim_lsp.fitting.prose import without_prose
from fim_lsp.fitting.said_before import length_said_before, without_beginning
from fim_lsp.fitting.signs import without_signs
from fim_lsp.fitting.tags import has_right_tags, named_end, nearest_by_tags
from fim_lsp.known_languages import KNOWN, PYTHON, WITH_TAGS
from fim_lsp.positions import LINE_END, first_line
from fim_lsp.recognizers import fits
from quotient import EncodingError, Language, NoCompletion, Recognizer, TooCostly

# Half a character of UTF-16 alone is no text.
SURROGATE = re.compile(r"[\ud800-\udfff]")
# Moving a text to another column, or dropping its repeated beginning, costs as much as one character.
CHANGE = 1
FITS = "it fits"
WORD = re.compile(r"\w")
# Definitions at the margin, which stand behind the cursor's block.
LEAVES_BLOCK = re.compile(r"^(?:async def|def|class|@|if __name__)\b|^@", re.MULTILINE)
# A longer quote makes a sentence hard to read.
MAX_QUOTE = 40


@dataclass(frozen=True, slots=True)
class Fit:
    """What became of a text. The file parses with `text` in the hole; None if no part of it fits."""

    text: str | None
    is_changed: bool
    # What was done and why, in a sentence for the user.
    reason: str
    # The rest of the text behind the kept part, and the end that replaces it.
    dropped: str = ""
    added: str = ""
    # A removed beginning that repeated what stands left of the cursor.
    said_before: str = ""
    is_moved: bool = False
    # Whether a fence of Markdown was removed, with all text behind it.
    is_unfenced: bool = False
    # Whether special tokens of a model were removed, with all text behind them.
    is_without_signs: bool = False
    # Whether sentences in front of the code or behind it were removed.
    is_without_prose: bool = False


def fit(
    left: str,
    text: str,
    right: str,
    *,
    language: str | Language = "python",
    names: Iterable[str] | None = None,
) -> Fit:
    """Changes a text as little as possible so that the file parses with it between `left` and `right`.

    A text that fits stays as it is. Otherwise its beginning is kept, as long as possible: text that repeats
    what stands right of the cursor, or that is not allowed there, is dropped, and the shortest end is added.
    In Python, lines move to the file's columns where that keeps more of them.

    `language` is a loaded language, or the name of one, which selects its newest version; `names` is as for
    `Language.recognizer`. A cache holds what was read of the last files, so the next hole in one of them
    costs little. Raises `TooCostly` if the engine cannot read all of the right side, so that it does not know
    whether anything fits.

        >>> from fim_lsp import fit
        >>> fit("print(sum(", "1, 2", ")", language="python").text
        '1, 2)'
        >>> fit("print(", "total)", ")\\n").reason
        "')' is right of the cursor already"
    """
    loaded = Language.load(language) if isinstance(language, str) else language
    names = None if names is None else list(names)
    try:
        recognizer = DOCUMENTS.recognizer(loaded, left, right, names)
    except (NoCompletion, EncodingError) as refusal:
        return nothing_fits(text, f"no text fits here: {refusal}")
    except UnicodeEncodeError:
        return nothing_fits(text, "no text fits here: the file is not Unicode text")
    return fit_at(recognizer, text, place_of(loaded, left, right, names))


def place_of(language: Language, left: str, right: str, names: Iterable[str] | None) -> FittingContext:
    """The place between two texts."""
    known_language = next(
        (known_language for known_language in KNOWN if known_language.name == language.name), None
    )

    @cache
    def on_a_line_of_its_own() -> Recognizer | None:
        try:
            return DOCUMENTS.recognizer(language, left, "\n" + right, names)
        except (NoCompletion, TooCostly):
            return None

    return FittingContext(left, right, known_language, on_a_line_of_its_own)


def fit_at(recognizer: Recognizer, text: str, place: FittingContext) -> Fit:
    """As `fit`, for callers that have a recognizer of the hole. The recognizer is left as it was."""
    surrogate = SURROGATE.search(text)
    sound = text if surrogate is None else text[: surrogate.start()]
    if surrogate is None and fits(recognizer, text) and has_right_tags(text, place):
        return Fit(text, False, FITS)
    best = min(forms(recognizer, sound, place), key=lambda form: form.cost)
    if best.kept is None:
        return nothing_fits(text, f"nothing of it fits: {why_not(sound)}")
    return fit_of(recognizer, best, text[len(sound) :], place)


def fit_answer_at(recognizer: Recognizer, text: str, place: FittingContext) -> Fit:
    """As `fit_at`, for the answer of a model that may chat: a fence around code is removed even if the text
    fits, as templates of JavaScript do: ```js and a line end, code, and ```."""
    found = fit_at(recognizer, text, place)
    if found.is_changed or not is_answer_in_fence(recognizer, text, place):
        return found
    best = min(unfenced_forms(recognizer, text, place), key=lambda form: form.cost, default=None)
    return found if best is None or not best.n_kept else fit_of(recognizer, best, "", place)


def fit_of(recognizer: Recognizer, best: Form, behind: str, place: FittingContext) -> Fit:
    """The result of the best form of a text, and what of the text stood behind that."""
    assert best.kept is not None
    beginning = best.said[: best.kept.length]
    dropped = best.said[best.kept.length :] + behind
    stand = recognizer.fork()
    stand.advance(beginning)
    named = named_end(beginning, best.kept.end, stand, place)
    end = laid_out_end(stand, beginning, named, place)
    return Fit(
        beginning + end,
        True,
        reason(stand, best, dropped, end, place),
        dropped,
        end,
        best.said_before,
        best.is_moved,
        best.is_unfenced,
        best.is_without_signs,
        best.is_without_prose,
    )


def nothing_fits(text: str, why: str) -> Fit:
    return Fit(None, True, why, dropped=text)


@dataclass(frozen=True, slots=True)
class Form:
    """One way to take a text (as it is, without its beginning, or moved), and how much of it is kept."""

    said: str
    kept: KeptText | None
    said_before: str = ""
    is_moved: bool = False
    is_unfenced: bool = False
    is_without_signs: bool = False
    is_without_prose: bool = False
    # Whether `said_before` is the line in front of the cursor's, which opens a block or a bracket.
    is_head_again: bool = False
    # Whether lines were moved out of the cursor's block, where others were not.
    has_left_block: bool = False

    @property
    def is_said_again(self) -> bool:
        """Whether all of the text repeats what stands right of the cursor."""
        return self.kept is not None and self.kept.n_said_again > 0 and self.kept.distance == 0

    @property
    def has_begun_block_again(self) -> bool:
        """Whether the text repeats the head of a block around the cursor, at that head's own column. Dropping
        the head and moving the rest then count as one change."""
        return self.is_moved and has_head(self.said_before)

    @property
    def n_changes(self) -> int:
        if self.has_begun_block_again:
            return 1
        # A fence holds whole definitions, so a head that stands there already is no change.
        is_head_in_fence = self.is_unfenced and opens_block(self.said_before)
        return self.is_moved + (bool(self.said_before) and not is_head_in_fence)

    @property
    def n_kept(self) -> int:
        """How many of its characters are kept, white space aside."""
        return 0 if self.kept is None else self.kept.n_black

    @property
    def cost(self) -> tuple[float, ...]:
        if self.kept is None:
            return (float("inf"),)
        distance = self.kept.distance + CHANGE * self.n_changes
        changes = (self.n_changes, not self.has_begun_block_again)
        removed = (self.is_unfenced, self.is_without_signs, self.is_without_prose)
        told_apart = (not self.is_head_again, self.has_left_block)
        return (distance, self.kept.n_invented, *told_apart, *changes, *removed)


def forms(recognizer: Recognizer, text: str, place: FittingContext) -> Iterator[Form]:
    """All forms that a text may be kept in: with and without special tokens and a fence around it."""
    yield from unsigned_forms(recognizer, text, place)
    plain = without_signs(recognizer, text, has_tags=place.known_language in WITH_TAGS)
    for form in () if plain is None else unsigned_forms(recognizer, plain, place):
        yield replace(form, is_without_signs=True)


def unsigned_forms(recognizer: Recognizer, text: str, place: FittingContext) -> Iterator[Form]:
    length = length_of_sentence(recognizer, text, place)
    for form in forms_of(recognizer, text, place):
        # A piece of a chat model's sentence is no code, even if it would fit.
        if not form.n_kept or form.n_kept > length:
            yield form
    unfenced = [*unfenced_forms(recognizer, text, place)]
    # Between fences and sentences, fences say more exactly where the code is.
    code = None if unfenced else without_prose(recognizer, text, place)
    if code is not None:
        for form in in_its_block(forms_of(recognizer, code, place, is_quoted=True), code, place):
            yield replace(form, is_without_prose=True)
    yield from unfenced


def unfenced_forms(recognizer: Recognizer, text: str, place: FittingContext) -> Iterator[Form]:
    for content in without_fences(recognizer, text, place):
        found = in_its_block(forms_of(recognizer, content, place, is_quoted=True), content, place)
        # A definition that has begun around the cursor does not begin anew in itself.
        begun = [form for form in found if form.n_kept and opens_block(form.said_before)]
        for form in begun or found:
            yield replace(form, is_unfenced=True)


def in_its_block(found: Iterable[Form], content: str, place: FittingContext) -> list[Form]:
    """Of code that a chat model wrote from the margin on, the forms at the cursor's column, if there are any:
    its second line could stand at the margin, but would have left the block."""
    forms = [*found]
    line = LINE_END.split(place.left[-MAX_INDENTATION:])[-1]
    if not line or not line.isspace() or is_inside(content, line) or LEAVES_BLOCK.search(content):
        return forms
    return [form for form in forms if form.is_moved and is_whole_inside(form, line)] or forms


def is_whole_inside(form: Form, column: str) -> bool:
    kept = form.kept
    return kept is not None and kept.distance == 0 and is_inside(form.said[: kept.length], column)


def forms_of(
    recognizer: Recognizer, text: str, place: FittingContext, *, is_quoted: bool = False
) -> Iterator[Form]:
    """The text as it is; if that costs too much, or a chat model has quoted it, also without its repeated
    beginning and in other columns."""
    as_it_is = Form(text, nearest_by_tags(recognizer, text, place))
    yield as_it_is
    if as_it_is.cost <= (CHANGE, 0) and not is_quoted:
        return
    length = length_said_before(place.left, text)
    rest = without_beginning(place.left, text, length)
    is_head_again = is_head(text[:length], text[length:], place)
    for form in forms_begun_later(recognizer, text[:length], rest, place) if length else ():
        # The beginning may be meant, although it repeats what is there, if nothing behind it can be kept.
        if form.n_kept or form.is_said_again or not as_it_is.n_kept:
            yield replace(form, is_head_again=is_head_again)
    yield from moved_forms(recognizer, "", text, place)


def forms_begun_later(
    recognizer: Recognizer, before: str, rest: str, place: FittingContext
) -> Iterator[Form]:
    in_place = Form(rest, nearest_by_tags(recognizer, rest, place), before)
    yield in_place
    # White space in front of the cursor says which column is meant.
    line = LINE_END.split(place.left[-MAX_INDENTATION:])[-1]
    if not (line.isspace() and is_whole_inside(in_place, line)) or indentation(rest):
        yield from moved_forms(recognizer, before, rest, place)


def moved_forms(recognizer: Recognizer, before: str, said: str, place: FittingContext) -> Iterator[Form]:
    if place.known_language is PYTHON:
        for moved in reindented_texts(recognizer, said, place):
            kept = nearest_by_tags(recognizer, moved, place)
            has_left = kept is not None and leaves_block(place.left, said, moved[: kept.length])
            yield Form(moved, kept, before, is_moved=True, has_left_block=has_left)


def is_inside(text: str, column: str) -> bool:
    """Whether all lines of a text behind its first one begin with this white space."""
    _, *lines = LINE_END.split(text)
    return all(line.startswith(column) for line in lines if line.strip())


def has_head(lines: str) -> bool:
    """Whether any of these lines of Python ends with a colon."""
    return any(line.rstrip().endswith(":") for line in LINE_END.split(lines))


def is_head(before: str, behind: str, place: FittingContext) -> bool:
    """Whether a repeated beginning is all of the line in front of the cursor's, and opens a block or bracket:
    at equal costs it is rather left off than put into itself."""
    is_line = place.left.rstrip(" \t").endswith(("\n", "\r")) and behind.lstrip(" \t").startswith(
        ("\n", "\r")
    )
    opener = before.rstrip()[-1:]
    return is_line and (opener == "{" or (opener in "([:" and WORD.search(before) is not None))


def opens_block(lines: str) -> bool:
    return lines.rstrip().endswith(("{", ":"))


def reason(stand: Recognizer, form: Form, dropped: str, end: str, place: FittingContext) -> str:
    """What was done to a text and why; `stand` has read the part that is kept."""
    kept = form.kept
    assert kept is not None
    done = []
    if form.is_without_signs:
        done.append("special tokens of a model are not part of it")
    if form.is_unfenced:
        done.append("a fence of Markdown is not part of it")
    if form.is_without_prose:
        done.append("sentences around the code are not part of it")
    if form.said_before:
        done.append(f"{quoted_text(form.said_before.strip())} is left of the cursor already")
    if form.is_moved:
        done.append("its lines were not in the columns of the file's blocks")
    again, lost = dropped[: kept.n_said_again].strip(), dropped[kept.n_said_again :].strip()
    if again:
        done.append(f"{quoted_text(again)} is right of the cursor already")
    if lost:
        done.append(f"{quoted_text(lost)} is not allowed there{why_name(stand, dropped)}")
    if end.strip():
        done.append(f"{quoted_text(end.strip())} {effect_of(end.strip(), form.said[: kept.length], place)}")
    return "; ".join(done) or "white space did not fit"


def effect_of(end: str, said: str, place: FittingContext) -> str:
    """What an added end does, in words."""
    if place.begins_statement(said, end):
        return "begins the next statement"
    return "opens what is closed right of the cursor" if leaves_open(end) else "closes what was open"


def why_name(stand: Recognizer, dropped: str) -> str:
    """Why the law of names refused the dropped text, if it did."""
    surrogate = SURROGATE.search(dropped)
    found = stand.refusal(dropped) if stand.has_law and not surrogate else None
    return "" if found is None else f": {found[2]}"


def why_not(text: str) -> str:
    begin = text.lstrip()
    if not begin:
        return "it is empty, and a text is needed here"
    return f"it may not begin with {quoted_text(begin)}"


def quoted_text(text: str) -> str:
    """A text in quotes, cut to the beginning of its first line."""
    line = first_line(text)
    shortened = line[:MAX_QUOTE]
    return repr(shortened) if shortened == text else f"{shortened!r} ..."
