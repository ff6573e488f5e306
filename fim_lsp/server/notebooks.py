"""Notebooks: their cells, the order of the cells, and the text above a cell.

A cell is a document of its own and must parse alone, as in IPython. The model sees the cells above it,
without IPython's commands (`ipython.py`). Cells run in any order, so all words of all other cells count as
existing names.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import unquote

from lsprotocol import types

from fim_lsp.server.ipython import MaskedCell, set_aside

logger = logging.getLogger(__name__)

# The most characters above a cell, enough for any prompt.
MAX_CHARACTERS_ABOVE = 1 << 15
# A longer cell is not completed, since every key searches it for commands.
MAX_CELL_CHARACTERS = 1 << 16
# The names of a larger notebook are not collected, since that would cost time with each key.
MAX_CHARACTERS_ELSEWHERE, MAX_NAMES = 1 << 20, 1 << 14
WORD = re.compile(r"[^\W\d]\w*")
# Code that binds invisible names, or that only a notebook allows outside of functions.
UNTOLD = re.compile(
    r"import\s*\*|\b(?:await|async|exec|globals)\b|^[ \t]*%(?:run|pylab|store|load|loadpy|rerun|recall)\b",
    re.MULTILINE,
)
# The names that IPython itself binds.
OF_IPYTHON = (
    *("In", "Out", "_", "__", "___", "_dh", "_i", "_ih", "_ii", "_iii", "_oh"),
    *("display", "exit", "get_ipython", "open", "quit"),
)
CELL_SYNC = types.NotebookDocumentSyncOptions(
    notebook_selector=[
        types.NotebookDocumentFilterWithNotebook(
            notebook=kind, cells=[types.NotebookCellLanguage(language="python")]
        )
        for kind in ("jupyter-notebook", "interactive")
    ]
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell in its session. `texts_above` gives the texts of the cells above, in order."""

    texts_above: Callable[[], Sequence[str]]
    # The notebook's URI. A cell's own URI may name another machine, such as the one that shows it.
    notebook: str
    # The texts of all other cells.
    texts_elsewhere: Callable[[], Sequence[str]] = tuple

    def above(self) -> str:
        """The Python of the cells above, at most `MAX_CHARACTERS_ABOVE` characters."""
        pieces: list[str] = []
        n_characters = 0
        for text in reversed(self.texts_above()):
            python = set_aside(text[-MAX_CHARACTERS_ABOVE:]).python.strip("\r\n \t")
            if not python:
                continue
            pieces.append(python + "\n\n")
            n_characters += len(python)
            if n_characters > MAX_CHARACTERS_ABOVE:
                break
        return "".join(reversed(pieces))[-MAX_CHARACTERS_ABOVE:]

    def names(self, text: str) -> tuple[str, ...] | None:
        """The names that other cells and this cell's commands may bind; None if they are not known."""
        commands = [text[start:stop] for start, stop in self.aside(text).commands]
        own, others = words_of(tuple(commands)), words_of(tuple(self.texts_elsewhere()))
        if own is None or others is None or UNTOLD.search(text):
            return None
        return (*OF_IPYTHON, *own, *others)

    def aside(self, text: str) -> MaskedCell:
        return set_aside(text)


@lru_cache(maxsize=16)
def words_of(texts: tuple[str, ...]) -> tuple[str, ...] | None:
    """The words of some texts; None if there are too many, or if the texts bind invisible names."""
    if sum(map(len, texts)) > MAX_CHARACTERS_ELSEWHERE or any(map(UNTOLD.search, texts)):
        return None
    words = {word for text in texts for word in WORD.findall(text)}
    return tuple(sorted(words)) if len(words) <= MAX_NAMES else None


@dataclass(slots=True)
class Notebooks:
    """The code cells of each open notebook, in order, by their URIs."""

    _cells: dict[str, list[str]] = field(default_factory=dict)
    _notebook_of: dict[str, str] = field(default_factory=dict)

    def open(self, uri: str, cells: Sequence[types.NotebookCell]) -> None:
        self._cells[unquote(uri)] = []
        self._splice(uri, 0, 0, cells)

    def close(self, uri: str) -> None:
        for cell in self._cells.pop(unquote(uri), ()):
            self._notebook_of.pop(cell, None)

    def change(self, uri: str, change: types.NotebookCellArrayChange) -> None:
        """Adds, removes or moves cells. A notebook that was not opened is ignored."""
        if unquote(uri) not in self._cells:
            logger.warning("a change to a notebook that is not open was ignored")
            return
        self._splice(uri, change.start, change.delete_count, change.cells or ())

    def _splice(self, uri: str, start: int, n_gone: int, cells: Sequence[types.NotebookCell]) -> None:
        known = self._cells[unquote(uri)]
        come = [unquote(cell.document) for cell in cells]
        for cell in known[start : start + n_gone]:
            self._notebook_of.pop(cell, None)
        known[start : start + n_gone] = come
        self._notebook_of.update((cell, uri) for cell in come)

    def notebook_of(self, uri: str) -> str | None:
        """The notebook of a cell; None for a document that is no cell."""
        return self._notebook_of.get(unquote(uri))

    def others(self, uri: str) -> Sequence[str]:
        """The other cells of a cell's notebook, as URIs."""
        notebook = self._notebook_of.get(unquote(uri))
        cells = self._cells.get(unquote(notebook), []) if notebook is not None else []
        return [cell for cell in cells if cell != unquote(uri)]

    def above(self, uri: str) -> Sequence[str]:
        """The cells above a cell, as URIs, in order."""
        notebook = self._notebook_of.get(unquote(uri))
        cells = self._cells.get(unquote(notebook), []) if notebook is not None else []
        return cells[: cells.index(unquote(uri))] if unquote(uri) in cells else ()
