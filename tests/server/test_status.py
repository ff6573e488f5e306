"""Sentences of the status: one for every reason, the same as in the docs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from fim_lsp.server.status import RUNG_SENTENCES, SENTENCES, Kind, State, Status, StatusBoard, status_of
from fim_lsp.server.worker.messages import Reason, Rung

DOCS = Path(__file__).parents[2] / "docs" / "server.md"


def test_every_reason_and_every_rung_has_its_sentence_and_its_row_in_the_docs() -> None:
    assert set(SENTENCES) == set(get_args(Reason))
    assert set(RUNG_SENTENCES) == set(get_args(Rung))
    rows = dict(re.findall(r"^\| `([a-z ]+)` \| (.+) \|$", DOCS.read_text(), re.MULTILINE))
    assert {name: rows[name] for name in SENTENCES} == SENTENCES
    assert set(RUNG_SENTENCES) <= set(rows)


@pytest.mark.parametrize(
    ("reason", "rung", "state", "kind"),
    [
        (None, "file", "idle", "Normal"),
        (None, "left", "idle", "Normal"),
        ("parses", "file", "idle", "Normal"),
        ("broken", None, "idle", "Warning"),
        ("tree", "enclosing", "idle", "Warning"),
        ("excluded", None, "disabled", "Inactive"),
        ("language", None, "disabled", "Inactive"),
        ("worker", None, "error", "Error"),
    ],
)
def test_the_kind_tells_whether_something_is_to_be_done(
    reason: Reason | None, rung: Rung | None, state: State, kind: Kind
) -> None:
    status = status_of(reason, rung, "", "file:///a.py")
    assert (status.state, status.kind) == (state, kind)
    assert bool(status.message) == (reason is not None or rung != "file")


def test_a_status_is_sent_once_and_a_lasting_complaint_stays() -> None:
    sent: list[dict[str, object]] = []
    board = StatusBoard(sent.append)
    board.show(Status("idle", "Normal"))
    board.show(Status("idle", "Normal"))
    assert len(sent) == 1
    board.complaint = "no model"
    board.show(Status("busy", "Normal"))
    board.show(Status("idle", "Normal"))
    assert sent[-1]["kind"] == "Warning"
    assert sent[-1]["message"] == "no model"
    board.complaint, board.note = "", "asked again"
    board.show(Status("idle", "Normal", "nothing to add"))
    assert sent.pop()["message"] == "nothing to add"
    board.show(Status("idle", "Normal"))
    assert (sent[-1]["kind"], sent[-1]["message"]) == ("Normal", "asked again")
