"""Errors of Go that are wrapped now: after one `%v` for an error became `%w`, the others become so, too.

    -return fmt.Errorf("load: %v", err)         return fmt.Errorf("save %s: %v", name, err)
    +return fmt.Errorf("load: %w", err)                                     ^ `%w`

Only the last verb of a text is meant, and a last argument of the same name as where it was changed.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText

CALLED = "fmt.Errorf"
WRAPPING = "w"
SURE = 0.8


def repeated_wraps(change: FileChange) -> Iterator[Replacement]:
    made = wraps_made(change)
    places = [*verbs_left(change, made)] if made else []
    last = max((one.new_start for one in change.replaced), default=0)
    # Where one was left out in front, the user chooses.
    if any(at < last for at in places):
        return
    for at in places:
        yield Replacement(at, at + 1, WRAPPING, "an error is wrapped by `%w` now", SURE, "wrapped")


def wraps_made(change: FileChange) -> set[tuple[str, str]]:
    """The verbs that became `%w`, each with the name of its error."""
    if change.new.known_language.name != "go":
        return set()
    places = (one.new_start for one in change.replaced if one.new.endswith(WRAPPING))
    return {made for made in (replaced_verb(change, at) for at in places) if made[0]}


def wraps_no_error(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would wrap what is not the error that was wrapped."""
    if not found.new.endswith(WRAPPING):
        return False
    names = {name for _, name in wraps_made(change)}
    call = errorf_around(change.new, found.start) if names else None
    here = None if call is None else last_verb(change.new, call)
    return bool(names) and (here is None or here[2] not in names)


def replaced_verb(change: FileChange, offset: int) -> tuple[str, str]:
    """The verb that a change replaced by `%w` at a place of the new text, and the error's name."""
    call = errorf_around(change.new, offset)
    start = None if call is None else change.to_old(change.new.span(call)[0])
    before = None if start is None else errorf_around(change.old, start)
    if call is None or before is None:
        return "", ""
    now, was = last_verb(change.new, call), last_verb(change.old, before)
    is_wrapped = now is not None and was is not None and now[1] == WRAPPING != was[1]
    return (was[1], now[2]) if is_wrapped and now is not None and was is not None else ("", "")


def verbs_left(change: FileChange, made: set[tuple[str, str]]) -> Iterator[int]:
    """The places of verbs that were not replaced yet."""
    for start in change.new.places("Errorf"):
        call = errorf_around(change.new, start)
        found = None if call is None else last_verb(change.new, call)
        if found is not None and (found[1], found[2]) in made and not change.is_typed(found[0], found[0] + 1):
            yield found[0]


def errorf_around(source: SourceText, offset: int) -> tree_sitter.Node | None:
    """The call of `fmt.Errorf` at a place."""
    for node in reversed(source.path_to(offset)):
        if node.type == "call_expression":
            return node if source.text_of(node.child_by_field_name("function")) == CALLED else None
    return None


def last_verb(source: SourceText, call: tree_sitter.Node) -> tuple[int, str, str] | None:
    """The place of the verb at the end of the text, the verb, and the name of the last argument."""
    given = call.child_by_field_name("arguments")
    parts = [] if given is None else given.named_children
    if len(parts) < 2 or parts[0].type != "interpreted_string_literal" or parts[-1].type != "identifier":
        return None
    start, stop = source.span(parts[0])
    said = source.text[start:stop]
    if said.count("%") != len(parts) - 1 or said[-3:-2] != "%" or said[-2] not in "vsw":
        return None
    return stop - 2, said[-2], source.text_of(parts[-1])
