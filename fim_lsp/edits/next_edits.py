"""From a change to the next edits: collects all proposals, proves and ranks them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from fim_lsp.context.import_place import Asker
from fim_lsp.context.importable import ImportSource as Importing
from fim_lsp.edits.causes import known_causes
from fim_lsp.edits.functions.awaits import awaits_another
from fim_lsp.edits.functions.brackets import are_brackets_of_another
from fim_lsp.edits.functions.implementations import header_around
from fim_lsp.edits.functions.namesakes import calls_namesake, heads_namesake
from fim_lsp.edits.importing import imports
from fim_lsp.edits.proving.brought import with_imports
from fim_lsp.edits.proving.mending import mending_replacements
from fim_lsp.edits.proving.proof import Proof
from fim_lsp.edits.renaming.format_keys import is_field_of_another
from fim_lsp.edits.renaming.literal_keys import is_value_like_key
from fim_lsp.edits.renaming.returned_keys import is_key_of_no_result
from fim_lsp.edits.repeated_substitutions import (
    is_contradicted,
    renamed_members,
    renamed_words,
    repeated_substitutions,
)
from fim_lsp.edits.repeating import templates, whole_lines
from fim_lsp.edits.repeating.judge import judge
from fim_lsp.edits.repeating.moved_words import lacks_moved_word
from fim_lsp.edits.repeating.substitutions import Substitution, merged_substitutions, substitutions
from fim_lsp.edits.rules.caught_errors import catches_what_it_raises
from fim_lsp.edits.rules.declaring_words import declares_otherwise
from fim_lsp.edits.rules.event_names import is_no_event
from fim_lsp.edits.rules.literal_types import is_unlisted_text
from fim_lsp.edits.rules.named_literals import is_named_otherwise
from fim_lsp.edits.rules.routes import is_name_of_another_route
from fim_lsp.edits.rules.sibling_rows import is_key_of_others
from fim_lsp.edits.rules.strict_comparisons import is_loose_with_nothing
from fim_lsp.edits.rules.turned_flags import is_turned_flag
from fim_lsp.edits.rules.wrapped_errors import wraps_no_error
from fim_lsp.edits.rules.written_keys import is_key_of_another
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import (
    JOINT,
    NextEdit,
    Proposal,
    Replacement,
    overlaps,
    with_line_ends,
    without_conflicts,
)
from fim_lsp.edits.texts.refusals import differing, lines_told
from fim_lsp.edits.typed.nameless_structs import is_field_of_other_rows
from fim_lsp.edits.writers import EditWriter, spares_typed
from fim_lsp.known_languages import PYTHON
from quotient import Document, Language

# The least probability of an edit that is shown.
BAR = 0.65
MOST = 50
# Between this probability and the bar a rule points to a place without being sure.
LEAST_UNSURE = 0.25
# The reasons for which a substitution does not hold at a place, each a question.
COUNTEREVIDENCE = (
    declares_otherwise,
    is_value_like_key,
    is_key_of_no_result,
    is_field_of_another,
    is_key_of_others,
    is_unlisted_text,
    is_named_otherwise,
    is_key_of_another,
    is_loose_with_nothing,
    calls_namesake,
    heads_namesake,
    awaits_another,
    is_field_of_other_rows,
    lacks_moved_word,
    is_turned_flag,
    is_name_of_another_route,
    are_brackets_of_another,
    is_no_event,
    wraps_no_error,
    catches_what_it_raises,
)
# Lines that follow each other are shown together if they are about as probable.
ALIKE = 0.2
# The group of substitutions. A refusal concerns their words; other words may be wanted.
BY_WORDS = "substitution"


def nothing(_name: str) -> Importing | None:
    return None


@dataclass(frozen=True)
class EditContext:
    """The context of a change: names that could be imported, and edits that were refused before."""

    importable: Callable[[str], Importing | None] = nothing
    asker: Asker = field(default_factory=Asker)
    refused: Collection[tuple[str, str, str]] = ()
    # Earlier substitutions in other files, the latest at the end (`history.py`).
    earlier: Sequence[Substitution] = ()
    # The number of each conversion in them.
    converted: Mapping[str, int] = field(default_factory=dict)
    # Sources of imports that take longer to find, asked only for names that an edit needs.
    project: Callable[[str], Importing | None] = nothing
    # A model that proposes edits, too.
    writer: EditWriter | None = None

    def brought_import(self, name: str) -> Importing | None:
        return self.importable(name) or self.project(name)


def next_edits(
    change: FileChange,
    language: Language,
    around: EditContext | None = None,
    bar: float = BAR,
    most: int = MOST,
    document: Document | None = None,
) -> list[NextEdit]:
    """The next edits in a changed file, the likeliest first. `document` is the engine's document of the
    present text, if there is one."""
    around = around or EditContext()
    if (not change.hunks and not around.earlier) or change.is_rewrite:
        return []
    proof = Proof(change.new, language, document, change.old)
    if not proof.parses and change.hunks:
        mends = mending_replacements(change, proof)
        if mends:
            found = [Proposal(change.path, (one,)) for one in mends]
            return [*proved_edits(change, found, proof, around, bar, most)]
    asked = [one for one in all_of(change, around, bar) if one.probability >= bar]
    if around.writer is not None:
        unsure = partial(unsure_places, change, around, bar, tuple(asked))
        written = around.writer.replacements(change, unsure, proof.document)
        asked += (one for one in written if one.probability >= bar and spares_typed(change, one))
    parts = without_conflicts(without_refused(change, asked, around))
    ranked = sorted(grouped_proposals(change, parts), key=lambda one: rank(change, one))
    return [*proved_edits(change, ranked, proof, around, bar, most)]


def unsure_places(
    change: FileChange, around: EditContext, bar: float, shown: Sequence[Replacement] = ()
) -> list[Replacement]:
    """The replacements of which rules are not sure, apart from places for which one is shown."""
    found = (one for one in all_of(change, around, LEAST_UNSURE) if LEAST_UNSURE <= one.probability < bar)
    return [one for one in found if not any(overlaps(one, other) for other in shown)]


def words_refused(around: EditContext, path: str) -> set[tuple[str, str]]:
    """The pairs of old and new symbols in a file's refused edits. A user who refuses a pair at one place does
    not want it at the next one."""
    return {pair for where, old, new in around.refused if where == path for pair in differing(old, new)}


def without_refused(
    change: FileChange, parts: Sequence[Replacement], around: EditContext
) -> list[Replacement]:
    """The replacements that were not refused. A refusal of a cause, or of joint substitutions, at one place
    holds elsewhere, too, as long as that place keeps its old text."""
    if not around.refused:
        return [*parts]
    text = change.new.text
    pairs, causes = words_refused(around, change.path), set()
    for one in grouped_proposals(change, without_conflicts(parts)):
        edit = one.edit(text)
        if (edit.path, edit.old, edit.new) not in around.refused:
            continue
        by_words = [part for part in one.parts if part.group.startswith(BY_WORDS)]
        pairs |= {(text[part.start : part.stop].strip(), part.new.strip()) for part in by_words}
        reasons = {part.reason for part in one.parts}
        if not by_words and len(reasons) == 1:
            causes |= reasons
    return [
        one
        for one in parts
        if one.reason not in causes and (text[one.start : one.stop].strip(), one.new.strip()) not in pairs
    ]


def all_of(change: FileChange, around: EditContext, bar: float) -> Iterator[Replacement]:
    """The replacements that each cause asks for."""
    yield from known_causes(change, around.converted)
    if change.new.known_language is PYTHON:
        yield from imports.missing(change, around.importable, around.asker)
    renamed = renamed_words(change)
    followed = renamed_members(change) if change.new.known_language is PYTHON else renamed
    for found, features in templates.repeated_templates(change):
        if (change.new.text[found.start : found.stop].strip(), found.new.strip()) in followed:
            continue
        is_header = change.new.known_language is not PYTHON and header_around(change.new, found.start)
        if not is_header and not is_contradicted(change, found) and not means_another(change, found):
            yield replace(found, probability=judge().of_template(features))
    yield from whole_lines.repeated_lines(change)
    made = merged_substitutions(around.earlier, substitutions([change]))
    for found in repeated_substitutions(change, made, bar, renamed):
        if not means_another(change, found):
            yield found


def means_another(change: FileChange, found: Replacement) -> bool:
    """Whether the old text is known to mean something else at a place than where it was replaced."""
    return any(is_other(change, found) for is_other in COUNTEREVIDENCE)


def grouped_proposals(change: FileChange, parts: Sequence[Replacement]) -> Iterator[Proposal]:
    """Proposals, each shown as one edit: the replacements of one line or of consecutive lines."""
    row: list[Replacement] = []
    lines = change.new.lines
    joint: dict[str, list[Replacement]] = {}
    for part in (with_line_ends(one, change.new.text) for one in parts):
        if part.group.startswith(JOINT):
            joint.setdefault(part.group, []).append(part)
            continue
        if row:
            last = lines.line_at(max(row[-1].stop, row[-1].start))
            if row[-1].stop > row[-1].start and row[-1].stop == lines.starts[last]:
                last -= 1
            if not belongs(row[-1], part, lines.line_at(part.start) - last):
                yield Proposal(change.path, tuple(row))
                row = []
        row.append(part)
    if row:
        yield Proposal(change.path, tuple(row))
    for together in joint.values():
        yield Proposal(change.path, tuple(together))


def belongs(one: Replacement, other: Replacement, n_lines: int) -> bool:
    """Whether a replacement is shown together with the previous one."""
    is_alike = one.group == other.group or abs(one.probability - other.probability) < ALIKE
    return n_lines <= 0 or (n_lines == 1 and is_alike)


def rank(change: FileChange, one: Proposal) -> tuple[float, int]:
    """The order: likelier first, then the nearest behind the last change, then those in front of it."""
    last = change.end
    distance = one.start - last if one.start >= last else len(change.new.text) + last - one.start
    return -round(one.probability, 3), distance


def proved_edits(
    change: FileChange, ranked: Iterable[Proposal], proof: Proof, around: EditContext, bar: float, most: int
) -> Iterator[NextEdit]:
    """The edits that hold and were not refused."""
    count = 0
    for proposal in ranked:
        if count >= most:
            return
        for one in (proposal, *narrowed_proposals(change, proposal)):
            edit = one.edit(change.new.text)
            key = edit.path, edit.old, edit.new
            if one.probability < bar or edit.old == edit.new or key in around.refused:
                continue
            if around.refused and lines_told(change.new.lines, edit) in around.refused:
                continue
            held = proved_edit(change, edit, proof, around)
            if held is not None:
                count += 1
                yield replace(held, probability=round(held.probability, 3))
                break


def proved_edit(change: FileChange, edit: NextEdit, proof: Proof, around: EditContext) -> NextEdit | None:
    """An edit that holds, with the imports that it needs; None if it does not hold."""
    if proof.holds(edit.start, edit.end, edit.new):
        return edit
    if not proof.parses or change.new.known_language is not PYTHON:
        return None
    joined = with_imports(change, edit, proof, around.brought_import, around.asker)
    if joined is None:
        return None
    whole = joined.whole(change.new.text)
    return joined if proof.holds(whole.start, whole.end, whole.new) else None


def narrowed_proposals(change: FileChange, proposal: Proposal) -> Iterator[Proposal]:
    """The parts of a proposal, line by line, for the case that it does not hold as a whole."""
    if len(proposal.parts) > 1 and not proposal.parts[0].group.startswith(JOINT):
        rows: dict[int, list[Replacement]] = {}
        for part in proposal.parts:
            rows.setdefault(change.new.lines.line_at(part.start), []).append(part)
        for row in rows.values():
            if len(row) < len(proposal.parts):
                yield Proposal(proposal.path, tuple(row))
