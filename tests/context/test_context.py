"""Snippets of a project for a model: which ones are chosen and why, and which texts none of them may show."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from fim_lsp.context.builder import ContextSources, Spot, gather_context
from fim_lsp.context.modules import Modules
from fim_lsp.context.outline import PythonOutline
from fim_lsp.context.recent import Recent
from fim_lsp.context.similar import Windows, jaccard, names_of
from fim_lsp.context.snippet import SOURCES, Context, Snippet, Source

PRICES = '''\
from .table import Table


class Prices(Table):
    """What things cost.

    More of it.
    """

    currency: str = "EUR"
    RATE = 3

    def __init__(self, path):
        self.rows = []
        self.path: str = path

    @property
    def total(self) -> float:
        """All of it."""
        return sum(self.rows)

    async def net(
        self, gross: float, *, digits: int = 2
    ) -> float:
        return gross / 1.19


def parsed(line):
    "A row of a line."
    return line.split()
'''
TABLE = "class Table:\n    def column(self, name): ...\n"
SHOP = {
    "shop/__init__.py": "from .prices import Prices\n",
    "shop/prices.py": PRICES,
    "shop/table.py": TABLE,
    "shop/tools/prices.py": "class Other: ...\n",
    "lone.py": "class Lonely:\n    def howl(self): ...\n",
}


def modules_of(files: dict[str, str]) -> Modules:
    outlines = {f"file:///{path}": PythonOutline.of(text) for path, text in files.items()}
    return Modules.of(outlines, {f"file:///{path}": PurePosixPath(path) for path in files})


def told(
    path: str,
    text: str,
    files: dict[str, str] = SHOP,
    sources: tuple[Source, ...] = SOURCES,
    **around: object,
) -> Context:
    """The context at `$0`."""
    left, _, right = text.partition("$0")
    texts = {f"file:///{name}": content for name, content in files.items()}
    known = ContextSources(modules_of({**files, path: left + right}), texts.get, **around)  # type: ignore[arg-type]
    spot = Spot(f"file:///{path}", PurePosixPath(path), left, right)
    return gather_context(spot, known, Windows(texts.get), sources)


def paths(context: Context) -> list[str]:
    return [snippet.path for snippet in context.snippets if snippet.source == "definition"]


def test_a_class_is_shown_without_its_bodies() -> None:
    assert (
        PythonOutline.of(PRICES).definitions["Prices"].text
        == '''\
class Prices(Table):
    """What things cost."""
    currency: str
    RATE = 3
    def __init__(self, path): ...
        self.rows = []
        self.path: str = path
    @property
    def total(self) -> float: ...
    async def net( self, gross: float, *, digits: int = 2 ) -> float: ...
'''
    )
    assert PythonOutline.of(PRICES).definitions["parsed"].text == (
        'def parsed(line): ...\n    """A row of a line."""\n'
    )


@pytest.mark.parametrize(
    "line",
    [
        "from shop.prices import Prices",
        "from shop import Prices",
        "from .prices import Prices",
        "from . import Prices",
        "from .prices import *",
    ],
)
def test_an_import_is_followed_to_the_definition(line: str) -> None:
    modules = modules_of(SHOP)
    [one] = PythonOutline.of(line).imports
    found = modules.import_target(one, PurePosixPath("shop/cart.py"))
    if one.name == "*":
        assert found is None
    else:
        assert getattr(found, "uri", None) == "file:///shop/prices.py"


def test_a_package_hands_names_on_by_a_star() -> None:
    modules = modules_of({**SHOP, "shop/__init__.py": "from .prices import *\n"})
    [one] = PythonOutline.of("from shop import Prices").imports
    assert (
        getattr(modules.import_target(one, PurePosixPath("cart.py")), "uri", None) == "file:///shop/prices.py"
    )


def test_files_that_import_each_other_in_a_ring_end() -> None:
    modules = modules_of(
        {"a.py": "from b import *\nfrom b import X\n", "b.py": "from a import *\nfrom a import X\n"}
    )
    [one] = PythonOutline.of("from a import X").imports
    assert modules.import_target(one, PurePosixPath("c.py")) is None


def test_a_relative_import_means_the_file_beside() -> None:
    assert paths(told("shop/tools/cart.py", "from .prices import Other\nOther$0\n")) == [
        "shop/tools/prices.py"
    ]
    assert paths(told("shop/cart.py", "from .prices import Prices\nPrices$0\n")) == ["shop/prices.py"]


def test_what_is_in_front_of_the_dot_is_worth_most_with_what_it_is_made_of() -> None:
    text = "from lone import Lonely\nfrom shop import Prices\nprices = Prices('x')\nLonely()\nprices.$0\n"
    context = told("cart.py", text)
    assert paths(context)[:3] == ["shop/prices.py", "shop/table.py", "lone.py"]
    assert "in front of the cursor's dot" in context.snippets[0].reason


def test_the_bases_of_the_class_around_the_cursor_are_shown() -> None:
    imports = "from shop.table import Table\nfrom lone import Lonely\n"
    text = f"{imports}class Mine(Table):\n    def f(self):\n        $0\n"
    first = told("cart.py", text).snippets[0]
    assert (first.path, first.reason) == ("shop/table.py", "the class around the cursor is made of Table")


def test_members_of_a_module_are_found() -> None:
    context = told("cart.py", "import shop.prices as costs\nrow = costs.parsed($0)\n")
    assert [snippet.text.partition("(")[0] for snippet in context.snippets[:1]] == ["def parsed"]


def test_a_class_without_an_import_is_found_where_one_file_alone_defines_it() -> None:
    assert paths(told("cart.py", "wolf = Lonely($0)\n")) == ["lone.py"]
    twice = {**SHOP, "other.py": "class Lonely: ...\n"}
    assert paths(told("cart.py", "wolf = Lonely($0)\n", twice)) == []


def test_nearer_names_are_worth_more() -> None:
    text = "from lone import Lonely\nfrom shop import Prices\nLonely()\n" + "\n" * 30 + "Prices()\n$0\n"
    assert paths(told("cart.py", text)) == ["shop/prices.py", "lone.py"]


def test_a_broken_file_is_outlined_all_the_same() -> None:
    outline = PythonOutline.of("def broken(:\n    pass\n\nclass Fine:\n    def works(self): ...\n")
    assert "works" in outline.definitions["Fine"].text


def test_similar_lines_of_the_files_nearby_are_found() -> None:
    files = {
        "a.py": "\n" * 40 + "for invoice in invoices:\n    total += invoice.amount * rate\n",
        "b.py": "x = 1\n",
    }
    context = told("c.py", "invoices = load()\nrate = 2\nfor invoice in invoices:\n    amount = $0\n", files)
    [similar] = [snippet for snippet in context.snippets if snippet.source == "similar"]
    assert (similar.path, "total += invoice.amount" in similar.text) == ("a.py", True)
    assert jaccard(names_of("one two"), names_of("two three")) == pytest.approx(1 / 3)
    assert jaccard(names_of(""), names_of("")) == 0


def test_open_files_and_regions_that_were_edited_are_found() -> None:
    recent = Recent()
    recent.note("file:///lone.py", 3)
    recent.note("file:///shop/table.py", 20)
    opened = {"file:///lone.py": SHOP["lone.py"], "file:///shop/table.py": TABLE}
    context = told("c.py", "x = $0\n", opened=opened, recent=recent)
    assert [(one.source, one.path, one.reason) for one in context.snippets] == [
        ("recent", "shop/table.py", "it was edited last"),
        ("recent", "lone.py", "it was edited lately"),
        ("open", "shop/table.py", "it is open in the editor"),
        ("open", "lone.py", "it is open in the editor"),
    ]
    recent.forget("file:///lone.py")
    assert [uri for uri, _ in recent.latest()] == ["file:///shop/table.py"]


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("project/src/shop/prices.py", "shop.prices"),
        ("project/src/shop/__init__.py", "shop"),
        ("src/plain/tool.py", "plain.tool"),
        ("scripts/run-all.py", ""),
        ("scripts/class.py", ""),
        ("__init__.py", ""),
        ("setup.py", "setup"),
    ],
)
def test_a_module_is_named_from_its_outermost_package_on(path: str, module: str) -> None:
    packages = {"project/src/shop/__init__.py": "", "project/src/shop/prices.py": "", path: ""}
    assert modules_of(packages).module_name(f"file:///{path}") == module


SECRET = "hunter2hunter2"
PLANTED = f'''\
import os
API_KEY = "{SECRET}"
class Client:
    """Client."""
    password = "{SECRET}"
    secret: str = "{SECRET}"
    address = "postgres://admin:{SECRET}@db.internal/shop"
    def __init__(self, token="{SECRET}"):
        self.password = "{SECRET}"
        self.key = os.environ["KEY"]
    def login(self, password="{SECRET}"): ...
    def fetch(self): ...
def connect(password="{SECRET}"): ...
'''


@pytest.mark.parametrize("source", SOURCES)
def test_no_snippet_shows_a_secret(source: Source) -> None:
    recent = Recent()
    recent.note("file:///client.py", PLANTED.index("class Client"))
    text = (
        "import client\nfrom client import *\n"
        + PLANTED.replace(SECRET, "other")
        + "client.connect client.$0\n"
    )
    around = {"opened": {"file:///client.py": PLANTED}, "recent": recent}
    snippets = told("mine.py", text, {"client.py": PLANTED}, (source,), **around).snippets
    shown = "".join(snippet.text for snippet in snippets)
    assert "class Client" in shown
    assert SECRET not in shown


def test_a_definition_shows_no_texts_at_all() -> None:
    for line in (
        f'LONG = "prefix{SECRET}"',
        f'TOKENS = {{"a": "{SECRET}"}}',
        f'class A:\n    x: str = "{SECRET}"',
    ):
        [one] = PythonOutline.of(line).definitions.values()
        assert SECRET not in one.text


def test_sources_are_left_out_by_name() -> None:
    context = Context("r", "p", (Snippet("a", "t", "open", "", 1.0), Snippet("b", "t", "recent", "", 0.5)))
    assert [one.path for one in context.of(("recent",)).snippets] == ["b"]
