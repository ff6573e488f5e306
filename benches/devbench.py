"""`python -m benches.devbench FOLDER`: DevBench's stored completions of well-known models, made to fit.

FOLDER is a checkout of microsoft/devbench; nothing of it is kept here. Its completions are joined to their
contexts as DevBench does it (Java's as they are, the others' on lines of their own). Each distinct completion
of a model at a place is fitted once, and the languages' own parsers judge the file before and after. The exit
code is 1 if a target is missed.

DevBench compares the first line of a text with the true one. If the whole text already stands right of the
cursor, fitting leaves nothing of it, but the file has the line all the same. So the target is that the first
line of the file behind the cursor becomes no less exact in any language; both figures are shown. Of a model's
texts in all languages together, no fewer may begin with the true line.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benches.timing import percentile
from fim_lsp import Fit, fit
from fim_lsp.fitting.said_again import lengths_said_again
from fim_lsp.replay.judges import NoJudge
from fim_lsp.replay.report.tables import first_line
from quotient import Language
from tests.laws.domains import DOMAINS
from tests.laws.oracle import Verdict

LANGUAGES = ("python", "javascript", "typescript", "java")
# DevBench's text between a completion and its contexts.
BETWEEN = {"java": ""}
FEW, LEAST_SHARE, MAX_MS = 4, 0.6, 5.0


@dataclass(frozen=True, slots=True)
class SaidAtPlace:
    """The text of a model at a place, and the true text there."""

    model: str
    left: str
    text: str
    right: str
    truth: str


@dataclass(slots=True)
class Figures:
    """The figures of one language's texts."""

    counts: Counter[str] = field(default_factory=Counter)
    # The numbers for each model: texts, and those with the true first line before and after fitting.
    exact: dict[str, list[int]] = field(default_factory=dict)
    # The counts of the line behind the cursor in the fitted file, whether it comes from the text or stood
    # there before.
    exact_in_file: dict[str, list[int]] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    @property
    def misses(self) -> list[str]:
        """The targets that are missed."""
        counts = self.counts
        lower = [model for model, (_, before, after) in self.exact_in_file.items() if after < before]
        share = counts["mended by few"] / max(counts["broken"], 1)
        found = [
            ("texts do not parse after fit", counts["does not parse after"]),
            ("texts that parsed were changed", counts["parsed and changed"]),
            (f"only {share:.0%} are mended by {FEW} characters or fewer", share < LEAST_SHARE),
            (f"first lines are less exact: {', '.join(lower)}", lower),
            (f"more than {MAX_MS:.0f} ms at the 95th percentile", self.p95 > MAX_MS),
        ]
        return [
            f"{missed} {what}" if isinstance(missed, int) and missed > 1 else what
            for what, missed in found
            if missed
        ]

    @property
    def less_exact_models(self) -> list[str]:
        """The models of whose texts fewer have the true first line after fitting."""
        return [model for model, (_, before, after) in self.exact.items() if after < before]

    def add_exact(self, model: str, numbers: Sequence[int]) -> None:
        so_far = self.exact.get(model, [0, 0, 0])
        self.exact[model] = [n + more for n, more in zip(so_far, numbers, strict=True)]

    @property
    def p95(self) -> float:
        return 1e3 * percentile(self.seconds, 0.95)


def said(folder: Path, language: str) -> Iterator[SaidAtPlace]:
    """The distinct texts of a model at a place."""
    between = BETWEEN.get(language, "\n")
    for path in sorted((folder / "completions" / language).glob("*/*.jsonl")):
        model = path.stem.removeprefix(f"{path.parent.name}-")
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line) if line.strip() else {}
            texts = row.get(f"{model}_completions") or []
            for text in dict.fromkeys(text for text in texts if isinstance(text, str)):
                yield SaidAtPlace(
                    model, row["prefix"] + between, text, between + row["suffix"], row["golden_completion"]
                )


def figures(folder: Path, language: str) -> Figures:
    """Fits all texts of a language."""
    found, loaded, judge = Figures(), Language.load(language), DOMAINS[language].judge
    for one in said(folder, language):
        start = time.thread_time()
        fitted = fit(one.left, one.text, one.right, language=loaded)
        found.seconds.append(time.thread_time() - start)
        was_valid = judge(one.left + one.text + one.right) is Verdict.VALID
        count(found, one, fitted, was_valid)
        if fitted.text is not None and fitted.is_changed:
            verdict = judge(one.left + fitted.text + one.right)
            found.counts["does not parse after"] += verdict is Verdict.INVALID
            found.counts["left open by the parser"] += verdict is Verdict.BEYOND_LIMITS
    return found


