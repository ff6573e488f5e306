"""`python -m benches.context`: what it costs to show other files to a model, in time and in tokens to read.

The workspace has 5,000 files, which are copies of the standard library's. It is scanned as the worker does
it: for outlines alone and together with the memory's tokens, both once with nothing on disk and once as at
the next start. Memory is the growth of the process. A save costs a new outline of the open document, and a
look for changes in the workspace. A keystroke's cost is what the worker's main thread spends on the context
of a request; `told.py` measures how much longer the whole request takes. Prompts are made as sessions make
them, in the orders of three families, while a function is typed, an offer is accepted, and another file is
looked at. Everything behind the first token that differs is read again.
"""

from __future__ import annotations

import argparse
import gc
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path, PurePosixPath
from statistics import fmean

import psutil  # type: ignore[import-untyped]

from benches.report import reported
from benches.targets import Target
from benches.timing import percentile
from benches.told import growth
from fim_lsp.context.kept_outlines import NAME
from fim_lsp.context.modules import Modules
from fim_lsp.context.outline import PythonOutline
from fim_lsp.context.snippet import Context
from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.prompts.prompt import Window
from fim_lsp.decoding.prompts.several_files import context_tokens
from fim_lsp.document.sent import SentEdit
from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.memory.workspace import KnownFile, Scan, Workspace
from fim_lsp.replay.corpus import File, standard_library
from fim_lsp.server.exclusion import exclusion
from fim_lsp.server.worker.project_context import ProjectContext
from fim_lsp.shared import n_shared
from fim_lsp.system.memory import give_back, hold_little

Figures = dict[str, tuple[float, str]]
TARGETS = (
    Target("outlines of a workspace", "s", 20),
    Target("outlines and the memory's tokens", "s", 20),
    Target("outlines of a workspace, at the next start", "s", 5),
    Target("memory of outlines and tokens", "MB", 100),
    Target("after a save, p95", "ms", 50),
    Target("a request's own work for its context, p95", "ms", 3),
    Target("what a request takes more with context, p95", "ms", 3),
)
N_FILES, N_FOLDERS = 5_000, 100
# Larger files are rare in projects, and common in the standard library.
SMALLEST, LARGEST = 500, 25_000
BUDGET, N_PROMPT = 256, 900
N_TYPED, N_SWITCHES = 60, 20
# Three families' prompt orders, and where other files stand in them.
FAMILIES = ("santacoder", "qwen", "codestral")


def library() -> list[str]:
    found = [one.text for one in standard_library() if isinstance(one, File)]
    return [text for text in found if SMALLEST < len(text) < LARGEST]


def written(folder: Path, texts: list[str], n_files: int) -> None:
    for number in range(n_files):
        path = folder / f"package{number % N_FOLDERS}" / f"module{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# {number}\n{texts[number % len(texts)]}", encoding="utf-8", errors="replace")


def held() -> int:
    gc.collect()
    give_back()
    return int(psutil.Process().memory_info().rss)


def scanned(
    folder: Path,
    model: Model,
    has_tokens: bool,
    cache: Path | None,
    known: dict[str, KnownFile] | None = None,
) -> tuple[float, float, Workspace, dict[str, KnownFile]]:
    """The seconds and megabytes of a scan, and its result."""
    before, folders = held(), (folder.as_uri(),)
    scan = Scan(
        model.encode,
        len(model.vocabulary),
        lambda uri: exclusion(uri, (), folders) is None,
        {} if known is None else known,
        has_tokens=has_tokens,
        has_outlines=True,
        outlines_folder=cache,
    )
    # The scan runs on a thread, as in the worker, because it lowers its own priority.
    start = time.perf_counter()
    with ThreadPoolExecutor(1) as pool:
        workspace = pool.submit(scan.workspace, [str(folder)]).result()
    seconds = time.perf_counter() - start
    assert workspace is not None
    return seconds, (held() - before) / (1 << 20), workspace, scan.known


def saves(texts: list[str]) -> list[float]:
    """Milliseconds for a document's new outline."""
    found = []
    for text in random.Random(0).sample(texts, min(200, len(texts))):
        start = time.perf_counter()
        PythonOutline.of(text)
        found.append(1e3 * (time.perf_counter() - start))
    return found


