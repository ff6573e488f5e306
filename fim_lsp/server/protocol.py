"""pygls' JSON-RPC, corrected where a message would be lost, never answered, or applied to the wrong text.

- An invalid message gets an error as JSON-RPC requires: with the request's id if it has one, otherwise with
  null. So does a request with unreadable parameters; pygls would drop both. An unreadable answer becomes an
  error of the waiting request, which under pygls would wait for ever.
- Our requests and the client's have separate ids; pygls would confuse the two.
- An unreadable message that may have been an edit is reported, so that documents are no longer trusted
blindly. - A request sees its document as it was at the request's arrival. Its handler runs later; over TCP or
under load
  newer edits may have been read by then.
- Cancelling a command ends it; pygls runs the command apart from its request, and ends only the request.
- Finished work is forgotten; pygls keeps something of every edit for ever.
- Before `initialize` and after `shutdown`, requests get an error and notifications are dropped, and there is
  only one `initialize`; pygls would serve the first, ignore the second, and start again with the third.
"""

from __future__ import annotations

import contextvars
import inspect
import json
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeGuard

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from fim_lsp.server.documents import DocumentWorkspace, Identifier, Snapshot
from fim_lsp.server.log import log_fault
from fim_lsp.server.next_edits.requests import INLINE_EDIT, InlineEditRequest, inline_edit_hook
from fim_lsp.server.requests import InlineRequest, inline_request_hook

if TYPE_CHECKING:
    from concurrent.futures import Future

    from cattrs import Converter

logger = logging.getLogger(__name__)

# The document of a request at the request's arrival.
RECEIVED: contextvars.ContextVar[Snapshot | None] = contextvars.ContextVar("received", default=None)


# An unknown name from a client is cut to so many characters in an answer and the log.
MAX_QUOTED = 80
# Methods that carry text. If one of their messages is lost, a document is out of step.
EDITS = frozenset(
    {
        types.TEXT_DOCUMENT_DID_OPEN,
        types.TEXT_DOCUMENT_DID_CHANGE,
        types.TEXT_DOCUMENT_DID_CLOSE,
        types.NOTEBOOK_DOCUMENT_DID_OPEN,
        types.NOTEBOOK_DOCUMENT_DID_CHANGE,
        types.NOTEBOOK_DOCUMENT_DID_CLOSE,
    }
)


