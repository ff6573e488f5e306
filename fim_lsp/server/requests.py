"""Converts LSP's parameters to plain values, and plain answers to LSP's results.

Inline completion requests may carry more than LSP 3.18 defines: formatting options (from Copilot's clients),
and a token for partial results. The trigger kinds are 1 and 2 in LSP, and 0 and 1 in clients that follow its
draft.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from fim_lsp.document.sent import Indentation
from fim_lsp.positions import LINE_END
from fim_lsp.server.cache import Suggestion
from fim_lsp.server.documents import Snapshot
from fim_lsp.server.session import InsertionSite

if TYPE_CHECKING:
    from cattrs import Converter

ACCEPT_COMMAND = "fim-lsp.didAccept"
WORD = re.compile(r"\w*$")
# The longest word that is compared: a line may hold 100,000 letters of data.
LONGEST_WORD = 200


@dataclass(slots=True)
class InlineParams:
    """The parameters of `textDocument/inlineCompletion`, as clients send them."""

    text_document: types.TextDocumentIdentifier
    position: types.Position
    # 0, 1 or 2; `TriggerKinds` interprets it.
    trigger_kind: int
    selected: types.SelectedCompletionInfo | None
    indentation: Indentation | None
    partial_result_token: types.ProgressToken | None


@dataclass(slots=True)
class InlineRequest:
    """The message around them, for pygls."""

    id: str | int
    params: InlineParams
    method: str = types.TEXT_DOCUMENT_INLINE_COMPLETION
    jsonrpc: str = "2.0"


def inline_request_hook(converter: Converter) -> Callable[[Any, Any], InlineRequest]:
    """Parses the message; optional values may also be null."""

    def read(message: Any, _: Any) -> InlineRequest:
        data = message["params"]
        context = data.get("context")
        context = context if isinstance(context, dict) else {}
        selected, kind = context.get("selectedCompletionInfo"), context.get("triggerKind")
        params = InlineParams(
            converter.structure(data["textDocument"], types.TextDocumentIdentifier),
            converter.structure(data["position"], types.Position),
            kind if isinstance(kind, int) else types.InlineCompletionTriggerKind.Automatic,
            converter.structure(selected, types.SelectedCompletionInfo) if selected else None,
            indentation(data.get("formattingOptions")),
            data.get("partialResultToken"),
        )
        return InlineRequest(message["id"], params)

    return read


def indentation(options: Any) -> Indentation | None:
    """`formattingOptions`, if both parts are given and valid."""
    match options:
        case {"tabSize": int(size), "insertSpaces": bool(uses_spaces)} if size > 0:
            return Indentation(size, uses_spaces)
        case _:
            return None


class TriggerKinds:
    """Interprets trigger kinds. A client that has sent a 0 counts from 0."""

    def __init__(self) -> None:
        self._starts_at_zero = False

    def is_invoked(self, kind: int) -> bool:
        self._starts_at_zero |= kind == 0
        return kind == (0 if self._starts_at_zero else types.InlineCompletionTriggerKind.Invoked)


def place(snapshot: Snapshot, position: types.Position) -> InsertionSite:
    """The site of a completion."""
    offset = snapshot.offset(position)
    return InsertionSite(offset, offset, "")


def place_of_entry(snapshot: Snapshot, entry: types.SelectedCompletionInfo) -> InsertionSite | None:
    """The site of a completion while an entry of the popup is selected: it begins with the entry's text and
    uses its range.

    LSP requires ranges on one line. An entry may replace several lines, such as one with an import; unchanged
    lines are then cut off the range. None if the entry changes more than one line.
    """
    start, stop = snapshot.span(entry.range)
    old, new = snapshot.text[start:stop], entry.text
    ends = [found.end() for found in LINE_END.finditer(old)]
    n_kept = max((end for end in ends if new.startswith(old[:end])), default=0)
    old, new = old[n_kept:], new[n_kept:]
    behind = LINE_END.search(old)
    if behind is None:
        return InsertionSite(start + n_kept, start + n_kept + len(old), new)
    tail = old[behind.start() :]
    if not new.endswith(tail):
        return None
    return InsertionSite(start + n_kept, start + n_kept + behind.start(), new.removesuffix(tail))


def inline_items(
    snapshot: Snapshot, at: InsertionSite, suggestions: Sequence[Suggestion], first_id: int
) -> list[types.InlineCompletionItem]:
    """The suggestions as LSP's items. Each has a range, since VS Code would assume the rest of the line."""
    return [
        types.InlineCompletionItem(
            at.begun + suggestion.text,
            range=snapshot.range(at.start, at.stop + suggestion.n_covered),
            command=types.Command("", ACCEPT_COMMAND, arguments=[offer_id]),
        )
        for offer_id, suggestion in enumerate(suggestions, start=first_id)
    ]


def popup_items(
    snapshot: Snapshot, at: InsertionSite, suggestions: Sequence[Suggestion], first_id: int
) -> list[types.CompletionItem]:
    """The suggestions for the popup. They replace the begun word, since editors would otherwise filter them
    out."""
    line_start = snapshot.lines.starts[snapshot.lines.position(at.start).line]
    found = WORD.search(snapshot.text, max(line_start, at.start - LONGEST_WORD), at.start)
    word = found[0] if found else ""
    items = []
    for offer_id, suggestion in enumerate(suggestions, start=first_id):
        new = word + at.begun + suggestion.text
        lines, added = LINE_END.split(new), suggestion.added
        items.append(
            types.CompletionItem(
                label=lines[0].strip() or "⏎ " + new.strip(),
                detail="fim-lsp" if added is None else f"fim-lsp, with {added.statement}",
                documentation=new if len(lines) > 1 else None,
                kind=types.CompletionItemKind.Text,
                filter_text=new,
                # Entries sort behind those of other servers.
                sort_text=f"~{offer_id:09}",
                insert_text_mode=types.InsertTextMode.AsIs,
                text_edit=types.TextEdit(
                    snapshot.range(at.start - len(word), at.stop + suggestion.n_covered), new
                ),
                additional_text_edits=None
                if added is None
                else [types.TextEdit(snapshot.range(added.start, added.stop), added.new)],
                command=types.Command("", ACCEPT_COMMAND, arguments=[offer_id]),
            )
        )
    return items
