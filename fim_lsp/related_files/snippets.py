"""Snippets for a model, from the files that a JavaScript, TypeScript, Go or Java document depends on.

In JavaScript and TypeScript these are the files that it imports by a relative path; in Go, its package's
files; in Java, the types of its package and those that it imports from its own source root. A file is read on
demand, and again only when it changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from os.path import normpath
from pathlib import Path, PurePosixPath

from fim_lsp.context.builder import IMPORTED, NEAR, lines, reason_of, worth_of
from fim_lsp.context.outline import Definition
from fim_lsp.context.reach import RECEIVER, Reach, nearest_uses
from fim_lsp.context.snippet import Context, Snippet
from fim_lsp.declared.beside import FileLocation, root_of_source, source
from fim_lsp.declared.java_outline import outline_of as java_outline
from fim_lsp.declared.javascript_imports import JavaScriptImport, imports_of
from fim_lsp.document.syntax import encode_text
from fim_lsp.known_languages import GO, JAVA, JAVASCRIPT, KnownLanguage, extensions_of, of_file
from fim_lsp.related_files.outlines import DEFAULT, outlined_definitions

# The most files of a folder that are looked at, and the most folders up to a project's beginning.
MOST_FILES = 60
MOST_FOLDERS = 40
MANIFESTS = ("package.json", "go.mod", "pom.xml", "build.gradle", "build.gradle.kts", ".git")
# The type of a variable: `shop: Shop`, `shop := &Shop{`, `shop = new Shop(`; `Shop shop`; `shop *Shop`.
DECLARED = re.compile(r"\b(\w+)\s*(?::=|=|:)\s*(?:&|\*|new\s+|await\s+)*([A-Z]\w*)")
OF_TYPE = {
    "java": re.compile(r"\b(?P<kind>[A-Z]\w*)(?:<[^<>]*>)?\s+(?P<name>\w+)\s*[=;,)]"),
    "go": re.compile(r"\b(?P<name>\w+)\s+\*?(?:\w+\.)?(?P<kind>[A-Z]\w*)\b"),
}
EXTENDED = re.compile(r"\bclass\s+\w+(?:<[^<>{]*>)?\s+extends\s+([\w$.]+)")


@dataclass(frozen=True, slots=True)
class LocatedPlace:
    """A place in a document that lies somewhere, and the other open documents."""

    location: FileLocation
    left: str
    right: str
    known_language: KnownLanguage
    # The user's folders; a model sees a file outside of them only if it is open in the editor.
    folders: tuple[Path, ...]
    # Whether a file may be shown to others.
    is_admitted: Callable[[Path], bool] = lambda _path: True

    def may_show(self, path: Path) -> bool:
        """Whether a model may see a file, with links resolved."""
        real = path.resolve()
        is_worked_in = any(real.is_relative_to(folder.resolve()) for folder in self.folders)
        return (is_worked_in or path in self.location.opened) and self.is_admitted(path)


@dataclass(frozen=True, slots=True)
class NamedDefinition:
    """A definition of another file, and its name in the document."""

    path: Path
    local: str
    definition: Definition
    is_imported: bool


def related_context(place: LocatedPlace) -> Context:
    """All snippets for a place, the best one first."""
    own = place.location.path
    if own is None:
        return Context()
    reach = reach_around(place)
    root = project_root(own)
    found = []
    for one in named_definitions(place, own):
        distance = reach.nearest.get(one.local)
        is_near = distance is not None and distance <= NEAR
        if not (one.is_imported or is_near or one.local in reach.receivers or one.local in reach.bases):
            continue
        reason = reason_of(reach, one.local)
        if not one.is_imported and distance is not None and one.local not in (*reach.receivers, *reach.bases):
            reason = f"{one.local} is used {lines(distance)}"
        worth = worth_of(reach, one.local, IMPORTED)
        found.append(Snippet(shown_path(one.path, root), one.definition.text, "definition", reason, worth))
    best = sorted(found, key=lambda snippet: -snippet.worth)
    return Context(root.name, shown_path(own, root), tuple(best), place.known_language.line_comment)


def reach_around(place: LocatedPlace) -> Reach:
    """The names in the text around the cursor."""
    left, right = place.left, place.right
    extended = EXTENDED.findall(left)
    return Reach((), nearest_uses(left, right), receivers(place), tuple(extended[-1:]), -1)


def receivers(place: LocatedPlace) -> tuple[str, ...]:
    """The name in front of the cursor's dot, and the types that it was made of or is declared with."""
    match = RECEIVER.search(place.left[-200:])
    if match is None:
        return ()
    name, text = match[1], f"{place.left[-12_000:]}{place.right[:12_000]}"
    last = name.rpartition(".")[2]
    kinds = [kind for known, kind in DECLARED.findall(text) if known == last]
    pattern = OF_TYPE.get(place.known_language.name)
    if pattern is not None:
        kinds += [one["kind"] for one in pattern.finditer(text) if one["name"] == last]
    return tuple(dict.fromkeys([name, *reversed(kinds)]))


