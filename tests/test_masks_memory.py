"""What the engine keeps for speed stays bounded, however long a process runs."""

import itertools
import keyword
from importlib.resources import files

from quotient import Language, Vocabulary
from tests.masks import states, vocabularies

MEGABYTE = 1_000_000


def test_a_document_forgets_what_texts_of_the_past_have_left() -> None:
    """As a program does that opens one file after the other in one document."""
    # A language of the test's own: that of others knows much already, and then a document may grow more.
    description = files("quotient") / "grammars" / "python-3.14.json"
    document = Language(description.read_text(encoding="utf-8")).document()
    first = states.python_files()[0].decode()
    document.edit(0, 0, first)
    assert document.recognizer(len(first)).is_member()
    most = 0
    for text in sorted(states.python_files(), key=len, reverse=True):
        document.edit(0, len(document), text.decode())
        before = document.memory
        recognizer = document.recognizer(len(document) // 2)
        most = max(most, before)
        assert document.recognizer(len(document)).is_member()
        if document.memory < before:
            break
        assert recognizer.advance(recognizer.witness())
    else:
        raise AssertionError("nothing was forgotten")
    assert most < 100 * MEGABYTE
    # The session is another one; its recognizers know what those of the old one knew.
    assert recognizer.advance(recognizer.witness())
    assert recognizer.is_member()


def test_states_inside_f_strings_are_forgotten() -> None:
    made = vocabularies.load("made")
    # As many tokens as real vocabularies have.
    tokens = [made.token(index) for index in range(len(made))] * 8
    vocabulary = Vocabulary(tokens)
    python = Language.load("python")
    vocabulary.prepare_tables(python._native)
    prepared = vocabulary.memory
    sizes = []
    # Beginnings of words are states of their own, in each kind of f-string within each other kind.
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
