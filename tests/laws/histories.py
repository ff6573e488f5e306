"""`python -m tests.laws.histories --edits 100000`: an answer follows from the text, and not from its history.

A worker's document is edited repeatedly, mostly into something broken, and sometimes asked at a place. A
second worker sees the present text for the first time, and is asked the same. Both answers have to agree: the
offers, the reason for none, the rung, and the parts set aside. No answer depends on time here. The same
command continues an interrupted run.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from random import Random

from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentEdit, SentText
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.ladder import footing
from fim_lsp.server.worker.messages import Answer, Complete, FromWorker, Wishes
from fim_lsp.server.worker.site import Site
from tests.laws.cases import Case, Failure, Outcome, Tally
from tests.laws.runs import Runs, exit_status

# No search for broken statements ends early.
FOREVER = 1e9
PYTHON_VERSION = "3.11"
WISHES = Wishes(1, 64, 20, True, "", True, None)
CORPUS = Path(__file__).parents[1] / "corpus" / "histories.json"
PIECES = (
    *(
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "'",
        '"',
        "`",
        "\n",
        "\n    ",
        " ",
        "=",
        "= =",
        ",",
        ":",
        ";",
        ".",
        "#",
        "//",
    ),
    *(
        "/*",
        "*/",
        '"""',
        "<",
        ">",
        "a",
        "def (:\n",
        "x = = 1\n",
        "if x:\n",
        "else:\n",
        "return",
        "class A",
        "é",
        "\\",
    ),
)
# The most edits of a document, and the share of them that a question follows.
N_EDITS, ASKED = 30, 0.4
# The most edits in one share of a run.
CHUNK = 1_000


@dataclass(frozen=True, slots=True)
class History:
    """A text, its edits, the numbers of edits after which it was asked, and the last place."""

    language: str
    text: str
    edits: tuple[SentEdit, ...]
    asked: tuple[int, ...]
    offset: int


@dataclass(frozen=True, slots=True)
class Said:
    """The answer of a worker at a place, and the parts that it has set aside there."""

    texts: tuple[str, ...]
    reason: str | None
    rung: str | None
    left: str | None
    right: str | None
    faults: tuple[tuple[int, int], ...]


class Worker:
    """One worker with one document."""

    def __init__(self, language: str, text: str) -> None:
        self.answers: list[FromWorker] = []
        self.loop = JobLoop(self.answers.append, lambda _: None)
        self.loop.completing.repair_s = FOREVER
        self.language = language
        self.serial = 0
        self.unsent: str | None = text
        self.edits: list[SentEdit] = []

    def edit(self, edit: SentEdit) -> None:
        if self.unsent is not None:
            # The text is sent by itself, so that the edit is sent as an edit.
            self.ask(0)
        self.serial += 1
        self.edits.append(edit)

    def ask(self, offset: int) -> Said:
        sent = SentText(
            "file:///a", self.serial, PYTHON_VERSION, self.unsent, tuple(self.edits), language=self.language
        )
        self.unsent, self.edits = None, []
        self.loop.handle(Complete(len(self.answers), sent, offset, offset, "", WISHES, FOREVER))
        answer = self.answers[-1]
        assert isinstance(answer, Answer), answer
        assert answer.reason != "worker"
        text = self.loop.around.texts._texts[sent.uri]
        held = footing(Site.of(text, Hole(offset, offset, "")), FOREVER)
        left, right = (None, None) if held is None else (held.part.left, held.part.right)
        faults = tuple((fault.start, fault.stop) for fault in text.tree.faults(text.text))
        return Said(answer.texts, answer.reason, answer.rung, left, right, faults)


def drawn(random: Random, language: str) -> History:
    """A random history. Edits are sometimes taken back, so that texts are repaired, too."""
    text = first = sources()[language] * random.choice((1, 1, 1, 3))
    undo: list[SentEdit] = []
    edits: list[SentEdit] = []
    asked: list[int] = []
    for _ in range(random.randrange(1, N_EDITS)):
        edit = undo.pop() if undo and random.random() < 0.4 else changed(random, text)
        if edit.stop > len(text):
            continue
        undo.append(SentEdit(edit.start, edit.start + len(edit.new), text[edit.start : edit.stop]))
        text = text[: edit.start] + edit.new + text[edit.stop :]
        edits.append(edit)
        if random.random() < ASKED:
            asked.append(len(edits))
    last = edits[-1].start + len(edits[-1].new) if edits else 0
    offset = min(last, len(text)) if random.random() < 0.7 else random.randrange(len(text) + 1)
    return History(language, first, tuple(edits), tuple(asked), offset)