def keystrokes(model: Model, workspace: Workspace, texts: list[str]) -> list[float]:
    """Milliseconds that a request spends on its context while large files are typed."""
    known = ProjectContext(workspace.modules)
    last: Context | None = None
    uris = list(workspace.modules.paths)
    opened = {uri: texts[number] for number, uri in enumerate(uris[:8])}
    found = []
    for number, text in enumerate(sorted(texts, key=len)[-20:]):
        left, right, uri = text[: len(text) // 2], text[len(text) // 2 :], uris[number]
        for typed in "value = compute(first, second)":
            left += typed
            known.note_edits(uri, (SentEdit(len(left) - 1, len(left) - 1, typed),))
            start = time.perf_counter()
            context = known.context(uri, left, right, opened)
            if context is not last:
                context_tokens(model, context, BUDGET)
                last = context
            found.append(1e3 * (time.perf_counter() - start))
    known.wait_until_settled(60)
    return found


PRICES = "class Prices:\n    def net(self, gross: float) -> float: ...\n    def total(self) -> float: ...\n"
CART = (
    'from prices import Prices\n\n\nclass Cart:\n    """What is bought."""\n\n    def total(self):\n        '
)
TYPED = (
    "prices = Prices()\n        for item in self.items:\n            prices.add(item.price * item.number)\n"
)
OFFER = "prices.net(item.price) + sum(other.price for other in self.items)\n            "
HELPERS = "".join(
    f"def helper_{number}(first, factor):\n    return first * {number} + factor\n\n\n" for number in range(20)
)


class DocumentPrompts:
    """The prompts of one document, and how much of each differs from the previous one."""

    def __init__(self, model: Model, known: ProjectContext, uri: str) -> None:
        self.model, self.known, self.uri = model, known, uri
        self.window = Window(model)
        self.before: list[int] = []

    def read_again(self, left: str, right: str, opened: dict[str, str]) -> float:
        """The share of a prompt that has to be read again, given its context."""
        self.known.context(self.uri, left, right, opened)
        self.known.wait_until_settled(60)
        context = self.known.context(self.uri, left, right, opened)
        prompt = self.window.prompt(left, right, N_PROMPT, context_tokens(self.model, context, BUDGET))
        tokens = [*prompt.tokens, *prompt.pending]
        n_same, self.before = n_shared(self.before, tokens), tokens
        return 1 - n_same / len(tokens)


def asked_as(model: Model, family: str) -> Model:
    """The bundled model, prompted as another family. Tokens that it never learned stand for the family's
    special tokens."""
    spoken = next(known for known in FIM_FORMATS if known.name == family)
    signs = dict.fromkeys(spoken.files.tokens, model.prefix)
    files = model.fim_format.files if family == "santacoder" else spoken.files
    return replace(
        model, fim_format=replace(model.fim_format, order=spoken.order, files=files), file_signs=signs
    )


def shares(model: Model, folder: Path) -> Iterator[tuple[str, float]]:
    """The shares read again after a character, an offer, a switch to another file and back, and an edit
    there."""
    texts = {"prices": PRICES, "cart": CART, "other": HELPERS}
    uris = {name: (folder / f"{name}.py").as_uri() for name in texts}
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text)
    modules = Modules.of(
        {uris[name]: PythonOutline.of(text) for name, text in texts.items()},
        {uris[name]: PurePosixPath(f"{name}.py") for name in texts},
    )
    known = ProjectContext(modules)
    above = "".join(f"limit_{number} = {number}\n" for number in range(20))
    cart, other = DocumentPrompts(model, known, uris["cart"]), DocumentPrompts(model, known, uris["other"])
    left, right = (
        CART.replace("class Cart", f"{above}\n\nclass Cart"),
        "\n        return prices.total()\n" + above,
    )
    opened = {uris["other"]: HELPERS}
    cart.read_again(left, right, opened)
    found = []
    for character in TYPED:
        left += character
        found.append(cart.read_again(left, right, opened))
    yield "a typed character", fmean(found)
    yield "an accepted offer", cart.read_again(left + OFFER, right, opened)
    left += OFFER
    other.read_again(HELPERS, "\n", {})
    yield "a switch of files and back", cart.read_again(left, right, opened)
    for what, written in (("an edit in another file", "rate"), ("another line there", "share")):
        place = HELPERS.index("factor", HELPERS.index("helper_9"))
        edited = HELPERS[:place] + written + HELPERS[place + len("factor") :]
        known.note_edits(uris["other"], (SentEdit(place, place + len("factor"), written),))
        yield f"{what} and back", cart.read_again(left, right, {uris["other"]: edited})


def measured(n_files: int) -> Figures:
    # This process tunes its allocator to keep little memory, as the worker does.
    hold_little()
    model, texts, figures = load_model(), library(), Figures()
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as cache:
        folder = Path(name).resolve()
        written(folder, texts, n_files)
        figures["outlines of a workspace, nothing kept"] = scanned(folder, model, False, None)[0], "s"
        seconds, megabytes, workspace, known = scanned(folder, model, True, None)
        figures["outlines and the memory's tokens"] = seconds, "s"
        figures["memory of outlines and tokens"] = megabytes, "MB"
        for when in ("", ", at the next start"):
            figures[f"outlines of a workspace{when}"] = scanned(folder, model, False, Path(cache))[0], "s"
        figures["outlines on disk"] = (Path(cache) / NAME).stat().st_size / (1 << 20), "MB"
        figures["outlines and tokens, at the next start"] = scanned(folder, model, True, Path(cache))[0], "s"
        next(folder.glob("*/*.py")).write_text("class Saved: ...\n")
        figures["the workspace after a save"] = scanned(folder, model, False, Path(cache), known)[0], "s"
        figures["files outlined"] = len(workspace.modules.paths), ""
        found = saves(texts)
        figures["after a save, p50"] = percentile(found, 0.5), "ms"
        figures["after a save, p95"] = percentile(found, 0.95), "ms"
        found = keystrokes(model, workspace, texts)
        figures["a request's own work for its context, p50"] = percentile(found, 0.5), "ms"
        figures["a request's own work for its context, p95"] = percentile(found, 0.95), "ms"
        figures |= growth(workspace)
    with tempfile.TemporaryDirectory() as name:
        for family in FAMILIES:
            for what, share in shares(asked_as(model, family), Path(name).resolve()):
                figures[f"read again after {what}, as {family}"] = 100 * share, "%"
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(prog="benches.context", description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=N_FILES, help="of the workspace (%(default)s)")
    parser.add_argument("--results", type=Path, default=Path("benches/results/context.json"))
    arguments = parser.parse_args()
    return reported(measured(arguments.files), TARGETS, arguments.results)


if __name__ == "__main__":
    sys.exit(main())