def named_definitions(place: LocatedPlace, own: Path) -> Iterator[NamedDefinition]:
    """The definitions of other files that a document can name."""
    content = encode_text(place.left + place.right)
    if place.known_language.family == JAVASCRIPT.family:
        yield from imported_definitions(place, own, content)
    elif place.known_language is GO:
        is_test = own.stem.endswith("_test")
        paths = [one for one in files_beside(own, GO) if is_test or not one.stem.endswith("_test")]
        for path in paths:
            for name, one in definitions_of(path, place).items():
                yield NamedDefinition(path, name, one, is_imported=False)
    elif place.known_language is JAVA:
        outline = java_outline(root_of_source(content, JAVA))
        for path in files_beside(own, JAVA):
            for name, one in definitions_of(path, place).items():
                yield NamedDefinition(path, name, one, is_imported=False)
        source_root = source_root_of(own, outline.package)
        for imported in outline.imports:
            if imported.is_all or imported.is_static or source_root is None:
                continue
            path = source_root.joinpath(*imported.path.split(".")).with_suffix(".java")
            found = definitions_of(path, place).get(imported.name)
            if found is not None:
                yield NamedDefinition(path, imported.name, found, is_imported=True)


def imported_definitions(place: LocatedPlace, own: Path, content: bytes) -> Iterator[NamedDefinition]:
    for one in imports_of(content, own.suffix, with_types=True):
        path = file_imported(one, own)
        if path is None:
            continue
        defined = definitions_of(path, place)
        if one.name or one.kind == "default":
            found = defined.get(one.name or DEFAULT)
            if found is not None:
                yield NamedDefinition(path, one.local, found, is_imported=True)
            continue
        if one.kind == "required" and DEFAULT in defined:
            yield NamedDefinition(path, one.local, defined[DEFAULT], is_imported=True)
        for name, found in defined.items():
            if f"{one.local}.{name}" in place.left + place.right:
                yield NamedDefinition(path, f"{one.local}.{name}", found, is_imported=True)


def file_imported(one: JavaScriptImport, own: Path) -> Path | None:
    """The file that a relative import means."""
    if not one.module.startswith("."):
        return None
    asked = Path(normpath(own.parent / one.module))
    extensions = extensions_of(JAVASCRIPT.family)
    # An import may name the built file, `.js`, while the source is TypeScript.
    plain = asked.with_suffix("") if asked.suffix in (".js", ".jsx", ".mjs", ".cjs") else asked
    tried = [asked, *(plain.with_name(f"{plain.name}{end}") for end in extensions)]
    tried += [asked / f"index{end}" for end in extensions]
    return next((path for path in tried if path.suffix in extensions and path.is_file()), None)


def files_beside(own: Path, known_language: KnownLanguage) -> list[Path]:
    try:
        found = sorted(path for path in own.parent.iterdir() if path.suffix in known_language.extensions)
    except OSError:
        return []
    return [*islice((path for path in found if path != own), MOST_FILES)]


def definitions_of(path: Path, place: LocatedPlace) -> dict[str, Definition]:
    content = source(path, place.location) if place.may_show(path) else None
    return {} if content is None else outlined_definitions(content, of_file(path.name).name)


def source_root_of(own: Path, package: str) -> Path | None:
    """Where the folders of packages begin; None where a file does not lie as its package says."""
    parts = tuple(part for part in package.split(".") if part)
    folder = own.parent
    return folder.parents[len(parts) - 1] if parts and folder.parts[-len(parts) :] == parts else None


def project_root(own: Path) -> Path:
    around = [*own.parents][:MOST_FOLDERS]
    return next((one for one in around if any((one / name).exists() for name in MANIFESTS)), own.parent)


def shown_path(path: Path, root: Path) -> str:
    return PurePosixPath(path.relative_to(root) if path.is_relative_to(root) else path.name).as_posix()
