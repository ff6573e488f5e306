"""Keys and tables that are defined once: the law of TOML and JSON, on both sides of a hole."""

import json
import random
from collections.abc import Callable

import pytest

from quotient import Language, NoCompletion, Recognizer, Vocabulary
from tests.names.holes import refusal
from tests.thoroughness import n_tries

tomllib = pytest.importorskip("tomllib")

TOML = [
    "a = 1\nb.c = 2\nb.d.e = 3\n[f]\ng = [1, {h = 2, i.j = 3}]\n[f.k]\nl = 4\n",
    "[[a]]\nb = 1\n[a.c]\nd = 2\n[[a]]\n[a.c]\nd = 3\n[[a.e]]\n[[a.e]]\nf = 1\n",
    '"a b" = 1\n\'c\' = 2\n[x.y.z]\nd = """\n[x]\n"""\n[x]\ne = 1\n[x.y]\nf = [\n  [1],\n]\n',
    "[a.b]\nc = 1\n[a]\nb.d = 2\n",
    "a = {}\n[a.b]\n",
    "a = []\n[[a]]\n",
    "[a]\n[b]\n[a]\n",
    "a.b = 1\n[a]\n",
    "[a]\nb.c = 1\n[a.b.d]\n[a.b]\n",
    '[t]\n"x" = 1\nx = 2\n[u]\nx = 3\n',
]
JSON = [
    '{"a": 1, "b": {"a": 2, "c": [{"d": 3}, {"d": 4}]}, "e\\"": null}',
    '{"a": [1, "x"], "\\u0061": 2}',
    '[{"a": {"b": 1, "c": 2}, "b": 1}, {"a": "}", "d": {"b": 1, "b": 2}}]',
]


@pytest.mark.parametrize(
    ("language", "left", "text", "right", "is_refused"),
    [
        ("toml", "a = 1\n", "a ", "", True),
        ("toml", "a = 1\n", "a", "", False),
        ("toml", "a = 1\n", "'a'=", "", True),
        ("toml", "a = 1\n", "ab = 2\n[t]\na = 1\n", "", False),
        ("toml", "a.b = 1\n", "a.b.", "", True),
        ("toml", "a.b = 1\n", "a.b", "", False),
        ("toml", "a.b = 1\n", "a.b.c", "", True),
        ("toml", "[t]\n", "x = 1\n[t]", "", True),
        ("toml", "[[t]]\n", "x = 1\n[[t]]\nx = 1\n", "", False),
        ("toml", "[[t]]\n", "[t]", "", True),
        ("toml", "x = {a = 1, ", "a =", "}\n", True),
        # The right context has the key.
        ("toml", "", "[t]", "\nx = 1\n[t]\ny = 2\n", True),
        ("toml", "", "t = ", "1\n[t]\ny = 2\n", True),
        ("toml", "", "t.x = ", "1\n[t]\ny = 2\n", True),
        ("toml", "", "[t]", "\nx = '''\n[t]\n'''\n", False),
        ("toml", "[[t]]\n", "x.y = ", "1\n[t.x]\n", False),
        ("json", '{"a": 1, ', '"a"', "}", True),
        ("json", '{"a": 1, ', '"\\u0061"', "}", True),
        ("json", '{"a": 1, ', '"b": {"a"', "}}", False),
        ("json", '{"a": ["a", ', '"a"', "]}", False),
        ("json", "{", '"b"', ', "b": 2}', True),
        ("json", '{"x": [{', '"b"', ': 1, "c": 2}]}', False),
    ],
)
def test_what_is_there_is_not_defined_again(
    language: str, left: str, text: str, right: str, is_refused: bool
) -> None:
    grammar = Language.load(language)
    recognizer = grammar.recognizer(left, right, names=())
    assert recognizer.without_names().advance(text)
    assert recognizer.fork().advance(text) != is_refused
    if is_refused:
        found = recognizer.refusal(text)
        assert found is not None
        assert "is defined already" in found[2]


@pytest.mark.parametrize(
    ("language", "left", "text", "right", "is_member"),
    [
        ("toml", "[t]\n", "x = 1", "\nx = 2\n", False),
        ("toml", "[t]\n", "x = 1\n[u]", "\nx = 2\n", True),
        ("toml", "[t]\n", "y = 1", "\nx = 2\n", True),
        ("toml", "[t]\nx", "", " = 2\nx = 2\n", False),
        ("json", '{"o": {', '"a": 1', ', "a": 2}}', False),
        ("json", '{"o": {', '"a": 1}, "p": {"b": 2', ', "a": 2}}', True),
        ("json", '{"o": {', '"a', '": 2, "a": 1}}', False),
        # A fault of the contexts alone belongs to their author.
        ("toml", "[t]\n[t]\n", "x = 1", "\n[u]\n[u]\n", True),
        ("json", '{"a": 1, "a": 2, ', '"b": 3', ', "a": {"x": 1, "x": 2}}', True),
    ],
)
def test_where_a_text_may_end(language: str, left: str, text: str, right: str, is_member: bool) -> None:
    recognizer = Language.load(language).recognizer(left, right, names=())
    assert recognizer.advance(text)
    assert recognizer.without_names().is_member()
    assert recognizer.is_member() == is_member


