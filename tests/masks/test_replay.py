"""Real files, token by token: the true token is always allowed, however the text is cut into tokens."""

import random

import pytest

from quotient import Language, Vocabulary
from tests.masks import law, states, vocabularies


def greedy(vocabulary: Vocabulary, text: bytes) -> list[int]:
    """A segmentation into the longest tokens."""
    index = {vocabulary.token(token): token for token in range(len(vocabulary))}
    longest = max(map(len, index))
    found, at = [], 0
    while at < len(text):
        lengths = range(min(longest, len(text) - at), 0, -1)
        length = next(length for length in lengths if text[at : at + length] in index)
        found.append(index[text[at : at + length]])
        at += length
    return found


def at_random(vocabulary: Vocabulary, text: bytes, source: random.Random) -> list[int]:
    """A segmentation into tokens of random lengths."""
    index = {vocabulary.token(token): token for token in range(len(vocabulary))}
    found, at = [], 0
    while at < len(text):
        lengths = [length for length in range(1, 13) if text[at : at + length] in index]
        length = min(source.choice(lengths), len(text) - at)
        found.append(index[text[at : at + length]])
        at += length
    return found


def check_allowed(left: bytes, tokens: list[int], right: bytes, vocabulary: Vocabulary) -> None:
    recognizer = Language.load("python").recognizer(left, right)
    for position, token in enumerate(tokens):
        mask = recognizer.mask(vocabulary)
        assert law.is_allowed(mask, token), (position, vocabulary.token(token))
        assert recognizer.first_allowed(vocabulary, [token]) == token
        assert recognizer.advance_token(vocabulary, token)
    assert recognizer.is_member()
    assert law.is_allowed(recognizer.mask(vocabulary), vocabulary.eos[0])


@pytest.mark.parametrize("name", vocabularies.available())
def test_what_was_written_is_allowed(name: str) -> None:
    vocabulary = vocabularies.load(name)
    source = random.Random(3)
    for text in source.sample(states.python_files(), 4):
        text = text[: text.rfind(b"\n\n\n", 0, 6_000) + 1] or b"pass\n"
        check_allowed(b"", greedy(vocabulary, text), b"", vocabulary)
        start, stop = sorted(source.randrange(len(text)) for _ in range(2))
        middle = at_random(vocabulary, text[start:stop], source)
        check_allowed(text[:start], middle, text[stop:], vocabulary)


@pytest.mark.parametrize("name", vocabularies.available()[1:])
def test_what_was_written_is_allowed_as_the_tokenizer_cuts_it(name: str) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_str(vocabularies.description(name))
    vocabulary = vocabularies.load(name)
    for text in random.Random(4).sample(states.python_files(), 3):
        text = text[: text.rfind(b"\n\n\n", 0, 6_000) + 1] or b"pass\n"
        tokens = tokenizer.encode(text.decode()).ids
        check_allowed(b"", tokens, b"", vocabulary)
        third = len(tokens) // 3
        left, right = (
            b"".join(map(vocabulary.token, part)) for part in (tokens[:third], tokens[2 * third :])
        )
        check_allowed(left, tokens[third : 2 * third], right, vocabulary)
