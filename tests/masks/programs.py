"""Programs of a public benchmark in Go and Java, if it was fetched beside the project."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

MXEVAL = Path(__file__).parents[3] / "shared" / "data" / "mxeval"
"""Where they lie, if they do."""


def functions(language: str) -> Iterator[tuple[str, str, str]]:
    """The text in front of a function's body, the body (empty if there is none), and the text behind it."""
    for name in (f"HumanEval_{language}_*", f"mb{language[0]}p_*"):
        for path in MXEVAL.glob(name):
            for row in gzip.decompress(path.read_bytes()).splitlines():
                task = json.loads(row)
                yield task["prompt"], task["canonical_solution"] or "", task["test"]
