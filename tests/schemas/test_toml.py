"""The schemas' knowledge about places in Cargo.toml and pyproject.toml, and the offers there."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
import tomllib

from fim_lsp.closing import closing
from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import TOML as TABLES
from fim_lsp.schemas import store
from fim_lsp.schemas.offers import from_schema
from fim_lsp.schemas.schema import Schema, keys, kinds
from fim_lsp.schemas.store import URLS, schema_of
from fim_lsp.schemas.toml_place import Header, headers_in, toml_place_in
from fim_lsp.schemas.usual import ANYWHERE
from fim_lsp.server.worker.completing import Completing
from fim_lsp.server.worker.from_memory import FromMemory
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.server.worker.site import Site
from quotient import Language, NoCompletion
from tests.schemas.installed import HAS_SCHEMAS
from tests.schemas.keys import File, counts, entries_of
from tests.schemas.toml_files import value_of

TOML = Language.load("toml")


@pytest.mark.parametrize(
    ("marked", "path", "kind", "before", "behind", "begun"),
    [
        ("$0", "", "key", "", "", ""),
        ('[a]\nx = "1"\n$0\ny = 2\nz.q = 3\n[b]\nw = 1', "a", "key", "x", "y z", ""),
        ("[a]\nx$0", "a", "key", "", "", "x"),
        ("[[a]]\n[[a]]\n[a.b]\nx = $0", "a 1 b x", "value", "", "", ""),
        ('a = { x = "]", $0, y = [1, 2] }\nz = 1', "a", "key", "x", "y", ""),
        ('a = [1, # [\n  [{ x = "$0" }]]', "a 1 0 x", "value", "", "", '"'),
        ("a.b = 1\nc.d = 2\na.$0", "a", "key", "b", "", ""),
        ("['a.b'.\"c\\u0064\"]\n$0", "a.b cd", "key", "", "", ""),
        ("a = '''\n[b]\n'''\n$0", "", "key", "a", "", ""),
        ("[a]\n[b.c$0]", "", "table", "", "", "[b.c"),
    ],
)
def test_where_a_cursor_is(marked: str, path: str, kind: str, before: str, behind: str, begun: str) -> None:
    found = toml_place_in(*marked.split("$0"))
    assert found is not None
    steps = tuple(int(one) if one.isdigit() else one for one in path.split())
    place = found.place
    assert (place.path, place.kind, place.begun) == (steps, kind, begun)
    assert (place.before, place.behind) == (tuple(before.split()), tuple(behind.split()))


@pytest.mark.parametrize(
    "left",
    [
        "# ",
        "a = 1",
        "a = 1 ",
        "a ",
        "[a]",
        "[a] ",
        'a = "b"',
        "a = {}",
        'a = """\n',
        "a = '''b\n",
        "]",
        "a = }",
    ],
)
def test_where_none_of_them_begins(left: str) -> None:
    found = toml_place_in(left, "")
    # A number may continue.
    assert found is None or found.place.begun == "1"


def test_headers_are_read_and_written() -> None:
    text = "[a]\n [[b.'c d']] # one\nx = [\n[1]]\n['e]']\n[]\n"
    found = list(headers_in(text))
    assert found[:2] == [Header(("a",)), Header(("b", "c d"), is_one_of_several=True)]
    assert [one.text for one in found] == ["[a]", '[[b."c d"]]', '["e]"]']


def test_what_other_documents_say() -> None:
    others = {"u:b": {"$defs": {"x": {"type": "object", "patternProperties": {"^x-": {"type": "integer"}}}}}}
    schema = Schema({"properties": {"a": {"$ref": "u:b#/$defs/x"}, "c": {"$ref": "u:d"}}}, others.get)
    assert kinds(schema.at(("a",))) == ["object"]
    assert kinds(schema.at(("a", "x-1"))) == ["integer"]
    assert schema.at(("a", "y")) == schema.at(("c", "y")) == []


def test_references_become_whole_ones() -> None:
    node = {"a": [{"$ref": "#/b"}, {"$ref": "u:other"}], "$ref": {"$ref": "#"}}
    assert store.whole_references(node, "u:own") == {
        "a": [{"$ref": "u:own#/b"}, {"$ref": "u:other"}],
        "$ref": {"$ref": "u:own#"},
    }


