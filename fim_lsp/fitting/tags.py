"""Tags of JSX: an element's two tags must have the same name, which no grammar compares.

<div>                  «<p>Hello</div>»   the grammar takes `</div>` as the end of `<p>`
    |                   <p>Hello</p>      fits
</div>
"""

from __future__ import annotations

import tree_sitter

from fim_lsp.declared.tags import name_of, wrong_tags
from fim_lsp.document.syntax import parser
from fim_lsp.fitting.nearest import FittingContext, KeptText, nearest
from fim_lsp.known_languages import WITH_TAGS
from quotient import Recognizer

# No more tags than this are renamed in one end.
MAX_TAGS = 50


def nearest_by_tags(recognizer: Recognizer, text: str, place: FittingContext) -> KeptText | None:
    """The nearest result whose tags all match their partners by name."""
    found = nearest(recognizer, text, place)
    if found is None or not has_tags(text, place):
        return found
    length = length_of_right_tags(text[: found.length], found.end, place)
    return found if length == found.length else nearest(recognizer, text, place, length)


def has_right_tags(text: str, place: FittingContext) -> bool:
    """Whether all tags of a text that fits match their partners by name."""
    return not has_tags(text, place) or length_of_right_tags(text, "", place) == len(text)


def has_tags(text: str, place: FittingContext) -> bool:
    """Whether a text may hold tags, or the rest of one that begins in front of it."""
    is_begun = place.left.rfind("<") > place.left.rfind(">")
    return place.known_language in WITH_TAGS and (is_begun or "<" in text)


def length_of_right_tags(kept: str, end: str, place: FittingContext) -> int:
    """How many characters of a text stand in front of its first mismatched tag.

    A tag that the end completes may still get the right name.
    """
    first = len(place.left.encode())
    last = first + len(kept.encode())
    tag = first_wrong_tag(place, kept + end, first)
    if tag is None or tag.start_byte >= last or end_named_as(tag, end.encode(), last) is not None:
        return len(kept)
    # A closing tag may get another name, so only the name is dropped.
    name = tag.child_by_field_name("name")
    start = tag.start_byte if name is None or "open" in tag.type else name.start_byte
    return len(kept.encode()[: max(start - first, 0)].decode(errors="ignore"))


def named_end(kept: str, end: str, stand: Recognizer, place: FittingContext) -> str:
    """An end whose tags have the names of those that they close; `stand` has read the kept text."""
    if place.known_language not in WITH_TAGS or not end.strip():
        return end
    named = end
    first = len((place.left + kept).encode())
    for _ in range(MAX_TAGS):
        tag = first_wrong_tag(place, kept + named, first)
        again = None if tag is None else end_named_as(tag, named.encode(), first)
        if again is None:
            break
        named = again
    ended = stand.fork()
    return named if ended.advance(named) and ended.is_member() else end


def first_wrong_tag(place: FittingContext, text: str, first: int) -> tree_sitter.Node | None:
    """The first mismatched tag in a text at its place in the file, from the byte `first` on."""
    assert place.known_language is not None
    before = (place.left + text).encode()
    root = parser(place.known_language).parse(before + place.right.encode()).root_node
    # A tree with errors may pair tags wrongly.
    if root.has_error:
        return None
    return min(wrong_tags(root, first, len(before)), key=lambda tag: tag.start_byte, default=None)


def end_named_as(tag: tree_sitter.Node, end: bytes, first: int) -> str | None:
    """An end, which begins at the byte `first`, with a tag renamed to match its partner.

    None if the tag stands in front of the end, or begins there with another name.
    """
    name, element = tag.child_by_field_name("name"), tag.parent
    side = "close_tag" if "open" in tag.type else "open_tag"
    other = None if element is None else element.child_by_field_name(side)
    if name is None or other is None or name.end_byte < first:
        return None
    wanted = name_of(other).encode()
    n_before = max(first - name.start_byte, 0)
    if n_before and (name.text or b"")[:n_before] != wanted[:n_before]:
        return None
    start = max(name.start_byte - first, 0)
    return (end[:start] + wanted[n_before:] + end[name.end_byte - first :]).decode()
