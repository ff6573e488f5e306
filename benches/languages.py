"""`python -m benches.languages PART --write`: the other languages beside Python, for docs/languages.md.

    engine     cold recognizers, typed characters and masks in real files, beside Python's in the same run
    masks      the first table of GreatGramma: preparation and masks, beside llguidance and xgrammar
    holes      the holes of the quotient paper in real files: with the true middle, and with the model's
    benchmark  the second table of SynCode: syntax errors in Go of HumanEval and MBXP

The bundled model writes. It was trained on Python alone, so in other languages the grammar has to refuse
much. The real parsers judge; a part ends if one is missing.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import process_time, thread_time

from benches.mask_peers import peers
from benches.mask_programs import flat_pieces, segmented
from benches.mask_times import Times
from benches.masks import Ours, loaded
from benches.origin import origin, origin_sentence
from benches.timing import percentile, seconds
from fim_lsp.known_languages import KNOWN, KnownLanguage, language_named
from fim_lsp.replay.case import Case, Excluded
from fim_lsp.replay.corpus import File
from fim_lsp.replay.cuts import symbols
from fim_lsp.replay.judge import ParserJudge
from fim_lsp.replay.judges import NAMES, NoJudge
from fim_lsp.replay.modes import HoleFiller, Mode, ReplaySettings
from fim_lsp.replay.stack import RULES, cases
from quotient import Vocabulary
from tests.laws.domains import DOMAINS
from tests.laws.oracle import Verdict
from tests.masks import vocabularies

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "languages.md"
MXEVAL = ROOT / "datasets" / "mxeval"
END = "<!-- end of figures -->"
# The sets of SynCode's second table.
SETS = {"HumanEval": "HumanEval_go_v1.jsonl.gz", "MBXP": "mbgp_release_v1.1.jsonl.gz"}
BEHIND_LICENCE = re.compile(r"^package .*", re.DOTALL | re.MULTILINE)
# The number of processes in which the engine is measured.
PROCESSES = 3
# The seconds that another engine may take for all masks of a language.
PEER_SECONDS = 15
MODES: tuple[Mode, ...] = ("unconstrained", "checked", "constrained")


def texts(known_language: KnownLanguage, low: int, high: int, n: int) -> list[tuple[str, str]]:
    """The texts of real files of a language that its own parser accepts, with their names. Raises
    `NoJudge`."""
    domain = DOMAINS[known_language.name]
    files = [entry for entry in domain.files() if low <= entry[2] <= high]
    Random(f"{known_language.name} {low}").shuffle(files := list(files))
    found = ((name, domain.decoded(path.read_bytes())) for name, path, _ in files)
    read = ((name, text) for name, text in found if text and domain.judge(text) is Verdict.VALID)
    return list(islice(read, n))


# --- beside Python ---------------------------------------------------------------------------------------


def engine(limit: int) -> str:
    """The cost of a hole of 400 characters in the middle of a file, in processor time.

    A process reads a file for the first time only once, so each figure is the median over several processes.
    """
    runs = [alone(limit) for _ in range(PROCESSES)]
    rows = {
        title: [median(figures) for figures in zip(*(run[title] for run in runs), strict=True)]
        for title in runs[0]
    }
    python = rows["Python"]
    lines = [
        "| | cold, us a kB | a typed character, us, p50 | p99 | mask, us, p50 | mean |",
        "|---|---|---|---|---|---|",
        *(f"| {title} | {' | '.join(map(beside, row, python))} |" for title, row in rows.items()),
    ]
    return "\n".join(lines)


def alone(limit: int) -> dict[str, list[float]]:
    """The figures of each language, from a process of its own. A process that fails has printed the
    reason."""
    words = [sys.executable, "-m", "benches.languages", "engine", "--limit", str(limit), "--once"]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(done.returncode)
    rows: dict[str, list[float]] = json.loads(done.stdout)
    return rows


def once(limit: int) -> dict[str, list[float]]:
    """The costs in this process, measured once."""
    vocabulary = vocabularies.load(vocabularies.available()[-1])
    rows = {}
    for known_language in KNOWN:
        rows[known_language.title] = costs(known_language, vocabulary, limit)
        print(
            known_language.title,
            *(f"{figure:.4g}" for figure in rows[known_language.title]),
            file=sys.stderr,
            flush=True,
        )
    return rows


def beside(figure: float, of_python: float) -> str:
    return f"{figure:.1f} ({figure / of_python:.1f}x)"


def costs(known_language: KnownLanguage, vocabulary: Vocabulary, limit: int) -> list[float]:
    language, cut = loaded(known_language.name), segmented(vocabulary)
    vocabulary.prepare_tables(language._native)
    cold: list[float] = []
    typed: list[float] = []
    times = Times()
    for _, text in texts(known_language, 8_000, 30_000, limit):
        begins = [symbol.start for symbol in symbols(text, known_language)]
        start = min(begins, key=lambda at: abs(at - len(text) // 2))
        left, middle, right = text[:start], text[start : start + 400], text[start + 400 :]
        cold.append(seconds(partial(language.recognizer, left, right)) / len(text))
        recognizer = language.recognizer(left, right)
        for character in middle:
            begin = thread_time()
            recognizer.advance(character)
            typed.append(thread_time() - begin)
        Ours(vocabulary).replay(language.recognizer(left, right), cut(middle.encode()), times)
    masks = times.row()
    micro = 1e6
    return [
        median(cold) * 1000 * micro,
        percentile(typed, 0.5) * micro,
        percentile(typed, 0.99) * micro,
        masks["p50"],
        masks["mean"],
    ]


# --- GreatGramma's first table ---------------------------------------------------------------------------


def masks(limit: int) -> str:
    """Preparation in seconds (all threads) and masks in milliseconds, of all engines in the same run."""
    lines = [
        "| tokens | language | engine | preparation, s | masks | mean, ms | p99, ms | texts left |",
        "|---|---|---|---|---|---|---|---|",
    ]
    # The largest vocabulary, which the paper's table has, too.
    names = vocabularies.available()[1:] or ["made"]
    for name in [max(names, key=lambda name: len(vocabularies.load(name)))]:
        known = vocabularies.load(name)
        for language, title in {"go": "Go", "java": "Java", "flat": "Python"}.items():
            programs = programs_of(language, limit)
            measured = [measured_ours(name, language, programs)]
            for peer, made in peers(name, known, PEER_SECONDS):
                measured.append(measured_peer(peer, known, made, language, programs))
            for row in measured:
                lines.append(f"| {len(known):,} | {title} | {row} |")
                print(lines[-1], flush=True)
    return "\n".join(lines)


def programs_of(language: str, limit: int) -> list[bytes]:
    """Small real files without their leading comments, since llguidance skips nothing there. For Python,
    pieces that need no layout, which the other engines' grammars do not know."""
    if language == "flat":
        return flat_pieces(limit)
    found = (
        BEHIND_LICENCE.search(text) for _, text in texts(language_named(language), 500, 5_000, 2 * limit)
    )
    return [match[0].encode() for match in islice(filter(None, found), limit)]


