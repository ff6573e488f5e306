"""The law of masks at many places: `python -m tests.masks --states 5000 --vocabulary qwen151k`."""

import argparse
import itertools
import sys
import time

from quotient import Vocabulary
from tests.masks import law, states, vocabularies


def main() -> int:
    """Prints the differences. The exit status says whether there are any."""
    parser = argparse.ArgumentParser(prog="python -m tests.masks", description=__doc__)
    parser.add_argument("--states", type=int, default=200, help="places for each vocabulary")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--vocabulary", action="append", choices=vocabularies.available())
    parser.add_argument("--language", action="append", help="languages to draw from, such as python-3.11")
    options = parser.parse_args()
    n_failures = 0
    for name in options.vocabulary or vocabularies.available():
        n_failures += _run(name, vocabularies.load(name), options)
    return 1 if n_failures else 0


def _run(name: str, vocabulary: Vocabulary, options: argparse.Namespace) -> int:
    languages = tuple(options.language or ["python"])
    found = states.random_states(vocabulary, options.seed, languages)
    begin = time.perf_counter()
    n_failures = 0
    for state in itertools.islice(found, options.states):
        different = law.differences(state.recognizer(), vocabulary)
        if different:
            n_failures += 1
            print(f"{name}: {len(different)} differ at {state}: {different[:10]}", flush=True)
    seconds = time.perf_counter() - begin
    print(f"{name}: {options.states} places, {n_failures} with differences, {seconds:.0f} s", flush=True)
    return n_failures


if __name__ == "__main__":
    sys.exit(main())
