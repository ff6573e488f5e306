"""A folder's definitions, and a place's context in it, for the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath

from fim_lsp.context.builder import ContextSources, Spot, gather_context
from fim_lsp.context.similar import Windows
from fim_lsp.context.snippet import NOTHING, Context
from fim_lsp.memory.workspace import Scan, Workspace
from fim_lsp.sources import Unreadable, read_source
from fim_lsp.system.addresses import address_of


def folder_workspace(folder: Path, file: Path, is_admitted: Callable[[str], bool]) -> Workspace:
    """The workspace of the files below a folder; empty for an excluded file."""
    if not is_admitted(file.resolve().as_uri()):
        return Workspace()
    scan = Scan(lambda _: [], 1, is_admitted, has_tokens=False, has_outlines=True)
    return scan.workspace([str(folder.resolve())]) or Workspace()


def folder_context(workspace: Workspace, folder: Path, file: Path, left: str, right: str) -> Context:
    """The context of a place, from the files below a folder."""
    root, own = folder.resolve(), file.resolve()
    if not workspace.modules.paths:
        return NOTHING

    def read(uri: str) -> str | None:
        try:
            return read_source(str(root / workspace.modules.paths[uri])).text
        except (KeyError, Unreadable):
            return None

    path = own.relative_to(root).as_posix() if own.is_relative_to(root) else own.name
    spot = Spot(address_of(own), PurePosixPath(path), left, right)
    return gather_context(spot, ContextSources(workspace.modules, read, repository=root.name), Windows(read))
