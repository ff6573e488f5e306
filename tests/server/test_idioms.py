"""Usual idioms are offered, also with the bundled model, by rules that are data."""

from __future__ import annotations

import ast
import json
import queue
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from fim_lsp.document.sent import SentText
from fim_lsp.idioms.idiom import FILE, idioms
from fim_lsp.known_languages import PYTHON, language_named
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.messages import Complete, LoadModel, Wishes
from tests.server_editor import VERSION, script
from tests.sessions.client import SCRIPTED, Client
from tests.sessions.editor import Editor, opened, texts

SETTINGS: dict[str, Any] = {"pythonVersion": VERSION}

CLASS = "class Store:\n    def __init__(self, orders, limit: int = 10, *rest, **more):\n        "

TWO = "class Pair:\n    def __init__(self, a, b):\n        "


def first(marked: str) -> str | None:
    left, right = marked.split("$0")
    return next(idioms(left, right, PYTHON), None)


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("if __n$0\n", 'ame__ == "__main__":'),
        ("x = 1\nif __name__ ==$0\n", ' "__main__":'),
        ("if __name__ == $0\n    main()\n", '"__main__":'),
        ("a = 'b' + 'c'\nif __name__ == $0\n", "'__main__':"),
        ("if __name__ == '__$0\n", "main__':"),
        ("if __name__ == $0:\n", None),
        ("    if __name__ == $0\n", None),
        ("if x$0\n", None),
        ("import matplotlib.pyplot as $0\n", "plt"),
        ("import matplotlib.pyplot as$0\n", " plt"),
        ("import numpy as n$0\n", "p"),
        ("import numpy$0\n", None),
        ("import numpy as xy$0\n", None),
        (f"{CLASS}$0\n", "self.orders = orders"),
        (f"{CLASS}self.$0\n", "orders = orders"),
        (f"{CLASS}self.or$0\n", "ders = orders"),
        (f"{CLASS}self._$0\n", "orders = orders"),
        (f"{CLASS}self.orders =$0\n", " orders"),
        (f"{CLASS}self.orders = $0\n", "orders"),
        (f"{CLASS}self._orders = $0\n", "orders"),
        (f"{CLASS}self.orders = or$0\n", "ders"),
        (f"{CLASS}self.orders=$0\n", "orders"),
        (f"{CLASS}self.orders = orders$0\n", None),
        (f"{CLASS}self.orders = orders\n        $0\n", "self.limit = limit"),
        (f"{CLASS}self.orders = orders\n        self.$0\n", "limit = limit"),
        (f"{CLASS}self.count = 0\n        $0\n", None),
        (f"{CLASS}self.other = $0\n", None),
        (f"{TWO}self.a = a\n        self.b =$0\n", " b"),
        (f"{TWO}self.a = a\n        self.b = $0\n", "b"),
        (f"{TWO}self.a = a\n        self.b=$0\n", "b"),
        (f"{TWO}self.a = a\n        self._b = $0\n", "b"),
        # One parameter is left after the others were accepted one by one.
        (f"{TWO}self.a = a\n        self.other =$0\n", " b"),
        (f"{TWO}self.first = a\n        self.other = $0\n", "b"),
        (f"{TWO}self.other =$0\n", None),
        (f"{TWO}self.a = []\n        self.other =$0\n", None),
        (f"{TWO}self.a = a\n        self.b = b\n        self.other =$0\n", None),
        (f"{CLASS}self.orders = orders\n\n    def total(self):\n        $0\n", None),
        ("class A(B):\n    def __init__(self, x):\n        $0\n", None),
        ("class A(B):\n    def __init__(self, x):\n        self.$0\n", "x = x"),
        ("class A:\n    def run(self, x):\n        $0\n", None),
        ("class A:\n    def __init__(self):\n        $0\n", None),
        (
            "class A:\n    def __init__(self, x: dict[str, A], f=max(1, (2))) -> A:\n        self.f =$0\n",
            " f",
        ),
        ("class A:\n    def __init__(self, x):\n        if x:\n            self.$0\n", None),
    ],
)
def test_what_is_tried_at_a_place(marked: str, expected: str | None) -> None:
    assert first(marked) == expected


