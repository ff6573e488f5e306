"""`python -m benches.engine`: the engine's costs on real code, beside `ast.parse` in the same run.

Writes a table with the targets to the terminal and as Markdown, the figures as JSON, and a plot like the
paper's figure 11.

A cost is called cold if the engine has never seen the text: only what it keeps for the language (automata,
closures) is warm. The first file of a process is measured separately, in a process of its own.
"""

import argparse
import ast
import json
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import pairwise
from math import log
from pathlib import Path
from random import Random
from statistics import median
from threading import Thread

from benches import figure, plots
from benches.origin import origin, origin_sentence
from benches.targets import markdown, missed, table
from benches.timing import percentile, resident_megabytes, seconds, wall_seconds
from benches.workloads import SIZES, Workload, lines, workload
from quotient import Document, Language, NoCompletion

Figures = dict[str, tuple[float, str]]
NAMES = {1_000: "1 kB", 10_000: "10 kB", 100_000: "100 kB", 1_000_000: "1 MB"}
# The larger the text, the longer a repetition and the steadier its time.
REPETITIONS = {1_000: 21, 10_000: 21, 100_000: 9, 1_000_000: 3}
# The number of holes: the 99th percentile of a question shall depend on more than two or three calls.
HOLES = {1_000: 60, 10_000: 60, 100_000: 40, 1_000_000: 12}


def python() -> Language:
    """The language that everything here is measured on."""
    return Language.load("python", version="3.11")


def cold_costs(language: Language) -> Figures:
    """A recognizer for a new text, beside `ast.parse` of the same text."""
    figures: Figures = {}
    medians: dict[int, tuple[float, float]] = {}
    for size in SIZES:
        cold: list[float] = []
        lengths: list[int] = []
        parse: list[float] = []
        for seed in range(REPETITIONS[size]):
            load = workload(size, seed)
            lengths.append(len(load.text))
            parse.append(seconds(partial(ast.parse, load.text)))
            cold.append(seconds(partial(language.recognizer, load.left, load.right)))
        name = NAMES[size]
        medians[size] = median(lengths), median(cold)
        figures[f"ast.parse at {name}"] = median(parse) * 1e3, "ms"
        figures[f"cold recognizer at {name}"] = median(cold) * 1e3, "ms"
        ratios = [one / other for one, other in zip(cold, parse, strict=True)]
        if size == 10_000:
            figures |= ends_costs(language)
        figures[f"cold recognizer at {name}, times ast.parse"] = median(ratios), "x"
    for smaller, larger in pairwise(SIZES):
        name = f"cold recognizer, growth from {NAMES[smaller]} to {NAMES[larger]}"
        figures[name] = growth_per_tenfold(medians[smaller], medians[larger]), "x"
    return figures


def ends_costs(language: Language) -> Figures:
    """Holes in front of everything and behind everything, at 10 kB, because reading backward has another
    cost."""
    ratios: dict[str, list[float]] = {"start": [], "end": []}
    for seed in range(300, 300 + REPETITIONS[10_000]):
        text = workload(10_000, seed).text
        parse = seconds(partial(ast.parse, text))
        ratios["start"].append(seconds(partial(language.recognizer, "", text)) / parse)
        text = workload(10_000, seed + 100).text
        parse = seconds(partial(ast.parse, text))
        ratios["end"].append(seconds(partial(language.recognizer, text, "")) / parse)
    return {
        f"cold recognizer at 10 kB, hole at the {place}, times ast.parse": (median(values), "x")
        for place, values in ratios.items()
    }


def growth_per_tenfold(smaller: tuple[float, float], larger: tuple[float, float]) -> float:
    """The growth of a cost between two sizes, scaled to a tenfold size."""
    growth, ratio = larger[1] / smaller[1], larger[0] / smaller[0]
    return float(growth ** (log(10) / log(ratio)))


