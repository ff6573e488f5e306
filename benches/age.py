"""`python -m benches.age`: the figures that are older than the code that they measure.

A file of results names the commit at which it was measured (`origin.py`). For other files, and for tables in
pages, the commit that last wrote them counts. The command prints, for each, how many commits have changed the
measured code since then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from json import loads
from pathlib import Path

from benches.origin import ROOT, git_output

ENGINE = ("lexer/src", "quotient/src", "quotient/grammars")
DECODING = (*ENGINE, "fim_lsp/decoding", "fim_lsp/runtimes", "fim_lsp/bundled")
WORKER = (*DECODING, "fim_lsp/document", "fim_lsp/server/worker", "fim_lsp/memory", "fim_lsp/worth")
# The code that each file's figures depend on.
MEASURED: dict[str, tuple[str, ...]] = {
    "benches/results/engine.json": ENGINE,
    "benches/results/masks.json": (*ENGINE, "bindings/src"),
    "benches/results/decoding.json": DECODING,
    "benches/results/server.json": (*ENGINE, "fim_lsp/server", "fim_lsp/document"),
    "benches/results/typing.json": (*WORKER, "fim_lsp/server"),
    "benches/results/context.json": ("fim_lsp/context", "fim_lsp/decoding/prompts"),
    "docs/clock.md": (*WORKER, "fim_lsp/server"),
    "docs/edits.md": ("fim_lsp/edits",),
    "docs/worth.md": (*WORKER, "fim_lsp/idioms", "fim_lsp/schemas"),
}


@dataclass(frozen=True, slots=True)
class Age:
    """The age of a file's figures: the number of commits that have changed the measured code since."""

    name: str
    head: str
    n_commits: int


def ages(measured: Mapping[str, tuple[str, ...]] = MEASURED, root: Path = ROOT) -> Iterator[Age]:
    for name, code in measured.items():
        head = head_of(name, root)
        if head:
            count = git_output("rev-list", "--count", f"{head}..HEAD", "--", *code, root=root)
            yield Age(name, head, int(count or 0))


def head_of(name: str, root: Path = ROOT) -> str:
    """The commit of the measured code; empty if git does not know it."""
    said = loads((root / name).read_text("utf-8")).get("head", "") if name.endswith(".json") else ""
    return said.rstrip("+") or git_output("log", "-1", "--format=%h", "--", name, root=root)


def main() -> int:
    for age in sorted(ages(), key=lambda one: -one.n_commits):
        print(f"{age.name:<32} of {age.head:<11} commits to its code since: {age.n_commits}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
