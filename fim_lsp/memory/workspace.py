"""The remembered files of a workspace, read one after the other within limits."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

import numpy as np

from fim_lsp.bounded_files import OverLimit, bounded_bytes
from fim_lsp.context.dependencies import Dependencies
from fim_lsp.context.importable import NOTHING_IMPORTABLE, Importable
from fim_lsp.context.imports_said import Said, names_of_manifests, said_imports
from fim_lsp.context.kept_outlines import KeptOutlines
from fim_lsp.context.kinship import NO_KINSHIP, Kinship, Spans, location, root_of
from fim_lsp.context.modules import NO_MODULES, Modules
from fim_lsp.context.outline import NO_OUTLINE, PythonOutline
from fim_lsp.context.path_aliases import aliased_names
from fim_lsp.memory.index import Index, Tokens
from fim_lsp.memory.pieces import Encode, TokenizedPieces
from fim_lsp.sources import PYTHON_FILES, decode_source, files_below
from fim_lsp.system.addresses import address_of

MOST_TOKENS = 3_000_000
MOST_FILES = 6_000
# The most characters of outlines; Python's objects double their memory.
MOST_OUTLINED_CHARACTERS = 12_000_000
# Larger files are data or generated.
MOST_BYTES = 300_000
# The work between two pauses, so that typing goes first.
PAUSE_SECONDS = 0.001
# The niceness of the thread (`nice`).
NICENESS = 10
NO_TOKENS: Tokens = np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True)
class Seen:
    """The definitions in the folders that are related to one folder."""

    modules: Modules
    importable: Importable


@dataclass(frozen=True, slots=True)
class Workspace:
    """The files of a workspace, with an index of their texts."""

    # The numbers of the texts.
    uris: Mapping[str, int] = field(default_factory=dict)
    index: Index | None = None
    # The kinship of the folders, and the spans of their texts.
    kinship: Kinship = NO_KINSHIP
    spans: Spans = field(default_factory=Spans)
    # The definitions of the files, for a model's context.
    modules: Modules = NO_MODULES
    # The names that they can import.
    importable: Importable = NOTHING_IMPORTABLE
    # Modules and imports for the documents of each folder, if some folders are unrelated.
    seen: Mapping[str, Seen] = field(default_factory=dict)

    @classmethod
    def of(cls, files: Sequence[tuple[str, Tokens]], n_vocabulary: int) -> Workspace:
        if not files:
            return cls()
        numbers = {uri: number for number, (uri, _) in enumerate(files)}
        return cls(numbers, Index.of([tokens for _, tokens in files], n_vocabulary))

    @classmethod
    def of_texts(cls, texts: Iterable[tuple[str, str]], encode: Encode, n_vocabulary: int) -> Workspace:
        """The workspace of the first texts that fit."""
        files, n_tokens = [], 0
        for uri, text in texts:
            tokens = TokenizedPieces().tokens(text, encode)
            n_tokens += len(tokens)
            if n_tokens > MOST_TOKENS:
                break
            files.append((uri, tokens))
        return cls.of(files, n_vocabulary)

    def with_folders(self, folders: Sequence[str]) -> Workspace:
        """The workspace with new folders, of which nothing was read yet."""
        return replace(self, kinship=self.kinship.with_folders(folders))

    def files_in_sight(self, uri: str) -> Seen:
        """The definitions of the files related to a document's project."""
        found = self.seen.get(self.kinship.root(uri) or "")
        return Seen(self.modules, self.importable) if found is None else found

    def strange_places(self, uri: str) -> list[tuple[int, int]]:
        """The places of unrelated projects' files in the index."""
        if self.index is None:
            return []
        return [
            (self.index.text(first)[0], self.index.text(last)[1])
            for root, (first, last) in self.spans.numbers.items()
            if self.kinship.are_strangers(uri, root)
        ]

    def places(self, uris: Iterable[str]) -> list[tuple[int, int]]:
        """The places of some files in the index."""
        if self.index is None:
            return []
        return [self.index.text(self.uris[uri]) for uri in uris if uri in self.uris]


