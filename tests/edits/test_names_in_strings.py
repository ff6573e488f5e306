"""Changed things that strings and keywords name: fields of models, options, keys."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

BOOK = """\
from django.db import models


class Book(models.Model):
    title = models.CharField(max_length=100)
    writer = models.CharField(max_length=100)

    class Meta:
        ordering = ["-writer", "title"]
        indexes = [models.Index(fields=["writer"])]

    def __str__(self):
        return f"{self.title} by {self.writer}"


def find(name, others):
    a = Book.objects.filter(writer__name=name, title="who").order_by("-writer")
    return a, Book(writer=name), Book.writer
"""
OPTIONS = """\
import argparse


def main(other):
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", "--dry-run")
    parser.add_argument("--size", type=int)
    found = parser.parse_args()
    print(found.dry_run, found.size, other.dry_run)
    return work(found)


def work(args):
    return args.dry_run
"""
KEYS = """\
CONFIG = {"host": "a", "port": 1}


def url(config):
    if "host" in CONFIG:
        return CONFIG["host"] + str(CONFIG["port"])
    return CONFIG.get("host", "host")
"""
TYPED = """\
from typing import TypedDict


class Row(TypedDict):
    name: str
    size: int


def show(row: Row, other):
    print(row["size"], row.get("size"), "size")


def make() -> Row:
    return {"name": "a", "size": 1}


def others():
    first: Row = {"name": "a", "size": 1}
    return first
"""

SAID = (
    case(
        "a model's field, in its Meta, in queries and where one is made",
        BOOK,
        ("    writer = models", "    author = models"),
        then=(
            ('["-writer"', '["-author"'),
            ('fields=["writer"]', 'fields=["author"]'),
            ("{self.writer}", "{self.author}"),
            ("writer__name=name", "author__name=name"),
            ('order_by("-writer")', 'order_by("-author")'),
            ("Book(writer=name), Book.writer", "Book(author=name), Book.author"),
        ),
    ),
    case(
        "an option, of what was parsed",
        OPTIONS,
        ('"--dry-run"', '"--pretend"'),
        then=(("print(found.dry_run", "print(found.pretend"), ("args.dry_run", "args.pretend")),
    ),
    case(
        "an option that says where it goes",
        OPTIONS.replace('run")', 'run", dest="dry_run")'),
        ("--dry-run", "--pretend"),
    ),
    case(
        "an option that came in the place of another one",
        OPTIONS.replace('run")', 'run", help="does nothing")'),
        ('"--dry-run", help="does nothing"', '"--use-spawn", help="spawns"'),
    ),
    case(
        "a key of a literal that a name is given once",
        KEYS,
        ('{"host"', '{"server"'),
        then=(
            ('if "host" in', 'if "server" in'),
            ('CONFIG["host"] + str', 'CONFIG["server"] + str'),
            ('CONFIG.get("host", ', 'CONFIG.get("server", '),
        ),
    ),
    case(
        "a key of what is given something else as well",
        KEYS.replace("\n\n\ndef url", "\nCONFIG = dict(CONFIG)\n\n\ndef url"),
        ('{"host"', '{"server"'),
    ),
    case(
        "a key that a dictionary with types has",
        TYPED,
        ("    size: int", "    amount: int"),
        then=(
            ('row["size"]', 'row["amount"]'),
            ('row.get("size")', 'row.get("amount")'),
            ('{"name": "a", "size": 1}\n\n\ndef others', '{"name": "a", "amount": 1}\n\n\ndef others'),
            ('first: Row = {"name": "a", "size": 1}', 'first: Row = {"name": "a", "amount": 1}'),
        ),
    ),
)


@pytest.mark.parametrize("case", SAID, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
