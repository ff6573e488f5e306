"""Settings: decoded once, defaults for what is missing, words for what is wrong, and a table that is true."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest

from fim_lsp.server.configuration import Configuration, section_of
from fim_lsp.server.settings import Settings, camel_case

DOCS = Path(__file__).parent.parent / "docs" / "server.md"


def test_the_table_in_the_docs_has_every_setting_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| `([^`]*)` \| .+ \|$", DOCS.read_text(), re.MULTILINE)
    defaults = {
        camel_case(known.name): list(known.default) if known.default == () else known.default
        for known in fields(Settings)
    }
    assert {name: json.loads(default) for name, default in rows} == defaults


def test_what_is_missing_or_null_is_the_default_and_unknown_names_are_ignored() -> None:
    settings, complaints = Settings().updated({"model": None, "trace": {"server": "off"}})
    assert settings == Settings()
    assert complaints == []


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"timeBudget": "fast"}, "timeBudget: expected a number, found a text"),
        ({"timeBudget": 0}, "timeBudget: expected at least 1, found 0"),
        ({"timeBudget": 1.5}, "timeBudget: expected a number, found a number"),
        ({"enable": 1}, "enable: expected true or false, found a number"),
        ({"exclude": "*.py"}, "exclude: expected a list of texts, found a text"),
        (
            {"scope": "file"},
            "scope: expected one of '', 'statement', 'block', 'bracket', 'free', found 'file'",
        ),
        ([], "settings are an object, not a list"),
    ],
)
def test_what_is_wrong_is_said_and_means_the_default(given: object, complaint: str) -> None:
    settings, complaints = Settings().updated(given)
    assert settings == Settings()
    assert complaints == [complaint]


def test_lua_s_numbers_are_numbers() -> None:
    settings, complaints = Settings().updated({"timeBudget": 500.0})
    assert (settings.time_budget, complaints) == (500, [])


def test_settings_come_alone_or_with_their_name_around_them() -> None:
    assert section_of({"fim-lsp": {"model": "none"}}) == section_of({"model": "none"}) == {"model": "none"}


def test_what_is_pushed_is_laid_over_what_came_with_initialize() -> None:
    configuration = Configuration()
    configuration.begin({"model": "none", "timeBudget": 100})
    configuration.push({"fim-lsp": {"timeBudget": 200}})
    assert configuration.of("file:///a.py").model == "none"
    assert configuration.of("file:///a.py").time_budget == 200
