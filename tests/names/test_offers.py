"""The judges of offers: their findings in a file, and whether these are inside the offer."""

import pytest

from fim_lsp.replay.typing.undefined import FilledText
from tests.names.filling import sorted_out
from tests.names.undefined import judged


@pytest.mark.parametrize(
    ("name", "source", "inside", "elsewhere"),
    [
        ("a.py", "value = 1\n<print(value)>\n", set(), set()),
        ("a.py", "value = 1\n<print(wrong)>\n", {"wrong"}, set()),
        ("a.py", "<value = 1>\nprint(other)\n", set(), {"other"}),
        ("a.py", "<__all__ = ['nobody']>\n", {"nobody"}, set()),
        # The name may be one of the package's modules.
        ("__init__.py", "<__all__ = ['nobody']>\n", set(), set()),
        ("a.py", "def f():\n    <print(late)\n    late = 1>\n", {"late"}, set()),
        # One judge counts bytes, the other one characters.
        ("a.py", "print('größer 😀', <wrong>)\n", {"wrong"}, set()),
        ("a.py", "print('größer 😀', no, <12>)\n", set(), {"no"}),
    ],
)
def test_what_is_found_in_an_offer_is_told_from_the_rest(
    name: str, source: str, inside: set[str], elsewhere: set[str]
) -> None:
    left, rest = source.split("<")
    offer, right = rest.split(">")
    [found] = judged([FilledText(left + offer + right, len(left), len(left + offer))], name)
    against = sorted_out(found)
    assert {name for _, _, name in against["inside"]} == inside
    assert {name for _, _, name in against["elsewhere"]} == elsewhere
    # Both judges find it, except for exports, whose place pyflakes does not know.
    assert {judge for judge, _, _ in (*against["inside"], *against["elsewhere"])} in (
        set(),
        {"ruff", "pyflakes"},
    )


def test_what_does_not_parse_is_not_judged() -> None:
    [found] = judged([FilledText("print(wrong", 0, 5)], "a.py")
    assert not found.findings