def offered(name: str, marked: str) -> list[str]:
    left, _, right = marked.partition("$0")
    recognizer = TOML.recognizer(left, right, names=())
    offers = from_schema(name, left, right, recognizer, lambda reading: closing(reading, right, TABLES))
    found = [one.text for one in offers]
    for text in found:
        tomllib.loads(left + text + right)
    return found


@HAS_SCHEMAS
@pytest.mark.parametrize(
    ("name", "marked", "first"),
    [
        ("Cargo.toml", '[package]\nname = "shop"\n$0\n', 'version = "0.1.0"'),
        ("Cargo.toml", '[package]\nname = "shop"\n\n$0\n', "[dependencies]"),
        ("Cargo.toml", '[package]\nname = "shop"\ned$0\n', 'ition = "2021"'),
        ("Cargo.toml", '[package]\nedition = "20$0"\n', "21"),
        ("Cargo.toml", "[package]\nedition = $0\n", '"2021"'),
        ("Cargo.toml", "[pack$0]\n", "age"),
        ("Cargo.toml", "[[bi$0", "n]]"),
        ("Cargo.toml", '[dependencies]\na = { version = "1", opt$0 }\n', "ional = true"),
        ("pyproject.toml", "$0", "[build-system]"),
        ("pyproject.toml", "[build-system]\nrequires = []\n$0\n", 'build-backend = "hatchling.build"'),
        # The neighbours determine the key; without known neighbours, there is no offer.
        (
            "pyproject.toml",
            '[build-system]\nrequires = ["setuptools>=61"]\nbuild-$0\n',
            'backend = "setuptools.build_meta"',
        ),
        (
            "pyproject.toml",
            "[build-system]\nrequires = ['scikit-build-core']\nbuild-backend = $0",
            '"scikit_build_core.build"',
        ),
        ("pyproject.toml", '[build-system]\nrequires = ["poetry-core"]\n$0\n', 'build-backend = ""'),
        ("pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = $0\n", "[]"),
        # The type of its value is unknown.
        ("pyproject.toml", "[tool.coverage.run]\n$0\n", 'branch = ""'),
        ("Cargo.toml", '[dependencies]\na = { version = "1", opt$0', "ional = true }"),
        ("Cargo.toml", '[dependencies]\na = {version = "1", opt$0', "ional = true}"),
        ("pyproject.toml", '[project]\nname = "shop"\ndes$0 = "a"\n', "cription"),
        ("pyproject.toml", "[tool.mypy]\nstri$0\n", "ct = true"),
        ("pyproject.toml", "[tool.ruff.lint.pydocstyle]\nconvention = $0\n", '"google"'),
    ],
)
def test_what_is_offered(name: str, marked: str, first: str) -> None:
    found = offered(name, marked)
    assert first in found[:3]


@HAS_SCHEMAS
@pytest.mark.parametrize(
    ("name", "marked", "first"),
    [
        ("pyproject.toml", "[project]\n$0\n", 'name = ""'),
        ("pyproject.toml", "[project]\ndependencies = []\n$0\n", 'name = ""'),
        ("pyproject.toml", '[project]\nname = "a"\ndescription = ""\n$0\n', 'version = "0.0.1"'),
        ("Cargo.toml", '[package]\nversion = "0.1.0"\n$0\n', 'name = ""'),
    ],
)
def test_a_key_that_must_be_there_comes_first(name: str, marked: str, first: str) -> None:
    assert offered(name, marked)[0] == first


@HAS_SCHEMAS
@pytest.mark.parametrize(
    ("marked", "needless"),
    [
        ('[project]\nname = "a"\nversion = "1"\ndependencies = []\n$0\n', "dynamic"),
        ('[project]\nlicense = { text = "MIT", $0 }\n', "file"),
    ],
)
def test_a_key_in_whose_place_another_one_stands_comes_last(marked: str, needless: str) -> None:
    assert needless not in [text.split()[0] for text in offered("pyproject.toml", marked)[:3]]


