"""The cases sent through the real server, over stdio: the offers that an editor gets.

Each case is a document that is opened, completed where the hole is, and closed. The first item is the text.
The server decides by itself what it offers, which may be nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from fim_lsp.bundled_models import BUNDLED_NAME, NO_MODEL
from fim_lsp.known_languages import language_named
from fim_lsp.own_process import python_command
from fim_lsp.positions import Lines, Position
from fim_lsp.replay.case import Case
from fim_lsp.replay.judge import ParserJudge, judged_outcome
from fim_lsp.replay.modes import ReplaySettings
from fim_lsp.replay.outcome import CaseOutcome, Cost, case_row
from fim_lsp.replay.running import Pair
from fim_lsp.system.processes import deaf_children

# The limit for a server that hangs; a working one gives up long before.
SECONDS = 600.0


def through_server(settings: ReplaySettings) -> Callable[[Sequence[Case]], Iterator[Pair]]:
    """Starts a server and fills holes with it."""

    def fill(cases: Sequence[Case]) -> Iterator[Pair]:
        if not cases:
            return
        loop = asyncio.new_event_loop()
        served = Served(settings)
        try:
            loop.run_until_complete(served.start())
            for case in cases:
                yield loop.run_until_complete(served.pair(case))
        finally:
            loop.run_until_complete(served.stop())
            loop.close()

    return fill


class Served:
    """A server process and our end of the connection."""

    def __init__(self, settings: ReplaySettings) -> None:
        self.settings = settings
        self.client = LanguageClient("fim-lsp-replay", "1")
        # The server's messages to its user; no user reads them here, so each one becomes a warning.
        self.client.feature("$/didChangeStatus")(lambda _status: None)
        self.judge = ParserJudge.of(settings.python_version, settings.language)
        self._n_documents = 0

    async def start(self) -> None:
        command = python_command("fim_lsp.cli", "serve")
        with deaf_children():
            await self.client.start_io(*command)
        await self.client.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(
                    general=lsp.GeneralClientCapabilities(position_encodings=[lsp.PositionEncodingKind.Utf32])
                ),
                initialization_options=server_settings(self.settings),
            )
        )
        self.client.initialized(lsp.InitializedParams())

    async def stop(self) -> None:
        await asyncio.wait_for(self.client.shutdown_async(None), SECONDS)
        self.client.exit(None)
        await self.client.stop()  # type: ignore[no-untyped-call]

    async def pair(self, case: Case) -> Pair:
        """The case's row and its timing, ready for the journal."""
        outcome, cost = await self.outcome(case)
        settings = self.settings
        outcome = judged_outcome(case, outcome, self.judge, settings.task, settings.has_tests)
        row = case_row(case, {"served": asdict(outcome)})
        return row, {"case": case.id, "modes": {"served": asdict(cost)}}

    async def outcome(self, case: Case) -> tuple[CaseOutcome, Cost]:
        self._n_documents += 1
        # Files get names of ours, because the server excludes some files by name.
        uri = f"file:///replay/case_{self._n_documents}{language_named(case.language).extensions[0]}"
        text = case.with_middle("")
        document = lsp.TextDocumentItem(uri=uri, language_id=case.language, version=1, text=text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
        identifier = lsp.TextDocumentIdentifier(uri)
        start = perf_counter()
        try:
            request = self.client.text_document_inline_completion_async(
                lsp.InlineCompletionParams(
                    context=lsp.InlineCompletionContext(lsp.InlineCompletionTriggerKind.Invoked),
                    text_document=identifier,
                    position=position_of(text, case.start),
                )
            )
            answer = await asyncio.wait_for(request, SECONDS)
        except Exception as error:  # an error answer, a hang: reported, and the run goes on
            return CaseOutcome("", error=f"{type(error).__name__}: {error}"), Cost(perf_counter() - start)
        seconds = perf_counter() - start
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(identifier))
        items = answer.items if isinstance(answer, lsp.InlineCompletionList) else answer or []
        return self.taken_outcome(case, text, items), Cost(seconds)

    def taken_outcome(self, case: Case, text: str, items: Sequence[lsp.InlineCompletionItem]) -> CaseOutcome:
        """The outcome of the first item, accepted as in an editor, with the text that then fills the hole."""
        if not items:
            return CaseOutcome("", stopped_by="nothing")
        item = items[0]
        inserted = item.insert_text if isinstance(item.insert_text, str) else item.insert_text.value
        if item.range is None:
            return CaseOutcome("", error="an item without a range")
        start, stop = offset_of(text, item.range.start), offset_of(text, item.range.end)
        if not start <= case.start <= stop:
            return CaseOutcome("", error=f"the range {start}-{stop} is not around {case.start}")
        # An item may replace text beside the hole, which belongs to the contexts and must stay as it is.
        before, behind = text[start : case.start], text[case.start : stop]
        if not (inserted.startswith(before) and inserted.endswith(behind)):
            return CaseOutcome("", error="the item changes what is around the hole")
        return CaseOutcome(inserted[len(before) : len(inserted) - len(behind)], stopped_by="item")


def position_of(text: str, offset: int) -> lsp.Position:
    """The position of an offset, in characters, as the encoding UTF-32 counts."""
    place = Lines(text).position(offset)
    return lsp.Position(place.line, place.column)


def offset_of(text: str, position: lsp.Position) -> int:
    return Lines(text).offset(Position(position.line, position.character))


def whole_path(model: str) -> str:
    """The full path of a model's folder or file, since the server runs elsewhere; a name as it is."""
    path = Path(model).expanduser()
    return str(path.absolute()) if model not in ("", NO_MODEL, BUNDLED_NAME) and path.exists() else model


def server_settings(settings: ReplaySettings) -> dict[str, Any]:
    """The settings with which the server does the same as the other modes."""
    return {
        "model": whole_path(settings.model or ""),
        "device": settings.device or "auto",
        "scope": settings.scope or "",
        "pythonVersion": settings.python_version or "",
        "maxTokens": settings.max_tokens,
        "maxLines": 10_000,
        "timeBudget": int(SECONDS * 1000) // 2,
        "inComments": True,
        "prefetch": False,
        "maxDocumentKilobytes": 100_000,
    }
