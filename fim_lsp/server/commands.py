"""The commands for users, as clients offer them. Each is a plain function of the service; docs/server.md
describes them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path

from lsprotocol import types

from fim_lsp.server.log import RecentLines
from fim_lsp.server.model_setting import model_name
from fim_lsp.server.service import Service
from fim_lsp.server.session import DocumentSession, RequestOutcome
from fim_lsp.server.status import RUNG_SENTENCES, status_of
from fim_lsp.server.worker.messages import ForgetCaches

logger = logging.getLogger(__name__)

# A large model on a slow disk takes long to load; meanwhile the client sees progress.
SWITCH_SECONDS = 600.0


def toggle(service: Service, is_on: bool | None) -> dict[str, object]:
    service.switch(service.is_switched_off if is_on is None else is_on)
    return {"enabled": service.is_enabled}


async def explain(service: Service, uri: str | None, position: types.Position | None) -> dict[str, object]:
    """The reason for the answer to the last request for a document, and what may come at a position."""
    session = asked_session(service, uri)
    if session is None:
        return explanation("No document is open here.", RequestOutcome(reason="not open"), "")
    await service.lookups.settle(session)
    outcome = service.refusal(session) or session.last_outcome or RequestOutcome()
    if position is None or service.refusal(session) is not None:
        return explanation(message_of(outcome, session.uri), outcome, "")
    explained = await service.answering.explain_at(session, session.document.snapshot.offset(position))
    if isinstance(explained, str):
        unsaid = RequestOutcome(reason=explained)
        return explanation(message_of(unsaid, uri), unsaid, "")
    if explained.rung is None:
        broken = RequestOutcome(reason="broken")
        return explanation(message_of(broken, uri), broken, "")
    outcome = replace(outcome, rung=explained.rung)
    found = explanation(message_of(outcome, session.uri), outcome, explained.next)
    told = [{"path": one.path, "text": one.text, "reason": one.reason} for one in explained.told]
    reasons, trace = (*explained.reasons, *outcome.refused), explained.trace
    if trace is not None and outcome.refused and not trace.refused:
        # The trace knows the grammar alone: what declarations or a type checker refused is told here.
        offered = outcome.suggestions[0].text if outcome.suggestions else ""
        reasons, trace = explained.reasons, replace(trace, offered=offered, refused=outcome.refused)
    return found | {
        "reasons": [*reasons],
        "trace": None if trace is None else asdict(trace),
        "prompt": explained.prompt,
        "told": told,
    }


async def closing(service: Service, uri: str, position: types.Position, rest: str) -> dict[str, object]:
    """The text to insert behind an accepted part of an offer, so that the file parses."""
    session = service.sessions.get(uri)
    if session is None:
        return {"text": None}
    await service.lookups.settle(session)
    if service.refusal(session) is not None:
        return {"text": None}
    offset = session.document.snapshot.offset(position)
    return {"text": await service.answering.closing(session, offset, rest)}


async def complete_together(
    service: Service, uri: str, positions: Sequence[types.Position]
) -> dict[str, object]:
    """Texts for several cursors of a document, one for each, with all of which the file parses."""
    session = service.sessions.get(uri)
    if session is None or not positions:
        return {"texts": []}
    await service.lookups.settle(session)
    if service.refusal(session) is not None or session.cell is not None:
        return {"texts": []}
    snapshot = session.document.snapshot
    offsets = [snapshot.offset(position) for position in positions]
    found = await service.answering.together(session, offsets)
    return {"texts": [[*texts] for texts in found]}


def asked_session(service: Service, uri: str | None) -> DocumentSession | None:
    """The session of the named document, or of the last requested one."""
    if uri is not None:
        return service.sessions.get(uri)
    asked = [session for session in service.sessions.values() if session.last_outcome is not None]
    return max(asked, key=lambda session: session.last_asked, default=None)


def message_of(outcome: RequestOutcome, uri: str | None) -> str:
    message = status_of(outcome.reason, outcome.rung, outcome.detail, uri).message
    if message or not outcome.rung:
        return message or "Nothing was asked here yet."
    return RUNG_SENTENCES[outcome.rung]


def explanation(message: str, outcome: RequestOutcome, following: str) -> dict[str, object]:
    return {"message": message, "reason": outcome.reason, "rung": outcome.rung, "next": following}


async def switch_model(service: Service, name: str) -> dict[str, object]:
    """Loads another model. Until it is ready, the old one or the grammar answers."""
    service.worker.forgive()
    waiting = service.watch.next_model()
    wanted = replace(service.worker.model, name=model_name(name))
    is_running = service.worker.is_running
    service.worker.load(wanted)
    if not is_running:
        await service.worker.start()
    message = "it is still loading"
    with suppress(asyncio.TimeoutError):
        message = await asyncio.wait_for(waiting, SWITCH_SECONDS)
    return {"model": service.board.model, "message": message}


async def server_log(service: Service, recent: RecentLines, file: str | None) -> dict[str, object]:
    if file is not None:
        service.background(service.editor.show_file(Path(file).resolve()))
    return {"path": file, "lines": list(recent.lines)}


def clear_cache(service: Service) -> dict[str, object]:
    service.worker.send(ForgetCaches())
    for session in service.sessions.values():
        session.forget_worker()
    return {"forgotten": service.forget_answers()}


def forget_acceptance(service: Service) -> dict[str, object]:
    return {"forgotten": service.forget_acceptance()}


def statistics(service: Service) -> dict[str, object]:
    return service.counts.as_json(service.configuration.general.statistics)


def did_accept(service: Service, offer_id: int) -> None:
    """Notes the editor's message that an item was accepted. Its edit usually came earlier."""
    for session in service.sessions.values():
        if session.accept(offer_id):
            service.on_accepted(session, is_whole=True)
            service.background(service.accepted_offers.add_import(session))
            return
