"""The place of a missing import, and its form."""

from __future__ import annotations

import pytest

from fim_lsp.context.import_place import Asker, added_import
from fim_lsp.context.importable import ImportSource
from fim_lsp.context.outline import parse_python

SHOP = Asker("shop.cart", False, frozenset({"shop"}))
PATH = ImportSource("pathlib", "Path", "Path")
RE = ImportSource("re", "", "re")
NP = ImportSource("numpy", "", "np")
SKIPPED = (
    "if TYPE_CHECKING:\n    from pathlib import A\n"
    "try:\n    from pathlib import B\nexcept ImportError:\n    pass\n"
)
NET = ImportSource("shop.prices", "Net", "Net", "file:///shop/prices.py", "file:///shop/prices.py")


def check(source: ImportSource, before: str, after: str, asker: Asker = SHOP) -> None:
    """Checks that the import for `source` turns the one beginning of a file into the other."""
    tail = "value = 1\n"
    text = before + tail
    line_end = "\r\n" if "\r\n" in before else "\n"
    found = added_import(text, parse_python(text).root_node, source, len(before), asker, line_end)
    assert found is not None
    assert text[: found.start] + found.new + text[found.stop :] == after + tail
    assert found.stop <= len(before)


@pytest.mark.parametrize(
    ("source", "before", "after"),
    [
        # A name joins the others of its module, in their order.
        (PATH, "from pathlib import PurePath\n\n", "from pathlib import Path, PurePath\n\n"),
        (PATH, "from pathlib import A, Z\n\n", "from pathlib import A, Path, Z\n\n"),
        (PATH, "from pathlib import Z, A  # why\n", "from pathlib import Z, A, Path  # why\n"),
        (NET, "from shop.prices import RATE, net\n", "from shop.prices import RATE, Net, net\n"),
        (
            PATH,
            "from pathlib import (\n    A,\n    Z,\n)\n",
            "from pathlib import (\n    A,\n    Path,\n    Z,\n)\n",
        ),
        (PATH, "from pathlib import (\n    A,\n)\n", "from pathlib import (\n    A,\n    Path,\n)\n"),
        (PATH, "from pathlib import (A,\n)\n", "from pathlib import (A, Path,\n)\n"),
        (ImportSource("a", "b", "c"), "from a import b\n", "from a import b, b as c\n"),
        # An import that may be skipped does not count.
        (PATH, f"import os\n{SKIPPED}", f"import os\nfrom pathlib import Path\n{SKIPPED}"),
        # Another module gets a line behind the last one of its kind, or in its sorted place.
        (RE, "import os\nimport sys\n\n", "import os\nimport re\nimport sys\n\n"),
        (RE, "import sys\nimport os\n\n", "import sys\nimport os\nimport re\n\n"),
        (RE, "from os import path\n\n", "import re\nfrom os import path\n\n"),
        (PATH, "import sys\n\nimport numpy\n\n", "import sys\nfrom pathlib import Path\n\nimport numpy\n\n"),
        (NP, "import sys\n\nfrom . import a\n", "import sys\n\nimport numpy as np\n\nfrom . import a\n"),
        (RE, "import numpy\n\n", "import re\n\nimport numpy\n\n"),
        (NET, "import numpy\n\n", "import numpy\n\nfrom shop.prices import Net\n\n"),
        (NET, "from .table import Table\n\n", "from .prices import Net\nfrom .table import Table\n\n"),
        (NET, "from .prices import A\n\n", "from .prices import A, Net\n\n"),
        (
            NET,
            "from shop import a\nfrom . import b\n",
            "from shop import a\nfrom shop.prices import Net\nfrom . import b\n",
        ),
        # The first import of a file.
        (RE, "", "import re\n\n"),
        (RE, '"""What it is."""\n\n\n', '"""What it is."""\n\nimport re\n\n\n'),
        (RE, '"""What it is."""\nx = 1\n', '"""What it is."""\n\nimport re\n\nx = 1\n'),
        (
            RE,
            '"""A."""\n\nfrom __future__ import annotations\n\n\n',
            '"""A."""\n\nfrom __future__ import annotations\n\nimport re\n\n\n',
        ),
        (
            RE,
            "#!/usr/bin/python\n# Whose it is.\n\nx = 1\n",
            "#!/usr/bin/python\n# Whose it is.\n\nimport re\n\nx = 1\n",
        ),
        (RE, "x = 1\n", "import re\n\nx = 1\n"),
        # A later statement is no place for an import.
        (
            PATH,
            "import os\n\n\ndef f():\n    pass\n\n\nfrom pathlib import PurePath\n",
            "import os\nfrom pathlib import Path\n\n\ndef f():\n    pass\n\n\nfrom pathlib import PurePath\n",
        ),
        # Two imports in a line stay unchanged.
        (RE, "import os; import sys\n", "import re\n\nimport os; import sys\n"),
        # Offsets count characters, and line ends are those of the file.
        (RE, "# ä 𝒳\nimport os\n", "# ä 𝒳\nimport os\nimport re\n"),
        (PATH, "# ä\nfrom pathlib import A\n", "# ä\nfrom pathlib import A, Path\n"),
        (RE, "import os\r\n\r\n", "import os\r\nimport re\r\n\r\n"),
    ],
)
def test_an_import_goes_where_its_kind_is(source: ImportSource, before: str, after: str) -> None:
    check(source, before, after)


def test_a_line_does_not_grow_without_end() -> None:
    names = ", ".join(f"name_number_{number}" for number in range(10, 15))
    long = f"from pathlib import {names}\n"
    check(PATH, long, f"{long}from pathlib import Path\n")


def test_a_package_s_own_file_has_its_modules_one_dot_away() -> None:
    check(
        ImportSource("shop.prices", "Net", "Net"),
        "from .table import Table\n",
        "from .prices import Net\nfrom .table import Table\n",
        Asker("shop", True, frozenset({"shop"})),
    )


def test_nothing_goes_behind_the_cursor_s_line() -> None:
    text = "x = 1\nimport os\nimport sys\n"
    found = added_import(text, parse_python(text).root_node, RE, 8, SHOP, "\n")
    assert found is not None
    assert text[: found.start] + found.new + text[found.stop :] == "import re\n\n" + text