def changed(random: Random, text: str) -> SentEdit:
    start = random.randrange(len(text) + 1)
    match random.randrange(4):
        case 0:
            return SentEdit(start, min(len(text), start + random.choice((1, 1, 2, 5, 30))), "")
        case 1:
            other = random.randrange(len(text) + 1)
            return SentEdit(start, start, text[other : other + random.choice((3, 20, 60))])
        case _:
            return SentEdit(start, start, random.choice(PIECES))


def difference(history: History) -> tuple[Said, Said] | None:
    """The answers of an edited document and of a new one, if they differ."""
    worker, text = Worker(history.language, history.text), history.text
    for number, edit in enumerate(history.edits, start=1):
        worker.edit(edit)
        text = text[: edit.start] + edit.new + text[edit.stop :]
        if number in history.asked:
            worker.ask(min(edit.start + len(edit.new), len(text)))
    edited, fresh = worker.ask(history.offset), Worker(history.language, text).ask(history.offset)
    return None if edited == fresh else (edited, fresh)


def shortened(history: History) -> History:
    """A history with fewer edits at its end that still breaks the law."""
    for count in range(len(history.edits)):
        edits = history.edits[:count]
        length = len(history.text) + sum(len(edit.new) - edit.stop + edit.start for edit in edits)
        for offset in {min(history.offset, length), *(edit.start + len(edit.new) for edit in edits[-1:])}:
            shorter = History(history.language, history.text, edits, history.asked, offset)
            if difference(shorter) is not None:
                return shorter
    return history


@cache
def sources() -> dict[str, str]:
    """The texts that histories begin with, by language."""
    found: dict[str, str] = json.loads(CORPUS.read_text("utf-8"))["sources"]
    return found


def stored() -> list[History]:
    """Histories that once broke the law."""
    return [
        History(
            one["language"],
            one["text"],
            tuple(SentEdit(*edit) for edit in one["edits"]),
            tuple(one["asked"]),
            one["offset"],
        )
        for one in json.loads(CORPUS.read_text("utf-8"))["histories"]
    ]


def histories(n_edits: int, seed: int) -> Iterator[History]:
    """Histories of all languages in turn, up to `n_edits` edits in total."""
    random, n_drawn, languages = Random(seed), 0, list(sources())
    while n_drawn < n_edits:
        language = languages[0]
        languages.append(languages.pop(0))
        history = drawn(random, language)
        n_drawn += len(history.edits)
        yield history


@dataclass(frozen=True, slots=True)
class SomeHistories:
    """A share of a run, with its own seed."""

    n_edits: int
    seed: int


def compared(some: SomeHistories) -> Outcome:
    """Compares the answers behind some histories, and shortens the histories behind which they differ."""
    outcome = Outcome()
    for history in histories(some.n_edits, some.seed):
        outcome.tally.update(edits=len(history.edits), histories=1)
        found = difference(history)
        if found is not None:
            outcome.tally["failures"] += 1
            short = shortened(history)
            row = asdict(short) | {"edits": [[edit.start, edit.stop, edit.new] for edit in short.edits]}
            detail = "\n  ".join((json.dumps(row, ensure_ascii=False), *map(str, found)))
            case = Case(short.text, "", "")
            outcome.failures.append(Failure("histories", short.language, case, detail))
    return outcome


def shares(n_edits: int, seed: int) -> dict[str, SomeHistories]:
    """A run, cut into shares."""
    starts = range(0, n_edits, CHUNK)
    return {
        f"{seed} {start}": SomeHistories(min(CHUNK, n_edits - start), seed * len(starts) + number)
        for number, start in enumerate(starts)
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.laws.histories")
    parser.add_argument("--edits", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="worker processes")
    options = parser.parse_args()
    runs, cut = Runs(options.jobs), shares(options.edits, options.seed)
    outcome = runs.run("histories", compared, cut, "edits", repr(list(cut.values())))
    for failure in outcome.failures:
        print(failure.detail)
    tally: Tally = outcome.tally
    print(f"{tally['edits']} edits, {tally['histories']} histories, {outcome.n_failures} differ")
    runs.end()
    return 1 if outcome.n_failures else 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
