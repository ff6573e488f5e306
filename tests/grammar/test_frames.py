"""Strings with fields in them: a grammar's declarations, their errors, and the masks of invented languages
(quotient/tests/grammars). `quotient/tests/frames.rs` tries all their short holes."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from quotient import Language, NoCompletion, Vocabulary
from quotient.compiler.description import as_json
from quotient.compiler.faults import GrammarError
from quotient.compiler.frames import Frames, FramesError
from quotient.compiler.reader import description
from tests.masks import law
from tests.reference.completions import short_texts

GRAMMARS = Path(__file__).parents[2] / "quotient" / "tests" / "grammars"
ALPHABETS = {"free": '$"{}:a', "lined": '$"{}a\n', "bounded": "@'|#{}^a"}
# Left and right contexts inside strings and their fields, and around them.
CONTEXTS = {
    "free": (("", '$"', '$"{', '$"{a:', '$"{$"', "{"), ("", '"', '}"', '{a}"', ':a}"', '"}"', "}")),
    "lined": (("", '$"', '$"{', '$"{\n', "a\n"), ("", '"\n', '}"\n', '\n}"', "\na\n")),
    "bounded": (
        ("", "@'", "@'#{", "@|#{@'", "%'", "@'^"),
        ("", "'", "}'", "#{a}'", "'}|", "|}'", "^''"),
    ),
}


def grammar(name: str) -> str:
    text = (GRAMMARS / "strings.lark").read_text(encoding="utf-8")
    return as_json(description(text, name=name))


@pytest.mark.parametrize("name", ALPHABETS)
def test_the_compiled_file_is_up_to_date(name: str) -> None:
    assert grammar(name) == (GRAMMARS / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ALPHABETS)
def test_masks_equal_brute_force(name: str) -> None:
    language = Language(grammar(name))
    texts = [text for text in short_texts(ALPHABETS[name], 3) if text]
    vocabulary = Vocabulary([text.encode() for text in texts])
    n_masks = 0
    for left, right in product(*CONTEXTS[name]):
        try:
            recognizer = language.recognizer(left, right)
        except NoCompletion:
            continue
        for typed in ("", "a", *(text for text in texts if len(text) == 2)):
            fork = recognizer.fork()
            if fork.advance(typed):
                assert law.differences(fork, vocabulary) == [], (left, typed, right)
                n_masks += 1
    assert n_masks > 50


@pytest.mark.parametrize("name", ALPHABETS)
def test_a_witness_fits_wherever_a_string_is_cut(name: str) -> None:
    language = Language(grammar(name))
    text = {"free": '$"a{$"{{{a:{a}}"}}}"', "lined": '$"a{$"{a}"\n}"\na', "bounded": "@|^'#{@'#{a}%'}|"}[name]
    text = text.replace("%'", "'")
    for start, stop in product(range(len(text) + 1), repeat=2):
        if start <= stop:
            recognizer = language.recognizer(text[:start], text[stop:])
            whole = text[:start] + recognizer.witness() + text[stop:]
            assert language.recognizer(whole).is_member(), (text[:start], text[stop:])
            assert recognizer.advance(text[start:stop])
            assert recognizer.is_member()


PLAIN = r"""%declare BEGIN TEXT END OPEN CLOSE
start: BEGIN (TEXT | OPEN NAME CLOSE)* END
NAME: /a+/
// @frames quotes "'"
// @frames begin BEGIN "$"
// @frames text TEXT
// @frames end END
// @frames open OPEN "{"
// @frames close CLOSE "}"
"""


def test_what_is_said_once_is_enough() -> None:
    recognizer = Language(as_json(description(PLAIN))).recognizer("$'a{", "}'")
    assert recognizer.witness() == "a"
    assert not recognizer.advance("'")


def test_descriptions_without_frames_have_none() -> None:
    old = json.loads(as_json(description('start: "a"')))
    assert "frames" not in old
    assert Language(json.dumps(old)).recognizer("a").is_member()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("begin BEGIN", "begin BEGUN", "5: `@frames` names BEGUN, which is not declared"),
        ('"$"', "_NOWHERE", "5: `@frames` names the unknown terminal _NOWHERE"),
        (
            '"$"',
            "_EMPTY\n_EMPTY: /a*/",
            "6:1: terminal _EMPTY uses an expression that matches the empty text",
        ),
        ('// @frames close CLOSE "}"\n', "", "4: strings with fields need `@frames close`"),
        ("// @frames text TEXT\n", "", "4: strings with fields need `@frames text`"),
        ("frames text", "frames raw text", "5: `@frames begin` needs `@frames text`"),
        ('"\'"', '"1" "2" "3" "4" "5"', "4: `@frames quotes` wants 1 to 4 names or texts, and has 5"),
        ('"\'"', '"1"', '4: quotes are one sign or the same three times, not "1"'),
        ('"\'"', "\"''\"", "4: quotes are one sign or the same three times, not \"''\""),
        ('"\'"', '"\'" "\'"', "4: the same quotes stand twice"),
        (
            '"{"',
            '"#{"\n// @frames doubled',
            "9: `@frames doubled` wants fields that one character opens",
        ),
        ('"\'"', "'", "4: `@frames quotes '` is no list of names and texts"),
        ('"\'"', "QUOTE", "4: `@frames quotes` wants a text, not `QUOTE`"),
        ("end END", "ending END", "7: `@frames` knows no `ending`"),
        ("end END", "raw end END", "7: `@frames` knows no `raw end`"),
        ('"}"', '"}}"', "9: fields are closed by one ASCII character"),
        ('"}"', '"}"\n// @frames end END', "10: `@frames end` stands twice"),
        ('"}"', '"}"\n// @frames lines "|"', '10: `@frames lines` names "|", which is no quotes'),
        ('"}"', '"}"\n// @frames fields open', "10: `@frames fields` wants `bounded` or `free`"),
        (
            '"}"',
            '"}"\n// @frames brackets "("',
            "10: `@frames brackets` wants 2 to 98 names or texts, and has 1",
        ),
        (
            '"}"',
            '"}"\n// @frames escape "ab"',
            "10: `@frames escape` wants one sign as a text, and perhaps `alone`",
        ),
    ],
)
def test_faults_are_told_with_their_lines(old: str, new: str, fault: str) -> None:
    assert old in PLAIN
    with pytest.raises(GrammarError) as error:
        description(PLAIN.replace(old, new, 1))
    assert f"grammar:{fault}" in str(error.value).split("\n")


def test_what_only_free_fields_have() -> None:
    frames = Frames()
    for number, line in enumerate(["fields bounded", 'later "{{"', "break BREAK LINE_BREAK"]):
        frames.follow(line, number)
    wanted = [message for message, _ in frames.faults() if "fields free" in message]
    assert wanted == [
        "`@frames later` wants `@frames fields free`",
        "`@frames break` wants `@frames fields free`",
    ]
    with pytest.raises(FramesError, match="knows no `specification`"):
        frames.follow("specification TEXT _ESCAPE", 3)


def test_the_engine_refuses_what_it_cannot_do() -> None:
    compiled = json.loads(as_json(description(PLAIN)))
    compiled["frames"]["quotes"] *= 5
    with pytest.raises(ValueError, match="up to 4 ways to quote, not 5"):
        Language(json.dumps(compiled))
    compiled = json.loads(as_json(description(PLAIN + "// @contextual NAME\n")))
    with pytest.raises(ValueError, match="do not go together"):
        Language(json.dumps(compiled))
