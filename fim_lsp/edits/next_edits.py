"""From a change to the next edits: collects all proposals, proves and ranks them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fim_lsp.context.import_place import Asker
from fim_lsp.context.importable import ImportSource as Importing
from fim_lsp.edits import (
    conversions,
    imports,
    kept_parameters,
    members,
    mentions,
    overrides,
    renames,
    returned_rows,
    scoped,
    templates,
    typed_members,
    unused_imports,
    whole_lines,
)
from fim_lsp.edits.adapted_calls import adapted_call, values_given
from fim_lsp.edits.annotations import annotates_another, contradicts_body, repeated_annotations
from fim_lsp.edits.awaits import adapted_awaits
from fim_lsp.edits.brought import with_imports
from fim_lsp.edits.calls import calls_in, contradicts_header
from fim_lsp.edits.candidates import (
    SubstitutionCandidate,
    candidates,
    is_meant,
    proposed_replacement,
    takes_arguments,
)
from fim_lsp.edits.change import FileChange
from fim_lsp.edits.edit import JOINT, NextEdit, Proposal, Replacement, without_conflicts
from fim_lsp.edits.fields import altered_fields
from fim_lsp.edits.fixtures import renamed_fixtures
from fim_lsp.edits.implementations import header_around, implemented_members, is_of_another
from fim_lsp.edits.judge import UNDOUBTED, is_code, judge
from fim_lsp.edits.literal_keys import is_value_like_key, renamed_keys, renamed_typed_keys
from fim_lsp.edits.mending import mending_replacements
from fim_lsp.edits.moved_names import is_another, moved_names
from fim_lsp.edits.objects import family
from fim_lsp.edits.placed_calls import adapted_placed_calls
from fim_lsp.edits.proof import Proof
from fim_lsp.edits.properties import adapted_brackets, turned_methods, turned_words
from fim_lsp.edits.refusals import differing, lines_told
from fim_lsp.edits.returned_errors import leaves_unused, returned_errors
from fim_lsp.edits.rewriting import Rewriter
from fim_lsp.edits.rows import is_balanced
from fim_lsp.edits.said_fields import renamed_fields, renamed_options
from fim_lsp.edits.signatures import altered_functions
from fim_lsp.edits.substitutions import Substitution, merged_substitutions, substitutions
from fim_lsp.edits.symbols import WORD
from fim_lsp.edits.turned_functions import adapted_uses
from fim_lsp.known_languages import PYTHON
from quotient import Document, Language

# The least probability of an edit that is shown.
BAR = 0.65
MOST = 50
# The object in front of a member.
OBJECT = re.compile(r"([^\W\d]\w*)\.\Z")
MOST_CHARACTERS = 80
# An edit of at least this probability gets the probability of its like further down, if that is shown.
NEARER = 0.45
# Consecutive lines are shown together if their probabilities differ by no more than this.
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
    # A model trained on edits, which rewrites the lines around the last change.
    rewriter: Rewriter | None = None

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
    if not change.hunks and not around.earlier:
        return []
    proof = Proof(change.new, language, document, change.old)
    if not proof.parses and change.hunks:
        mends = mending_replacements(change, proof, Proof(change.old, language).parses)
        if mends:
            found = [Proposal(change.path, (one,)) for one in mends]
            return [*proved_edits(change, found, proof, around, bar, most)]
    asked = [one for one in all_of(change, around, bar) if one.probability >= bar]
    if around.rewriter is not None:
        asked += (one for one in around.rewriter.replacements(change) if one.probability >= bar)
    parts = without_conflicts(without_refused(change, asked, around))
    ranked = sorted(grouped_proposals(change, parts), key=lambda one: rank(change, one))
    return [*proved_edits(change, ranked, proof, around, bar, most)]


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
    if change.new.known_language is PYTHON:
        yield from renames.renamed_occurrences(change)
        for rename in renames.renames(change):
            yield from overrides.renamed_overrides(change, rename, family(change, rename.owner))
            yield from mentions.renamed_mentions(change, rename)
            yield from renamed_fixtures(change, rename)
            yield from renamed_fields(change, rename)
            yield from renamed_typed_keys(change, rename)
        yield from moved_names(change)
        yield from renamed_options(change)
        yield from renamed_keys(change)
        for function in [*altered_functions(change), *altered_fields(change)]:
            given = values_given(change, function)
            yield from overrides.adapted_headers(change, function, family(change, function.before.owner))
            yield from kept_parameters.kept_parameters(change, function)
            for call in calls_in(change, function, change):
                yield from adapted_call(change, call, function, given) or []
                yield from adapted_awaits(change, call, function)
        yield from adapted_brackets(change)
        yield from conversions.repeated_conversions(change, around.converted)
        yield from returned_rows.adapted_rows(change)
        yield from repeated_annotations(change)
        yield from imports.imported_otherwise(change)
        yield from unused_imports.dropped_imports(change)
        yield from imports.put_back(change)
        yield from imports.missing(change, around.importable, around.asker)
    else:
        yield from scoped.renamed_uses(change)
        yield from members.renamed_calls(change)
        yield from typed_members.renamed_member_uses(change)
        yield from adapted_placed_calls(change)
        yield from adapted_uses(change)
        yield from implemented_members(change)
        yield from returned_errors(change)
    for found, features in templates.repeated_templates(change):
        is_header = change.new.known_language is not PYTHON and header_around(change.new, found.start)
        if not is_header and not is_contradicted(change, found):
            yield replace(found, probability=judge().of_template(features))
    yield from whole_lines.repeated_lines(change)
    # The rename of a variable at its binding says more than the substitution of a word.
    if change.new.known_language is PYTHON:
        known = {(one.old, one.new) for one in renames.renames(change)}
        known |= {turned_words(one) for one in turned_methods(change)}
    else:
        known = {(old, new) for old, new, _ in scoped.renamed_declarations(change)}
        known |= {(old, new) for old, new, _ in typed_members.renamed_members(change)}
        known |= {*scoped.names_of_several(change)}
    made = merged_substitutions(around.earlier, substitutions([change]))
    for found in repeated_substitutions(change, made, bar, known):
        if not is_value_like_key(change, found):
            yield found


def repeated_substitutions(
    change: FileChange,
    made: Iterable[Substitution],
    bar: float,
    renamed: Collection[tuple[str, str]] = (),
    sure: float = 1.0,
) -> Iterator[Replacement]:
    """The repetitions of substitutions that are probable enough."""
    found = [*candidates(change, made)]
    said = judge().probabilities([one.features for one in found])
    said = in_order(found, without_halves(found, said, bar / sure), bar / sure)
    for one, probability in zip(found, said, strict=True):
        is_renamed = one.substitution.key in renamed and (
            is_followed(change, one) or (probability < UNDOUBTED and is_said_otherwise(one))
        )
        if (
            sure * probability >= bar
            and not is_renamed
            and is_meant(change, one)
            and (change.new.known_language is PYTHON or not is_of_another(change, one))
            and takes_arguments(change, one)
        ):
            replacement = proposed_replacement(change.new.text, one, sure * probability)
            if not is_contradicted(change, replacement):
                yield replacement


def is_contradicted(change: FileChange, one: Replacement) -> bool:
    """Whether the text around a place shows that its new text is wrong."""
    if change.new.known_language.name == "go":
        return leaves_unused(change.new, one)
    if change.new.known_language is not PYTHON:
        return False
    what = change.new, one.start, change.new.text[one.start : one.stop], one.new
    if contradicts_header(change, one) or is_another(change, one):
        return True
    return annotates_another(*what) or contradicts_body(*what)


def in_order(found: Sequence[SubstitutionCandidate], said: Sequence[float], bar: float) -> list[float]:
    """The probabilities of places. A place gets at least the probability of a similar place further down:
    users who go through a file do not skip a nearer place that is like a shown one."""
    kept = [*said]
    best: dict[tuple[str, str], float] = {}
    for number in sorted(range(len(found)), key=lambda number: -found[number].start):
        one = found[number]
        if not is_code(one.features) or one.features["is passed over"]:
            continue
        key = one.substitution.key
        if kept[number] >= NEARER and one.features["attribute"]:
            kept[number] = max(kept[number], best.get(key, 0.0))
        if kept[number] >= bar:
            best[key] = max(kept[number], best.get(key, 0.0))
    return kept


def without_halves(found: Sequence[SubstitutionCandidate], said: Sequence[float], bar: float) -> list[float]:
    """The probabilities of places, without halves: if an addition around a text is made as a whole, its half
    is not made."""
    whole = [
        one
        for one, probability in zip(found, said, strict=True)
        if probability >= bar and not is_half(one.substitution)
    ]
    return [
        0.0
        if is_half(one.substitution) and any(of.start <= one.start and one.stop <= of.stop for of in whole)
        else probability
        for one, probability in zip(found, said, strict=True)
    ]


def is_half(one: Substitution) -> bool:
    return not (is_balanced(one.old) and is_balanced(one.new))


def is_followed(change: FileChange, one: SubstitutionCandidate) -> bool:
    """Whether the rename itself would find this place if it meant the renamed declaration. Members of other
    objects count, unless the user has changed a member of that object by hand."""
    if change.new.known_language is not PYTHON:
        return is_code(one.features)
    if not one.features["attribute"]:
        return bool(one.features["variable"])
    found = OBJECT.search(change.new.text, max(one.start - MOST_CHARACTERS, 0), one.start)
    said = found[1] if found else ""
    by_hand = {made.place.left[1:2] for made in one.substitution.made if made.place.left[:1] == (".",)}
    return said in ("self", "cls") or (said,) not in by_hand


def is_said_otherwise(one: SubstitutionCandidate) -> bool:
    """Whether a place has a renamed declaration's name in another role: in a string or comment, as a keyword,
    or with its brackets."""
    return (
        not is_code(one.features) or bool(one.features["keyword"]) or not WORD.fullmatch(one.substitution.old)
    )


def grouped_proposals(change: FileChange, parts: Sequence[Replacement]) -> Iterator[Proposal]:
    """Proposals, each shown as one edit: the replacements of one line or of consecutive lines."""
    row: list[Replacement] = []
    lines = change.new.lines
    joint: dict[str, list[Replacement]] = {}
    for part in parts:
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
