"""Lines of the log: whole sentences, without the arguments of other libraries' lines."""

from __future__ import annotations

import logging

import pytest

from fim_lsp.server.configuration import decoded_settings
from fim_lsp.server.log import WithoutSource
from fim_lsp.server.settings import Settings


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ('Exception occurred for message "%s"', 'Exception occurred for message "..."'),
        ("%(name)s took %.2f s and 100%", "... took ... s and 100%"),
    ],
)
def test_a_librarys_line_has_dots_for_its_arguments(said: str, kept: str) -> None:
    record = logging.LogRecord("pygls.protocol", logging.ERROR, "", 0, said, ("secret",), None)
    assert WithoutSource().filter(record)
    assert record.getMessage() == kept


def test_complaints_about_settings_are_sentences(caplog: pytest.LogCaptureFixture) -> None:
    decoded_settings(Settings(), [1])
    decoded_settings(Settings(), {"maxLines": 0})
    assert caplog.messages == [
        "settings are an object, not a list",
        "setting maxLines: expected at least 1, found 0",
    ]