def count(found: Figures, one: SaidAtPlace, fitted: Fit, was_valid: bool) -> None:
    counts = found.counts
    counts["texts"] += 1
    after = one.text if fitted.text is None else fitted.text
    for exact, behind in ((found.exact, ""), (found.exact_in_file, one.right)):
        truth = first_line(one.truth + behind)
        is_exact = (first_line(text + behind) == truth for text in (one.text, after))
        exact[one.model] = [
            n + more for n, more in zip(exact.get(one.model, [0, 0, 0]), (1, *is_exact), strict=True)
        ]
    counts["parsed"] += was_valid
    counts["parsed and changed"] += was_valid and fitted.is_changed
    if not fitted.is_changed:
        return
    if fitted.text is None and fitted.reason.startswith("no text fits"):
        counts["no text fits"] += 1
        return
    counts["broken"] += 1
    counts["nothing kept"] += not (fitted.text or "").strip()
    counts["moved"] += fitted.is_moved
    if fitted.text is not None:
        counts["mended by few"] += n_changed(fitted, one.right) <= FEW
        counts["mended by few, something kept"] += n_changed(fitted, one.right) <= FEW and bool(
            fitted.text.strip()
        )


def n_changed(fitted: Fit, right: str) -> int:
    """The number of removed and added characters, without white space and text right of the cursor."""
    again = lengths_said_again(fitted.dropped, right)[0]
    return len("".join((fitted.dropped[again:] + fitted.added).split()))


def show(language: str, found: Figures) -> None:
    counts, n_broken = found.counts, max(found.counts["broken"], 1)
    print(f"\n{language}: {counts['texts']:,} texts, {counts['parsed']:,} parsed")
    print(f"  between contexts that no text joins  {counts['no text fits']:>6,}")
    print(f"  others that do not parse             {counts['broken']:>6,}")
    print(f"  of them moved to other columns       {counts['moved']:>6,}")
    print(f"  nothing of them kept                 {counts['nothing kept']:>6,}")
    print(
        f"  mended by {FEW} characters or fewer       {counts['mended by few']:>6,}"
        f" ({counts['mended by few'] / n_broken:.0%};"
        f" with something kept {counts['mended by few, something kept'] / n_broken:.0%})"
    )
    print(f"  do not parse after fit               {counts['does not parse after']:>6,}")
    print(f"  left open by the parser              {counts['left open by the parser']:>6,}")
    print(f"  parsed and changed                   {counts['parsed and changed']:>6,}")
    print(f"  ms at p50, p95: {1e3 * percentile(found.seconds, 0.5):.2f}, {found.p95:.2f}")
    print("  first lines exact, of the text and of the file behind the cursor: before, after")
    for model, (n_texts, before, after) in sorted(found.exact.items()):
        _, file_before, file_after = found.exact_in_file[model]
        print(f"    {model:<18}{n_texts:>6,} {before:>6} {after:>5} {file_before:>8} {file_after:>5}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.devbench", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="a checkout of microsoft/devbench")
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="(default: all four)")
    chosen = parser.parse_args(arguments)
    missed, texts = [], Figures()
    for language in chosen.language or LANGUAGES:
        if not (chosen.folder / "completions" / language).is_dir():
            print(f"{chosen.folder} has no completions/{language}", file=sys.stderr)
            return 2
        try:
            found = figures(chosen.folder, language)
        except NoJudge as why:
            print(f"{language}: {why}", file=sys.stderr)
            return 2
        show(language, found)
        missed += [f"{language}: {miss}" for miss in found.misses]
        for model, exact in found.exact.items():
            texts.add_exact(model, exact)
    # A language alone has too few texts: where one loses a line that stood there already, others gain some.
    lower = [] if chosen.language else texts.less_exact_models
    missed += [f"first lines of texts are less exact: {', '.join(lower)}"] if lower else []
    for miss in missed:
        print(f"missed: {miss}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
