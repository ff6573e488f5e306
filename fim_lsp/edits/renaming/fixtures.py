"""Renamed fixtures of pytest: functions that take one by its name take the new name.

-@pytest.fixture                  def test_get(client):
-def client():                        assert client.get("/")
+def api_client():                           ^ both are `api_client` now
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import tree_sitter

from fim_lsp.edits.renaming.renames import SURE, Rename
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import JOINT, Replacement
from fim_lsp.edits.texts.names import MODULE, Occurrence
from fim_lsp.edits.texts.source import SourceText

FIXTURE = re.compile(r"@\s*(?:\w+\.)*fixture\b")
# A fixture whose name differs from its function's.
NAMED = re.compile(r"\bname\s*=")
# Calls that take the names of fixtures as strings.
TAKING = ("usefixtures", "getfixturevalue")
SHARED = "conftest.py"
QUOTES = ("'", '"')


def renamed_fixtures(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The places in the file itself that take a renamed fixture."""
    if is_fixture(change.new, rename):
        yield from taken_there(change, rename)


def renamed_fixtures_elsewhere(
    other: FileChange, path: PurePosixPath, rename: Rename, defined: FileChange, defined_at: PurePosixPath
) -> Iterator[Replacement]:
    """The same in files beside a `conftest.py` and below it."""
    is_below = defined_at.name == SHARED and path.is_relative_to(defined_at.parent)
    if is_below and is_fixture(defined.new, rename):
        yield from taken_there(other, rename)


def is_fixture(source: SourceText, rename: Rename) -> bool:
    if rename.role != "function":
        return False
    said = decorators_of(source, rename.after.parent)
    return any(FIXTURE.match(one) and not NAMED.search(one) for one in said)


def decorators_of(source: SourceText, function: tree_sitter.Node) -> list[str]:
    around = function.parent
    if around is None or around.type != "decorated_definition":
        return []
    return [source.text_of(child) for child in around.named_children if child.type == "decorator"]


def taken_there(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    found = change.old_names.of(rename.old)
    others = [one for one in found if one.role == "function" and one.start != rename.before.start]
    if any(is_override(change, one) for one in others):
        return
    for one in found:
        # Only methods of its class take a class's fixture.
        if rename.owner != MODULE and rename.owner not in one.scopes:
            continue
        if one.role == "parameter":
            yield from renamed_parameter(change, one, rename)
        elif one.role == "text" and is_taken_by_text(change.old, one):
            at = change.to_new(one.start)
            if at is not None:
                stop = at + len(rename.old)
                yield Replacement(at, stop, rename.new, reason_of(rename), SURE, f"fixture {rename.new}")


def is_override(change: FileChange, one: Occurrence) -> bool:
    """Whether a function is another fixture of that name."""
    return any(FIXTURE.match(said) for said in decorators_of(change.old, one.parent))


def renamed_parameter(change: FileChange, one: Occurrence, rename: Rename) -> Iterator[Replacement]:
    """The parameter of a test, or of another fixture, with its uses."""
    function = next(node for node in reversed(one.path) if node.type in ("function_definition", "lambda"))
    scope = function.start_byte, function.type
    if not takes_fixtures(change.old, function) or scope in change.old_names.binding_scopes(rename.new):
        return
    start, stop = change.old.span(function)
    if any(start <= other.start < stop and other.is_variable for other in change.old_names.of(rename.new)):
        return
    places = [change.to_new(use.start) for use in change.old_names.variable(rename.old, scope)]
    group = f"{JOINT}fixture {rename.new} {start}"
    if change.to_new(one.start) is None:
        return
    for at in places:
        if at is not None and change.new.text[at : at + len(rename.old)] == rename.old:
            yield Replacement(at, at + len(rename.old), rename.new, reason_of(rename), SURE, group)


def takes_fixtures(source: SourceText, function: tree_sitter.Node) -> bool:
    name = source.text_of(function.child_by_field_name("name"))
    return name.startswith("test") or any(FIXTURE.match(one) for one in decorators_of(source, function))


def is_taken_by_text(source: SourceText, one: Occurrence) -> bool:
    """Whether a whole string is an argument of `usefixtures` and the like."""
    is_whole = source.text[one.start - 1 : one.start] in QUOTES and source.text[one.stop :][:1] in QUOTES
    call = next((node for node in reversed(one.path) if node.type == "call"), None)
    said = "" if call is None else source.text_of(call.child_by_field_name("function"))
    return is_whole and said.rpartition(".")[2] in TAKING


def reason_of(rename: Rename) -> str:
    return f"the fixture `{rename.old}` is called `{rename.new}` now"
