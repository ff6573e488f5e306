"""The worker is a line: few functions handle a request between its message and its answer, and each file is
finished when the next one begins."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import FrameType

import pytest

import fim_lsp
from fim_lsp.decoding.models.model import load_model
from fim_lsp.document.sent import SentText
from fim_lsp.server.worker.attempt import Attempt, Proposals
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.ladder import Footing
from fim_lsp.server.worker.messages import Answer, Complete, FromWorker
from fim_lsp.server.worker.offer import Offer
from fim_lsp.server.worker.site import Site
from fim_lsp.server.worker.with_model import WithModel
from tests.footings import WISHES
from tests.server_editor import VERSION

# The values that a request becomes on its way.
VALUES = (Complete, Site, Footing, Attempt, Proposals, Offer)
MOST_STAYS, MOST_RETURNS = 20, 5
PACKAGE = f"{Path(fim_lsp.__file__).parent}{os.sep}"
OPEN = "import os\n\ndef f(a):\n    return g(a, [1$0\n\nx = 1\n"
BROKEN = f"x = foo(1, {{\ny = 2\n\n{OPEN}"
LOOP = (
    "def total(prices):\n    result = 0\n    for price in prices:\n        result += $0\n    return result\n"
)


@dataclass(frozen=True, slots=True)
class Walk:
    """The functions that handled a request, in the order of their first call: file, name and line."""

    stays: tuple[tuple[str, str], ...]

    @property
    def n_returns(self) -> int:
        """How often the walk came back to a file that it had left."""
        files = [file for file, _ in self.stays]
        moves = [one for before, one in pairwise(files) if one != before]
        return len(moves) + 1 - len(set(files))


def handles_request(frame: FrameType) -> bool:
    """Whether a function gets a value of the request. Methods of such a value do not count."""
    code = frame.f_code
    if not code.co_filename.startswith(PACKAGE) or code.co_name.startswith("<"):
        return False
    given = [frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]]
    says_itself = len(given) == 1 and code.co_varnames[0] == "self"
    return not says_itself and any(isinstance(one, VALUES) for one in given)


def walk(job_loop: JobLoop, marked: str, *, is_asked: bool) -> Walk:
    """The walk of a request at `$0`, as far as it stays on this thread."""
    offset, content = marked.index("$0"), marked.replace("$0", "")
    wishes = replace(WISHES, is_asked=is_asked)
    text = SentText("file:///line.py", 0, VERSION, content)
    request = Complete(1, text, offset, offset, "", wishes, 20.0)
    stays: dict[tuple[str, str], None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and handles_request(frame):
            code = frame.f_code
            stays.setdefault((code.co_filename, f"{code.co_name}, line {code.co_firstlineno}"))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        job_loop.handle(request)
    finally:
        sys.setprofile(before)
    return Walk(tuple(stays))


def loop_of(answers: list[FromWorker]) -> JobLoop:
    return JobLoop(answers.append, lambda _: None)


def is_offered(answers: list[FromWorker]) -> bool:
    [answer] = answers
    return isinstance(answer, Answer) and bool(answer.texts)


@pytest.mark.parametrize(("marked", "is_asked"), [(OPEN, True), (BROKEN, True), (OPEN, False)])
def test_a_request_walks_through_the_worker_in_a_line(marked: str, is_asked: bool) -> None:
    answers: list[FromWorker] = []
    found = walk(loop_of(answers), marked, is_asked=is_asked)
    assert is_offered(answers)
    assert 10 < len(found.stays) <= MOST_STAYS, found.stays
    assert found.n_returns <= MOST_RETURNS, found.stays


@pytest.mark.parametrize("is_asked", [True, False])
def test_what_a_model_writes_walks_the_same_line(is_asked: bool) -> None:
    """The request has names, memory, and the filters of offers while the user types."""
    answers: list[FromWorker] = []
    job_loop = loop_of(answers)
    job_loop.serving.completer = WithModel("bundled", load_model(), 1)
    found = walk(job_loop, LOOP, is_asked=is_asked)
    assert is_offered(answers)
    assert 15 < len(found.stays) <= MOST_STAYS, found.stays
    assert found.n_returns <= MOST_RETURNS, found.stays
