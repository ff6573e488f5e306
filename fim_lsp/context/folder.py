"""The context of a place in a file, by its folder: for who asks once, from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath

from fim_lsp.context.builder import Around, Spot, gathered
from fim_lsp.context.similar import Windows
from fim_lsp.context.snippet import NOTHING, Context
from fim_lsp.memory.workspace import Scan
from fim_lsp.sources import Unreadable, read_source


def folder_context(
    folder: Path, file: Path, left: str, right: str, is_admitted: Callable[[str], bool]
) -> Context:
    """What could be told at a place, of the files below a folder; nothing for an excluded file."""
    root, own = folder.resolve(), file.resolve()
    if not is_admitted(own.as_uri()):
        return NOTHING
    scan = Scan(lambda _: [], 1, is_admitted, has_tokens=False, has_outlines=True)
    workspace = scan.workspace([str(root)])
    if workspace is None:
        return NOTHING

    def read(uri: str) -> str | None:
        try:
            return read_source(str(root / workspace.modules.paths[uri])).text
        except (KeyError, Unreadable):
            return None

    path = own.relative_to(root).as_posix() if own.is_relative_to(root) else own.name
    spot = Spot(own.as_uri(), PurePosixPath(path), left, right)
    return gathered(spot, Around(workspace.modules, read, repository=root.name), Windows(read))
