"""`python -m tests.schemas.keys FOLDER... [--count 500] [--write | --add]`: is the next key the first offer?

Files with a known schema are taken from folders of packages (`node_modules`, sources of cargo and uv,
clones of `repositories.txt`), each text once. In half of the projects, pairs of consecutive keys are counted;
`--write` puts the counts into `fim_lsp/schemas/usual.json`, `--add` adds them to those there. In files of the
other half an entry with its comma, or a whole table, is removed, and offers are requested there: with
schemas, and without.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import tomllib
import tree_sitter

import fim_lsp.schemas
from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.syntax import parser
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import JSON, of_file
from fim_lsp.schemas.place import unquoted_symbol
from fim_lsp.schemas.schema import Schema, keys
from fim_lsp.schemas.store import schema_of, schema_url
from fim_lsp.schemas.toml_place import header_of
from fim_lsp.schemas.usual import ANYWHERE, FIRST, TABLES, VALUES, place_name
from fim_lsp.schemas.values import ANY, general
from fim_lsp.server.worker.completing import Completing
from fim_lsp.server.worker.from_memory import FromMemory
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.server.worker.site import Site
from tests.schemas import toml_files

DATA = Path(fim_lsp.schemas.__file__).with_name("usual.json")
ASKED = Wishes(1, 64, 20, True, "", False, None, is_asked=True)
MOST = 1_000
# The least count of a key at a place. Smaller counts are chance, or one project's own style.
LEAST_SEEN = 3
LEAST_SHARE, LEAST_SHARE_BY_ONE = 0.15, 0.4
# The most times that the files of one project count for a pair of keys; for a value of a key it is once.
MOST_BY_ONE = 5
OWN_VALUE = re.compile(r"://|\{\{")
PLAIN_VALUE = re.compile(r'"[\w./-]{1,24}"|true|false|\d+')
KEY = re.compile(r'\s*,?\s*("(?:[^"\\]|\\.)*")\s*:')
TOML_KEY = re.compile(r"\s*,?\s*(\[.*\]|\"[^\"]*\"|[\w-]+)\s*(?:=|\Z)")
# The name that cargo gives to the author's own file.
AUTHORS = "Cargo.toml.orig"
FIRST_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class File:
    """A file of a package, and whether it belongs to the counted half."""

    name: str
    text: str
    is_counted: bool
    project: str = ""


@dataclass(frozen=True, slots=True)
class KeyHole:
    """A file without one of its entries."""

    file: File
    start: int
    stop: int
    key: str
    is_known: bool


def files(folders: list[Path], most: int = MOST) -> list[File]:
    """The files that are strict, each text once, and of each folder of a project so many of a kind."""
    found: dict[str, File] = {}
    taken: Counter[tuple[Path, str, str | None]] = Counter()
    for folder in folders:
        for path in sorted([*folder.rglob("*.json"), *folder.rglob("*.toml"), *folder.rglob(AUTHORS)]):
            name = path.name.removesuffix(".orig")
            if schema_url(name) is None or not path.is_file() or path.with_name(f"{path.name}.orig").exists():
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            project = path.relative_to(folder).parts[0]
            kind = (folder, project, schema_url(name))
            if is_strict(name, text) and text not in found and taken[kind] < most:
                taken[kind] += 1
                found.setdefault(text, File(name, text, is_counted(path.relative_to(folder)), project))
    return list(found.values())


def is_strict(name: str, text: str) -> bool:
    """Whether a text is an object or a table."""
    try:
        said = tomllib.loads(text) if name.endswith(".toml") else json.loads(text)
    except ValueError:
        return False
    return isinstance(said, dict)


def is_counted(path: Path) -> bool:
    """Whether a project belongs to the counted half, wherever it is. A scope counts as one project, and so do
    crates whose names begin with the same word."""
    parts = ["node_modules", *path.parts]
    last = max(number for number, part in enumerate(parts) if part == "node_modules")
    project = parts[last + 1]
    if path.suffix != ".json" and (word := FIRST_WORD.match(project)) is not None:
        project = word[0]
    return sha256(project.encode()).digest()[0] % 2 == 0


def counts(some: list[File]) -> dict[str, dict[str, dict[str, dict[str, int]]]]:
    """The counts of pairs, by the schema, the place in the file and the key in front."""
    found: dict[str, dict[str, dict[str, Counter[str]]]] = {}
    # One project in many parts says the same many times.
    said: Counter[tuple[str, ...]] = Counter()
    for file in some:
        name = str(schema_url(file.name)).rpartition("/")[2]
        for place_of, key, following in pairs_of(file):
            said[pair := (file.project, name, place_of, key, following)] += 1
            if said[pair] > (1 if place_of == place_name(VALUES) else MOST_BY_ONE):
                continue
            place = found.setdefault(name, {}).setdefault(place_of, {})
            place.setdefault(key, Counter())[following] += 1
            if place_of != place_name(VALUES):
                place.setdefault(ANYWHERE, Counter())[following] += 1
    return {
        name: {
            place: kept
            for place, pairs in sorted(places.items())
            if (
                kept := {
                    key: often
                    for key, following in sorted(pairs.items())
                    if (often := often_seen(name, place, following))
                }
            )
        }
        for name, places in sorted(found.items())
    }


def often_seen(name: str, place: str, following: Counter[str]) -> dict[str, int]:
    """The counts that are neither chance nor one project's own style; of a key's values, those that many
    projects have. Many npm packages are by one author."""
    share = LEAST_SHARE_BY_ONE if name in ("package.json", "tsconfig.json") else LEAST_SHARE
    least = following.total() * share if place == place_name(VALUES) else 0
    usual = {one: n for one, n in sorted(following.items()) if one and n >= max(LEAST_SEEN, least)}
    # One project in many parts has its own addresses and templates many times.
    return {one: n for one, n in usual.items() if place != place_name(VALUES) or not OWN_VALUE.search(one)}


def add_counts(there: dict[str, Any], new: dict[str, Any]) -> None:
    """Adds counts to those there."""
    for key, one in new.items():
        if isinstance(one, int):
            there[key] = there.get(key, 0) + one
        else:
            add_counts(there.setdefault(key, {}), one)


def pairs_of(file: File) -> Iterator[tuple[str, str, str]]:
    """The pairs of consecutive keys in a file, by the place."""
    if file.name.endswith(".toml"):
        yield from toml_files.following(file.text, schema_for(file))
        return
    schema = schema_for(file)
    for path, members in objects(json.loads(file.text), ()):
        for key, following in zip([FIRST, *members], members, strict=False):
            yield place_name(path), key, following
        for key, value in members.items():
            text = json.dumps(value) if isinstance(value, (str, bool, int)) else ""
            place = general(schema, (*path, key))
            # Names and addresses of people, command lines, and versions of one package are left out.
            if place[-1] != ANY:
                yield place_name(VALUES), place_name(place), text if PLAIN_VALUE.fullmatch(text) else ""


def schema_for(file: File) -> Schema:
    """The schema of a file."""
    schema = schema_of(str(schema_url(file.name)))
    assert schema is not None, "the packages of the extra `schemas` are not installed"
    return schema


def objects(
    value: Any, path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], dict[str, Any]]]:
    """All objects of a text, with their places."""
    if isinstance(value, dict):
        yield path, value
        for key, one in value.items():
            yield from objects(one, (*path, key))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from objects(one, (*path, number))


def holes(some: list[File], count: int, seed: int) -> Iterator[KeyHole]:
    """Holes in files at random, none twice, the same number of each kind."""
    random = Random(seed)
    taken: set[tuple[int, int]] = set()
    entries = {file: list(entries_of(file)) for file in some if file.text.isascii()}
    kinds: dict[str | None, list[File]] = {}
    for file, found in entries.items():
        if found:
            kinds.setdefault(schema_url(file.name), []).append(file)
    while len(taken) < min(count, sum(map(len, entries.values()))):
        file = random.choice(kinds[random.choice(sorted(kinds, key=str))])
        hole = random.choice(entries[file])
        if (id(file), hole.start) not in taken:
            taken.add((id(file), hole.start))
            yield hole


def entries_of(file: File) -> Iterator[KeyHole]:
    """A file without each of its entries."""
    schema = schema_for(file)
    if file.name.endswith(".toml"):
        for path, name, start, stop in toml_files.entries(file.text):
            is_known = is_known_table(schema, name) if path == TABLES else name in keys(schema.at(path))
            yield KeyHole(file, start, stop, name, is_known)
        return
    waiting: list[tuple[tree_sitter.Node, tuple[str | int, ...]]] = [
        (parser(JSON).parse(file.text.encode()).root_node, ())
    ]
    while waiting:
        node, path = waiting.pop()
        if node.type != "pair":
            for number, child in enumerate(node.named_children):
                waiting.append((child, (*path, number) if node.type == "array" else path))
            continue
        key, value = node.named_children[0], node.named_children[-1]
        name = unquoted_symbol(file.text[key.start_byte : key.end_byte])
        waiting.append((value, (*path, name)))
        comma = node.next_sibling
        stop = comma.end_byte if comma is not None and comma.type == "," else node.end_byte
        yield KeyHole(file, node.start_byte, stop, name, name in keys(schema.at(path)))


def is_known_table(schema: Schema, text: str) -> bool:
    """Whether a schema has a header's table."""
    header = header_of(text)
    return header is not None and header.names[-1] in keys(schema.at(header.names[:-1]))


