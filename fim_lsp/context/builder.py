"""The builder of contexts: snippets of other files for a place, ranked, each with its reason.

Definitions come from the imports and the names around the cursor. Nearer names are worth more, and the name
in front of the cursor's dot most. Windows of similar lines, the last edited regions and the outlines of other
open files follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePosixPath

from fim_lsp.context.modules import FoundDefinition, Modules
from fim_lsp.context.outline import Definition, PythonImport, PythonOutline
from fim_lsp.context.reach import Reach
from fim_lsp.context.recent import Recent, region
from fim_lsp.context.similar import MOST_FILES, Windows
from fim_lsp.context.snippet import SOURCES, Context, Snippet, Source

# A use at this distance in lines is worth half as much as one in the cursor's line.
HALF = 12
# A name without an import that is used this near counts as its only definition in the workspace.
NEAR = 15
RECEIVER, BASE, IMPORTED, UNUSED, NOT_IMPORTED = 3.0, 2.0, 1.0, 0.05, 0.5
MODULE, OPEN, SIMILAR, RECENT = 0.6, 0.1, 0.8, 0.7
# The most listed definitions of a module in front of the dot.
MOST_LISTED = 30


@dataclass(slots=True)
class ContextSources:
    """The sources of a document's context. `opened` has the texts of the other documents in the editor, the
    last viewed one at the end. Texts that may not be shown are in none of these."""

    modules: Modules
    read: Callable[[str], str | None]
    opened: Mapping[str, str] = field(default_factory=dict)
    recent: Recent = field(default_factory=Recent)
    repository: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a document: its path below the folder, and the text on both sides."""

    uri: str
    path: PurePosixPath
    left: str
    right: str


def gather_context(
    spot: Spot, around: ContextSources, windows: Windows, sources: Sequence[Source] = SOURCES
) -> Context:
    """Gathers all snippets for a place, the best one first."""
    reach = Reach.around(spot.left, spot.right)
    found: list[Snippet] = []
    if "definition" in sources:
        found += definitions(spot, around.modules, reach)
    if "open" in sources:
        found += open_files(spot, around)
    if "similar" in sources:
        found += similar(spot, around, windows)
    if "recent" in sources:
        found += recently_edited(spot, around)
    best = sorted(distinct(found), key=lambda snippet: -snippet.worth)
    return Context(around.repository, str(spot.path), tuple(best))


def distinct(snippets: Iterable[Snippet]) -> list[Snippet]:
    """The snippets without duplicates; of equal ones the most valuable stays."""
    best: dict[tuple[str, str], Snippet] = {}
    for snippet in snippets:
        key = snippet.path, snippet.text
        if key not in best or best[key].worth < snippet.worth:
            best[key] = snippet
    return list(best.values())


# --- definitions -----------------------------------------------------------------------------------------


def definitions(spot: Spot, modules: Modules, reach: Reach) -> Iterator[Snippet]:
    own = modules.outline(spot.uri)
    defined_here = {} if own is None else own.definitions
    known: set[str] = set()
    for one in reach.imports:
        known.add(one.alias)
        if one.name != "*":
            yield from imported_snippets(spot, modules, reach, one)
    for name, distance in reach.nearest.items():
        is_class = name[:1].isupper() and "." not in name
        if is_class and distance <= NEAR and name not in known and name not in defined_here:
            found = modules.only_definition(name)
            if found is not None and found.uri != spot.uri:
                reason = f"{name} is used {lines(distance)}; no other file defines it"
                yield from with_bases(modules, found, worth_of(reach, name, NOT_IMPORTED), reason)


def imported_snippets(spot: Spot, modules: Modules, reach: Reach, one: PythonImport) -> Iterator[Snippet]:
    """The snippets for one import."""
    found = modules.import_target(one, spot.path)
    if found is None:
        return
    if isinstance(found, FoundDefinition):
        if found.uri == spot.uri:
            return
        worth = worth_of(reach, one.alias, IMPORTED)
        yield from with_bases(modules, found, worth, reason_of(reach, one.alias))
        return
    if found == spot.uri:
        return
    if one.alias in reach.receivers and (listed := listing(modules.outline(found))):
        path = str(modules.paths[found])
        yield Snippet(
            path, listed, "definition", f"{one.alias} is in front of the cursor's dot", MODULE + RECEIVER
        )
    for name in reach.nearest:
        if name.startswith(f"{one.alias}."):
            part = name[len(one.alias) + 1 :].partition(".")[0]
            member = modules.definition_of(found, part)
            if member is not None and member.uri != spot.uri:
                whole = f"{one.alias}.{part}"
                yield snippet_of(modules, member, worth_of(reach, whole, IMPORTED), reason_of(reach, whole))


