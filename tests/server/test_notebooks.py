"""Notebooks: a cell is completed as Python that parses by itself, with the cells above as context."""

from __future__ import annotations

import ast
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import LanguageClient

from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.server.ipython import set_aside
from fim_lsp.server.notebooks import MAX_CHARACTERS_ELSEWHERE
from fim_lsp.server.notebooks import Cell as NotebookCell
from fim_lsp.server.worker.ladder import footing
from fim_lsp.server.worker.site import Site
from tests.scripted.worker import WITNESS
from tests.server_editor import VERSION, Document, numbers, script, server, use_model
from tests.sessions.client import PATIENT


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("x = 1\ny = 2\n", None),
        ("%matplotlib inline\nx = 1\n", "pass#lotlib inline\nx = 1\n"),
        ("!ls\n%x\nobj?\n", "0;#\n0;\npass\n"),
        ("if a:\n    %time f(1)\n", "if a:\n    pass# f(1)\n"),
        ("files = !ls -l\nt = %time f()\n", "files = 0;# -l\nt = 0;#me f()\n"),
        ("foo.bar??  # why\n", "pass#ar??  # why\n"),
        ("?foo\n", "pass\n"),
        ("/f 1 2\n,f a\n;f a\n", "pass#2\npass\npass\n"),
        ("!ls \\\n  -l \\\n  -a\nx = 1\n", "pass#\n# -l \\\n# -a\nx = 1\n"),
        ("%%time\nx = 1\n", "pass#e\nx = 1\n"),
        ("\n%%timeit -n 3\nf()\n", "\npass#eit -n 3\nf()\n"),
        # Lines that only look like magic commands.
        ("rest = (a\n    % b)\n", None),
        ("is_new = (a\n    != b)\n", None),
        ("text = '''\n%d items\n!\n'''\n", None),
        ('text = "why?"  # is it?\n', None),
        ("x = a % b\nx = f'{a!r}'\n", None),
        # A bracket is open because the user is typing there.
        ("plot(\n%time f()\n", "plot(\npass# f()\n"),
        ("é = !ls\r\n%pwd\r\n", "é = 0;#\r\npass\r\n"),
    ],
)
def test_commands_are_put_aside_at_the_same_length(cell: str, python: str | None) -> None:
    aside = set_aside(cell)
    assert aside.text == (cell if python is None else python)
    assert len(aside.text) == len(cell)
    assert aside.foreign == ""


@pytest.mark.parametrize("magic", ["bash", "html", "javascript", "writefile x.py", "sql", ""])
def test_a_cell_for_something_else_is_no_python(magic: str) -> None:
    assert set_aside(f"%%{magic}\nx = 1\n").foreign


@pytest.mark.parametrize(
    "cell", ["await g()\n", "async with a as b:\n    pass\n", "return_ = [x async for x in y]\n"]
)
def test_top_level_await_parses(cell: str) -> None:
    """IPython runs it; the only requirement for a cell is that it parses."""
    ast.parse(set_aside(cell).text)


CAPABILITIES = types.ClientCapabilities(
    notebook_document=types.NotebookDocumentClientCapabilities(types.NotebookDocumentSyncClientCapabilities())
)


class Notebook:
    """The editor's notebook and its cells, each of which is a document."""

    def __init__(self, client: LanguageClient, *marked: str, path: str = "") -> None:
        self.client = client
        self.path = path or f"/test/{next(numbers)}/n.ipynb"
        is_here = Path(path).is_absolute()
        self.uri = Path(path).as_uri() if is_here else f"file://{self.path}"
        self.version = 1
        self.cells = [self.new_cell(text) for text in marked]
        document = types.NotebookDocument(self.uri, "jupyter-notebook", 1, self.array(self.cells))
        client.notebook_document_did_open(
            types.DidOpenNotebookDocumentParams(document, [item(cell) for cell in self.cells])
        )

    def new_cell(self, marked: str) -> Cell:
        return Cell(self, marked)

    @staticmethod
    def array(cells: list[Cell]) -> list[types.NotebookCell]:
        return [types.NotebookCell(types.NotebookCellKind.Code, cell.uri) for cell in cells]

    def change(self, change: types.NotebookDocumentCellChanges) -> None:
        self.version += 1
        document = types.VersionedNotebookDocumentIdentifier(self.version, self.uri)
        event = types.NotebookDocumentChangeEvent(cells=change)
        self.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(document, event))

    def splice(self, start: int, n_gone: int, *come: Cell, opens: bool = True) -> None:
        gone = self.cells[start : start + n_gone]
        self.cells[start : start + n_gone] = come
        array = types.NotebookCellArrayChange(start, n_gone, self.array(list(come)))
        opened = [item(cell) for cell in come] if opens else None
        closed = [types.TextDocumentIdentifier(cell.uri) for cell in gone] if opens else None
        structure = types.NotebookDocumentCellChangeStructure(array, opened, closed)
        self.change(types.NotebookDocumentCellChanges(structure=structure))

    def close(self) -> None:
        cells = [types.TextDocumentIdentifier(cell.uri) for cell in self.cells]
        closed = types.DidCloseNotebookDocumentParams(types.NotebookDocumentIdentifier(self.uri), cells)
        self.client.notebook_document_did_close(closed)