@HAS_SCHEMAS
def test_nothing_is_offered_that_is_there() -> None:
    found = offered("Cargo.toml", '[package]\nname = "a"\n$0\nversion = "1"\n\n[dependencies]\n')
    assert found
    assert not [text for text in found if text.split()[0] in ("name", "version", "[dependencies]")]
    assert offered("Cargo.toml", '[package]\nname = "a" # $0\n') == []
    # No other table begins between a table's keys.
    assert not [text for text in found if text.startswith("[")]


@HAS_SCHEMAS
@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "Cargo.toml",
            '[package]\nname = "a"\n\n[dependencies]\nb = { version = "1" }\n[[bin]]\nc.d = [1, {}]\n',
        ),
        (
            "pyproject.toml",
            '[project]\nname = "a"\nauthors = [{ name = "b" }]\n\n[tool.ruff]\nlint.select = []\n',
        ),
    ],
)
def test_at_every_place_of_a_file_what_is_offered_fits(name: str, text: str) -> None:
    n_offers = 0
    for start in range(len(text)):
        for stop in {start, min(start + 9, len(text))}:
            try:
                n_offers += len(offered(name, f"{text[:start]}$0{text[stop:]}"))
            except NoCompletion:
                continue
    assert n_offers > 40


@HAS_SCHEMAS
def test_tables_of_tools_and_of_python_have_their_schemas() -> None:
    schema = schema_of(URLS["pyproject.toml"])
    assert schema is not None
    assert {"build-system", "project", "tool", "dependency-groups"} <= {*keys(schema.at(()))}
    assert "optional-dependencies" in keys(schema.at(("project",)))
    for tool, key in (
        ("ruff", "line-length"),
        ("setuptools", "packages"),
        ("uv", "sources"),
        ("pytest", "ini_options"),
    ):
        assert key in keys(schema.at(("tool", tool))), tool


@HAS_SCHEMAS
@pytest.mark.parametrize("is_asked", [True, False])
def test_the_server_offers_it(is_asked: bool) -> None:
    whole = '[package]\nname = "shop"\n\n'
    text = WorkerText(SentText("file:///shop/Cargo.toml", 0, "", whole, language="toml"), whole)
    site = Site.of(text, Hole(len(whole) - 1, len(whole) - 1))
    wishes = Wishes(1, 64, 20, True, "", False, None, bar=0.4, is_asked=is_asked)
    offer = Completing().offer_for(OfferRequest(site, wishes, time.perf_counter() + 60), FromMemory())
    assert offer.texts == ('version = "0.1.0"',)


def test_what_is_not_installed_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "find_spec", lambda _: None)
    assert store.pyproject() is None
    assert store.of_collection(URLS["Cargo.toml"]) is None


@HAS_SCHEMAS
def test_the_measure_takes_entries_and_tables_out() -> None:
    text = '[package]\nname = "a"\nversion = "1"\n\n[dependencies]\nb = { version = "1", optional = true }\n'
    file = File("Cargo.toml", text, is_counted=False)
    found = {hole.key: (text[hole.start : hole.stop], hole.is_known) for hole in entries_of(file)}
    assert found["name"] == ('name = "a"', True)
    assert found["b"] == ('b = { version = "1", optional = true }', False)
    assert found["version"] == ('version = "1",', True)
    assert found["[dependencies]"] == (text[text.index("[dep") :], True)
    counted = counts([replace(file, project=one) for one in "abc"])["cargo.json"]
    # A value of one project alone is no usual value, however often it stands there.
    assert "=" not in counts([file] * 3)["cargo.json"]
    assert counted["[]"] == {
        "": {"[package]": 3},
        ANYWHERE: {"[dependencies]": 3, "[package]": 3},
        "[package]": {"[dependencies]": 3},
    }
    entries = {"a = 1": "1", "a.b = true": "true", 'a."b.c" = "d",': '"d"', "a = { workspace = true }": ""}
    assert {entry: value_of(entry) for entry in entries} == entries
    assert counted["="]["package/version"] == {'"1"': 3}
    assert counted["dependencies/*"] == {
        "": {"version": 3},
        ANYWHERE: {"optional": 3, "version": 3},
        "version": {"optional": 3},
    }