@pytest.mark.parametrize(
    ("above", "body"),
    [
        ("", "    pass"),
        ("def main():\n  return 1\n\n\n", "  main()"),
        ("def main(argv: list[str] | None = None, n=1) -> int:\n\treturn 1\n\n\n", "\tmain()"),
        ("def main(argv):\n    return 1\n\n\n", "    pass"),
        ("async def main():\n    return 1\n\n\n", "    pass"),
        ("class A:\n    def main():\n        return 1\n\n\n", "    pass"),
    ],
)
def test_a_file_that_ends_there_gets_the_block_too(above: str, body: str) -> None:
    found = list(idioms(f"{above}if __name__ ==", "\n", PYTHON))
    assert found == [' "__main__":', f' "__main__":\n{body}']
    ast.parse(f"{above}if __name__ =={found[1]}\n")


def test_only_in_python() -> None:
    go = language_named("go")
    assert go is not None
    assert not list(idioms("import numpy as ", "\n", go))


def test_every_line_of_the_data_is_python() -> None:
    for line in json.loads(FILE.read_text())["lines"]:
        begun, mark, rest = line.partition("|")
        assert begun
        assert mark
        assert rest
        ast.parse(line.replace("|", "") + ("\n    pass" if line.endswith(":") else ""))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def client() -> AsyncIterator[Client]:
    client = await Client.start(command=SCRIPTED)
    await client.initialize(SETTINGS, {"textDocument": {"inlineCompletion": {}}})
    await client.command("fim-lsp.switchModel", script(("", ["wrong"])))
    yield client
    await client.stop()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("def main():\n    pass\n\n\nif __name__ ==$0\n    main()\n", ' "__main__":'),
        ("def main():\n    pass\n\n\nif __name__ ==$0\n", ' "__main__":\n    main()'),
        ("def main():\n    pass\n\n\nif __n$0", 'ame__ == "__main__":\n    main()'),
        ("x = 1\n\nif __name__ == $0\n", '"__main__":\n    pass'),
        ("import matplotlib.pyplot as $0\n\nplt.show()\n", "plt"),
        (f"{CLASS}self.orders = $0\n", "orders"),
        (f"{TWO}self.a = a\n        self.b =$0\n", " b"),
        (f"{TWO}self.a = a\n        self.other = $0\n", "b"),
        # An idiom that does not fit is not offered: the name belongs to another module.
        ("class A:\n    def __init__(self, x):\n        self.x = $0 + 1\n", None),
    ],
)
async def test_they_are_offered_before_anything_else(
    editor: Editor, marked: str, expected: str | None, request: pytest.FixtureRequest
) -> None:
    buffer = opened(editor, f"file:///idioms/{abs(hash(request.node.name))}.py", marked)
    found = await texts(editor, buffer)
    assert found[:1] == ([] if expected is None else [expected])


@pytest.mark.asyncio(loop_scope="module")
async def test_a_blank_stands_on_either_side_of_a_sign(client: Client, editor: Editor) -> None:
    await client.command("fim-lsp.switchModel", script(("", ["len([])"]), names=False))
    for number, (marked, expected) in enumerate(
        (
            ("total =$0\n", " len([])"),
            ("total = $0\n", "len([])"),
            ("total=$0\n", "len([])"),
            ("total = 1 if 1 ==$0\n", None),
            ("total = f(end=$0)\n", None),
        )
    ):
        found = await texts(editor, opened(editor, f"file:///blanks/{number}.py", marked))
        if expected is not None:
            assert found == [expected], marked


RENAMED = (
    "def total({0}):\n    result = 0\n    for price in {1}:\n        result += price\n"
    "    return result / len({1})\n"
)


def test_a_parameter_that_was_just_renamed_is_offered_by_its_new_name() -> None:
    """This holds with the bundled model, and with memory, which knows the old name."""
    waiting: queue.Queue[Any] = queue.Queue()
    sent: list[Any] = []
    loop = JobLoop(sent.append, waiting.put)
    loop.handle(LoadModel(None, None))
    loop.handle(waiting.get(timeout=60))
    wishes = Wishes(1, 64, 20, True, "", False, None, bar=0.4)
    before = RENAMED.format("prices", "prices")
    after = RENAMED.format("costs", "prices").replace("    for price in prices:", "    for price in :")
    for serial, (text, place) in enumerate(
        ((before, before.index("prices:")), (after, after.index(" :") + 1))
    ):
        sent.clear()
        whole = SentText("file:///renamed.py", serial, VERSION, text)
        loop.handle(Complete(serial, whole, place, place, "", wishes, 60.0))
    assert sent[-1].texts == ("costs",)