def measured_ours(name: str, language: str, programs: list[bytes]) -> str:
    known = vocabularies.load(name)
    tokens = [known.token(token) for token in range(len(known))]
    special = [token for token, text in enumerate(tokens) if not text and token not in known.eos]
    fresh, loaded_language, times = (
        Vocabulary(tokens, eos=known.eos, special=special),
        loaded(language),
        Times(),
    )
    preparation = busy(lambda: fresh.prepare_tables(loaded_language._native))
    for text in map(segmented(known), programs):
        Ours(fresh).replay(loaded_language.recognizer(), text, times)
    return told("ours", preparation, times)


def measured_peer(
    peer: str, known: Vocabulary, made: Callable[[str], object], language: str, programs: list[bytes]
) -> str:
    times, engine = Times(), None

    def prepare() -> None:
        nonlocal engine
        engine = made("python" if language == "flat" else language)

    try:
        preparation = busy(prepare)
        for text in map(segmented(known), programs):
            engine.replay(text, times)  # type: ignore[attr-defined]
    except (RuntimeError, ValueError) as error:
        print(f"{peer}, {language}: {error}", file=sys.stderr)
        return f"{peer} | fails | | | | "
    return told(peer, preparation, times)


def busy(action: Callable[[], object]) -> float:
    """How long the action keeps the processor busy, in all of its threads."""
    begin = process_time()
    action()
    return process_time() - begin


