"""An import is changed, comes or goes: what follows where its names are used."""

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


@pytest.mark.parametrize("case", IMPORTS, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
