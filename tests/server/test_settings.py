"""Settings: decoded once, with defaults for missing ones, and messages about wrong ones."""

from __future__ import annotations

import pytest

from fim_lsp.server.configuration import Configuration, section_of
from fim_lsp.server.settings import Settings


def test_what_is_missing_or_null_is_the_default_and_unknown_names_are_ignored() -> None:
    settings, complaints = Settings().updated_settings({"model": None, "trace": {"server": "off"}})
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
    settings, complaints = Settings().updated_settings(given)
    assert settings == Settings()
    assert complaints == [complaint]


def test_lua_s_numbers_are_numbers() -> None:
    settings, complaints = Settings().updated_settings({"timeBudget": 500.0})
    assert (settings.time_budget, complaints) == (500, [])


def test_settings_come_alone_or_with_their_name_around_them() -> None:
    assert section_of({"fim-lsp": {"model": "none"}}) == section_of({"model": "none"}) == {"model": "none"}


def test_what_is_pushed_is_laid_over_what_came_with_initialize() -> None:
    configuration = Configuration()
    configuration.begin({"model": "none", "timeBudget": 100})
    configuration.push({"fim-lsp": {"timeBudget": 200}})
    assert configuration.of("file:///a.py").model == "none"
    assert configuration.of("file:///a.py").time_budget == 200
