"""Holes in f-strings: cut anywhere, in long f-strings, and inside several of them."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

import pytest

from quotient import Language, NoCompletion
from tests.reference.fields import Fields
from tests.reference.oracles import oracle
from tests.reference.reference import Reference
from tests.reference.statements import names_a_character

FIELDS = " b {d}" * 1_000
MENDED = "rf'{a:\\x}'\n"
"""What the first releases of 3.13 refuse: those are no judges."""


def check(version: str, left: str, middle: str, right: str, is_member: bool = True) -> None:
    recognizer = Language.load("python", version).recognizer(left, right)
    assert recognizer.advance(middle)
    assert recognizer.is_member() == is_member


@pytest.mark.parametrize("version", ["3.8", "3.11", "3.12", "3.14"])
@pytest.mark.parametrize(
    ("left", "middle", "right"),
    [
        ("", " {c} ", ""),
        ("", " {c", "}"),
        ("", " {c:", "}"),
        ("", " {c!r", "}"),
        (" {[", "c", "]}"),
        ("", " {[c, ", "d]}"),
        ("", " {c:{d", "}}"),
        (" {'", "c", "'}"),
        ("", " {'c", "'}"),
    ],
)
def test_an_f_string_may_be_long(version: str, left: str, middle: str, right: str) -> None:
    check(version, f'x = f"""a{left}', middle, f'{right}{FIELDS}"""\n')
    check(version, f'x = f"""a{left}', middle, f'{right}{FIELDS}}}"""\n', is_member=False)


@pytest.mark.parametrize(
    "text",
    [
        "f'{f'{f'{a}'}'}'",
        "f'{a:{b:{c}}}'",
        "f'{a!r:{b!r}}'",
        "t'{rt'{f'{a}'}'}'",
        "f'{a:{b}{{c}'",
    ],
)
def test_nested_f_strings_may_be_cut_anywhere(text: str) -> None:
    version = "3.14" if "t'" in text else "3.12"
    wrong = []
    for start, stop in combinations_with_replacement(range(len(text) + 1), 2):
        recognizer = Language.load("python", version).recognizer(text[:start], text[stop:])
        if not (recognizer.advance(text[start:stop]) and recognizer.is_member()):
            wrong.append((text[:start], text[start:stop], text[stop:]))
    assert not wrong


@pytest.mark.parametrize("version", ["3.12", "3.14"])
def test_f_strings_nest_as_deep_as_in_cpython(version: str) -> None:
    check(version, "f'{" * 148, "f'{a}'", "}'" * 148)
    with pytest.raises(NoCompletion):
        Language.load("python", version).recognizer("f'{" * 150)


@pytest.mark.parametrize(("version", "n_inside"), [("3.11", 199), ("3.12", 99)])
def test_brackets_count_as_in_cpython(version: str, n_inside: int) -> None:
    recognizer = Language.load("python", version).recognizer("(" * 100 + "f'{", "}'" + ")" * 100)
    assert recognizer.fork().advance("(" * n_inside + "a" + ")" * n_inside)
    assert not recognizer.advance("(" * (n_inside + 1))


def member(language: Language, left: str, middle: str, right: str) -> bool:
    try:
        recognizer = language.recognizer(left, right)
    except NoCompletion:
        return False
    return recognizer.advance(middle) and recognizer.is_member()


def check_invented(version: str, tries: int, seed: int) -> None:
    """The engine, the reference and, if it is installed, CPython agree on texts and on holes in them."""
    fields = Fields(seed, ("f", "rf", "t", "Tr") if version == "3.14" else ("f", "f", "rf", "Fr"))
    language, reference, random = (
        Language.load("python", version),
        Reference.load(f"python-{version}"),
        Random(seed),
    )
    texts = [fields.statement() for _ in range(tries)]
    verdicts = {text: member(language, "", text, "") for text in texts}
    # The reference knows neither the names of characters nor 3.12's reading behind a line break in a
    # specification.
    known = [text for text in verdicts if not names_a_character(text)]
    if version.startswith("3.12"):
        known = [text for text in known if "\n" not in text[:-1]]
    assert not [text for text in known if reference.is_valid(text) != verdicts[text]]
    for text, verdict in verdicts.items():
        start, stop = sorted(random.choices(range(len(text) + 1), k=2))
        assert member(language, text[:start], text[start:stop], text[stop:]) == verdict, (text, start, stop)
    judge = oracle(version)
    if judge and judge.verdicts([MENDED]) == [reference.is_valid(MENDED)]:
        wrong = judge.disagreements(verdicts.items())
        # docs/python-versions.md lists what 3.12 accepts and the engine refuses.
        assert not [text for text in wrong if version != "3.12" or verdicts[text]]


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10", "3.11", "3.12", "3.12.10", "3.13", "3.14", "3.15"])
def test_invented_fields(version: str) -> None:
    check_invented(version, 60, 1)


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10", "3.11", "3.12", "3.12.10", "3.13", "3.14", "3.15"])
def test_many_invented_fields(version: str) -> None:
    check_invented(version, 5_000, 2)
