"""Edits that follow in the other files of a project, accepted one by one until there is none: the resulting
files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from fim_lsp.cli import main
from tests.edits.taken_in_project import take_edits


@dataclass(frozen=True)
class ProjectCase:
    """`app.py` before and after a user's change, and another file before and after the edits that follow."""

    name: str
    old: str
    new: str
    other: str
    follows: str
    path: str = "app.py"


STORE = """\
class Store:
    def __init__(self, path):
        self.path = path

    def get_all(self, limit, strict=False):
        return [self.path][:limit]
"""

CASES = (
    ProjectCase(
        "a method, of what is proven to be of its class",
        STORE,
        STORE.replace("get_all", "fetch_all"),
        "from app import Store\n\n\nclass Mine(Store):\n    def get_all(self, limit, strict=False):\n"
        "        return super().get_all(limit)\n\n\ndef run(store: Store, other):\n"
        "    return store.get_all(1), other.get_all(2), Mine('a').get_all(3)\n",
        "from app import Store\n\n\nclass Mine(Store):\n    def fetch_all(self, limit, strict=False):\n"
        "        return super().fetch_all(limit)\n\n\ndef run(store: Store, other):\n"
        "    return store.fetch_all(1), other.get_all(2), Mine('a').fetch_all(3)\n",
    ),
    ProjectCase(
        "an attribute",
        STORE,
        STORE.replace("self.path", "self.root"),
        "import app\n\nstore = app.Store('a')\nprint(store.path, app.path)\n",
        "import app\n\nstore = app.Store('a')\nprint(store.root, app.path)\n",
    ),
    ProjectCase(
        "a method's parameter that is gone",
        STORE,
        STORE.replace("limit, strict=False", "limit"),
        "from app import Store\n\nstore = Store('a')\nstore.get_all(1, True)\nstore.get_all(1, strict=True)\n"
        "other.get_all(1, True)\n",
        "from app import Store\n\nstore = Store('a')\nstore.get_all(1)\nstore.get_all(1)\n"
        "other.get_all(1, True)\n",
    ),
    ProjectCase(
        "parameters in another order: by name, so that it is done once and not again and again",
        "def send(to, text, cc=None):\n    return to, text, cc\n",
        "def send(text, to, cc=None):\n    return to, text, cc\n",
        "from app import send\n\nsend('me', 'hello')\nsend('me', text='hello')\n"
        "send(to='me', text='hello')\n",
        "from app import send\n\nsend(to='me', text='hello')\nsend(to='me', text='hello')\n"
        "send(to='me', text='hello')\n",
    ),
    ProjectCase(
        "a parameter in the middle that is gone: what stands behind it does not move up twice",
        "def f(a, b=0, c=0):\n    return a, c\n",
        "def f(a, c=0):\n    return a, c\n",
        "from app import f\n\nf(1)\nf(1, 2)\nf(1, 2, 3)\n",
        "from app import f\n\nf(1)\nf(1)\nf(1, c=3)\n",
    ),
    ProjectCase(
        "a field of a class of data",
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Point:\n    left: int\n    top: int\n",
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Point:\n    x: int\n    top: int\n",
        "from app import Point\n\npoint = Point(left=1, top=2)\nprint(point.left)\n",
        "from app import Point\n\npoint = Point(x=1, top=2)\nprint(point.x)\n",
    ),
    ProjectCase(
        "a member of an enumeration",
        "from enum import Enum\n\n\nclass Color(Enum):\n    RED = 1\n    GREEN = 2\n",
        "from enum import Enum\n\n\nclass Color(Enum):\n    CRIMSON = 1\n    GREEN = 2\n",
        "import app\nfrom app import Color as C\n\nprint(C.RED, app.Color.RED, other.RED)\n",
        "import app\nfrom app import Color as C\n\nprint(C.CRIMSON, app.Color.CRIMSON, other.RED)\n",
    ),
    ProjectCase(
        "a name that is said in a text",
        "LIMIT = 10\n",
        "MOST = 10\n",
        "import app\n\n\ndef test_it(monkeypatch):\n    monkeypatch.setattr(app, 'LIMIT', 3)\n"
        "    monkeypatch.setattr('app.LIMIT', 3)\n    monkeypatch.setattr('other.LIMIT', 3)\n"
        "    print('LIMIT')\n",
        "import app\n\n\ndef test_it(monkeypatch):\n    monkeypatch.setattr(app, 'MOST', 3)\n"
        "    monkeypatch.setattr('app.MOST', 3)\n    monkeypatch.setattr('other.LIMIT', 3)\n"
        "    print('LIMIT')\n",
    ),
    ProjectCase(
        "a method that is a property now",
        STORE.replace("self, limit, strict=False", "self").replace("[:limit]", ""),
        STORE.replace("self, limit, strict=False", "self")
        .replace("[:limit]", "")
        .replace("    def get_all", "    @property\n    def get_all"),
        "from app import Store\n\n\ndef run(store: Store, other):\n"
        "    return store.get_all(), other.get_all(), Store('a').get_all()\n",
        "from app import Store\n\n\ndef run(store: Store, other):\n"
        "    return store.get_all, other.get_all(), Store('a').get_all\n",
    ),
    ProjectCase(
        "a name that is imported with the folder of sources in front",
        STORE,
        STORE.replace("Store", "Shop"),
        "from src.app import Store\n\n\ndef test(mock):\n    mock.patch('src.app.Store')\n    Store('a')\n",
        "from src.app import Shop\n\n\ndef test(mock):\n    mock.patch('src.app.Shop')\n    Shop('a')\n",
        "src/app.py",
    ),
    ProjectCase(
        "a class in an annotation that is a string",
        STORE,
        STORE.replace("Store", "Shop"),
        "from app import Store\n\n\ndef run(a: 'Store | None', b: list['Store'], c='Store') -> 'Store':\n"
        "    return a or b[0]\n",
        "from app import Shop\n\n\ndef run(a: 'Shop | None', b: list['Shop'], c='Store') -> 'Shop':\n"
        "    return a or b[0]\n",
    ),
    ProjectCase(
        "a fixture of the folder",
        "import pytest\n\n\n@pytest.fixture\ndef client():\n    return 1\n",
        "import pytest\n\n\n@pytest.fixture\ndef api_client():\n    return 1\n",
        "def test_it(client):\n    assert client.get('client')\n\n\ndef other(client):\n    return client\n",
        "def test_it(api_client):\n    assert api_client.get('client')\n\n\ndef other(client):\n"
        "    return client\n",
        "conftest.py",
    ),
    ProjectCase(
        "a key of a function's result",
        "def load():\n    return {'nm': 'a', 'age': 3}\n",
        "def load():\n    return {'name': 'a', 'age': 3}\n",
        "import app\nfrom app import load\n\n\ndef show(other):\n    row = load()\n"
        "    return row['nm'], app.load()['nm'], other['nm']\n\n\n"
        "def run(load):\n    return load()['nm']\n",
        "import app\nfrom app import load\n\n\ndef show(other):\n    row = load()\n"
        "    return row['name'], app.load()['name'], other['nm']\n\n\n"
        "def run(load):\n    return load()['nm']\n",
    ),
    ProjectCase(
        "a key of a dictionary with a name",
        "CONFIG = {'hst': 'a', 'port': 1}\n",
        "CONFIG = {'host': 'a', 'port': 1}\n",
        "import app\nfrom app import CONFIG\n\n"
        "print(CONFIG['hst'], app.CONFIG.get('hst'), {'hst': 1}['hst'])\n",
        "import app\nfrom app import CONFIG\n\n"
        "print(CONFIG['host'], app.CONFIG.get('host'), {'hst': 1}['hst'])\n",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows_in_another_file(
    case: ProjectCase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, project = tmp_path / "old.py", tmp_path / "project"
    (project / case.path).parent.mkdir(parents=True)
    new, other = project / case.path, project / "other.py"
    old.write_text(case.old)
    new.write_text(case.new)
    other.write_text(case.other)
    take_edits(new, old, project, capsys)
    assert other.read_text() == case.follows
    assert new.read_text() == case.new


def test_a_renamed_class_is_not_another_files_class_of_its_old_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, project = tmp_path / "old.py", tmp_path / "project"
    project.mkdir()
    texts = {
        "app.py": "class User:\n    pass\n",
        "lib.py": "class Usr:\n    pass\n",
        "view.py": "from app import Usr\n\nUsr()\n",
    }
    for name, text in texts.items():
        (project / name).write_text(text)
    old.write_text("class Usr:\n    pass\n")
    assert (
        main(["edits", str(project / "app.py"), "--since", str(old), "--project", str(project), "--json"])
        == 0
    )
    (found,) = json.loads(capsys.readouterr().out)
    text = texts["view.py"]
    assert text[: found["start"]] + found["new"] + text[found["end"] :] == "from app import User\n\nUser()\n"
