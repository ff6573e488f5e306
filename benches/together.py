"""`python -m benches.together`: what the second of two holes costs, in files of the law of such holes.

Two pieces of a file are cut out (`tests/laws/together.py`). "One hole" is the shortest text for the first
place, while the true piece stands at the second one; "two holes" is `shortest_together` for both. The second
hole's cost is the difference. "A hole given the other" is the recognizer of each place and its shortest text,
once both are filled: the exact part. Times are those of the processor.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from random import Random
from statistics import median

from benches.targets import Target, row
from benches.timing import percentile, seconds
from fim_lsp.decoding.shortest_together import shortest_together, sides
from quotient import Language, NoCompletion
from tests.laws.together import FILES, LARGEST_FILE, LONGEST_CUT, SECONDS, VERSION

N_PAIRS = 100
# The second hole's cost, in that of the first.
MOST = 2.0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m benches.together", description=__doc__.split("\n")[0])
    parser.add_argument("--pairs", type=int, default=N_PAIRS, help="the pairs of holes of each language")
    options = parser.parse_args(arguments)
    is_met = True
    for language in FILES:
        given, searched = measured(language, options.pairs)
        target = Target(language, "x", MOST)
        print(row(f"{language}: a hole given the other, second over first, p50", median(given), "x", target))
        print(row(f"{language}: two holes searched, second over first, p50", median(searched), "x", target))
        print(row(f"{language}: two holes searched, p95", percentile(searched, 0.95), "x", None))
        is_met = is_met and median(given) <= MOST and median(searched) <= MOST
    return 0 if is_met else 1


def measured(language: str, n_pairs: int) -> tuple[list[float], list[float]]:
    """The second hole's cost in that of the first: given the other's text, and with both texts searched."""
    random = Random(language)
    engine = Language.load(language, version=VERSION if language == "python" else None)
    texts = [path.read_text(encoding="utf-8") for path in FILES[language]]
    texts = [text for text in texts if 40 < len(text) < LARGEST_FILE]
    given: list[float] = []
    searched: list[float] = []
    while len(searched) < n_pairs:
        parts, pieces = cut_twice(random.choice(texts), random)
        places = [len(parts[0]), len(parts[0]) + len(parts[1])]
        try:
            found = shortest_together(engine, "".join(parts), places, seconds=SECONDS)
        except NoCompletion:
            continue
        first = seconds(partial(filled_alone, engine, parts[0], parts[1] + pieces[1] + parts[2]))
        both = seconds(partial(shortest_together, engine, "".join(parts), places, seconds=SECONDS))
        searched.append((both - first) / first)
        times = [seconds(partial(filled_alone, engine, *sides(parts, found, number))) for number in (0, 1)]
        given.append(times[1] / times[0])
    return given, searched


def cut_twice(text: str, random: Random) -> tuple[list[str], list[str]]:
    """A file in three parts, and the two pieces between them."""
    start = random.randrange(len(text))
    stop = min(start + random.randrange(LONGEST_CUT + 1), len(text))
    again = min(stop + random.randrange(300), len(text))
    end = min(again + random.randrange(LONGEST_CUT + 1), len(text))
    return [text[:start], text[stop:again], text[end:]], [text[start:stop], text[again:end]]


def filled_alone(engine: Language, left: str, right: str) -> str:
    return engine.recognizer(left, right).witness()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
