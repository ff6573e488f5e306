"""Counts the judge's evidence: how often substitutions that were made are made elsewhere, in pairs of
releases.

    python -m fim_lsp.replay.edits.counting

Between some of the hunks of each file it is looked where else the substitutions that were made by then
could be
made, and whether the next release has them there. A substitution counts once in each file, however many
places it has.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

from fim_lsp.edits.change import Change
from fim_lsp.edits.judge import KEPT, Judge
from fim_lsp.edits.source import Source
from fim_lsp.edits.substitutions import Substitution, candidates, forms, merged, substitutions
from fim_lsp.replay.edits.pairs import Pair, Project, projects
from fim_lsp.replay.journal import replace

# So many times in each file it is looked.
N_LOOKS = 8
MOST_CHARACTERS = 200_000

Row = tuple[tuple[str, str, str, str], dict[str, float], bool]


def rows(some: Iterable[Project]) -> Iterator[Row]:
    for project in some:
        earlier: list[Substitution] = []
        for pair in project.pairs:
            if len(pair.old) > MOST_CHARACTERS:
                continue
            near = [one for one in earlier if one.old in pair.old]
            yield from rows_of(project.name, pair, near)
            earlier = merged(earlier, substitutions([Change.of(pair.path, pair.old, pair.new)]))


def rows_of(project: str, pair: Pair, earlier: list[Substitution]) -> Iterator[Row]:
    source = Source(pair.path, pair.old)
    hunks = Change.of(pair.path, pair.old, pair.new).hunks
    random = Random(f"{project} {pair.path}")
    for n_made in sorted(random.sample(range(len(hunks)), min(len(hunks), N_LOOKS))):
        text = pair.old
        for hunk in reversed(hunks[:n_made]):
            text = text[: hunk.old_start] + pair.new[hunk.new_start : hunk.new_stop] + text[hunk.old_stop :]
        change = Change(source, Source(pair.path, text))
        found = [*candidates(change, merged(earlier, substitutions([change])))]
        if not found:
            continue
        rest = Change.of(pair.path, text, pair.new)
        wanted = {form for one in rest.replaced for form in forms(rest, one)}
        for one in found:
            made = one.substitution
            key = project, pair.path, made.old, made.new
            yield key, one.features, (one.start, one.stop, made.new) in wanted


def counted(some: Iterable[Row]) -> Judge:
    listed = [*some]
    times = Counter(key for key, _, _ in listed)
    return Judge.of((features, was_made, times[key] ** -0.5) for key, features, was_made in listed)


def main() -> None:
    judge = counted(rows(projects("tuning")))
    lines = (f"{json.dumps(key)}: {json.dumps(counts)}" for key, counts in judge.as_json().items())
    replace(KEPT, [b"{\n", ",\n".join(lines).encode(), b"\n}\n"])
    print(f"{len(judge.counts)} rows of answers in {KEPT}", file=sys.stderr)


if __name__ == "__main__":
    main()
