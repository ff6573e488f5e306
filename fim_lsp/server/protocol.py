"""JSON-RPC as pygls does it, mended where a message would be lost, never answered, or meet another text.

- A request whose parameters cannot be read is answered with an error; pygls would drop it.
- Bytes that are no UTF-8 reach us as surrogates; pygls would drop the message, and the document would be out
  of step for good.
- A message that cannot be read at all is reported, so that documents are not trusted blindly any more.
- A request sees its document as it was when the request arrived. Its handler runs later; over TCP or under
  load newer edits may have been read by then.
- What is done is forgotten; pygls keeps something of every edit for ever.
- A request after `shutdown` is answered with an error; pygls would ignore it.
"""

from __future__ import annotations

import contextvars
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol, default_converter

from fim_lsp.server.documents import Documents, Snapshot
from fim_lsp.server.requests import InlineRequest, inline_request_hook

if TYPE_CHECKING:
    from cattrs import Converter

logger = logging.getLogger(__name__)

# The document that a request is about, as it was when the request arrived.
RECEIVED: contextvars.ContextVar[Snapshot | None] = contextvars.ContextVar("received", default=None)


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
            logger.error("%s could not be read", data.get("method", "an answer"))
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            elif self.on_loss is not None:
                self.on_loss()
            return Unreadable()

    def handle_message(self, message: Any) -> None:
        if isinstance(message, Unreadable):
            return
        if self._shutdown and hasattr(message, "id") and hasattr(message, "method"):
            error = JsonRpcInvalidRequest("the server is shutting down").to_response_error()
            self._send_response(message.id, error=error)
            return
        super().handle_message(message)

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


class TolerantInput:
    """Standard input whose messages are always UTF-8: bytes that are not become surrogates, one for one.

    Neovim sends a buffer's bytes as they are. JSON's reader lets surrogates pass, and editors count such a
    byte as one unit, as we do.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        return self._stream.readline()

    def read(self, n_bytes: int) -> bytes:
        content = self._stream.read(n_bytes)
        try:
            content.decode()
        except UnicodeDecodeError:
            logger.warning("a message holds bytes that are no UTF-8")
            return content.decode(errors="surrogateescape").encode(errors="surrogatepass")
        return content


def converter() -> Converter:
    known: Converter = default_converter()  # type: ignore[no-untyped-call]
    known.register_structure_hook(InlineRequest, inline_request_hook(known))
    return known
