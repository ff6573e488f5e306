"""Damage to a middle: small edits of the kinds that people, models and editors make.

Many of the results still parse. They are as useful as the others, because both answers are compared with the
real parser's. Every edit depends only on its generator, so a seed identifies a text.
"""

from collections.abc import Callable
from functools import cache
from random import Random

from tests.laws.words import PYTHON, Words


def place(random: Random, text: str) -> int:
    """Return a position in the text, its two ends included."""
    return random.randint(0, len(text))


def inserted(random: Random, text: str, pieces: tuple[str, ...]) -> str:
    """Return the text with one of the pieces put anywhere into it."""
    position = place(random, text)
    return text[:position] + random.choice(pieces) + text[position:]


def insert_character(random: Random, text: str) -> str:
    position = place(random, text)
    return text[:position] + chr(random.randint(32, 126)) + text[position:]


def delete_span(random: Random, text: str) -> str:
    position = place(random, text)
    return text[:position] + text[position + random.choice((1, 1, 1, 2, 3, 5, 20)) :]


def replace_character(random: Random, text: str) -> str:
    position = place(random, text)
    return text[:position] + random.choice(" \n:()[]{}'\"\\#,.=ab0_*") + text[position + 1 :]


def swap_characters(random: Random, text: str) -> str:
    position = place(random, text)
    return text[:position] + text[position : position + 2][::-1] + text[position + 2 :]


def swap_words(random: Random, text: str) -> str:
    words = text.split(" ")
    one, other = random.randrange(len(words)), random.randrange(len(words))
    words[one], words[other] = words[other], words[one]
    return " ".join(words)


def swap_lines(random: Random, text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "".join(lines)


def drop_line(random: Random, text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    del lines[random.randrange(len(lines))]
    return "".join(lines)


def repeat_line(random: Random, text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    position = random.randrange(len(lines))
    return "".join((*lines[:position], lines[position], *lines[position:]))


def move_indentation(random: Random, text: str) -> str:
    """Give one line, or all from one on, another column: the wrong dedent and its relatives."""
    lines = text.split("\n")
    position = random.randrange(len(lines))
    shift = random.choice((-8, -4, -4, -3, -2, -1, 1, 2, 3, 4, 4, 8))
    last = position + 1 if random.random() < 0.7 else len(lines)
    for index in range(position, last):
        stripped = lines[index].lstrip(" ")
        column = max(0, len(lines[index]) - len(stripped) + shift)
        lines[index] = " " * column + stripped
    return "\n".join(lines)


def use_tabs(random: Random, text: str) -> str:
    """Turn eight or four leading spaces into a tab, on one line or on all of them."""
    wide = " " * random.choice((4, 8))
    if random.random() < 0.5:
        return text.replace(wide, "\t")
    lines = text.split("\n")
    position = random.randrange(len(lines))
    lines[position] = lines[position].replace(wide, "\t", 1)
    return "\n".join(lines)


def change_line_ends(random: Random, text: str) -> str:
    """Turn one line end or all of them into CR or CRLF."""
    return text.replace("\n", random.choice(("\r", "\r\n")), random.choice((-1, 1)))


def add_statement(random: Random, text: str, words: Words) -> str:
    """Put a statement on a line of its own, at the column of the line after it or nearly."""
    lines = text.split("\n")
    position = random.randrange(len(lines))
    column = len(lines[position]) - len(lines[position].lstrip(" ")) + random.choice((0, 0, 0, 0, 4, -4, 1))
    lines.insert(position, " " * column + random.choice(words.statements))
    return "\n".join(lines)


def replace_word(random: Random, text: str, words: Words) -> str:
    """Put a keyword, name, number, operator or string in the place of a word."""
    found = text.split(" ")
    found[random.randrange(len(found))] = random.choice(
        (*words.keywords, *words.operators, *words.numbers, *words.atoms)
    )
    return " ".join(found)


def splice(random: Random, text: str, donor: str) -> str:
    """Put a fragment of another file into the text, in the place of as much of it or of nothing."""
    start = place(random, donor)
    fragment = donor[start : start + random.choice((1, 3, 10, 30, 100))]
    position = place(random, text)
    skipped = len(fragment) if random.random() < 0.5 else 0
    return text[:position] + fragment + text[position + skipped :]


Transform = Callable[[Random, str], str]


def insertion(pieces: tuple[str, ...]) -> Transform:
    return lambda random, text: inserted(random, text, pieces)


@cache
def transforms(words: Words) -> tuple[Transform, ...]:
    """The edits; the ones that people make more often are listed several times."""

    def statement(random: Random, text: str) -> str:
        return add_statement(random, text, words)

    def word(random: Random, text: str) -> str:
        return replace_word(random, text, words)

    return (
        insert_character, delete_span, delete_span, replace_character, swap_characters, swap_words,
        swap_lines, drop_line, repeat_line, move_indentation, move_indentation, use_tabs, change_line_ends,
        statement, statement, word, word, insertion(words.keywords), insertion(words.operators),
        insertion(words.numbers), insertion(words.quotes), insertion(words.escapes), insertion(words.others),
        insertion(words.non_ascii), insertion(words.layout), insertion(words.layout),
        insertion(words.brackets), insertion((":", ":\n", " :", "::")),
    )  # fmt: skip


def corrupted(random: Random, text: str, donor: str, words: Words = PYTHON) -> str:
    """Return the text after one to three random edits."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if random.random() < 0.07:
            text = splice(random, text, donor)
        else:
            text = random.choice(transforms(words))(random, text)
    return text
