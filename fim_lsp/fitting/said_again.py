"""Repetition in a text: the part that repeats what stands right of the cursor.

Models often write on with text that is there already: the closer of the call, the next line, the rest of the
file. Dropping it loses nothing. White space does not count, and a repetition does not end inside a word:

    x = f(|)           «a)»     `)` is a repetition
    x = f(|, total)    «a, to»  `,` is one, `to` is not
"""

from __future__ import annotations

from fim_lsp.fitting.ends import is_inside_word


def lengths_said_again(text: str, right: str) -> list[int]:
    """For each place of a text, its end included: how many characters from there repeat the right side."""
    places = [index for index, character in enumerate(text) if not character.isspace()]
    black = "".join(text[index] for index in places)
    behind = black_beginning(right, len(black))
    # The right side comes first, as `common_beginnings` wants it.
    common = common_beginnings(behind[0] + black, len(behind[0]))
    lengths = [0] * (len(text) + 1)
    next_black = len(places)
    for index in range(len(text) - 1, -1, -1):
        if next_black and places[next_black - 1] == index:
            next_black -= 1
        if next_black < len(places):
            count = common[next_black]
            end = whole_words(text, right, places, behind[1], next_black, count)
            lengths[index] = end - index if end > index and end > places[next_black] else 0
    return lengths


def black_beginning(text: str, length: int) -> tuple[str, list[int]]:
    """The first characters of a text that are no white space, `length` at most, and their places."""
    places: list[int] = []
    for index, character in enumerate(text):
        if len(places) == length:
            break
        if not character.isspace():
            places.append(index)
    return "".join(text[index] for index in places), places


def common_beginnings(joined: str, length: int) -> list[int]:
    """For each place behind the first `length` characters of a text: how long what follows equals the text's
    beginning, `length` at most (the Z-algorithm)."""
    known = [0] * len(joined)
    start = stop = 0
    for index in range(1, len(joined)):
        count = min(known[index - start], stop - index) if index < stop else 0
        while index + count < len(joined) and joined[count] == joined[index + count]:
            count += 1
        known[index] = count
        if index + count > stop:
            start, stop = index, index + count
    return [min(count, length) for count in known[length:]]


def whole_words(
    text: str, right: str, places: list[int], places_right: list[int], first: int, count: int
) -> int:
    """Where in the text a repetition of `count` characters ends, without a word that it would cut."""
    while count:
        last, last_right = places[first + count - 1], places_right[count - 1]
        if not is_inside_word(text, last + 1) and not is_inside_word(right, last_right + 1):
            end = last + 1
            # If the repetition reaches the end, the white space behind it belongs to it.
            return len(text) if first + count == len(places) else end
        count -= 1
    return 0