def first_key(hole: KeyHole, completer: FromMemory) -> str | None:
    """The key of the first offer on request."""
    text = hole.file.text[: hole.start] + hole.file.text[hole.stop :]
    document = WorkerText(
        SentText(f"file:///shop/{hole.file.name}", 0, "", text, language=of_file(hole.file.name).name), text
    )
    site = Site.of(document, Hole(hole.start, hole.start))
    offer = Completing().offer_for(OfferRequest(site, ASKED, time.perf_counter() + 60), completer)
    pattern = TOML_KEY if hole.file.name.endswith(".toml") else KEY
    found = pattern.match(offer.texts[0].partition("\n")[0]) if offer.texts else None
    if found is not None and found[1].startswith("["):
        return found[1]
    return None if found is None else unquoted_symbol(found[1])


def main(arguments: list[str]) -> int:
    """Counts and measures."""
    parsed = argparse.ArgumentParser(description=__doc__)
    parsed.add_argument("folders", nargs="+", type=Path)
    parsed.add_argument("--count", type=int, default=500)
    parsed.add_argument("--seed", type=int, default=1)
    parsed.add_argument("--write", action="store_true", help="count again, and measure nothing")
    parsed.add_argument("--add", action="store_true", help="count, and add to what has been counted")
    parsed.add_argument("--most", type=int, default=MOST, help="files of a kind in a folder of a project")
    given = parsed.parse_args(arguments)
    found = files(given.folders, given.most)
    counted = [file for file in found if file.is_counted]
    if given.write or given.add:
        whole = json.loads(DATA.read_text(encoding="utf-8")) if given.add else {}
        add_counts(whole, counts(counted))
        DATA.write_text(json.dumps(whole, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(f"{len(counted)} files counted")
        return 0
    held_out = [file for file in found if not file.is_counted]
    some = list(holes(held_out, given.count, given.seed))
    known = [hole for hole in some if hole.is_known]
    print(f"{len(some)} holes in {len(held_out)} files of others; the schema has {len(known)} of their keys")
    for title, has_schemas in (("with schemas", True), ("without", False)):
        right = [hole for hole in some if first_key(hole, FromMemory(has_schemas)) == hole.key]
        print(
            f"{title}: {share(right, some)} are the first offer,"
            f" {sum(one.is_known for one in right)} of the schema's"
        )
        for url in sorted({str(schema_url(hole.file.name)) for hole in some}):
            here, all_here = (
                [one for one in these if schema_url(one.file.name) == url] for these in (right, some)
            )
            print(f"    {url.rpartition('/')[2]}: {share(here, all_here)}")
    return 0


def share(some: list[KeyHole], whole: list[KeyHole]) -> str:
    """A share in words."""
    return f"{len(some)} of {len(whole)} ({100 * len(some) / len(whole):.1f} %)"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