class Cell(Document):
    """A cell. `$0` in its text marks the cursor."""

    def __init__(self, notebook: Notebook, marked: str) -> None:
        before, _, behind = marked.partition("$0")
        self.notebook, self.client = notebook, notebook.client
        # VS Code's address of a cell on another machine; the notebook itself is a file for it.
        self.uri = (
            notebook.uri.replace("file://", "vscode-notebook-cell://127.0.0.1:8000") + f"#C{next(numbers)}"
        )
        self.text, self.cursor, self.version = before + behind, len(before), 1
        self.fixed_position = None

    def edit(self, start: int, stop: int, new: str) -> None:
        span = types.Range(self.position(start), self.position(stop))
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        content = types.NotebookDocumentCellContentChanges(
            document, [types.TextDocumentContentChangePartial(span, new)]
        )
        self.notebook.change(types.NotebookDocumentCellChanges(text_content=[content]))
        self.text = self.text[:start] + new + self.text[stop:]
        self.cursor = start + len(new)


def item(cell: Cell) -> types.TextDocumentItem:
    return types.TextDocumentItem(cell.uri, "python", cell.version, cell.text)


@pytest_lsp.fixture(config=server(), scope="module", loop_scope="module")  # type: ignore[untyped-decorator]
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    options = PATIENT | {"model": WITNESS, "pythonVersion": VERSION}
    lsp_client.answered = await lsp_client.initialize_session(  # type: ignore[attr-defined]
        types.InitializeParams(CAPABILITIES, initialization_options=options)
    )
    yield
    await lsp_client.shutdown_session()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_notebooks_cells_are_asked_for(client: LanguageClient) -> None:
    sync = client.answered.capabilities.notebook_document_sync  # type: ignore[attr-defined]
    assert [entry.notebook for entry in sync.notebook_selector] == ["jupyter-notebook", "interactive"]


@pytest.mark.asyncio(loop_scope="module")
async def test_the_cells_above_are_what_the_model_sees_first(client: LanguageClient) -> None:
    notebook = Notebook(
        client,
        "import pandas as pd\n%matplotlib inline\n",
        "%%bash\nls\n",
        "frame = pd.$0",
        "later = 1",
    )
    *_, cell, _ = notebook.cells
    await use_model(client, script(("import pandas as pd\n\nframe = pd.", ["read_csv('x.csv')"])))
    [offered] = await cell.items(invoked=True)
    assert offered.insert_text == "read_csv('x.csv')"
    assert offered.range == types.Range(types.Position(0, 11), types.Position(0, 11))
    await use_model(client, WITNESS)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_cell_parses_by_itself(client: LanguageClient) -> None:
    """No cell above keeps a bracket open or waits for an `else`, and none is broken."""
    notebook = Notebook(client, "x = (", "if x:\n    y\n", "z = [1, 2$0\nprint(z)\n", ")")
    cell = notebook.cells[2]
    [offered] = await cell.items(invoked=True)
    ast.parse(cell.applied(offered))


@pytest.mark.asyncio(loop_scope="module")
async def test_an_else_cannot_belong_to_a_cell_above(client: LanguageClient) -> None:
    notebook = Notebook(client, "if x:\n    y\n", "$0: z\n")
    await use_model(client, script(("", ["else", "if x"])))
    assert await notebook.cells[1].texts(invoked=True) == ["if x"]
    await use_model(client, WITNESS)


@pytest.mark.asyncio(loop_scope="module")
async def test_commands_in_the_cell_are_no_faults(client: LanguageClient) -> None:
    marked = "%matplotlib inline\nfiles = !ls\nprint(len(files$0\n%time f()\n"
    [cell] = Notebook(client, marked).cells
    [offered] = await cell.items(invoked=True)
    assert cell.applied(offered) == marked.replace("$0", "))")
    explained = await cell.explained()
    assert explained["rung"] == "file"