class Protocol(LanguageServerProtocol):
    """The protocol, between the pipe and the features."""

    def __init__(self, server: Any, converter: Converter) -> None:
        super().__init__(server, converter)
        # Called when a message was lost.
        self.on_loss: Callable[[], None] = lambda: None
        # Requests to the client without an answer yet.
        self._asked: dict[str | int, Future[Any]] = {}

    @property
    def was_shut_down(self) -> bool:
        return self._shutdown

    def get_message_type(self, method: str) -> type[Any] | None:  # type: ignore[override]
        if method == types.TEXT_DOCUMENT_INLINE_COMPLETION:
            return InlineRequest
        if method == INLINE_EDIT:
            return InlineEditRequest
        known: type[Any] | None = super().get_message_type(method)
        return known

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """Runs a command as part of its request."""
        handler, positional, named = next(super().lsp_workspace__execute_command(params))
        result = handler(*positional, **named)
        return await result if inspect.isawaitable(result) else result

    def receive(self, body: bytes) -> None:
        """Handles one message of any kind."""
        try:
            # The JSON parser would guess UTF-16 for some bytes, but LSP has only UTF-8.
            data = json.loads(body.decode(errors="surrogatepass"))
        except (ValueError, RecursionError):
            # The message may have been an edit.
            self._refuse(None, JsonRpcParseError("the message is no JSON"))
            self.on_loss()
            return
        fault = fault_of(data)
        if fault:
            self._refuse_fault(data, fault)
            return
        try:
            self._pass_on(data)
        except Exception as error:  # the next message is not to suffer for this one
            log_fault("a message could not be dealt with", error)

    def _pass_on(self, data: dict[str, Any]) -> None:
        method = data.get("method")
        if method is not None and method != types.EXIT and not self._is_due(data, method):
            return
        try:
            message = self.structure_message(data)
        except JsonRpcException as error:
            self._unreadable(data, error)
        else:
            self.handle_message(message)

    def _is_due(self, data: dict[str, Any], method: str) -> bool:
        """Whether a message is allowed now; a request that is not allowed gets an error."""
        refusal = self._refusal(method)
        msg_id = data.get("id")
        known = (types.CANCEL_REQUEST, *self.fm.features, *self.fm.builtin_features)
        if refusal is None and method not in known:
            refusal = JsonRpcMethodNotFound.of(method[:MAX_QUOTED])
        if refusal is None and msg_id is not None and is_notification(method):
            refusal = JsonRpcInvalidRequest(f"{method} is a notification, which has no id")
        if refusal is None and msg_id is not None and msg_id in self._request_futures:
            refusal = JsonRpcInvalidRequest("a request with this id is under way")
        if refusal is not None and msg_id is not None:
            self._refuse(msg_id, refusal)
        return refusal is None

    def _refuse_fault(self, data: Any, fault: str) -> None:
        message = data if isinstance(data, dict) else {}
        if message.get("method") in EDITS:
            self.on_loss()
        if "method" not in message and not {"result", "error"}.isdisjoint(message):
            logger.error("an answer could not be read: %s", fault)
            return
        msg_id = message.get("id")
        self._refuse(msg_id if is_id(msg_id) else None, JsonRpcInvalidRequest(fault))

    def _refuse(self, msg_id: str | int | None, error: JsonRpcException) -> None:
        logger.error("a message was refused: %s", error)
        self._send_response(msg_id, error=error.to_response_error())

    def _send_response(
        self, msg_id: str | int | None, result: Any = None, error: types.ResponseError | None = None
    ) -> None:
        if error is not None:
            # pygls adds the place in its sources, and omits an id that is null.
            fault = {"code": error.code, "message": error.message}
            self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "error": fault})
            return
        super()._send_response(msg_id, result)  # type: ignore[arg-type]

    def _unreadable(self, data: dict[str, Any], error: JsonRpcException) -> None:
        msg_id, method = data.get("id"), data.get("method")
        logger.error("%s could not be read", "an answer" if method is None else method[:MAX_QUOTED])
        if method is None:
            waiting = self._asked.pop(msg_id, None) if isinstance(msg_id, int | str) else None
            if waiting is not None and not waiting.done():
                waiting.set_exception(error)
        elif isinstance(msg_id, int | str):
            self._send_response(msg_id, error=error.to_response_error())
        elif method in EDITS:
            self.on_loss()

    def send_request(
        self,
        method: str,
        params: Any = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: str | int | None = None,
    ) -> Future[Any]:
        future: Future[Any] = super().send_request(method, params, callback, msg_id)
        own_id = next(own_id for own_id, known in self._request_futures.items() if known is future)
        self._asked[own_id] = self._request_futures.pop(own_id)
        return future

    def _handle_response(
        self, msg_id: str | int, result: Any = None, error: types.ResponseError | None = None
    ) -> None:
        waiting = self._asked.pop(msg_id, None)
        # The caller may have stopped waiting.
        if waiting is None or not waiting.set_running_or_notify_cancel():
            logger.info("an answer that no request waits for")
        elif error is not None:
            waiting.set_exception(JsonRpcException.from_error(error))
        else:
            waiting.set_result(result)

    def _refusal(self, method: str) -> JsonRpcException | None:
        """The reason why a message is not allowed now; None if it is allowed."""
        if self._shutdown:
            return JsonRpcInvalidRequest("the server is shutting down")
        is_initialized = self._workspace is not None
        if method == types.INITIALIZE:
            return JsonRpcInvalidRequest("the server is initialized already") if is_initialized else None
        return None if is_initialized else JsonRpcServerNotInitialized("initialize has to come first")

    def _handle_request(self, msg_id: str | int, method_name: str, params: Any) -> None:
        # pygls runs each handler in its own context, so this value belongs to the handler.
        RECEIVED.set(self._received_snapshot(params))
        super()._handle_request(msg_id, method_name, params)

    def _handle_notification(self, method_name: str, params: Any) -> None:
        super()._handle_notification(method_name, params)
        # pygls stores a future for each notification with a generator handler, such as every edit, and never
        # removes it: some 3 MB for a thousand keystrokes.
        for msg_id in [msg_id for msg_id, future in self._request_futures.items() if future.done()]:
            del self._request_futures[msg_id]

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        # Answer and cancellation often cross, which is no error. A list could not be looked up.
        if is_id(msg_id) and msg_id in self._request_futures:
            super()._handle_cancel_notification(msg_id)

    def _received_snapshot(self, params: Any) -> Snapshot | None:
        identifier = getattr(params, "text_document", None)
        workspace = self._workspace
        if identifier is None or not isinstance(workspace, DocumentWorkspace):
            return None
        document = workspace.document(identifier.uri)
        return None if document is None else document.snapshot


def fault_of(data: Any) -> str:
    """The fault of an invalid message; empty for a request, a notification or an answer."""
    if not isinstance(data, dict):
        return "a message is an object"
    if data.get("jsonrpc") != "2.0":
        return 'jsonrpc is not "2.0"'
    if "method" not in data:
        is_answer = "id" in data and not {"result", "error"}.isdisjoint(data)
        return "" if is_answer else "neither a request, nor a notification, nor an answer"
    if not isinstance(data["method"], str):
        return "a method is a text"
    return "" if "id" not in data or is_id(data["id"]) else "an id is a number or a text"


def is_notification(method: str) -> bool:
    """Whether a method is a notification of LSP."""
    known = types.METHOD_TO_TYPES.get(method)
    return known is not None and not hasattr(known[0], "id")


def is_id(value: object) -> TypeGuard[str | int]:
    return isinstance(value, str | int) and not isinstance(value, bool)


def converter() -> Converter:
    known: Converter = default_converter()  # type: ignore[no-untyped-call]
    known.register_structure_hook(InlineRequest, inline_request_hook(known))
    known.register_structure_hook(InlineEditRequest, inline_edit_hook(known))
    known.register_structure_hook(types.VersionedTextDocumentIdentifier, identifier)
    return known


def identifier(data: Any, _: Any) -> Identifier:
    """The identifier of a changed document. LSP requires a version, but some clients send null."""
    if data.get("version") is None:
        return types.OptionalVersionedTextDocumentIdentifier(data["uri"])
    return types.VersionedTextDocumentIdentifier(data["version"], data["uri"])
