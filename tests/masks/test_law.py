"""Masks are exact: a sample of the longer run `python -m tests.masks`."""

import itertools

import pytest

from quotient import Language
from tests.masks import law, samples, states, vocabularies
from tests.thoroughness import n_tries

_PYTHON = """def f(x, y=None):
    if x:
        for name in [x, y, (x, y)]:
            x = f"{name!r:>{x}} {y}"
            y = x + name
    elif y: return x

    return {x: y, **y}


class A(B):
    name: int = 1
    other = lambda x, y: x  # a note
"""


@pytest.mark.parametrize("language", ["python", "python-3.11", "json"])
def test_masks_equal_brute_force(language: str) -> None:
    vocabulary = vocabularies.load("made")
    for state in itertools.islice(states.random_states(vocabulary, 1, (language,)), n_tries(80, 250)):
        assert law.differences(state.recognizer(), vocabulary) == [], state


@pytest.mark.parametrize("name", vocabularies.available()[1:])
def test_masks_of_real_vocabularies_equal_brute_force(name: str) -> None:
    vocabulary = vocabularies.load(name)
    for state in itertools.islice(states.random_states(vocabulary, 2), n_tries(5, 12)):
        assert law.differences(state.recognizer(), vocabulary) == [], state


@pytest.mark.parametrize(("language", "text"), [("python", _PYTHON), ("go", samples.GO[1])])
def test_masks_on_the_way_equal_masks_found_anew(language: str, text: str) -> None:
    """A recognizer remembers masks of places to which it returns; a new one remembers none."""
    vocabulary = vocabularies.load("made")
    loaded = Language.load(language)
    left, middle, right = text[: len(text) // 3], text[len(text) // 3 :], ""
    for start, stop in ((0, len(middle)), (0, len(middle) // 2)):
        right = middle[stop:]
        recognizer = loaded.recognizer(left, right)
        for position in range(start, stop, 3):
            fresh = loaded.recognizer(left + middle[start:position], right)
            assert (recognizer.mask(vocabulary) == fresh.mask(vocabulary)).all(), position
            assert recognizer.advance(middle[position : min(position + 3, stop)])
        recognizer.rollback(5)
        again = recognizer.mask(vocabulary)
        assert (again == recognizer.fork().mask(vocabulary)).all()
        assert law.differences(recognizer, vocabulary) == []


# Unusual places: `$0` is the hole, and the text behind `$1` is typed.
PECULIAR = [
    "s = '\\N{EM D$0'",
    "s = '\\N{$0DASH}'",
    "s = f'\\N{em$0}'",
    "s = '\\$0'\n",
    "x = f'{a$0}'",
    "x = f'{a!$0}'",
    "x = f'{a:{b}$0}'",
    "x = f'''{\n$0}'''",
    "x = f'{{$0'",
    "if x:\n\tif y:\n$0\n\tz",
    "if x:\n    y\n  $0",
    "if x:\n    y\n   \\\n $0",
    "if x:\n    y\n\\\n$0\n",
    "# note$0\nx",
    "x # note$0\n    y",
    "x = (1, # note$0\n2)",
    "x\r$0\ny",
    "x = (\r$0\n1)",
    "x = " + "(" * 200 + "$0" + ")" * 200,
    "x = " + "[" * 199 + "$0" + "]" * 199,
    "x = '''$0''",
    "x = ''$0'",
    "x = 0$0or y",
    "x = 1$0f y else z",
    "im$0rt x",
    "match$0:\n  case 1: pass",
    "é = ü\n$0",
    "$0",
]


@pytest.mark.parametrize("text", PECULIAR)
def test_masks_of_peculiar_places_equal_brute_force(text: str) -> None:
    vocabulary = vocabularies.load("made")
    left, right = text.split("$0")
    recognizer = Language.load("python").recognizer(left, right)
    assert law.differences(recognizer, vocabulary) == []


@pytest.mark.parametrize("version", ["3.8", "3.9"])
@pytest.mark.parametrize(
    "text",
    ["if x:\n    y\n\\\n$0\n", "\\$0\n  a", "if x:\n  \\\n$0", "$0\n  if a:\n  b\nc"],
)
def test_masks_at_joined_lines_of_old_versions_equal_brute_force(version: str, text: str) -> None:
    """A backslash in front of a line's first symbol begins the line in 3.8, and begins no suite in 3.9."""
    vocabulary = vocabularies.load("made")
    left, right = text.split("$0")
    recognizer = Language.load("python", version).recognizer(left, right)
    assert law.differences(recognizer, vocabulary) == []


def test_halves_of_characters_are_masked_exactly() -> None:
    vocabulary = vocabularies.load("made")
    for half in ["é".encode()[:1], "—".encode()[:2], "数".encode()[:1]]:
        for left in ["x = '", "# ", "x = a", "x = f'"]:
            recognizer = Language.load("python").recognizer(left, "")
            if recognizer.advance(half):
                assert law.differences(recognizer, vocabulary) == [], (left, half)
