"""Names that one import would define: which names they are, and which offers come with the import."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest

from fim_lsp.commands.project import FileInProject
from fim_lsp.context.importable import NO_SOURCES, Importable, ImportSource
from fim_lsp.context.modules import Modules
from fim_lsp.context.outline import PythonOutline
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.document.sent import SentText
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.attempt import Attempt, Proposals
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.messages import Answer, Complete, FromWorker, Partial, Wishes
from quotient import Language
from tests.scripted.worker import Scripted

VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
WISHES = Wishes(3, 64, 20, True, "", False, None, is_asked=True, imports=True)
SHOP = {
    "shop/__init__.py": "from .prices import Prices\nfrom .cart import Cart\n",
    "shop/prices.py": "from pathlib import Path\nimport numpy as np\nRATE = 3\ndef net(gross): ...\n"
    "class Prices: ...\n_own = 1\nlog = 2\n",
    "shop/cart.py": "import os.path\nfrom . import prices\nfrom .prices import net as after_tax\n"
    "class Cart: ...\n",
    "shop/orders.py": "from pathlib import Path\nfrom os import path\nfrom shop import Cart\n",
    "shop/files.py": "import posixpath as path\nfrom typing import Mapping\n",
    "shop/maps.py": "from collections.abc import Mapping\nfrom __future__ import annotations\n",
    "tests/shelf.py": "class Shelf: ...\n",
    "tests/test_cart.py": "from tests.shelf import Shelf\nfrom shop.cart import Cart\n",
    "lonely.py": "class Lonely: ...\n",
}


def importable_of(files: dict[str, str], installed: Mapping[str, ImportSource] = NO_SOURCES) -> Importable:
    outlines = {f"file:///{path}": PythonOutline.of(text) for path, text in files.items()}
    return Importable.of(Modules.of(outlines, {uri: PurePosixPath(uri[8:]) for uri in outlines}), installed)


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("Path", "pathlib"),
        ("np", "numpy"),
        # The name stands for one class, although files import it from several modules.
        ("Cart", "shop.cart"),
        ("after_tax", "shop.prices"),
        ("prices", "shop"),
        # The module that defines it is imported by a file.
        ("RATE", "shop.prices"),
        ("net", "shop.prices"),
        # Two things have this name.
        ("path", None),
        ("Mapping", None),
        # No file imports it from there, or it is private.
        ("Lonely", None),
        ("_own", None),
        ("log", None),
        ("annotations", None),
        # A module for tests.
        ("Shelf", None),
        ("nobody", None),
    ],
)
def test_a_name_is_importable_where_only_one_thing_is_meant(name: str, module: str | None) -> None:
    found = importable_of(SHOP).source(name, "file:///shop/orders.py")
    assert (found and found.module) == module


def test_files_do_not_import_themselves_and_tests_import_from_tests() -> None:
    known = importable_of(SHOP)
    assert known.source("RATE", "file:///shop/prices.py") is None
    assert known.source("Shelf", "file:///tests/test_cart.py") is not None
    # A file outside the folders has no known path to the project's modules.
    assert known.source("RATE", "untitled:1") is None
    assert known.source("Path", "untitled:1") is not None


def test_a_package_knows_its_modules() -> None:
    known = importable_of({**SHOP, "shop/tools/__init__.py": "", "shop/tools/saw.py": ""})
    parts = known.parts("file:///shop/__init__.py")
    assert parts is not None
    assert parts == {"prices", "cart", "orders", "files", "maps", "tools"}
    assert known.parts("file:///elsewhere/__init__.py") is None


def test_what_is_imported_may_lead_back() -> None:
    known = importable_of(
        {
            "a/__init__.py": "from .b import B\nfrom .c import C\n",
            "a/b.py": "class B: ...\n",
            "a/c.py": "from a.b import B\nclass C: ...\n",
            "a/d.py": "from a.c import C\n",
        }
    )
    source = known.sources["C"]
    assert known.leads_to(source, "file:///a/b.py")
    assert not known.leads_to(source, "file:///a/d.py")
    assert not known.leads_to(known.sources["B"], "file:///a/d.py")


def written(
    before: str, *texts: str, after: str = "\n", uri: str = "file:///shop/orders.py", wishes: Wishes = WISHES
) -> list[tuple[str, str | None]]:
    """The offered texts, each with the file's import that comes with it."""
    answers: list[FromWorker] = []
    job_loop = JobLoop(answers.append, lambda _: None)
    job_loop.serving.completer = Scripted("scripted", {"answers": [[before, list(texts)]]})
    job_loop.around.imports.know(importable_of({**SHOP, "shop/orders.py": before + after}))
    text = SentText(uri, 0, VERSION, before + after)
    job_loop.handle(Complete(1, text, len(before), len(before), "", wishes, 60.0))
    [answer] = answers
    assert isinstance(answer, Answer)
    imports = answer.imports or (None,) * len(answer.texts)
    whole = before + after
    return [
        (one, None if added is None else whole[: added.start] + added.new + whole[added.stop :])
        for one, added in zip(answer.texts, imports, strict=True)
    ]


class Noting(Scripted):
    """A writer with given texts, which records for each pass whether two judges accept a text: the engine
    here, and a server that gets the pass's names."""

    def __init__(self, text: str) -> None:
        super().__init__("noting", {"answers": [["return ", [text]]]})
        self.text = text
        self.let_through: list[tuple[bool, bool]] = []

    def propose_texts(self, attempt: Attempt) -> Proposals:
        held = attempt.contexts
        assert held.has_law
        there = Language.load(held.language, version=held.version).recognizer(
            held.left, held.right, held.known
        )
        self.let_through.append((fits(attempt.recognizer, self.text), fits(there, self.text)))
        return super().propose_texts(attempt)


