"""JSON-RPC as pygls does it, mended where a message would be lost, never answered, or meet another text.

- A request whose parameters cannot be read is answered with an error; pygls would drop it. An answer that
  cannot be read is an error to whoever waits for it; pygls would let him wait for ever.
- A message that cannot be read and may have been an edit is reported, so that documents are not trusted
  blindly any more.
- A request sees its document as it was when the request arrived. Its handler runs later; over TCP or under
  load newer edits may have been read by then.
- What is done is forgotten; pygls keeps something of every edit for ever.
- Before `initialize` and after `shutdown` requests are answered with an error and notifications dropped, and
  there is one `initialize`; pygls would serve the first, ignore the second, and begin anew with the third.
"""

from __future__ import annotations

import contextvars
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcServerNotInitialized
from pygls.protocol import LanguageServerProtocol, default_converter

from fim_lsp.server.documents import Documents, Identifier, Snapshot
from fim_lsp.server.requests import InlineRequest, inline_request_hook

if TYPE_CHECKING:
    from cattrs import Converter

logger = logging.getLogger(__name__)

# The document that a request is about, as it was when the request arrived.
RECEIVED: contextvars.ContextVar[Snapshot | None] = contextvars.ContextVar("received", default=None)


# What carries text. A lost one of these leaves a document out of step.
EDITS = frozenset(
    {types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_CLOSE}
)


class Unreadable:
    """Stands for a message that could not be read and has been dealt with."""


class Protocol(LanguageServerProtocol):
    """What stands between the pipe and the features."""

    # Told when a message was lost.
    on_loss: Callable[[], None] | None = None

    @property
    def was_shut_down(self) -> bool:
        return self._shutdown

    def get_message_type(self, method: str) -> type[Any] | None:  # type: ignore[override]
        if method == types.TEXT_DOCUMENT_INLINE_COMPLETION:
            return InlineRequest
        known: type[Any] | None = super().get_message_type(method)
        return known

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            self._unreadable(data, error)
            return Unreadable()

    def _unreadable(self, data: dict[str, Any], error: JsonRpcException) -> None:
        number, method = data.get("id"), data.get("method")
        logger.error("%s could not be read", method if isinstance(method, str) else "an answer")
        if "method" not in data:
            waiting = self._request_futures.pop(number, None) if isinstance(number, int | str) else None
            if waiting is not None and not waiting.done():
                waiting.set_exception(error)
        elif isinstance(number, int | str):
            self._send_response(number, error=error.to_response_error())
        elif method in EDITS and self.on_loss is not None:
            self.on_loss()

    def handle_message(self, message: Any) -> None:
        if isinstance(message, Unreadable):
            return
        method = getattr(message, "method", None)
        refusal = None if method is None or method == types.EXIT else self._refusal(method)
        if refusal is None:
            super().handle_message(message)
        elif hasattr(message, "id"):
            self._send_response(message.id, error=refusal.to_response_error())

    def _refusal(self, method: str) -> JsonRpcException | None:
        """Why this is no time for a message; None where it is."""
        if self._shutdown:
            return JsonRpcInvalidRequest("the server is shutting down")
        is_initialized = self._workspace is not None
        if method == types.INITIALIZE:
            return JsonRpcInvalidRequest("the server is initialized already") if is_initialized else None
        return None if is_initialized else JsonRpcServerNotInitialized("initialize has to come first")

    def _handle_request(self, msg_id: str | int, method_name: str, params: Any) -> None:
        # pygls runs each handler in a context of its own, so this is the handler's alone.
        RECEIVED.set(self._received(params))
        super()._handle_request(msg_id, method_name, params)

    def _handle_notification(self, method_name: str, params: Any) -> None:
        super()._handle_notification(method_name, params)
        # pygls notes a future for each notification that a generator handles, such as every edit, and never
        # strikes it out: some 3 MB for a thousand keystrokes.
        for number in [number for number, future in self._request_futures.items() if future.done()]:
            del self._request_futures[number]

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        # Answer and cancellation often cross; nothing is wrong then.
        if msg_id in self._request_futures:
            super()._handle_cancel_notification(msg_id)

    def _received(self, params: Any) -> Snapshot | None:
        identifier = getattr(params, "text_document", None)
        workspace = self._workspace
        if identifier is None or not isinstance(workspace, Documents):
            return None
        document = workspace.document(identifier.uri)
        return None if document is None else document.snapshot


def converter() -> Converter:
    known: Converter = default_converter()  # type: ignore[no-untyped-call]
    known.register_structure_hook(InlineRequest, inline_request_hook(known))
    known.register_structure_hook(types.VersionedTextDocumentIdentifier, identifier)
    return known


def identifier(data: Any, _: Any) -> Identifier:
    """A document that was changed. LSP wants a version; clients that do not count send null."""
    if data.get("version") is None:
        return types.OptionalVersionedTextDocumentIdentifier(data["uri"])
    return types.VersionedTextDocumentIdentifier(data["version"], data["uri"])
