"""The judges of offers: what they find in a file, and whether that stands in the offer."""

import pytest

from fim_lsp.replay.typing.undefined import Filled
from tests.names.filling import sorted_out
from tests.names.undefined import judged


@pytest.mark.parametrize(
    ("source", "inside", "elsewhere"),
    [
        ("value = 1\n<print(value)>\n", set(), set()),
        ("value = 1\n<print(wrong)>\n", {"wrong"}, set()),
        ("<value = 1>\nprint(other)\n", set(), {"other"}),
        ("<__all__ = ['nobody']>\n", {"nobody"}, set()),
        ("def f():\n    <print(late)\n    late = 1>\n", {"late"}, set()),
    ],
)
def test_what_is_found_in_an_offer_is_told_from_the_rest(
    source: str, inside: set[str], elsewhere: set[str]
) -> None:
    left, rest = source.split("<")
    offer, right = rest.split(">")
    [found] = judged([Filled(left + offer + right, len(left), len(left + offer))])
    against = sorted_out(found)
    assert {name for _, _, name in against["inside"]} == inside
    assert {name for _, _, name in against["elsewhere"]} == elsewhere
    # Both judges say it, but for exports, whose place pyflakes does not know.
    assert {judge for judge, _, _ in (*against["inside"], *against["elsewhere"])} in (
        set(),
        {"ruff", "pyflakes"},
    )


def test_what_does_not_parse_is_judged_by_nobody() -> None:
    [found] = judged([Filled("print(wrong", 0, 5)])
    assert not found.findings
