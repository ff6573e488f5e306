"""`python -m benches.llama_speed FILE.gguf ...`: what llama.cpp reads and writes here, by build and threads.

The wheel's own libraries are compared with those of the packages of the extra `llama`, each in a process of
its own. The table has, for each file, tokens read per second, and milliseconds for readings of one to sixteen
rows behind 256 tokens. Figures are medians, valid only on a quiet machine. `--write` puts the table into
docs/models.md.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

from benches.runtimes import write

SUMMARY = (__doc__ or "").partition("\n")[0]
BUILDS = {"carried": "our wheel's", "packaged": "the package's"}
BEGIN = "<!-- figures: written by `python -m benches.llama_speed FILE.gguf ... --write` -->"
BEHIND = 256
PROMPT = 128
ROWS = (1, 2, 4, 8, 16)
N_TIMES = 7
HEAD = ["file", "llama.cpp", "threads", f"reads, tokens/s ({PROMPT})", *(f"{rows}, ms" for rows in ROWS)]


def measured(path: Path, n_threads: int, build: str) -> list[float]:
    """Tokens per second, and the milliseconds of a reading by its number of rows."""
    from fim_lsp.runtimes.llama import carried
    from fim_lsp.runtimes.llama.runtime import LlamaCache, LlamaRuntime

    if build == "packaged":
        carried.open_library = lambda *_: None
    runtime = LlamaRuntime.at(path, 0, n_threads, lambda _share: None)
    drawn = random.Random(1)
    cache = LlamaCache(runtime)

    def tokens(n_tokens: int) -> list[int]:
        return [drawn.randrange(1000, min(30_000, runtime.gguf.n_tokens)) for _ in range(n_tokens)]

    def seconds(read: Callable[[], object]) -> float:
        times = []
        for _ in range(N_TIMES):
            cache.crop(BEHIND)
            start = perf_counter()
            read()
            times.append(perf_counter() - start)
        return median(times)

    cache.read(tokens(BEHIND), 1)
    reading = seconds(lambda: cache.read(tokens(PROMPT), 1))
    rows = [seconds(lambda n_rows=n_rows: cache.read(tokens(n_rows), n_rows)) for n_rows in ROWS]  # type: ignore[misc]
    return [PROMPT / reading, *(1000 * each for each in rows)]


def table(files: list[Path]) -> str:
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    for file in files:
        for build, called in BUILDS.items():
            for n_threads in (1, 2):
                # A loaded library stays loaded, so each build gets a process of its own.
                command = [sys.executable, "-m", "benches.llama_speed", str(file)]
                command += ["--one", build, "--threads", str(n_threads)]
                made = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
                speed, *rows = map(float, made.stdout.split())
                cells = [file.stem, called, str(n_threads), f"{speed:.0f}", *(f"{each:.0f}" for each in rows)]
                lines.append("| " + " | ".join(cells) + " |")
                print(lines[-1], file=sys.stderr, flush=True)
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=SUMMARY)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--one", choices=[*BUILDS], help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(*measured(given.files[0], given.threads, given.one))
        return
    made = table(given.files)
    print(made)
    if given.write:
        write(BEGIN, made)


if __name__ == "__main__":
    main()