def with_bases(modules: Modules, found: FoundDefinition, worth: float, reason: str) -> Iterator[Snippet]:
    """A definition and, if it is worth much, its bases."""
    yield snippet_of(modules, found, worth, reason)
    if worth < BASE:
        return
    outline = modules.outline(found.uri)
    for base in found.definition.bases:
        one = None if outline is None else next((one for one in outline.imports if one.alias == base), None)
        parent = (
            modules.definition_of(found.uri, base)
            if one is None
            else modules.import_target(one, modules.paths[found.uri])
        )
        if isinstance(parent, FoundDefinition):
            yield snippet_of(modules, parent, worth - 0.5, f"{found.definition.name} is made of it")


def snippet_of(modules: Modules, found: FoundDefinition, worth: float, reason: str) -> Snippet:
    return Snippet(str(modules.paths[found.uri]), found.definition.text, "definition", reason, worth)


def worth_of(reach: Reach, name: str, most: float) -> float:
    """The worth of a definition, by the place of its name."""
    if name in reach.receivers:
        return most + RECEIVER
    if name in reach.bases:
        return most + BASE
    distance = reach.nearest.get(name)
    return UNUSED * most if distance is None else most / (1 + distance / HALF)


def reason_of(reach: Reach, name: str) -> str:
    if name in reach.receivers:
        return f"what is in front of the cursor's dot is {name}, or made by it"
    if name in reach.bases:
        return f"the class around the cursor is made of {name}"
    distance = reach.nearest.get(name)
    return f"{name} is imported" if distance is None else f"{name} is imported, and used {lines(distance)}"


def lines(distance: int) -> str:
    match distance:
        case 0:
            return "in the cursor's line"
        case 1:
            return "a line away"
        case _:
            return f"{distance} lines away"


def listing(outline: PythonOutline | None) -> str:
    """The first lines of a file's definitions."""
    if outline is None:
        return ""
    return "".join(first_line(one) for one in islice(outline.definitions.values(), MOST_LISTED))


def first_line(definition: Definition) -> str:
    return definition.text.partition("\n")[0] + "\n"


# --- other sources ---------------------------------------------------------------------------------------


def open_files(spot: Spot, around: ContextSources) -> Iterator[Snippet]:
    for number, uri in enumerate(reversed(list(around.opened))):
        listed = listing(around.modules.outline(uri)) if uri != spot.uri else ""
        if listed and uri in around.modules.paths:
            path = str(around.modules.paths[uri])
            yield Snippet(path, listed, "open", "it is open in the editor", OPEN / (1 + number))


def similar(spot: Spot, around: ContextSources, windows: Windows) -> Iterator[Snippet]:
    nearest = (uri for uri in around.modules.near(spot.path) if uri != spot.uri)
    for found in windows.similar(spot.left, islice(nearest, MOST_FILES)):
        path = str(around.modules.paths[found.uri])
        window = f"lines {found.window.first + 1} to {found.window.stop}"
        reason = f"{window} share {found.similarity:.0%} of their names with those at the cursor"
        yield Snippet(path, found.text, "similar", reason, SIMILAR * found.similarity)


def recently_edited(spot: Spot, around: ContextSources) -> Iterator[Snippet]:
    places = [(uri, offset) for uri, offset in around.recent.latest() if uri != spot.uri]
    for number, (uri, offset) in enumerate(places):
        text = around.opened.get(uri)
        if text is not None and uri in around.modules.paths:
            path = str(around.modules.paths[uri])
            reason = "it was edited last" if number == 0 else "it was edited lately"
            yield Snippet(path, region(text, offset), "recent", reason, RECENT / (1 + number))