def is_toml(text: str) -> bool:
    """Whether Python's own parser accepts a text."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def is_json(text: str) -> bool:
    """Whether Python's own parser accepts a text, in which no key occurs twice."""

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError(text)
        return dict(pairs)

    try:
        json.loads(text, object_pairs_hook=unique)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("language", "texts", "is_right"), [("toml", TOML, is_toml), ("json", JSON, is_json)]
)
def test_whole_texts_are_taken_as_by_their_parsers(
    language: str, texts: list[str], is_right: Callable[[str], bool]
) -> None:
    found = [is_right(text) for text in texts]
    assert set(found) == {True, False}
    assert [taken(Language.load(language).recognizer(names=()), text) for text in texts] == found


def taken(recognizer: Recognizer, text: str) -> bool:
    """Whether a text is a whole one."""
    return recognizer.advance(text) and recognizer.is_member()


@pytest.mark.parametrize(
    ("language", "texts", "is_right"), [("toml", TOML, is_toml), ("json", JSON, is_json)]
)
def test_no_hole_refuses_what_its_parser_takes(
    language: str, texts: list[str], is_right: Callable[[str], bool]
) -> None:
    grammar, chance = Language.load(language), random.Random(7)
    n_wrong = 0
    n_holes = n_tries(200, 600)
    for _ in range(n_holes):
        text = chance.choice(texts)
        start, stop = sorted(chance.choices(range(len(text) + 1), k=2))
        try:
            recognizer = grammar.recognizer(text[:start], text[stop:], names=())
        except NoCompletion:
            continue
        is_taken = taken(recognizer, text[start:stop])
        assert is_taken or not is_right(text), (text[:start], text[start:stop], text[stop:])
        # A fault that the text causes is refused.
        if is_taken and not is_right(text):
            assert not (is_right(text[:start] + text[stop:]) and start + stop == len(text))
        n_wrong += not is_taken
    assert n_wrong > n_holes // 30


def test_masks_are_what_would_be_read() -> None:
    tokens = [
        "a",
        "b",
        "ab",
        " =",
        "=",
        "= 1",
        " ",
        ".",
        "]",
        "]\n",
        "\n",
        "\na = 1",
        "[",
        "[t]",
        '"a"',
        "'",
        '"',
        ",",
        "{",
        "{a=1,a=",
        "#",
        "}",
        ": 1",
        "<end>",
    ]
    vocabulary = Vocabulary([token.encode() for token in tokens], eos=[len(tokens) - 1])
    chance = random.Random(11)
    n_refused = 0
    for language, text in [*(("toml", text) for text in TOML), *(("json", text) for text in JSON)]:
        for _ in range(25):
            start, stop = sorted(chance.choices(range(len(text) + 1), k=2))
            try:
                recognizer = Language.load(language).recognizer(text[:start], text[stop:], names=())
            except NoCompletion:
                continue
            if not recognizer.advance(text[start : chance.randint(start, stop)]):
                continue
            mask, plain = recognizer.mask(vocabulary), recognizer.without_names().mask(vocabulary)
            for index, token in enumerate(tokens):
                is_end = index == len(tokens) - 1
                allowed = recognizer.is_member() if is_end else recognizer.fork().advance(token)
                assert bool(mask[index // 32] >> index % 32 & 1) == allowed, (text, start, stop, token)
                n_refused += bool(plain[index // 32] >> index % 32 & 1) and not allowed
    assert n_refused > 50


@pytest.mark.parametrize(
    ("language", "left", "right"),
    [
        ("toml", "a = 1\n", "a = 2\n"),
        ("toml", "a = 1\n", " = 2\n"),
        ("toml", "a = 1\n[t]\na", " = 2\na = 3\n"),
        ("json", '{"a": 1, ', "}"),
        ("json", '{"a": 1, "a', "}"),
        ("json", '{"a": 1, "', '": 2}'),
    ],
)
def test_a_witness_defines_nothing_again(language: str, left: str, right: str) -> None:
    recognizer = Language.load(language).recognizer(left, right, names=())
    witness = recognizer.witness()
    assert witness is not None
    assert taken(recognizer, witness)


def test_nothing_is_said_of_other_languages() -> None:
    assert refusal("x = $0\n", "y") is not None
    assert not Language.load("go").recognizer(names=()).has_law
