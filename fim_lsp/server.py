"""The language server: registers LSP features and turns their parameters into plain values and back.

At this stage it offers what the grammar alone knows. Where a file does not parse as it stands, it proposes
the shortest text at the cursor that makes it parse; where the file parses, or where no text can help, it
proposes nothing and logs why. No file is read from disk, and the log carries no source text.
"""

from __future__ import annotations

import logging
import time
from functools import cache
from importlib.metadata import version

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from fim_lsp.commands.languages import interpreter_version
from fim_lsp.documents import Documents, Snapshot
from fim_lsp.holes import Filled, Unfillable, fill
from fim_lsp.terminal import duration
from quotient import Language

logger = logging.getLogger(__name__)

SYNC_KIND = types.TextDocumentSyncKind.Incremental

server = LanguageServer("fim-lsp", version("fim-lsp"), text_document_sync_kind=SYNC_KIND)


@server.feature(types.INITIALIZE)
def initialize(server: LanguageServer, _params: types.InitializeParams) -> None:
    # pygls has no option for the kind of workspace; it has made its own just before it calls us.
    server.protocol._workspace = Documents.in_place_of(server.workspace, SYNC_KIND)


# pygls advertises this feature only when it is given options.
@server.feature(types.TEXT_DOCUMENT_INLINE_COMPLETION, types.InlineCompletionOptions())
def inline_completion(
    server: LanguageServer, params: types.InlineCompletionParams
) -> types.InlineCompletionList:
    # A list without items clears what an editor still shows; a null result leaves it there in Neovim.
    assert isinstance(server.workspace, Documents)
    document = server.workspace.snapshot(params.text_document.uri)
    if document is None:
        logger.warning("no completion: the client has not opened the document")
        return types.InlineCompletionList(items=[])
    start = time.perf_counter()
    item = inline_item(document, params.position, params.context.selected_completion_info)
    logger.info("answered in %s: %d items", duration(time.perf_counter() - start), item is not None)
    return types.InlineCompletionList(items=[] if item is None else [item])


def inline_item(
    document: Snapshot, position: types.Position, selected: types.SelectedCompletionInfo | None
) -> types.InlineCompletionItem | None:
    """The proposal at a position, or None; the reason is in the log.

    While an entry of the completion popup is selected, a proposal begins with its text and uses its range.
    Otherwise the range is empty: text right of the cursor is left alone.
    """
    if document.language_id != "python":
        logger.info("no completion: no grammar for language %r", document.language_id)
        return None
    span = types.Range(position, position) if selected is None else selected.range
    begun = "" if selected is None else selected.text
    start, stop = document.span(span)
    text = document.lines.text
    match fill(python(), text[:start] + begun, text[stop:]):
        case Filled() as filled if filled.is_filled_already:
            logger.info("no completion: the file parses as it stands")
            return None
        case Filled(shortest):
            return types.InlineCompletionItem(insert_text=begun + shortest, range=span)
        case Unfillable(side, _, _):
            logger.info("no completion: no text fits (%s)", side)
            return None


@cache
def python() -> Language:
    """The grammar, loaded with the first request: `initialize` must not wait for it."""
    return Language.load("python", version=interpreter_version())
