"""Closing braces on lines of their own, if their block was opened at a line's end.

The engine closes everything as briefly as possible, on the same line. Programmers write:

    if (item) {                       if (item) {
      count += 1;}                      count += 1;
                                      }
"""

from __future__ import annotations

import re

import tree_sitter

from fim_lsp.document.syntax import encode_text
from fim_lsp.known_languages import Blocks
from fim_lsp.positions import LINE_END
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.ladder import Footing
from fim_lsp.server.worker.messages import Wishes

OPENERS = {"}": "{", "]": "["}
OPENED = ("(", "[", "{")
# The closers with lines of their own. For calls and lists in code this is a matter of taste.
ON_LINES: dict[Blocks, str] = {"suites": "", "braces": "}", "data": "}]"}
TAIL = re.compile(r"[)\]};,\s]*\Z")
BLANKS = b" \t\r"


def with_closers_on_lines(offer: str, footing: Footing, wishes: Wishes) -> str:
    """The offer with its final closers on lines of their own, if it may have so many lines."""
    site = footing.site
    signs = ON_LINES[site.known_language.blocks]
    tail = TAIL.search(offer)
    if tail is None or not any(sign in tail[0] for sign in signs):
        return offer
    hole, line_end = site.hole, site.text.style(wishes.indentation).line_end
    root, content = site.text.tree.with_text(site.text.text, hole.start, hole.stop, hole.begun + offer)
    first = len(encode_text(site.text.text[: hole.start] + hole.begun))
    written, end = "", offer[: tail.start()]
    for index in range(tail.start(), len(offer)):
        place = first + len(encode_text(offer[:index]))
        indentation = indentation_of_opener(root, content, place) if offer[index] in signs else None
        if indentation is not None:
            # White space in front of the closer would remain at the end of a line.
            written, end = written + end.rstrip(" \t") + line_end + indentation, ""
        end += offer[index]
    laid_out = written + end
    n_lines = len(LINE_END.findall(laid_out)) + 1
    return laid_out if n_lines <= wishes.max_lines and fits(footing.recognizer, laid_out) else offer


def with_line_of_closer(offer: str, footing: Footing, wishes: Wishes) -> str:
    """An offer with a bracket's content on lines of its own, which puts the closer behind the cursor there,
    too.

    const config = {|};          port: 8080,     and then `};` in a line of its own
    """
    site = footing.site
    first, *others = LINE_END.split(offer)
    if first.strip() or not others or not others[-1].strip() or len(others) >= wishes.max_lines:
        return offer
    begun = LINE_END.split(site.left)[-1]
    line_end = site.text.style(wishes.indentation).line_end
    whole = offer + line_end + begun[: len(begun) - len(begun.lstrip())]
    return whole if begun.rstrip()[-1:] in OPENED and fits(footing.recognizer, whole) else offer


def indentation_of_opener(root: tree_sitter.Node, content: bytes, place: int) -> str | None:
    """The indentation of the opener's line; None if the closer may stay on its line."""
    closer = root.descendant_for_byte_range(place, place + 1)
    block = None if closer is None else closer.parent
    if closer is None or block is None or block.type == "ERROR" or closer.type not in OPENERS:
        return None
    opener = next((child for child in block.children if child.type == OPENERS[closer.type]), None)
    if opener is None or opener.is_missing:
        return None
    line_end = content.find(b"\n", opener.end_byte, closer.start_byte)
    in_front = content[content.rfind(b"\n", 0, closer.start_byte) + 1 : closer.start_byte]
    ends_line = line_end >= 0 and not content[opener.end_byte : line_end].strip(BLANKS)
    if not ends_line or not in_front.strip(BLANKS):
        return None
    line = content[content.rfind(b"\n", 0, opener.start_byte) + 1 : opener.start_byte]
    return line[: len(line) - len(line.lstrip(BLANKS))].decode()
