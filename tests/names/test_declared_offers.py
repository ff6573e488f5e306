"""Undeclared names of JavaScript and TypeScript: the effect on offers."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import cast

import pytest

import fim_lsp
from fim_lsp.cli import main
from fim_lsp.decoding.options import Options
from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import language_named
from fim_lsp.server.worker.completers import Completer
from fim_lsp.server.worker.completing import Completing
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.offer_request import OfferRequest
from fim_lsp.server.worker.site import Site
from tests.models import save_tiny_model, tiny_model
from tests.names.undeclared import by_law
from tests.scripted.completer import Says

MODULE = "import x from 'y';\n"
LEFT, RIGHT = "import { shop } from 'shop';\nexport const a = ", ";\n"
REMEMBERED = (
    "import { shop } from 'shop';\nexport const a = (order) => shop.total(order.price);\n"
    "export const b = (order) => shop.total(order.price);\nexport const c = (other) => shop.total("
)


def test_what_is_remembered_is_held_to_it() -> None:
    """Memory's text is `order.price`, whose names do not exist here."""
    found, free = (
        fim_lsp.complete(REMEMBERED + ");\n", len(REMEMBERED), language="javascript", names=names)
        for names in (True, False)
    )
    assert free[0].text == "order.price"
    assert found[0].text != "order.price"


@pytest.mark.parametrize(
    ("names", "texts", "offered", "reason"),
    [
        (True, ("nowhere", "x.nowhere"), ("x.nowhere",), None),
        (True, ("nowhere",), (), "undeclared"),
        (False, ("nowhere", "x.nowhere"), ("nowhere", "x.nowhere"), None),
    ],
)
def test_the_server_offers_no_such_name(
    names: bool, texts: tuple[str, ...], offered: tuple[str, ...], reason: str | None
) -> None:
    whole = MODULE + "const a = ;\n"
    text = WorkerText(SentText("file:///a.mjs", 0, "", whole, language="javascript"), whole)
    site = Site.of(text, Hole(len(whole) - 2, len(whole) - 2))
    request = OfferRequest(
        site, Wishes(2, 64, 20, True, "", False, None, names=names), time.perf_counter() + 60
    )
    offer = Completing().offer_for(request, cast("Completer", Says(*texts)))
    assert (offer.texts, offer.reason) == (offered, reason)


FREE = Options(max_tokens=6, n=2, scope="free")


def undeclared_in(texts: list[str]) -> list[list[str]]:
    return [by_law(LEFT + text + RIGHT, language_named("javascript"), len(LEFT)) for text in texts]


def test_a_model_is_held_to_it() -> None:
    model, place = tiny_model(4), len(LEFT)
    for names in (False, True):
        found = fim_lsp.complete(
            LEFT + RIGHT, place, language="javascript", model=model, options=FREE, names=names
        )
        assert found or names
        assert any(undeclared_in([one.text for one in found])) is not names


def test_so_is_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, path = save_tiny_model(tmp_path / "model"), tmp_path / "a.mjs"
    path.write_text(LEFT + RIGHT)
    words = ["--model", str(model), "--max-tokens=6", "--n=2", "--scope=free", "--offline", "--json"]
    for more in (["--no-names"], []):
        assert main(["complete", *words, *more, f"{path}:2:18"]) == 0
        texts = [one["text"] for one in json.loads(capsys.readouterr().out)["completions"]]
        assert any(undeclared_in(texts)) is bool(more)