def test_a_server_is_held_to_the_names_that_each_pass_is_held_to() -> None:
    """`Path(RATE)` needs two imports: the pass for imports writes it, and the next pass may not."""
    job_loop = JobLoop(lambda _: None, lambda _: None)
    job_loop.serving.completer = noting = Noting("Path(RATE)")
    before = "import os\n\n\ndef f(name):\n    return "
    job_loop.around.imports.know(importable_of({**SHOP, "shop/orders.py": before + "\n"}))
    text = SentText("file:///shop/orders.py", 0, VERSION, before + "\n")
    job_loop.handle(Complete(1, text, len(before), len(before), "", WISHES, 60.0))
    assert noting.let_through == [(True, True), (False, False)]


def test_what_is_shown_while_the_model_writes_needs_no_import() -> None:
    """The text goes to the editor without an import."""
    answers: list[FromWorker] = []
    job_loop = JobLoop(answers.append, lambda _: None)
    job_loop.serving.completer = Scripted(
        "scripted", {"steps": 20, "answers": [["return ", ["Path(name) or os.sep"]]]}
    )
    before = "import os\n\n\ndef f(name):\n    return "
    job_loop.around.imports.know(importable_of({**SHOP, "shop/orders.py": before + "\n"}))
    text = SentText("file:///shop/orders.py", 0, VERSION, before + "\n")
    job_loop.handle(Complete(1, text, len(before), len(before), "", WISHES, 60.0, is_streamed=True))
    assert [type(answer) for answer in answers] == [Answer]
    answer = ["return ", ["os.path.join(name)"]]
    job_loop.serving.completer = Scripted("scripted", {"steps": 20, "answers": [answer]})
    job_loop.handle(Complete(2, text, len(before), len(before), "", WISHES, 60.0, is_streamed=True))
    assert Partial(2, "os.path") in answers


def test_an_offer_brings_the_import_that_it_needs() -> None:
    before = "import os\n\n\ndef f(name):\n    return "
    assert written(before, "Path(name)", "os.sep", "Path(nobody)", "net(RATE)") == [
        ("Path(name)", f"import os\nfrom pathlib import Path\n{before[10:]}\n"),
        ("os.sep", None),
    ]


def test_an_import_joins_the_one_that_is_there() -> None:
    before = "from shop.prices import net\n\nrate = "
    assert written(before, "RATE") == [("RATE", "from shop.prices import RATE, net\n\nrate = \n")]


def test_half_a_name_in_front_of_the_cursor_counts() -> None:
    assert written("x = 1\nhere = Pa", "th(str(x))") == [
        ("th(str(x))", "from pathlib import Path\n\nx = 1\nhere = Pa\n")
    ]


@pytest.mark.parametrize(
    ("before", "offer"),
    [
        # The file has the name already, or a function's own import has it.
        ("class Path: ...\n\n\ndef f():\n    return Prices", "_(Path)"),
        ("def f():\n    from pathlib import Path\n    return Path\n\n\ndef g():\n    return ", "Path(1)"),
        # Attributes and keyword arguments are not uses.
        ("x = []\nx.", "Path.y(Nobody)"),
    ],
)
def test_no_import_is_offered_where_another_thing_is_meant(before: str, offer: str) -> None:
    assert all(added is None for _, added in written(before, offer))


def test_a_name_that_is_bound_further_down_is_not_imported() -> None:
    assert written("x = ", "net(1)", after="\n\n\ndef net(x): ...\n") == []


def test_a_name_that_a_checker_alone_sees_is_no_matter_for_an_import() -> None:
    before = "if TYPE_CHECKING:\n    from pathlib import Path\n\n\ndef f(x) -> "
    assert written("from typing import TYPE_CHECKING\n" + before, "'Path':\n    pass") == [
        ("'Path':\n    pass", None)
    ]


def test_nothing_is_imported_where_no_editor_puts_it_in() -> None:
    wishes = Wishes(3, 64, 20, True, "", False, None, is_asked=True)
    assert written("here = ", "Path(1)", wishes=wishes) == []


def test_a_broken_file_and_another_language_get_none() -> None:
    assert written("x = = 1\nhere = ", "Path(1)") == []


def test_files_with_other_line_ends_and_signs_keep_them() -> None:
    assert written('"""Ä."""\r\nimport os\r\nhere = ', "Path(1)", after="\r\n") == [
        ("Path(1)", '"""Ä."""\r\nimport os\r\nfrom pathlib import Path\r\nhere = \r\n')
    ]


def test_the_command_line_finds_the_import_in_a_folder(tmp_path: Path) -> None:
    left = "import os\n\n\ndef f(name):\n    return "
    for name, text in (("old.py", "from pathlib import Path\n"), ("new.py", f"{left}\n")):
        (tmp_path / name).write_text(text)
    project = FileInProject.of(tmp_path, tmp_path / "new.py")
    offers = [Completion(text, "eos", 1, 0, 0.0, 0.0) for text in ("Path(name)", "os.sep", "Nobody()")]
    found = project.with_imports(Language.load("python"), left, "\n", lambda _names: offers)
    assert {one.text: added and added.statement for one, added in found.items()} == {
        "Path(name)": "from pathlib import Path",
        "os.sep": None,
    }