@dataclass(slots=True)
class KnownFile:
    """A file's tokens, and its state at reading."""

    state: tuple[int, int]
    tokens: Tokens
    outline: PythonOutline = NO_OUTLINE
    # Whether there was room for its tokens and for its outline. The first file without room ends them.
    had_room: tuple[bool, bool] = (True, True)
    # Its folder, as a URI with a final slash, and its path below that.
    root: str = ""
    path: PurePosixPath = field(default_factory=PurePosixPath)
    said: Said = field(default_factory=Said)


@dataclass(slots=True)
class Scan:
    """Reads the files of some folders; changed files are read again. One scan at a time."""

    encode: Encode
    n_vocabulary: int
    # Whether a file may be read: secrets and ignored files may not.
    is_admitted: Callable[[str], bool]
    # The files by their URIs, from the previous scan; unchanged files are not read again.
    known: dict[str, KnownFile] = field(default_factory=dict)
    # What is kept: tokens for memory, outlines for a model's context.
    has_tokens: bool = True
    has_outlines: bool = False
    # The folder of cached outlines; None disables the cache.
    outlines_folder: Path | None = None
    # The exports of the folders' dependencies, from the previous scan.
    dependencies: Dependencies = field(default_factory=Dependencies)
    # The extensions of the files. Python files declare their own encoding.
    extensions: tuple[str, ...] = PYTHON_FILES
    # The kinship of the folders, from the previous scan.
    kinship: Kinship = NO_KINSHIP
    # Whether memory has taken the last result over; otherwise the next scan starts from nothing.
    is_taken: bool = True
    _stopped: threading.Event = field(default_factory=threading.Event)
    _rested: float = 0.0

    def stop(self) -> None:
        self._stopped.set()

    def workspace(self, folders: Sequence[str]) -> Workspace | None:
        """The present workspace of the folders; None if nothing has changed, or the scan was stopped."""
        be_nice()
        with KeptOutlines(self.outlines_folder if self.has_outlines else None) as kept:
            return self._workspace(folders, kept)

    def _workspace(self, folders: Sequence[str], kept: KeptOutlines) -> Workspace | None:
        found: dict[str, KnownFile] = {}
        has_changed, n_tokens, n_characters = not self.known, 0, 0
        # The first file that does not fit ends tokens, or outlines.
        has_token_room, has_outline_room = self.has_tokens, self.has_outlines
        for folder, path in self._paths(folders):
            if self._stopped.is_set():
                return None
            if len(found) >= MOST_FILES or not (has_token_room or has_outline_room):
                break
            known = self._file(folder, path, (has_token_room, has_outline_room), kept)
            if known is None:
                continue
            if n_tokens + len(known.tokens) > MOST_TOKENS:
                known = replace(known, tokens=NO_TOKENS, had_room=(False, known.had_room[1]))
            if n_characters + known.outline.n_characters > MOST_OUTLINED_CHARACTERS:
                known = replace(known, outline=NO_OUTLINE, had_room=(known.had_room[0], False))
            has_token_room &= known.had_room[0]
            has_outline_room &= known.had_room[1]
            n_tokens += len(known.tokens)
            n_characters += known.outline.n_characters
            uri = address_of(Path(path))
            has_changed |= self.known.get(uri) is not known
            found[uri] = known
        kinship = self._kinship_of(folders, found)
        has_changed |= len(found) != len(self.known) or kinship != self.kinship
        if self.has_outlines:
            before = self.dependencies.sources
            self.dependencies.read(folders, self._stopped.is_set, self._rest)
            has_changed |= self.dependencies.sources != before
            if self._stopped.is_set():
                return None
        self.is_taken &= not has_changed
        self.known, self.kinship = found, kinship
        return self._made_workspace(found) if has_changed else None

    def _kinship_of(self, folders: Sequence[str], found: Mapping[str, KnownFile]) -> Kinship:
        files = [(known.root, known.said) for known in found.values()]
        if len(folders) > 1:
            for folder in folders:
                root = root_of(folder)
                paths = [
                    str(Path(folder).absolute() / known.path)
                    for known in found.values()
                    if known.root == root
                ]
                around = str(Path(folder).absolute()), paths, self.is_admitted
                files.append((root, Said(aliased_names(*around), names_of_manifests(*around))))
        return Kinship.of(folders, files)

    def _made_workspace(self, found: dict[str, KnownFile]) -> Workspace:
        # Each folder's files are consecutive; a folder may lie in another one.
        remembered = [(uri, known.tokens) for uri, known in found.items() if len(known.tokens)]
        remembered.sort(key=lambda one: found[one[0]].root)
        workspace = replace(
            Workspace.of(remembered, self.n_vocabulary),
            kinship=self.kinship,
            spans=Spans.of(found[uri].root for uri, _ in remembered),
        )
        if not self.has_outlines:
            return workspace
        whole = self._seen(found)
        roots = self.kinship.roots
        seen = {}
        for root in roots:
            near = [one for one in roots if not self.kinship.are_strangers(root, one)]
            if len(near) < len(roots):
                seen[root] = self._seen({uri: known for uri, known in found.items() if known.root in near})
        return replace(workspace, modules=whole.modules, importable=whole.importable, seen=seen)

    def _seen(self, found: Mapping[str, KnownFile]) -> Seen:
        outlines = {uri: known.outline for uri, known in found.items()}
        modules = Modules.of(outlines, {uri: known.path for uri, known in found.items()})
        return Seen(modules, Importable.of(modules, self.dependencies.sources))

    def _paths(self, folders: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The files, each once, with its folder; of nested folders the inner one."""
        seen: set[str] = set()
        absolute = [str(Path(folder).absolute()) for folder in folders]
        for folder in absolute:
            inner = sorted(
                (one for one in absolute if location(one)[: len(location(folder))] == location(folder)),
                key=len,
                reverse=True,
            )
            for path in files_below(folder, self.extensions):
                if path not in seen:
                    seen.add(path)
                    yield next(one for one in inner if one == folder or path.startswith(one + os.sep)), path

    def _file(
        self, folder: str, path: str, has_room: tuple[bool, bool], kept: KeptOutlines
    ) -> KnownFile | None:
        try:
            state = Path(path).stat()
        except OSError:
            return None
        if state.st_size > MOST_BYTES:
            return None
        uri = address_of(Path(path))
        if not self.is_admitted(uri):
            return None
        key = state.st_mtime_ns, state.st_size
        known, root = self.known.get(uri), root_of(folder)
        if known is not None and known.state == key and known.root == root:
            return known
        self._rest()
        try:
            content = bounded_bytes(Path(path), MOST_BYTES)
            if content is None:
                return None
            is_python = self.extensions == PYTHON_FILES
            text = decode_source(content) if is_python else content.decode("utf-8-sig")
        except (OverLimit, SyntaxError, LookupError, ValueError):
            # The file is gone, or not valid in its encoding.
            return None
        return KnownFile(
            key,
            TokenizedPieces().tokens(text, self.encode) if has_room[0] else NO_TOKENS,
            outline_of(content, text, kept) if has_room[1] else NO_OUTLINE,
            has_room,
            root,
            PurePosixPath(Path(path).relative_to(folder).as_posix()),
            said_imports(path, folder, text),
        )

    def _rest(self) -> None:
        """Pauses after each millisecond of work, so that others go first."""
        if time.perf_counter() - self._rested > PAUSE_SECONDS:
            time.sleep(PAUSE_SECONDS)
            self._rested = time.perf_counter()


def outline_of(content: bytes, text: str, kept: KeptOutlines) -> PythonOutline:
    outline = kept.find(content)
    if outline is None:
        outline = PythonOutline.of(text)
        kept.keep(content, outline)
    return outline


def be_nice() -> None:
    """Lowers the thread's priority, if the system supports that."""
    try:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
    except (AttributeError, OSError):
        # Windows has no such call.
        return
