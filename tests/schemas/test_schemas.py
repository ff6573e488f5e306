"""A schema's knowledge about a place in a file, and the offers there."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

import fim_lsp
from fim_lsp.cli import main
from fim_lsp.closing import closing
from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import of_file
from fim_lsp.schemas import store, usual
from fim_lsp.schemas.offers import from_schema
from fim_lsp.schemas.place import SchemaPosition, place_in, says_key_again
from fim_lsp.schemas.schema import Schema, keys, kinds, may_have, values
from fim_lsp.schemas.store import PlainValues, documents, schema_of, schema_url
from fim_lsp.schemas.usual import ANYWHERE
from fim_lsp.server.worker.completing import Completing
from fim_lsp.server.worker.from_memory import FromMemory, file_name
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.server.worker.site import Site
from quotient import Language, NoCompletion
from tests.schemas.installed import HAS_SCHEMAS
from tests.schemas.keys import add_counts, counts, entries_of, files, first_key

JSON = Language.load("json")
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
        ('{"a": 1, // {\n /* "b" */ $0 // c\n "d": 1}', "", "key", "a", "d", ""),
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
    # A number may continue.
    assert found is None or found.begun == "1"


def test_what_a_schema_says() -> None:
    assert keys(SCHEMA.at(())) == ["one", "list", "two"]
    assert values(SCHEMA.at(("one",))) == [2, 1]
    assert values([{"type": "boolean"}, {"enum": ["true", "a"], "default": True}]) == [False, "a", True]
    assert kinds(SCHEMA.at(("two",))) == ["string", "null"]
    assert keys(SCHEMA.at(("list", 7))) == ["in"]
    assert values(SCHEMA.at(("three",))) == ["other"]
    assert SCHEMA.at(("one", "two")) == []


@pytest.mark.parametrize(
    ("path", "key", "value", "expected"),
    [
        ("", "one", 1, True),
        # All numbers are listed.
        ("", "one", 3, False),
        ("", "two", None, True),
        ("", "two", 1, False),
        ("", "else", "other", True),
        ("list 0", "in", 1, True),
        ("list 0", "out", 1, False),
    ],
)
def test_what_a_place_may_have(path: str, key: str, value: object, expected: bool) -> None:
    steps = [int(one) if one.isdigit() else one for one in path.split()]
    assert may_have(SCHEMA, steps, key, value) is expected


@pytest.mark.parametrize(
    ("marked", "text", "expected"),
    [
        ('{"a": 1, $0}', '"a": 2', True),
        ('{"a": 1, $0}', '"b": 2, "b": 3', True),
        ('{"a": 1, $0}', '"b": {"a": 2}', False),
        ('{"a": 1, "$0": 2}', "a", True),
        ('{$0, "a": 1}', '"a": 2', True),
        ('[{"a": 1}, {$0}]', '"a": 2', False),
        ('[{"a": 1}, {"b": 1, $0]', '"c": 2}, {"b": 1}', False),
        ('{"a": $0', '1, "a": 2}', True),
        ("[$0]", "1", False),
        ("$0", '{"a": 1}', False),
    ],
)
def test_which_text_says_a_key_again(marked: str, text: str, expected: bool) -> None:
    left, _, right = marked.partition("$0")
    assert says_key_again(left, text, right) is expected


def offered(name: str, marked: str) -> list[str]:
    left, _, right = marked.partition("$0")
    recognizer = JSON.recognizer(left, right)
    offers = from_schema(name, left, right, recognizer, lambda reading: closing(reading, right))
    found = [one.text for one in offers]
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
        # A default value is seldom written.
        ("package.json", '{"type": $0}', '"module"'),
        ("package.json", '{"type": "$0"}', "module"),
        ("package.json", '{"private": $0}', "true"),
        ("package.json", '{"name": "shop", "pri$0}', 'vate": true'),
        ("package.json", '{"license": $0}', '"MIT"'),
        ("package.json", '{"scripts": $0}', "{}"),
        ("package.json", '{"files": ["a", $0]}', None),
        ("package.json", '{"repository": {"type": "$0"}}', "git"),
        # The editor has closed the key.
        ("package.json", '{"$0"}', 'name": "'),
        ("package.json", '{"name": "shop", "ver$0", "main": "a.js"}', 'sion": "'),
        ("package.json", '{"scripts": {"te$0"}}', 'st": "'),
        # The open bracket is closed.
        ("package.json", "{$0", '"name": ""}'),
        ("package.json", '{"name": "shop",\n  "scripts": {"te$0', 'st": ""}}'),
        ("tsconfig.json", '{"compilerOptions": {"target": "es20$0"}}', "15"),
        ("tsconfig.json", '{"compilerOptions": {"lib": ["ES5", $0]}}', '"ES6"'),
        ("tsconfig.json", '{"compilerOptions": {"lib": [$0, "ES5"]}}', '"ES6"'),
        ("tsconfig.json", '{"compilerOptions": {"stric$0}}', 't": true'),
        ("tsconfig.json", '{"compilerOptions": {"moduleResolu$0}}', 'tion": ""'),
        ("tsconfig.build.json", '{"compilerOptions": {"noImplicitAn$0}}', 'y": true'),
    ],
)
def test_what_is_offered(name: str, marked: str, first: str | None) -> None:
    found = offered(name, marked)
    assert (found[0].lower() if found else None) == (first and first.lower())


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
    offer = Completing().offer_for(
        OfferRequest(site, wishes, time.perf_counter() + 60), FromMemory(has_schemas)
    )
    assert (offer.texts == ('"version": ""',)) is has_schemas


@HAS_SCHEMAS
def test_scripts_and_the_command_line_get_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '{\n  "name": "shop",\n  \n}\n'
    offset = text.index("\n}")
    [found] = fim_lsp.complete(text, offset, language="json", path="/shop/package.json")
    assert found.text == '"version": ""'
    file = tmp_path / "package.json"
    file.write_text(text)
    assert main(["complete", f"{file}:3:3", "--json"]) == 0
    [said] = json.loads(capsys.readouterr().out)["completions"]
    assert said == {"text": '"version": ""', "source": "file"}
    assert main(["complete", f"{file}:3:3"]) == 0
    assert '«"version": ""»' in capsys.readouterr().out
    # The grammar alone knows only what fits.
    assert main(["complete", f"{file}:3:3", "--json", "--model", "none"]) == 0
    [said] = json.loads(capsys.readouterr().out)["completions"]
    assert said["source"] == "grammar"


@HAS_SCHEMAS
@pytest.mark.parametrize(
    ("name", "marked", "expected"),
    [
        (
            "tsconfig.json",
            '{\n  "compilerOptions": {\n    "target": "ES2022",\n    $0\n  }\n}\n',
            '"module": ""',
        ),
        ("tsconfig.json", '{"extends": $0}', '""'),
        ("package.json", "$0\n", "{}"),
        # Without a schema the shortest text has to do.
        ("shop.json", '{"extends": $0}', "0"),
    ],
)
def test_a_script_gets_what_the_schema_has_where_nothing_is_sure(
    name: str, marked: str, expected: str
) -> None:
    text = marked.replace("$0", "")
    [found] = fim_lsp.complete(text, marked.index("$0"), language="json", path=f"/shop/{name}")
    assert found.text == expected


@pytest.mark.parametrize(
    ("before", "behind", "first"),
    [
        # Keys in order: the next one lies between its neighbours.
        (["react", "zod"], ["zustand"], None),
        (["eslint", "prettier"], ["typescript"], "tslib"),
        (["eslint", "prettier", "rimraf"], [], "typescript"),
        # Keys in no order, or too few: whatever is usual.
        (["prettier", "eslint"], ["rimraf"], "typescript"),
        (["prettier"], ["rimraf"], "typescript"),
    ],
)
def test_where_keys_are_in_order_so_is_the_next(
    before: list[str], behind: list[str], first: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = {"package.json": {"devDependencies": {ANYWHERE: {"typescript": 90, "tslib": 9, "eslint": 80}}}}
    monkeypatch.setattr(usual, "usual", lambda: counted)
    found = usual.likely("package.json", ["devDependencies"], before, behind, [])
    in_order = [key for key, score in found if score > usual.UNSEEN]
    assert (in_order[0] if in_order else None) == first


def test_counts_are_added() -> None:
    there = {"a": {"b": 1, "c": 2}}
    add_counts(there, {"a": {"c": 3, "d": 4}, "e": {"f": 5}})
    assert there == {"a": {"b": 1, "c": 5, "d": 4}, "e": {"f": 5}}


def offers_of(name: str, marked: str, *, is_asked: bool = True) -> tuple[str, ...]:
    left, _, right = marked.partition("$0")
    language = of_file(name).name
    text = WorkerText(SentText(f"file:///shop/{name}", 0, "", left + right, language=language), left + right)
    wishes = Wishes(3, 64, 20, True, "", False, None, bar=0.4, is_asked=is_asked)
    site = Site.of(text, Hole(len(left), len(left)))
    return Completing().offer_for(OfferRequest(site, wishes, time.perf_counter() + 60), FromMemory()).texts


def test_what_is_remembered_says_no_key_again_that_an_object_has() -> None:
    text = '{\n  "name": "shop",\n  "version": "1",\n  $0\n  "main": "a"\n}\n'
    assert not any(one.startswith(('"name"', '"version"', '"main"')) for one in offers_of("a.json", text))


@HAS_SCHEMAS
def test_what_is_remembered_of_another_place_is_none_for_this_one() -> None:
    """`name` stands behind a header, but is no key of a profile; `"a"` is no value of `lto`."""
    text = '[package]\nname = "a"\n\n[profile.release]\n$0\n'
    assert {"lto = true", 'panic = "abort"'} <= {*offers_of("Cargo.toml", text)}
    assert not any(one.startswith("name") for one in offers_of("Cargo.toml", text))
    assert '"a"' not in offers_of("Cargo.toml", text.replace("$0", "lto = $0"))
    # Schemas become outdated, and counts of another place do not count here.
    text = "[dependencies]\na = { workspace = true }\nb = { $0 }\n"
    assert "workspace = true" in offers_of("Cargo.toml", text)
    # Without a schema, it may be offered.
    text = '[package]\nname = "a"\n\n[profile.release]\n$0\n'
    assert 'name = "a"' in offers_of("a.toml", text)


@pytest.mark.parametrize(
    ("name", "marked", "expected"),
    [
        ("a.json", '{"a": t$0}', ("rue",)),
        ("a.json", '{"a": [1, nu$0]}', ("ll",)),
        ("a.toml", "a = fal$0\n", ("se",)),
        ("a.json", '{"a": "t$0"}', ()),
        ("a.toml", "a$0\n", ()),
    ],
)
def test_a_word_that_goes_on_in_one_way_does(name: str, marked: str, expected: tuple[str, ...]) -> None:
    assert offers_of(name, marked) == expected


@HAS_SCHEMAS
def test_names_that_any_package_may_have_are_no_sure_offer() -> None:
    assert offers_of("package.json", '{"dependencies": {$0}}', is_asked=False) == ()
    assert offers_of("Cargo.toml", "[dependencies]\nser$0\n", is_asked=False) == ('de = "1"',)


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
        "package.json": {
            "": {
                "": {"name": 12},
                ANYWHERE: {"license": 12, "name": 12, "version": 12},
                "name": {"version": 12},
                "version": {"license": 12},
            },
            # No version is frequent.
            "=": {"license": {'"MIT"': 12}, "name": {'"shop"': 12}},
        }
    }
    holes = sorted(entries_of(found[0]), key=lambda hole: hole.start)
    assert [hole.key for hole in holes] == ["name", "version", "license"]
    assert [first_key(hole, FromMemory()) for hole in holes[:2]] == ["name", "version"]
    assert schema_of(str(schema_url("package.json"))) is not None
