"""The judge of offers: its trees, the cut of an offer, what is not shown, and whose answers count."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.texts.marks import Mark
from fim_lsp.known_languages import JAVASCRIPT, PYTHON, KnownLanguage
from fim_lsp.replay.typing.page import Page, open_page, service_with, settle_page
from fim_lsp.server.commands import explain, forget_acceptance
from fim_lsp.server.session import EditorRequest, InsertionSite, RequestOutcome
from fim_lsp.server.settings import EAGERNESS
from fim_lsp.server.worker.attempt import Attempt, CandidateText, Proposals
from fim_lsp.worth.acceptance import BARS, MOST, AcceptanceHistory
from fim_lsp.worth.bars import bar_for
from fim_lsp.worth.cuts import cuts
from fim_lsp.worth.features import JudgedPlace, features
from fim_lsp.worth.judge import Judged, OfferJudge, judge_of, reasons
from fim_lsp.worth.odds import probability
from fim_lsp.worth.trees import Trees

URI = "file:///project/shop.py"
# Two features, two trees: the first tree uses both, the second one only one of them.
KEPT = {
    "names": ["length", "kind"],
    "base": 0.5,
    "trees": [
        {
            "feature": [0, -1, 1, -1, -1],
            "threshold": [3.0, 0.0, 0.5, 0.0, 0.0],
            "left": [1, 0, 3, 0, 0],
            "right": [2, 0, 4, 0, 0],
            "value": [0.1, -1.0, 0.4, 0.2, 2.0],
        },
        {
            "feature": [1, -1, -1],
            "threshold": [0.5, 0.0, 0.0],
            "left": [1, 0, 0],
            "right": [2, 0, 0],
            "value": [0.0, -0.25, 0.25],
        },
    ],
}


def evidence(text: str, logprob: float, recalled: float = 0.0) -> Completion:
    """A completion with one byte per token, all of the given probability."""
    marks = tuple(
        Mark(n_bytes, logprob, logprob, 0.0, recalled, 8 if recalled else 0, 3 if recalled else 0)
        for n_bytes in range(1, len(text.encode()) + 1)
    )
    return Completion(text, "eos", len(marks), 0, logprob, 0.1, marks)


def test_most_log_odds_bound_what_is_not_known() -> None:
    trees = Trees.of(KEPT)
    random = Random(0)
    for _ in range(100):
        known = {"length": random.choice((1.0, 3.0, 5.0)), "kind": random.choice((0.0, 1.0))}
        (all_known,) = trees.log_odds([known])
        assert trees.most_log_odds(known) == pytest.approx(all_known)
        assert trees.most_log_odds({"length": known["length"]}) >= all_known
        assert trees.most_log_odds({"kind": known["kind"]}) >= all_known
    assert trees.most_log_odds({"kind": 0.0}) == pytest.approx(0.5 + 0.2 - 0.25)


def whole(text: str, site: JudgedPlace, logprob: float, recalled: float = 0.0) -> Judged:
    return Judged(text, True, features(text, evidence(text, logprob, recalled), site, is_whole=True))


def test_trees_add_up() -> None:
    trees = Trees.of(KEPT)
    rows = [{"length": 3.0, "kind": 1.0}, {"length": 4.0, "kind": 0.0}, {"length": 4.0, "kind": 1.0}]
    assert trees.log_odds(rows) == pytest.approx([0.5 - 1.0 + 0.25, 0.5 + 0.2 - 0.25, 0.5 + 2.0 + 0.25])
    assert trees.log_odds([]) == []


def test_all_trees_at_once_say_what_their_paths_say() -> None:
    trees, random = judge_of("bundled").useful, Random(0)
    values = sorted({value for tree in trees.trees for value in tree.threshold})
    rows = [{name: random.choice(values) for name in trees.names} for _ in range(50)]
    expected = []
    for row in rows:
        numbers = [row[name] for name in trees.names]
        expected.append(trees.base + sum(tree.value[tree.path(numbers)[-1]] for tree in trees.trees))
    assert trees.log_odds(rows) == pytest.approx(expected)


def test_contributions_explain_all_that_moved() -> None:
    trees = Trees.of(KEPT)
    numbers = {"length": 4.0, "kind": 1.0}
    moved = trees.contributions(numbers)
    assert moved == pytest.approx({"kind": 1.6 + 0.25, "length": 0.3})
    assert [*moved] == ["kind", "length"]
    assert sum(moved.values()) + 0.5 + 0.1 + 0.0 == pytest.approx(trees.log_odds([numbers])[0])


@pytest.mark.parametrize("name", ["bundled", "any"])
def test_the_judges_that_are_shipped_tell_good_from_bad(name: str) -> None:
    judge = judge_of(name)
    site = JudgedPlace("class Shop:\n    def area(self, width):\n        return ", "\n", 0)
    said = replace(site, left="total = compute_total(width)\n" + site.left)
    good, bad = judge.judged_cuts(
        [whole("compute_total(width)", said, -0.02, 1.0), whole("frobnicate(quux)", site, -2.5)]
    )
    assert good.useful > BARS["balanced"] > BARS["eager"] > bad.useful
    assert good.whole > bad.whole


def test_a_reason_is_given_in_words() -> None:
    judge = judge_of("bundled")
    (found,) = judge.judged_cuts([whole("frobnicate(quux)", JudgedPlace("x = ", "\n", 0), -2.5)])
    lines = reasons(judge, found, BARS["balanced"])
    assert lines[0].startswith("not shown: ")
    assert len(lines) > 1
    assert all(" it (" in line for line in lines[1:])


def test_an_offer_is_cut_where_a_word_ends_and_it_fits() -> None:
    offer = "total(value, other)"
    found = list(
        cuts(offer, evidence(offer, -1.0), JudgedPlace("x = ", "\n", 0), lambda text: text != "total(value,")
    )
    assert [cut.text for cut in found] == [offer, "total(value, other", "total(value", "total("]
    assert [cut.is_whole for cut in found] == [True, False, False, False]
    restyled = list(
        cuts("\ttotal", evidence("    total", -1.0), JudgedPlace("x = ", "\n", 0), lambda _: True)
    )
    assert [cut.text for cut in restyled] == ["\ttotal"]


@pytest.mark.parametrize(
    ("offer", "expected"),
    [
        ("json.load(file)", ["json.load(file)"]),
        ("Decimal(text) + 1", ["Decimal(text) + 1", "Decimal(text) +", "Decimal(text)"]),
        ("total + json.load(file)", ["total + json.load(file)", "total +", "total"]),
        ("self.orders[0]", ["self.orders[0]", "self.orders", "self"]),
        # An opening bracket with a blank in front is not a call.
        ("total in (a, b)", ["total in (a, b)", "total in", "total"]),
    ],
)
def test_no_offer_is_cut_in_front_of_its_call(offer: str, expected: list[str]) -> None:
    def fits(text: str) -> bool:
        return text.count("(") == text.count(")") and text.count("[") == text.count("]") and text[-1] != "."

    found = cuts(offer, evidence(offer, -1.0), JudgedPlace("x = ", "\n", 0), fits)
    assert [cut.text for cut in found] == expected


class Told:
    """A completer that writes one text with a given certainty, and an error somewhere on request."""

    name = "bundled"
    note = ""

    def __init__(self, text: str, logprob: float, wrong_from: int | None = None) -> None:
        self.candidate = CandidateText(text, 0.5, replace(evidence(text, logprob), wrong_from=wrong_from))

    def for_language(self, known_language: KnownLanguage) -> Told:  # noqa: ARG002
        return self

    def propose_texts(self, attempt: Attempt) -> Proposals:  # noqa: ARG002 - as it is asked
        return Proposals((self.candidate,))

    quick: None = None
    seconds: None = None

    def has_written(self, uri: str, left: str, right: str) -> bool:  # noqa: ARG002
        return False

    def is_writing(self, uri: str, left: str, right: str) -> bool:  # noqa: ARG002
        return False

    def rests_at(self, uri: str, left: str, right: str) -> None:
        """Reads nothing."""

    def read_ahead(self, is_given_up: Callable[[], bool], is_place_alone: bool = False) -> bool:  # noqa: ARG002
        return False

    def trace_attempt(self, attempt: Attempt) -> None:
        """Explains nothing."""

    def forget(self, uri: str | None) -> None:
        """Keeps nothing."""


SHOP = "def f(width):\n    result = $0\n"


async def page_of(told: Told, settings: dict[str, object], text: str = SHOP) -> Page:
    # Its names need not exist.
    service = service_with(told, {"names": False} | settings)
    page = open_page(service, URI, text.replace("$0", ""), text.index("$0"))
    await settle_page(page)
    return page


async def asked(told: Told, is_invoked: bool, text: str = SHOP, **settings: object) -> RequestOutcome:
    page = await page_of(told, settings, text)
    at = InsertionSite(page.place, page.place, "")
    request = EditorRequest(page.session.document.snapshot, at, is_invoked)
    return await asyncio.ensure_future(page.service.complete(request))


def test_inside_quotes_an_offer_must_be_right_as_a_whole() -> None:
    """Its first words alone are hardly ever what the user would write there."""
    useful, whole_ = ({"names": ["in quotes"], "base": odds, "trees": []} for odds in (1.0, -2.0))
    judge = OfferJudge("toy", Trees.of(useful), Trees.of(whole_))
    texts = [Judged("not found", True, {"words": 2.0, "in quotes": quoted}) for quoted in (1.0, 0.0)]
    in_quotes, elsewhere = judge.judged_cuts(texts, JAVASCRIPT)
    assert in_quotes.whole == elsewhere.whole == pytest.approx(0.119, abs=0.001)
    assert in_quotes.useful == pytest.approx(2.5 * in_quotes.whole)
    assert elsewhere.useful == pytest.approx(0.731, abs=0.001)
    assert [cut.useful for cut in judge.judged_cuts(texts, PYTHON)] == [elsewhere.useful] * 2


@pytest.mark.parametrize(
    ("model", "language", "text", "expected"),
    [
        # Of another model, a text that saves little has to be surer than one that saves much.
        ("some.gguf", JAVASCRIPT, "his", 0.6),
        ("some.gguf", JAVASCRIPT, "x" * 11, 0.5),
        ("some.gguf", JAVASCRIPT, "x" * 99, 0.4),
        ("some.gguf", PYTHON, "his", 0.4),
        ("bundled", PYTHON, "his", 0.4),
        ("bundled", JAVASCRIPT, "x" * 99, 0.6),
    ],
)
def test_the_bar_of_a_model_outside_the_box_depends_on_the_keys_that_a_text_saves(
    model: str, language: KnownLanguage, text: str, expected: float
) -> None:
    sure = 0.0 if text == "his" else 0.5
    cut = Judged(text, True, {"words": 1.0}, sure, sure)
    assert bar_for(model, language, 0.4, cut) == pytest.approx(expected)
    assert bar_for(model, language, 0.0, cut) == 0.0


def test_what_is_unsure_is_not_offered_but_where_it_is_asked_for() -> None:
    told = Told("frobnicate(quux)", -3.0)
    outcome = asyncio.run(asked(told, is_invoked=False))
    assert (outcome.suggestions, outcome.reason) == ((), "unsure")
    for eagerness in EAGERNESS:
        outcome = asyncio.run(asked(told, is_invoked=True, eagerness=eagerness))
        assert [one.text for one in outcome.suggestions] == ["frobnicate(quux)"]


@pytest.mark.parametrize(
    ("text", "wrong_from", "shown", "to_who_asks"),
    [
        ("width.bit_length()", None, "width.bit_length()", "width.bit_length()"),
        ("width\n    result.push(width)", 17, "width", "width"),
        ("width + width.size", 14, "width + width", "width + width.size"),
        ("wrong + width", 0, None, "wrong + width"),
    ],
)
def test_an_offer_ends_in_front_of_what_a_checker_is_against(
    text: str, wrong_from: int | None, shown: str | None, to_who_asks: str
) -> None:
    told = Told(text, -0.001, wrong_from)
    # The judge may find shorter ones worth more, but none contains the error.
    found = asyncio.run(asked(told, is_invoked=False, eagerness="eager"))
    assert [one.text for one in found.suggestions] == ([] if shown is None else [shown])
    assert found.reason == (None if shown is not None else "unsure")
    found = asyncio.run(asked(told, is_invoked=True))
    assert [one.text for one in found.suggestions] == [to_who_asks]


@pytest.mark.parametrize(
    ("text", "is_docstring"),
    [
        ('"""$0"""\n', True),
        ("'wid$0'\n", True),
        ('def f(width):\n    # first\n    """The\n\n    >>> $0\n    """\n    return width\n', True),
        ('class A:\n    r"""$0"""\n', True),
        ('def f(width):\n    return """$0"""\n', False),
        ('def f(width):\n    f(width)\n    """$0"""\n', False),
        ('print("$0")\n', False),
        ('"""The module."""\nresult = $0\n', False),
        ('"""The module."""\nresult = $0 (\n', False),
    ],
)
def test_nothing_is_offered_in_a_docstring_but_where_it_is_asked_for(text: str, is_docstring: bool) -> None:
    told = Told("width", -0.001)
    assert (asyncio.run(asked(told, is_invoked=False, text=text)).reason == "comment") == is_docstring
    assert asyncio.run(asked(told, is_invoked=True, text=text)).reason != "comment"
    assert asyncio.run(asked(told, is_invoked=False, text=text, inComments=True)).reason != "comment"


def test_why_something_is_not_shown_can_be_asked() -> None:
    async def explained() -> dict[str, object]:
        page = await page_of(Told("frobnicate(quux)", -3.0), {})
        await page.offer()
        snapshot = page.session.document.snapshot
        position = snapshot.range(page.place, page.place).start
        return await explain(page.service, URI, position)

    found = asyncio.run(explained())
    assert isinstance(found["reasons"], list)
    assert found["reasons"][0].startswith("not shown: ")


def test_what_was_accepted_moves_the_bar_a_little_and_can_be_forgotten() -> None:
    acceptance = AcceptanceHistory()
    assert acceptance.adjusted_bar(0.5) == pytest.approx(0.5)
    for _ in range(60):
        acceptance.note(is_accepted=False)
    assert 0.5 < acceptance.adjusted_bar(0.5) <= probability(MOST) + 1e-9
    for _ in range(400):
        acceptance.note(is_accepted=True)
    assert probability(-MOST) - 1e-9 <= acceptance.adjusted_bar(0.5) < 0.5
    assert (acceptance.adjusted_bar(0.0), acceptance.adjusted_bar(1.0)) == (0.0, 1.0)


def test_each_workspace_has_a_history_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    service = service_with(Told("width", -0.001), {})
    folders = ["file:///projects/shop", "file:///projects/shop/inner/"]
    monkeypatch.setattr(type(service.documents), "folder_uris", lambda _: folders)
    acceptance = service.acceptance_of("file:///projects/shop/a.py")
    acceptance.note(is_accepted=False)
    assert service.acceptance_of("file:///projects/shop/deep/b.py") is acceptance
    others = [
        service.acceptance_of(uri)
        for uri in (
            "file:///projects/shop/inner/a.py",
            "file:///projects/shopping/a.py",
            "file:///elsewhere/a.py",
        )
    ]
    assert all(other is not acceptance and other.n_shown == 0 for other in others)
    assert others[0] is not others[1]
    assert service.forget_acceptance() == 1
    assert service.acceptance_of("file:///projects/shop/a.py").n_shown == 0


def test_what_is_accepted_and_refused_is_noted_once() -> None:
    async def typed() -> None:
        page = await page_of(Told("width", -0.001), {})
        page.session.settings = replace(page.session.settings)
        acceptance = page.session.acceptance
        at = InsertionSite(page.place, page.place, "")
        request = EditorRequest(page.session.document.snapshot, at, is_invoked=True)
        await asyncio.ensure_future(page.service.complete(request))
        page.write("w")
        assert (acceptance.n_shown, acceptance.n_accepted) == (0, 0), "typed through, it stays"
        page.write("idth")
        assert (round(acceptance.n_shown), round(acceptance.n_accepted)) == (1, 1)
        page.write("x")
        assert round(acceptance.n_shown) == 1
        at = InsertionSite(page.place, page.place, "")
        request = EditorRequest(page.session.document.snapshot, at, is_invoked=True)
        await asyncio.ensure_future(page.service.complete(request))
        page.write("?")
        assert (round(acceptance.n_shown), round(acceptance.n_accepted)) == (2, 1)
        assert forget_acceptance(page.service) == {"forgotten": 2}
        assert page.session.acceptance.n_shown == 0

    asyncio.run(typed())
