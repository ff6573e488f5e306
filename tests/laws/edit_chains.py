"""A law: a user who takes every edit that is shown, right or wrong, ten in a row, keeps a file that parses
and compiles, in which no name is undefined and nothing is taken back.

python -m tests.laws.edit_chains 2000                        2,000 edits, between the held-out releases
python -m tests.laws.edit_chains 2000 --set tuning           between the others

`fim-lsp replay edits` takes only edits that the next release has; this takes all of them. In a file of a pair
some hunks are made, as a user would have by then, and a chain begins.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from fim_lsp.edits.next_edits import BAR
from fim_lsp.edits.proving.proof import compiles
from fim_lsp.edits.texts.acceptance import new_acceptance
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.holes import first_fault
from fim_lsp.replay.edits.filler import EditProposer, EditReplaySettings, PairWalker
from fim_lsp.replay.edits.pairs import LISTS, Pair, projects
from fim_lsp.replay.typing.undefined import FilledText, new_undefined

# The most edits of a chain, and the most chains of a file.
LONGEST, MOST_IN_FILE = 10, 12
VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"


@dataclass(slots=True)
class ChainCounts:
    """What became of the edits that were taken."""

    n_chains: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, kind: str, said: str) -> None:
        self.outcomes[kind] += 1
        self.faults.append(f"{kind}: {said}")

    @property
    def n_taken(self) -> int:
        return self.outcomes["taken"]


def chain_counts(walker: PairWalker, n_edits: int, seed: int = 0) -> ChainCounts:
    """Chains in the pairs of all projects, in turns, until so many edits were taken or no pair is left."""
    counts = ChainCounts()
    for case in mixed_pairs(walker, Random(seed)):
        proposer = walker.earlier_files(case).proposer(case, walker.language, BAR)
        hunks = FileChange.of(case.path, case.old, case.new).hunks
        numbers = Random(f"{case.id} {seed}").sample(range(len(hunks)), min(len(hunks), MOST_IN_FILE))
        for n_made in sorted(numbers):
            if counts.n_taken >= n_edits:
                return counts
            text = case.old
            for hunk in reversed(hunks[: n_made + 1]):
                new = case.new[hunk.new_start : hunk.new_stop]
                text = text[: hunk.old_start] + new + text[hunk.old_stop :]
            follow_chain(case, proposer, text, counts)
    return counts


def mixed_pairs(walker: PairWalker, random: Random) -> Iterator[Pair]:
    """The pairs of each project in their order, the projects in turns."""
    waiting = [[*one.pairs] for one in walker.projects.values()]
    while any(waiting):
        yield random.choice([pairs for pairs in waiting if pairs]).pop(0)


def follow_chain(case: Pair, proposer: EditProposer, text: str, counts: ChainCounts) -> None:
    """Takes what is shown first, again and again, and judges the file after each edit."""
    source, document = SourceText(case.path, case.old), proposer.language.document(text)
    seen, before, after, told = {case.old, text}, [], [], []
    did_parse, did_compile = first_fault(proposer.language, text) is None, compiles(text)
    counts.n_chains += 1
    for number in range(LONGEST):
        change = FileChange(source, SourceText(case.path, text))
        found = proposer.edits(change, (), document, new_acceptance())
        if not found:
            break
        edit = found[0]
        said = f"{case.id}: {edit.old[:60]!r} to {edit.new[:60]!r}, {edit.reason}"
        if number == 0 and edit.old.strip() and change.is_typed(edit.start, edit.end):
            counts.add("takes back what was typed", said)
        before.append(FilledText(text, edit.start, max(edit.end, edit.start + 1)))
        whole = edit.whole(text)
        text = text[: whole.start] + whole.new + text[whole.end :]
        document.edit(whole.start, whole.end, whole.new)
        counts.outcomes["taken"] += 1
        if text in seen:
            counts.add("takes back an edit", said)
        seen.add(text)
        if did_parse and first_fault(proposer.language, text) is not None:
            counts.add("does not parse", said)
        if did_compile and not compiles(text):
            counts.add("does not compile", said)
        after.append(FilledText(text, edit.start_then, edit.start_then + max(len(edit.new), 1)))
        told.append(said)
    # What was undefined at the place before, as in a half-made change, is not the edit's.
    judged = zip(new_undefined(before) or [], new_undefined(after) or [], told, strict=True)
    for was_undefined, is_undefined, said in judged:
        if is_undefined and not was_undefined:
            counts.add("undefined", said)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("n", nargs="?", type=int, default=1000, help="the number of edits")
    parser.add_argument("--set", choices=tuple(LISTS), default="packages", help="the pairs of releases")
    arguments = parser.parse_args()
    walker = PairWalker.of(EditReplaySettings(BAR, VERSION), projects(arguments.set))
    counts = chain_counts(walker, arguments.n)
    print("\n".join(counts.faults))
    print(f"{counts.n_chains} chains", dict(counts.outcomes))


if __name__ == "__main__":
    main()
