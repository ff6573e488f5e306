"""A witness is a shortest text: holes whose witness was once longer, in every version."""

import pytest

from quotient import Language
from tests.laws.shortness import joins_white_space
from tests.reference.version_table import VERSIONS

HOLES = [
    ("x = ", "a)\n", 1),
    ("return.", ".\n", 1),
    ("try: x\nfi", "lly: x\n", 2),
    ("from a i", "port b\n", 1),
    # An existing space need not be written again; `0in` is two symbols, although not two words.
    ("not ", "in b\n", 1),
    # Words need a space between them where punctuation does not.
    ("for ", ":pass\n", 6),
    ("import", " a\n", 0),
    # White space counts: the `except` must have the column of its `try`.
    ("if a:\n    try:\n        b", "\n", 13),
    ("if a:\n    try:\n        b\n    ", "\n", 8),
    # The right context's line end, comment or first line does the rest.
    ("if a:\n  for b in c:\n    while d: e\n    else: f\n  e", "\n    g\n", 2),
    ("x = '\\N{", "M DASH}'\n", 1),
    # Two of three quotes exist already: `f"""{`.
    ('a - b\nf""', '\na}"""\n', 2),
]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(("left", "right", "length"), HOLES)
def test_the_witness_is_as_long_as_it_must_be(version: str, left: str, right: str, length: int) -> None:
    language = Language.load("python", version)
    witness = language.recognizer(left, right).witness()
    assert len(witness) == length, witness
    assert language.recognizer(left + witness + right, "").is_member()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_suite_that_a_string_stands_in_is_begun_at_its_column(version: str) -> None:
    right = 'text\n    """\n\n    def f(self):\n        pass\n'
    witness = Language.load("python", version).recognizer("", right).witness()
    assert witness in ('if a:\n    """', 'if"":\n    """')


def test_eight_spaces_are_not_saved_by_a_tab_and_a_joined_line() -> None:
    left = "class A:\n    def f():\n        try:\n            b"
    assert Language.load("python").recognizer(left, "\n").witness() == "\n        except:a"


@pytest.mark.parametrize(
    ("left", "text", "expected"),
    [
        ("", "\t\\\nx", True),
        ("if a:\n ", " \\\n", True),
        ("x ", "\\\n", False),
        ("x", "\n\\\n", True),
        ("", "\\", False),
        ("", "\t\\", True),
    ],
)
def test_the_law_knows_joined_white_space(left: str, text: str, expected: bool) -> None:
    assert joins_white_space(left, text) == expected
