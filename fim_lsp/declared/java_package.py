"""Names that a Java file has from elsewhere: its package's types, its imports, its types' inherited members.

`python -m tests.names.java_names --write` writes `java_names.json` from the installed JDK. A package's types
are those of its folder, in the file's own source root and in the roots beside it (`src/main/java`,
`src/test/java`, other modules). Inherited members are known if all base types lie there or in the JDK; inside
a type with other base types nothing is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path

import tree_sitter

from fim_lsp.declared.beside import FileLocation, source, sources
from fim_lsp.declared.java_builds import MOST_FOLDERS, project_of, writes_sources
from fim_lsp.declared.java_outline import BODIES, OF_ENUMS, JavaOutline, extended_types, outline, outline_of
from fim_lsp.declared.java_scopes import METHOD, TYPE, VARIABLE
from fim_lsp.declared.scopes import Use
from fim_lsp.declared.tree import spans_of
from fim_lsp.known_languages import JAVA

# The programs that write other types, or members that nothing shows, while a project is built.
WRITERS = (
    "lombok",
    "dagger",
    "com.google.auto",
    "com.querydsl",
    "io.micronaut",
    "jakarta.persistence",
    "javax.persistence",
    "org.immutables",
    "org.mapstruct",
)
# Languages whose files may have types of a package of Java.
KIN = ("groovy", "kotlin", "scala")
KIN_FILES = (".groovy", ".kt", ".scala")
# What Android's build writes into each package, and where it is told to.
OF_ANDROID = frozenset({"BuildConfig", "R"})
ANDROID = ("android", "androidx")
MANIFEST = "AndroidManifest.xml"
# Where other source roots lie, seen from a folder that has some of a project's.
ROOTS = ("src/*/java", "*/src/*/java", "*/*/src/*/java", "target/generated-sources/*")
OTHER_ROOTS = ("src", "test", "tests", "generated", "gen")
# Always there, and what a variable of a type's own name is not.
ALWAYS = frozenset({"_", "var", "this", "super"})
PACKAGES = frozenset({"com", "edu", "io", "java", "javax", "net", "org"})
MOST_EXTENDED = 200


@cache
def known_names() -> dict[str, dict[str, str]]:
    """The types of each package of the JDK, and the base types and members of a type, if they are known."""
    found: dict[str, dict[str, str]] = json.loads(
        (files("fim_lsp.declared") / "java_names.json").read_text(encoding="utf-8")
    )
    return found


@dataclass(frozen=True, slots=True)
class OfJdk:
    """A type of the JDK, by its package and its name there."""

    package: str
    name: str

    def parts(self) -> tuple[list[str], list[str]] | None:
        """The base types and the members of a type; None where they are not known."""
        said = known_names()[self.package][self.name]
        if not said:
            return None
        above, _, names = said.partition("|")
        return above.split(), names.split()


@dataclass(frozen=True, slots=True)
class OfProject:
    """A type of a file, by its simple name."""

    outline: JavaOutline
    name: str


Found = OfJdk | OfProject


@dataclass
class JavaPackage:
    """The names that a file has from elsewhere, looked up when they are asked for."""

    own: JavaOutline
    place: FileLocation
    _inherited: dict[int, frozenset[str] | None] = field(default_factory=dict)
    _packages: dict[str, frozenset[str] | None] = field(default_factory=dict)

    def has(self, use: Use) -> bool:
        """Whether a name is there, or may be."""
        return (
            use.name in ALWAYS
            or self.is_imported(use)
            or self.is_written(use)
            or self.may_be_inherited(use)
            or (use.kinds >= TYPE and self.may_be_type(use.name))
            or (use.kinds == VARIABLE | TYPE and use.name in self.first_words)
        )

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The first words of packages' names."""
        paths = (self.own.package, *(one.path for one in self.own.imports))
        return PACKAGES | {path.partition(".")[0] for path in paths}

    # --- what imports say -----------------------------------------------------------------------------

    def is_imported(self, use: Use) -> bool:
        for one in self.own.imports:
            if not one.is_all:
                if one.name == use.name and (one.is_static or use.kinds >= TYPE):
                    return True
            elif one.is_static or one.path[:1].isupper() or one.name[:1].isupper():
                if (one.is_static or use.kinds >= TYPE) and self.has_member(one.path, use.name):
                    return True
            elif use.kinds >= TYPE and self.may_be_of(one.path, use.name):
                return True
        return False

    def may_be_of(self, package: str, name: str) -> bool:
        """Whether a package has a type, or may have one: of one that is neither the JDK's nor the project's
        that is not known."""
        known = known_names().get(package)
        if known is not None:
            return name in known
        if package not in self._packages:
            self._packages[package] = self.types_of(package)
        names = self._packages[package]
        return not names or name in names

    def has_member(self, path: str, name: str) -> bool:
        """Whether a type has a member, or may have one."""
        found = self.by_path(path)
        names = None if found is None else self.members(found, set())
        return names is None or name in names

    def is_written(self, use: Use) -> bool:
        """Whether a name may be one that a processor of annotations writes."""
        writers = [one for one in self.own.imports if one.path.startswith(WRITERS)]
        if any(one.path.startswith("lombok") for one in writers) and (
            use.kinds >= METHOD or use.name == "log"
        ):
            return True
        return use.kinds >= TYPE and bool(writers)

    # --- types ----------------------------------------------------------------------------------------

    def may_be_type(self, name: str) -> bool:
        if name in known_names()["java.lang"] or self.place.path is None or self.own.is_compact:
            return True
        if (self.place.path.parent / f"{name}.java").is_file():
            return True
        if name in OF_ANDROID and self.is_android_module:
            return True
        # What builds write is called as types mostly are.
        if name[:1].isupper() and self.has_written_types:
            return True
        return self.beside is None or name in self.beside or self.is_used_beside(name)

    @cached_property
    def has_written_types(self) -> bool:
        """Whether the build of the file's module may write types into the own package."""
        return any(writes_sources(root, self.place) for root in (self.roots or ())[:1])

    @cached_property
    def is_android_module(self) -> bool:
        is_said = any(one.path.partition(".")[0] in ANDROID for one in self.own.imports)
        return is_said or any((root.parent / MANIFEST).is_file() for root in (self.roots or ())[:1])

    def is_used_beside(self, name: str) -> bool:
        """Whether another file of the package uses a type that nothing there declares: a dependency may have
        it, in a package of that name."""
        assert self.place.path is not None
        for content in (sources(self.place.path.parent, JAVA, self.place) or {}).values():
            if next(spans_of(name.encode(), content), None) is None:
                continue
            said = outline(content)
            is_told = name in said.types or any(
                one.name == name or (one.is_all and not one.is_static) for one in said.imports
            )
            if said.package == self.own.package and not is_told:
                return True
        return False

    @cached_property
    def roots(self) -> list[Path] | None:
        """The source roots that lie in reach, the own one first; None where the package is none of its
        folder's."""
        path = self.place.path
        parts = tuple(filter(None, self.own.package.split(".")))
        if path is None or path.parent.parts[len(path.parent.parts) - len(parts) :] != parts:
            return None
        own = path.parent.parents[len(parts) - 1] if parts else path.parent
        return list(dict.fromkeys((own, *others(own))))

    @cached_property
    def beside(self) -> frozenset[str] | None:
        """The types of the own package that lie in other files; None where that is not known."""
        return self.types_of(self.own.package)

    def types_of(self, package: str) -> frozenset[str] | None:
        """The types of a package as far as files of the project have them; None where that is not known."""
        if self.roots is None:
            return None
        parts = [part for part in package.split(".") if part]
        # Builds may write types into a package beside those that a module has.
        modules = (root for root in self.roots if root.joinpath(*parts[:-1]).is_dir())
        if package != self.own.package and any(writes_sources(root, self.place) for root in modules):
            return None
        found: set[str] = set()
        for root in self.roots:
            if any((root.parent / one).is_dir() for one in KIN):
                return None
            names = self.outermost(root.joinpath(*filter(None, package.split("."))))
            if names is None:
                return None
            found |= names
        return frozenset(found)

    def outermost(self, folder: Path) -> set[str] | None:
        if not folder.is_dir():
            # A file that is only open in an editor has no folder yet.
            return {path.stem for path in self.place.opened if path.parent == folder}
        beside = sources(folder, JAVA, self.place)
        if beside is None or any(path.suffix in KIN_FILES for path in folder.iterdir()):
            return None
        return {name for content in beside.values() for name in outline(content).outermost}

    # --- what types inherit ---------------------------------------------------------------------------

    def may_be_inherited(self, use: Use) -> bool:
        """Whether a type around a use inherits a name, or may do so."""
        node = use.node
        while node.parent is not None:
            if node.type in BODIES:
                names = self.inherited_members(node.parent)
                is_own = node.parent.type == "enum_declaration" and use.name in OF_ENUMS
                if names is None or use.name in names or is_own:
                    return True
            node = node.parent
        return False

    def inherited_members(self, declaration: tree_sitter.Node) -> frozenset[str] | None:
        """The inherited members of a type or an object with a body; None where they are not known."""
        if declaration.id not in self._inherited:
            self._inherited[declaration.id] = self.of_extended(
                ["java.lang.Object", *extended_types(declaration)], self.own, set()
            )
        return self._inherited[declaration.id]

    def of_extended(
        self, names: list[str], seen_from: JavaOutline, known: set[Found]
    ) -> frozenset[str] | None:
        found: frozenset[str] = frozenset()
        for name in names:
            one = self.by_name(name, seen_from)
            those = None if one is None else self.members(one, known)
            if those is None:
                return None
            found |= those
        return found

    def members(self, found: Found, known: set[Found]) -> frozenset[str] | None:
        """The names of all that a type has; None where that is not known."""
        key = found if isinstance(found, OfJdk) else OfJdk(str(id(found.outline)), found.name)
        if key in known:
            return frozenset()
        known.add(key)
        if len(known) > MOST_EXTENDED:
            return None
        if isinstance(found, OfJdk):
            parts = found.parts()
            if parts is None:
                return None
            above = self.of_extended(parts[0], self.own, known)
            return None if above is None else above | frozenset(parts[1])
        if any(one.path.startswith(WRITERS) for one in found.outline.imports):
            return None
        own = found.outline.types[found.name]
        above = self.of_extended(["java.lang.Object", *own.extended], found.outline, known)
        return None if above is None else above | own.names

    def by_name(self, name: str, seen_from: JavaOutline) -> Found | None:
        """A type by its name in a file, which may have dots."""
        first, _, rest = name.partition(".")
        if not first[:1].isupper():
            return self.by_path(name) if rest else None
        found = self.by_first(first, seen_from)
        return found if not rest or found is None else inside(found, rest)

    def by_first(self, name: str, seen_from: JavaOutline) -> Found | None:
        if name in seen_from.types:
            return OfProject(seen_from, name)
        for one in seen_from.imports:
            if not one.is_all and one.name == name:
                return self.by_path(one.path)
        found = self.in_package(name, seen_from.package)
        if found is not None:
            return found
        if name in known_names()["java.lang"]:
            return OfJdk("java.lang", name)
        stars = [one for one in seen_from.imports if one.is_all and not one.is_static]
        for one in stars:
            if (found := self.by_path(f"{one.path}.{name}")) is not None:
                return found
        return None

    def by_path(self, path: str) -> Found | None:
        """A type by its package and its name."""
        parts = path.split(".")
        n_packages = next((index for index, part in enumerate(parts) if part[:1].isupper()), len(parts))
        package, names = ".".join(parts[:n_packages]), parts[n_packages:]
        if not names:
            return None
        found = self.in_package(names[0], package)
        return found if found is None or len(names) == 1 else inside(found, ".".join(names[1:]))

    def in_package(self, name: str, package: str) -> Found | None:
        if name in known_names().get(package, ()):
            return OfJdk(package, name)
        if package == self.own.package and name in self.own.outermost:
            return OfProject(self.own, name)
        for root in self.roots or ():
            content = source(root.joinpath(*filter(None, package.split(".")), f"{name}.java"), self.place)
            if content is not None and name in (said := outline(content)).types:
                return OfProject(said, name)
        return None


def inside(found: Found, name: str) -> Found | None:
    """A type that lies in another one."""
    if isinstance(found, OfJdk):
        whole = f"{found.name}.{name}"
        return OfJdk(found.package, whole) if whole in known_names()[found.package] else None
    last = name.rpartition(".")[2]
    return OfProject(found.outline, last) if last in found.outline.types else None


def others(own: Path) -> Iterator[Path]:
    """The other source roots of a project, as builds lay them out."""
    if own.name in OTHER_ROOTS:
        yield from (own.parent / name for name in OTHER_ROOTS if (own.parent / name).is_dir())
    top = project_of(own)
    for around in own.parents[:MOST_FOLDERS] if top is not None else ():
        for pattern in ROOTS:
            yield from sorted(one for one in around.glob(pattern) if one.is_dir())
        if around == top:
            return


def package_around(root: tree_sitter.Node, place: FileLocation) -> JavaPackage | None:
    """None where the names are not known."""
    if any(one.type == "module_declaration" for one in root.named_children):
        return None
    return JavaPackage(outline_of(root), place)
