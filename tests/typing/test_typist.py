"""The typist's five rules, on a page with scripted offers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from fim_lsp.replay.typing.typist import Typed, is_taken, n_agreeing, type_region, words_agreeing


@dataclass
class Scripted:
    """A page that shows an offer at some places, and its rest while it is typed."""

    offers: dict[int, str]
    text: str = ""
    writes: list[str] = field(default_factory=list)

    async def offer(self) -> str:
        for place in sorted(self.offers, reverse=True):
            since = self.text[place:]
            if place <= len(self.text) and self.offers[place].startswith(since):
                return self.offers[place][len(since) :]
        return ""

    def write(self, text: str) -> None:
        self.text += text
        self.writes.append(text)


def check(region: str, offers: dict[int, str], keys: int, shown: list[tuple[int, int, bool]]) -> Typed:
    """`shown`: for each offer its place, the accepted part, and whether all of it was accepted."""
    page = Scripted(offers)
    done = asyncio.run(type_region(region, page))
    assert page.text == region
    assert len(page.writes) == done.n_keys == keys
    assert [(one.place, one.n_accepted, one.is_whole) for one in done.shown] == shown
    return done


def test_what_is_not_offered_is_typed() -> None:
    check("x = 1", {}, keys=5, shown=[])


def test_a_whole_offer_takes_one_key() -> None:
    check("total = 1", {0: "total = 1"}, keys=1, shown=[(0, 9, True)])


def test_a_whole_offer_may_be_the_beginning_of_what_comes() -> None:
    check("total = 1", {0: "total"}, keys=5, shown=[(0, 5, True)])


def test_a_whole_offer_that_saves_one_key_is_not_worth_accepting() -> None:
    check("ab", {0: "ab"}, keys=2, shown=[(0, 0, False)])


def test_blanks_at_line_ends_do_not_count() -> None:
    check("a = (\n    1)", {0: "a = (  \n    1)"}, keys=1, shown=[(0, 12, True)])
    check("a = (  \n    1)", {0: "a = (\n    1)  "}, keys=1, shown=[(0, 14, True)])


def test_the_first_words_are_accepted_one_by_one() -> None:
    # `total`, ` =`, ` sum`: three keys for eleven characters; then a key contradicts the offer.
    check("total = sum(x)", {0: "total = sum[y]"}, keys=3 + 3, shown=[(0, 11, False)])


def test_words_that_save_two_keys_are_not_worth_accepting() -> None:
    check("abc.d", {0: "abc.e"}, keys=5, shown=[(0, 0, False)])


def test_half_a_word_of_the_text_is_no_word() -> None:
    assert words_agreeing("total(x)", "totals(x)") == []
    assert words_agreeing("a.total(x)", "a.totals(x)") == ["a", "."]


def test_an_offer_that_is_typed_through_stays_the_same() -> None:
    # It saves too little until its end, and still counts as one shown offer.
    check("xy(", {0: "xy("}, keys=1, shown=[(0, 3, True)])
    check("ab:c", {0: "ab:d"}, keys=4, shown=[(0, 0, False)])


def test_a_key_that_contradicts_ends_an_offer_and_asks_again() -> None:
    check("value = 1", {0: "return 0", 1: "alue = 1"}, keys=2, shown=[(0, 0, False), (1, 8, True)])


def test_an_oracle_sees_what_will_be_accepted_alone() -> None:
    page = Scripted({0: "return 0", 1: "alue = 1"})
    done = asyncio.run(type_region("value = 1", page, is_oracle=True))
    assert (done.n_keys, len(done.shown)) == (2, 1)
    assert is_taken("xy(a)", "xy(b)") is False
    assert is_taken("total(a)", "total(b)") is True


def test_an_offer_that_goes_too_far_is_not_accepted_whole() -> None:
    check("f(x)", {0: "f(x)\ng(x)"}, keys=4, shown=[(0, 0, False)])
    assert n_agreeing("f(x)\ng(x)", "f(x)") is None
