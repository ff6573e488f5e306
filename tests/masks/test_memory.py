"""The memory that the engine uses for speed stays bounded, however long a process runs."""

import itertools
import keyword
from random import Random

from quotient import Language, Vocabulary
from tests.masks import states, vocabularies

MEGABYTE = 1_000_000


def test_a_document_forgets_what_texts_of_the_past_have_left() -> None:
    """A program may open one file after the other in one document."""
    python = Language.load("python")
    document = python.document()
    sizes, made = [0], 0
    for text in sorted((text.decode() for text in states.python_files()), key=len, reverse=True):
        document.edit(0, len(document), text)
        recognizer = document.recognizer(len(document) // 2)
        made += document.memory < sizes[-1]
        sizes.append(document.memory)
        assert document.memory < bound(text), "the text before left at most as much as this one may take"
        assert document.recognizer(len(document)).is_member()
        assert recognizer.advance(recognizer.witness())
    assert made, "nothing was forgotten"
    # Each text has a session of its own; a recognizer of an old session still knows its text.
    assert recognizer.is_member()


def test_an_afternoon_of_typing_does_not_make_a_document_grow() -> None:
    python = Language.load("python")
    text = states.python_files()[0].decode()
    document = python.document(text)
    sizes = []
    random = Random(1)
    for _ in range(1_500):
        # The order of the brackets differs each time, so each text has charts of its own.
        shape = "".join(random.choices("([{", k=60))
        opened = f"x = {shape}"
        document.edit(0, 0, f"{opened}\n")
        assert document.recognizer(len(opened)).witness()
        document.edit(0, len(opened) + 1, "")
        sizes.append(document.memory)
    assert max(sizes) < bound(text)
    assert any(later < earlier for earlier, later in itertools.pairwise(sizes)), "nothing was forgotten"


def bound(text: str) -> int:
    """The most bytes of a text's charts: twice as much as real texts need, and some megabytes of growth.

    Their tables double when they are full, so twice as much may be allocated.
    """
    return 2 * (64 * len(text) + 6 * MEGABYTE)


def test_states_inside_f_strings_are_forgotten() -> None:
    made = vocabularies.load("made")
    # Real vocabularies have as many tokens.
    tokens = [made.token(index) for index in range(len(made))] * 8
    vocabulary = Vocabulary(tokens)
    python = Language.load("python")
    vocabulary.prepare_tables(python._native)
    prepared = vocabulary.memory
    sizes = []
    # The beginning of a word has states of its own in each kind of f-string within each other kind.
    begun = {word[:length] for word in keyword.kwlist for length in range(1, len(word))}
    quotes = ("f'", 'f"', "f'''", 'f"""', "rf'", 'rf"')
    for outer, inner, word in itertools.product(quotes, quotes, sorted(begun)):
        recognizer = python.recognizer(f"x = {outer}{{{inner}{{{word}")
        recognizer.mask(vocabulary)
        sizes.append(vocabulary.memory)
        if sizes[-1] < max(sizes):
            break
    assert max(sizes) < prepared + 40 * MEGABYTE
    assert sizes[-1] < max(sizes), "nothing was forgotten"
    again = Vocabulary(tokens)
    assert recognizer.mask(vocabulary).tolist() == recognizer.mask(again).tolist()
