"""An import that is changed, added or removed: the edits where its names are used."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import SHOP, Case, case, check

IMPORTS = (
    case(
        "an import that is still used comes back otherwise",
        "from os import path\n\nx = path.join('a', 'b')\n",
        ("from os import path", "import os"),
        then=(("x = path.join", "x = os.path.join"),),
    ),
    case(
        "a module in place of its member",
        "from json import loads\n\nx = loads('1')\ny = loads('2')\n",
        ("from json import loads", "import json"),
        then=(("= loads('1')\ny = loads", "= json.loads('1')\ny = json.loads"),),
    ),
    case(
        "a member in place of its module",
        "import json\n\nx = json.loads('1')\n",
        ("import json", "from json import loads"),
        then=(("json.loads", "loads"),),
    ),
    case(
        "the last use is gone",
        SHOP,
        ("    os.makedirs(os.path.dirname(path))\n", ""),
        then=(("import os\n", ""),),
    ),
    case(
        "one name of several lost its last use",
        "from os.path import exists, join\n\nprint(join('a', 'b'))\nprint(exists('a'))\n",
        ("print(exists('a'))\n", ""),
        then=(("import exists, join", "import join"),),
    ),
    case(
        "a module is used and not imported",
        "import os\n\nprint(os.name)\n",
        ("print(os.name)\n", "print(os.name)\nprint(json.dumps([]))\n"),
        then=(("import os\n", "import json\nimport os\n"),),
    ),
    case(
        "a name that everybody knows",
        "def f(rows):\n    found = {}\n    return found\n",
        ("found = {}", "found = defaultdict(list)"),
        then=(("def f(rows)", "from collections import defaultdict\n\n\ndef f(rows)"),),
    ),
    case(
        "an import is removed whose name is still used: nobody takes that back",
        "import json\nimport os\n\nprint(json.dumps(os.name))\n",
        ("import json\n", ""),
    ),
)


TYPES = """\
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shop import Cart


def total(cart: Cart) -> int:
    return cart.total()
"""
FOR_TYPES = (
    case(
        "a name that is imported for types, and that texts are annotated by",
        TYPES + "\n\ndef other(cart: 'Cart') -> str:\n    return 'Cart'\n",
        ("import Cart", "import Basket"),
        then=(("(cart: Cart", "(cart: Basket"), ("cart: 'Cart'", "cart: 'Basket'")),
    ),
    case(
        "the last name that is imported for types",
        TYPES,
        ("cart: Cart", "cart"),
        then=(("from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from shop import Cart\n", ""),),
    ),
    case(
        "one of the names that are imported for types",
        TYPES.replace("Cart\n\n", "Cart, Item\n\n").replace("cart: Cart", "cart: Cart, item: Item"),
        ("item: Item", "item: int"),
        then=(("Cart, Item", "Cart"),),
    ),
    case(
        "what is imported by one of two ways",
        "try:\n    import ujson\nexcept ImportError:\n    ujson = None\n\n\n"
        "def f(a):\n    return ujson.loads(a)\n",
        ("ujson.loads(a)", "a"),
    ),
    case(
        "what is imported by both of two ways",
        "try:\n    import simplejson as json\nexcept ImportError:\n    import json\n\n\n"
        "def load(text):\n    return json.loads(text)\n",
        ("simplejson as json", "simplejson as js"),
        ("    import json\n", "    import json as js\n"),
        then=(("json.loads", "js.loads"),),
    ),
    case(
        "another thing of a module of Python's own",
        "from os import path\n\n\ndef f(a):\n    return path.join(a)\n",
        ("import path", "import sep"),
    ),
)


@pytest.mark.parametrize("case", [*IMPORTS, *FOR_TYPES], ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