def told(engine: str, preparation: float, times: Times) -> str:
    row = times.row()
    figures = f"{row['mean'] / 1e3:.3f} | {row['p99'] / 1e3:.3f} | {row['texts denied']:.0f}"
    return f"{engine} | {preparation:.2f} | {row['n']:,.0f} | {figures}"


# --- the quotient paper's holes --------------------------------------------------------------------------


def holes(limit: int) -> str:
    """STACK-BOUNDARY and STACK-RANDSPAN in each language's real files."""
    lines = [
        "| language | holes | judge | cases | truth accepted | free parses | checked | held parses |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for known_language in KNOWN[1:]:
        files = [File(name, text) for name, text in texts(known_language, 500, 8_000, limit)]
        for rule in RULES:
            found = cases(rule, files, ParserJudge.of(None, known_language.name), seed=0, n_cuts=2)
            chosen = [case for case in found if not isinstance(case, Excluded)][:limit]
            counts = counted(chosen, known_language.name, ("truth", *MODES))
            shown = " | ".join(f"{counts[mode]}" for mode in ("truth", *MODES))
            title, parser = known_language.title, NAMES[known_language.name]
            lines.append(f"| {title} | {rule} | {parser} | {len(chosen)} | {shown} |")
            print(lines[-1], flush=True)
    return "\n".join(lines)


def counted(chosen: Sequence[Case], language: str, modes: tuple[Mode, ...]) -> Counter[str]:
    """The number of texts of each mode that parse in their file."""
    settings = ReplaySettings(
        modes=modes, task="hole", model="bundled", max_tokens=64, has_tests=False, language=language
    )
    filler = HoleFiller.of(settings)
    counts: Counter[str] = Counter()
    for number, case in enumerate(chosen):
        row, _ = filler.rows(case)
        counts.update(
            mode for mode, outcome in row["modes"].items() if outcome["parses"] and not outcome["error"]
        )
        print(f"\r{language}: {number + 1}/{len(chosen)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return counts


# --- SynCode's second table ------------------------------------------------------------------------------


def benchmark(limit: int) -> str:
    """The share of texts behind the prompts that have syntax errors."""
    lines = [
        "| | functions | errors, free | errors, checked | errors, held | fewer |",
        "|---|---|---|---|---|---|",
    ]
    for title, name in SETS.items():
        chosen = list(islice(prompts(MXEVAL / name), limit))
        counts = counted(chosen, "go", MODES)
        errors = {mode: len(chosen) - counts[mode] for mode in MODES}
        fewer = 1 - errors["constrained"] / max(1, errors["unconstrained"])
        shown = " | ".join(str(errors[mode]) for mode in MODES)
        lines.append(f"| {title}, Go | {len(chosen)} | {shown} | {fewer:.0%} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


def prompts(path: Path) -> Iterator[Case]:
    for line in gzip.decompress(path.read_bytes()).splitlines():
        task = json.loads(line)
        yield Case(task["task_id"], task["prompt"], len(task["prompt"]), len(task["prompt"]), language="go")


# --- the page --------------------------------------------------------------------------------------------

PARTS: dict[str, tuple[Callable[[int], str], int]] = {
    "engine": (engine, 30),
    "masks": (masks, 40),
    "holes": (holes, 50),
    "benchmark": (benchmark, 100),
}


def write(part: str, table: str) -> None:
    """Writes between the marks that name the part."""
    begin = f"<!-- figures: written by `python -m benches.languages {part} --write` -->"
    text = PAGE.read_text("utf-8")
    between = re.compile(re.escape(begin) + ".*?" + re.escape(END), re.DOTALL)
    if not between.search(text):
        raise SystemExit(f"{PAGE} has no place for figures: {begin}")
    shown = f"{begin}\n\nOn {origin_sentence(origin())}.\n\n{table}\n\n{END}"
    PAGE.write_text(between.sub(lambda _: shown, text), "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benches.languages", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--limit", type=int, help="files, texts or cases of each kind, at most")
    parser.add_argument("--write", action="store_true", help="write the table into docs/languages.md")
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    measure, usual = PARTS[options.part]
    try:
        if options.once:
            print(json.dumps(once(options.limit)))
            return 0
        table = measure(options.limit or usual)
    except NoJudge as why:
        print(f"benches.languages: {why}", file=sys.stderr)
        return 2
    print(table)
    if options.write:
        write(options.part, table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