def first_file() -> Figures:
    """The first file of a process: the language is loaded, then a cold recognizer is made at 10 kB."""
    words = [sys.executable, "-m", "benches.engine", "--first-file"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    load, recognizer = json.loads(done.stdout)
    return {
        "loading the language, new process": (load * 1e3, "ms"),
        "first recognizer of a process, 10 kB": (recognizer * 1e3, "ms"),
    }


def measure_first_file() -> None:
    """Prints the JSON that `first_file` reads."""
    case = workload(10_000, 99)
    load = seconds(python)
    language = python()
    print(json.dumps([load, seconds(lambda: language.recognizer(case.left, case.right))]))


def typing_costs(language: Language) -> Figures:
    """Types the true middle into holes, character by character, and asks what else an editor would ask."""
    figures: Figures = {}
    medians: dict[int, float] = {}
    for size in SIZES:
        times: dict[str, list[float]] = {"advance": [], "is_member": [], "fork": [], "witness": []}
        for seed in range(100, 100 + HOLES[size]):
            type_middle(language, workload(size, seed), times)
        name = NAMES[size]
        medians[size] = median(times["advance"])
        figures[f"advance a character at {name}, p50"] = medians[size] * 1e6, "us"
        figures[f"advance a character at {name}, p99"] = percentile(times["advance"], 0.99) * 1e6, "us"
        for call, unit, factor in (("is_member", "us", 1e6), ("fork", "us", 1e6), ("witness", "ms", 1e3)):
            is_last = size == SIZES[-1]
            label = f"{call}, p50" if is_last else f"{call} at {name}, p50"
            figures[label] = median(times[call]) * factor, unit
            figures[label.replace("p50", "p99")] = percentile(times[call], 0.99) * factor, unit
    ratio = medians[SIZES[-1]] / medians[SIZES[0]]
    figures["advance a character, p50 at 1 MB over p50 at 1 kB"] = ratio, "x"
    return figures


def type_middle(language: Language, load: Workload, times: dict[str, list[float]]) -> None:
    """Types one middle. Every character is timed, the other calls at every fifth."""
    recognizer = language.recognizer(load.left, load.right)
    for index, character in enumerate(load.middle):
        times["advance"].append(seconds(partial(recognizer.advance, character)))
        if index % 5 == 0:
            times["is_member"].append(seconds(recognizer.is_member))
            times["fork"].append(seconds(recognizer.fork))
            times["witness"].append(seconds(recognizer.witness))
    if not recognizer.is_member():
        raise AssertionError("the true middle is not a member")


def editing_costs(language: Language) -> Figures:
    """Types into an open document of 5,000 lines: the edit, and the recognizer at the new cursor."""
    text = lines(5_000, seed=7)
    document = language.document(text)
    random = Random(7)
    edits: list[float] = []
    recognizers: list[float] = []
    names: list[float] = []
    for _ in range(40):
        start = random.randint(len(text) // 10, len(text) * 9 // 10)
        stop = text.index("\n", start)
        start = max(text.rindex("\n", 0, stop) + 1, stop - 12)
        typed = text[start:stop]
        document.edit(start, stop, "")
        quietly(document.recognizer, start)
        for offset, character in enumerate(typed, start=start):
            edits.append(seconds(partial(document.edit, offset, offset, character)))
            recognizers.append(seconds(partial(quietly, document.recognizer, offset + 1)))
            names.extend(naming(document, offset + 1))
    if document.text != text:
        raise AssertionError("the text was not typed again as it was")
    parsed = text[: text.rindex("\n\n\n") + 1]
    parse = median(seconds(partial(ast.parse, parsed)) for _ in range(5))
    both = [one + other for one, other in zip(edits, recognizers, strict=True)]
    return {
        "ast.parse of 5,000 lines": (parse * 1e3, "ms"),
        "edit alone at 5,000 lines, p50": (median(edits) * 1e3, "ms"),
        "one typed character at 5,000 lines, p50": (median(both) * 1e3, "ms"),
        "one typed character at 5,000 lines, p95": (percentile(both, 0.95) * 1e3, "ms"),
        "one typed character at 5,000 lines, worst": (max(both) * 1e3, "ms"),
        "one typed character at 5,000 lines, times ast.parse": (median(both) / parse, "x"),
        "names around it at 5,000 lines, p50": (median(names) * 1e3, "ms"),
        "names around it at 5,000 lines, p95": (percentile(names, 0.95) * 1e3, "ms"),
        "names around it at 5,000 lines, times ast.parse": (median(names) / parse, "x"),
    }


def naming(document: Document, offset: int) -> list[float]:
    """The seconds to find the names around a hole, if anything fits there."""
    try:
        recognizer = document.recognizer(offset)
    except NoCompletion:
        return []
    return [seconds(partial(document.with_names, recognizer, offset, offset, ""))]


def quietly(ask: Callable[[int], object], offset: int) -> None:
    """Calls something that may raise NoCompletion, which costs the same."""
    try:
        ask(offset)
    except NoCompletion:
        return


def memory_costs() -> Figures:
    """Resident memory of a 1 MB document with both charts, in a process of its own."""
    words = [sys.executable, "-m", "benches.engine", "--memory"]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return {"memory of a 1 MB document": (float(done.stdout), "MB")}


def measure_memory() -> None:
    """Prints the JSON that `memory_costs` reads."""
    language = python()
    small, large = workload(10_000, 3), workload(1_000_000, 3)
    language.recognizer(small.left, small.right)
    text, hole = large.text, (len(large.left), len(large.left) + len(large.middle))
    before = resident_megabytes()
    document = language.document(text)
    recognizer = document.recognizer(*hole)
    print(resident_megabytes() - before)
    if not recognizer.advance(large.middle):
        raise AssertionError("the true middle does not advance")


def nesting_costs(language: Language) -> Figures:
    """The costs of deep nesting: JSON without a limit, Python's blocks and brackets up to CPython's."""
    json_language = Language.load("json")
    deep = 20_000
    blocks = "".join(" " * depth + "if a:\n" for depth in range(98))
    cases = {
        "20,000 nested brackets of JSON": (json_language, "[" * deep, "]" * deep, "1"),
        "98 nested blocks of Python": (language, blocks, "\nb\n", " " * 98 + "c"),
        "200 nested brackets of Python": (language, "x = " + "(" * 200, ")" * 200 + "\n", "1"),
    }
    figures: Figures = {}
    for name, (tongue, left, right, typed) in cases.items():
        cold = seconds(partial(tongue.recognizer, left, right))
        figures[f"{name}, cold"] = cold * 1e3, "ms"
        witnesses: list[float] = []
        # Some witnesses are empty texts, found within microseconds; one sample of those means nothing.
        for _ in range(21):
            recognizer = tongue.recognizer(left, right)
            witnesses.append(seconds(recognizer.witness))
        figures[f"{name}, witness"] = median(witnesses) * 1e3, "ms"
        if not (recognizer.advance(typed) and recognizer.is_member()):
            raise AssertionError(f"{name}: the true middle is not a member")
    return figures


def thread_costs(language: Language) -> Figures:
    """Two cold recognizers in two threads, beside what two threads can gain on this machine at this
    moment."""
    loads = [workload(300_000, seed) for seed in range(190, 220)]
    acts = [partial(language.recognizer, load.left, load.right) for load in loads]
    # Each thread keeps charts of its own, and those of a new thread are empty.
    while len(acts) > 20:
        at_once([acts.pop(), acts.pop()])
    data = bytes(10_000_000)
    hashes: list[Callable[[], object]] = [partial(sha256, data)] * 10
    # Hashing always releases the lock. On a busy machine it shows how much a second thread can gain.
    possible, reached = speed_up(hashes), speed_up(acts)
    return {
        "two threads hashing, speed-up": (possible, "x"),
        "two threads, speed-up": (reached, "x"),
        "two threads, speed-up over that of hashing": (reached / possible, "x"),
    }


def speed_up(acts: Sequence[Callable[[], object]]) -> float:
    """The speed-up of pairs of acts at once over one after the other. No act is done twice."""
    alone: list[float] = []
    together: list[float] = []
    for first in range(0, len(acts), 4):
        alone.append(sum(wall_seconds(act) for act in acts[first : first + 2]))
        together.append(wall_seconds(partial(at_once, acts[first + 2 : first + 4])))
    return median(alone) / median(together)


def at_once(acts: Sequence[Callable[[], object]]) -> None:
    """Runs the acts in threads of their own and waits for them."""
    threads = [Thread(target=act) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def measured(language: Language) -> Iterator[tuple[str, Figures]]:
    """Measures everything, part by part."""
    yield "one-time cost", cold_costs(language) | first_file()
    yield "typing", typing_costs(language)
    yield "an open document", editing_costs(language)
    yield "memory", memory_costs()
    yield "nesting", nesting_costs(language)
    yield "threads", thread_costs(language)


def options() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(prog="python -m benches.engine", description=__doc__.split("\n")[0])
    parser.add_argument("--results", type=Path, default=Path("benches/results/engine.json"))
    parser.add_argument("--figure", type=Path, default=Path("docs/figures/engine.svg"))
    parser.add_argument("--first-file", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    """Runs the benches. The exit status says whether every target is met."""
    chosen = options()
    warnings.simplefilter("ignore")
    if chosen.first_file:
        measure_first_file()
        return 0
    if chosen.memory:
        measure_memory()
        return 0
    language = python()
    figures: Figures = {}
    for part, measures in measured(language):
        print(f"{part}\n{table(measures)}\n", flush=True)
        figures |= measures
    points = figure.points(language)
    print(figure.fits(points))
    chosen.results.parent.mkdir(parents=True, exist_ok=True)
    measured_on = origin()
    report = {**measured_on, "figures": figures, "points": points}
    chosen.results.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    chosen.results.with_suffix(".md").write_text(
        page(origin_sentence(measured_on), figures, figure.fits(points)), "utf-8"
    )
    plots.write(chosen.figure, partial(figure.drawing, points))
    for name in missed(figures):
        print(f"missed: {name}")
    return 1 if missed(figures) else 0


def page(on: str, figures: Figures, fits: str) -> str:
    """The figures as a page, which `make bench` writes and which is not edited by hand."""
    return (
        f"# The engine's costs\n\nWritten by `make bench` on {on}; times are processor time.\n"
        "The plot is `docs/figures/engine.svg`.\n\n"
        f"{markdown(figures)}\n\n```text\n{fits}```\n"
    )


if __name__ == "__main__":
    sys.exit(main())
