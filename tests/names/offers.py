"""`python -m tests.names.offers FOLDER...`: what offers bring that does not exist or does not compile.

    python -m tests.names.offers --count 300 src/of/a/project src/of/another

Holes are drawn from the files of projects that no training has seen; each is filled by the bundled model
without and with names. ruff says which names are undefined (F821, F822, F823), `compile` what it refuses.
Files in which ruff finds such names as they are, or that do not compile, are left out.
"""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from fim_lsp.decoding.model import load_model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.session import Session
from quotient import Language, NoCompletion
from tests.laws.sources import decoded
from tests.names.__main__ import is_bad
from tests.names.middles import middles

MODES = {"grammar": None, "names": ()}
PER_FILE = 3


def main() -> int:
    options = parsed()
    random = Random(options.seed)
    version = ".".join(map(str, sys.version_info[:2]))
    language, session = Language.load("python", version), Session(load_model(None))
    paths = [path for root in options.folder for path in sorted(Path(root).rglob("*.py"))]
    tally: Counter[str] = Counter()
    seconds: dict[str, list[float]] = {mode: [] for mode in MODES}
    while tally["holes"] < options.count:
        path = random.choice(paths)
        text = decoded(path.read_bytes()) if path.stat().st_size < options.largest else None
        if text is None or is_bad(text) or undefined(text):
            continue
        for middle in middles(random, text, PER_FILE):
            if middle.kind == "span" or '"""' in middle.text:
                continue
            offers = {}
            for mode, names in MODES.items():
                try:
                    recognizer = language.recognizer(middle.left, middle.right, names)
                except NoCompletion:
                    break
                start = time.perf_counter()
                found = session.complete(middle.left, middle.right, recognizer, Options())
                seconds[mode].append(time.perf_counter() - start)
                offers[mode] = found[0].text if found else ""
            if len(offers) < len(MODES):
                continue
            tally["holes"] += 1
            for mode, offer in offers.items():
                count(tally, mode, path, middle.left, offer, middle.right, options.shown)
                tally[f"{mode}: first line right"] += first_line(offer) == first_line(middle.text) != ""
    for name, number in sorted(tally.items()):
        print(f"{number:>8,}  {number / tally['holes']:>6.1%}  {name}")
    for mode, times in seconds.items():
        times.sort()
        print(f"{mode}: {times[len(times) // 2]:.3f} s p50, {times[len(times) * 19 // 20]:.3f} s p95")
    return 0


def count(
    tally: Counter[str], mode: str, path: Path, left: str, offer: str, right: str, is_shown: bool
) -> None:
    """Count what an offer brings."""
    whole = left + offer + right
    tally[f"{mode}: empty"] += not offer
    try:
        compile(whole, "offer", "exec", dont_inherit=True)
    except SyntaxError as error:
        tally[f"{mode}: does not compile"] += 1
        if is_shown:
            print(f"{mode}: {path}: {error.msg}: {offer[:100]!r}")
        return
    first, last = left.count("\n") + 1, (left + offer).count("\n") + 1
    found = undefined(whole)
    inside = [message for row, column, message in found if first <= row <= last]
    tally[f"{mode}: undefined inside"] += bool(inside)
    tally[f"{mode}: undefined elsewhere"] += len(found) > len(inside)
    if inside and is_shown and mode == "names":
        print(f"{mode}: {path}:{first}: {inside[0]}: {offer[:100]!r}")


def undefined(text: str) -> list[tuple[int, int, str]]:
    """The places of the names in a text that ruff finds undefined."""
    command = ["ruff", "check", "--isolated", "--select", "F821,F822,F823", "--output-format", "json", "-"]
    command = [str(Path(sys.executable).with_name("ruff")), *command[1:]]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    found = [entry for entry in json.loads(ran.stdout) if entry["code"] in ("F821", "F822", "F823")]
    return [(entry["location"]["row"], entry["location"]["column"], entry["message"]) for entry in found]


def first_line(text: str) -> str:
    return text.strip("\n").split("\n")[0].rstrip()


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.names.offers", description="names in offers")
    parser.add_argument("folder", nargs="+")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--largest", type=int, default=40_000, metavar="BYTES")
    parser.add_argument("--shown", action="store_true", help="print the offers that are wrong")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