@pytest.mark.parametrize("marked", ["%time f($0", "files = !ls $0", "  $0%time f()", "obj?$0", "!$0"])
@pytest.mark.asyncio(loop_scope="module")
async def test_nothing_is_offered_in_a_command(client: LanguageClient, marked: str) -> None:
    [cell] = Notebook(client, f"if x:\n    y\n{marked}\n").cells
    # The mark is the second one now.
    assert await cell.items(invoked=True) == []
    assert (await cell.explained())["reason"] == "command"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_cell_of_another_language_says_so(client: LanguageClient) -> None:
    [cell] = Notebook(client, "%%bash\nfor x in $0\n").cells
    assert await cell.items(invoked=True) == []
    explained = await cell.explained()
    assert explained["message"] == "The cell is for bash: it is not Python."


@pytest.mark.asyncio(loop_scope="module")
async def test_edits_reach_the_cell_and_the_cells_below(client: LanguageClient) -> None:
    notebook = Notebook(client, "a = 1\n", "print(int$0\n")
    above, cell = notebook.cells
    await use_model(client, script(("first = 1\n\nprint(int", [".real)"]), ("print(int", [")"])))
    assert await cell.texts(invoked=True) == [")"]
    above.edit(0, 1, "first")
    assert await cell.texts(invoked=True) == [".real)"]
    cell.edit(0, 0, "%pwd\n")
    cell.cursor = len("%pwd\nprint(int")
    assert await cell.texts(invoked=True) == [")"]
    await use_model(client, WITNESS)


@pytest.mark.asyncio(loop_scope="module")
async def test_cells_come_go_and_move(client: LanguageClient) -> None:
    notebook = Notebook(client, "one = 1\n", "x = $0")
    cell = notebook.cells[1]
    await use_model(client, script(("one = 1\n\nx = ", ["1"]), ("two = 2\n\nx = ", ["2"]), ("x = ", ["0"])))
    assert await cell.texts(invoked=True) == ["1"]
    notebook.splice(1, 0, notebook.new_cell("two = 2\n"))
    assert await cell.texts(invoked=True) == ["2"]
    notebook.splice(1, 1)
    assert await cell.texts(invoked=True) == ["1"]
    # Moved to the front: the same documents in another order.
    notebook.splice(0, 2, cell, notebook.cells[0], opens=False)
    assert await cell.texts(invoked=True) == ["0"]
    notebook.close()
    assert await cell.texts(invoked=True) == []
    await use_model(client, WITNESS)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_change_to_a_notebook_that_is_not_open_is_ignored(client: LanguageClient) -> None:
    notebook = Notebook(client, "x = (1$0\n")
    stranger = Notebook(client, "y = 1\n")
    stranger.close()
    stranger.splice(0, 1, stranger.new_cell("z = 1\n"), opens=False)
    notebook.splice(7, 9, notebook.new_cell("behind = 1\n"))
    assert await notebook.cells[0].texts(invoked=True) == [")"]


@pytest.mark.asyncio(loop_scope="module")
async def test_what_the_notebook_excludes_is_excluded_for_its_cells(client: LanguageClient) -> None:
    [cell] = Notebook(client, "x = (1$0\n", path="/test/id_rsa.pem").cells
    assert await cell.items(invoked=True) == []
    assert (await cell.explained())["reason"] == "excluded"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_notebook_that_is_ignored_is_excluded(client: LanguageClient, tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("private*\n")
    for name, n_offered in (("private.ipynb", 0), ("public.ipynb", 1)):
        [cell] = Notebook(client, "x = (1$0\n", path=str(tmp_path / name)).cells
        assert len(await cell.items(invoked=True)) == n_offered


@pytest.mark.parametrize(
    ("cell", "others", "is_known"),
    [
        ("", ("frame = 1",), True),
        ("", ("%time frame = f()",), True),
        ("%time frame = f()\n", (), True),
        ("frame = 1\n", (), False),
        ("", ("other = 1",), False),
        ("", ("from shop import *",), None),
        ("", ("%run shop.py",), None),
        ("%pylab inline\n", (), None),
        ("await f()\n", (), None),
        ("", ("x" * MAX_CHARACTERS_ELSEWHERE,) * 2, None),
    ],
)
def test_all_words_of_other_cells_are_names(
    cell: str, others: tuple[str, ...], is_known: bool | None
) -> None:
    names = NotebookCell(tuple, "file:///n.ipynb", lambda: others).names(cell)
    assert ("frame" in names if names is not None else None) is is_known


@pytest.mark.parametrize(
    ("elsewhere", "is_offered"),
    [((), False), (("frame",), True), (None, True)],
)
def test_a_cell_uses_names_of_other_cells(elsewhere: tuple[str, ...] | None, is_offered: bool) -> None:
    text = WorkerText(SentText("cell:1", 1, VERSION, "x = \n", elsewhere=elsewhere), "x = \n")
    hole = Hole(4, 4, "")
    held = footing(Site.of(text, hole))
    assert held is not None
    recognizer = held.with_names().recognizer
    assert (recognizer.advance("frame") and recognizer.is_member()) == is_offered
