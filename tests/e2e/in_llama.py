"""Logits of the bundled model by llama.cpp in this process, beside those of ONNX Runtime, as JSON.

It is a program of its own, because its memory is measured: `python -m tests.e2e.in_llama GGUF`.
"""

from __future__ import annotations

import gc
import json
import sys
import sysconfig
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import psutil  # type: ignore[import-untyped]

from benches.runtime_texts import differences, written
from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.prompts.reader import PromptReader
from fim_lsp.decoding.writing.beam import MOST_BEAMS
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.runtimes.llama.cells import LARGE
from fim_lsp.runtimes.llama.runtime import LlamaRuntime
from fim_lsp.runtimes.runtime import GivenUp, KeptCache, Runtime
from quotient import Language
from tests.thoroughness import n_tries
from training.holes import MeasuredHole, held_out_texts, line_holes

FILES = ("ast.py", "textwrap.py", "tokenize.py", "this.py")
ODD = ("", "é€😀\r\n\t", "x = '<fim-middle>'\n", "<|endoftext|>", "1234 ٣٤\u00a0", "\x00\x7f", " leading")
# Prompts are short, because each is new and read from its beginning.
OPTIONS = Options(max_tokens=16, context_tokens=200)
N_HOLES = n_tries(8, 20)


def main() -> int:
    ours, theirs = load_model(sys.argv[1]), load_model()
    assert isinstance(ours.runtime, LlamaRuntime)
    found = {
        "format": ours.fim_format.name,
        "signs": [ours.prefix, ours.suffix, ours.middle, list(ours.begin), sorted(ours.ends)],
        "their signs": [theirs.prefix, theirs.suffix, theirs.middle, list(theirs.begin), sorted(theirs.ends)],
        "has the same vocabulary": ours.token_bytes == theirs.token_bytes,
        "reads otherwise": [
            text[:40]
            for text in (*map(library_text, FILES), *ODD)
            if ours.encode(text) != theirs.encode(text)
        ],
        "n_positions": ours.n_positions,
        "n_parameters": [ours.n_parameters, theirs.n_parameters],
        "worst logit": worst_logit(ours, theirs),
        "cut and read again": cut_and_read_again(ours),
        "slid": slid(ours.runtime, prompts(ours)),
        "given up": given_up(ours.runtime, prompts(ours)[0]),
        "forgotten and read again": forgotten_and_read_again(ours.runtime),
        "kept of models that were let go": kept_of_models_that_were_let_go(sys.argv[1]),
        "beams": [beams(ours), beams(theirs)],
        "wide beams": [wide_beams(as_full_as_a_large_one(ours)), wide_beams(theirs)],
        "holes": holes(ours, theirs),
    }
    print(json.dumps(found))
    return 0


def kept_of_models_that_were_let_go(path: str) -> int:
    """The additional bytes of this process after eight further models were loaded and closed."""
    process = psutil.Process()

    def come_and_go() -> int:
        load_model(path).runtime.cache().read(list(range(300, 700)), 1)
        gc.collect()
        return int(process.memory_info().rss)

    first = come_and_go()
    return [come_and_go() for _ in range(8)][-1] - first


@cache
def short_holes(n_holes: int) -> list[MeasuredHole]:
    """Lines of files that the engine reads in a moment."""
    return line_holes(short_texts(), n_holes)


@cache
def short_texts() -> list[str]:
    return [text for text in held_out_texts(60) if len(text) < 8_000]


def library_text(name: str) -> str:
    return Path(sysconfig.get_path("stdlib"), name).read_text(encoding="utf-8")


def prompts(model: Model) -> list[list[int]]:
    text = library_text("argparse.py")
    places = range(4_000, 36_000, 8_000)
    assert model.middle is not None
    return [
        [
            model.prefix,
            model.suffix,
            *model.encode(text[place : place + 900]),
            model.middle,
            *model.encode(text[place - 900 : place]),
        ]
        for place in places
    ]


def rows(runtime: Runtime, tokens: list[int], n_last: int) -> Any:
    found = runtime.cache().read(tokens, n_last)
    return np.array([found[index] for index in range(n_last)])


def worst_logit(ours: Model, theirs: Model) -> float:
    worst = 0.0
    for tokens in prompts(theirs):
        there, here = rows(theirs.runtime, tokens, 40), rows(ours.runtime, tokens, 40)
        worst = max(worst, float(np.abs(there - here).max()))
    return worst


def cut_and_read_again(model: Model) -> float:
    """The error of the logits behind a text whose end was replaced."""
    first, second = prompts(model)[:2]
    cache = model.runtime.cache()
    cache.read(first, 1)
    cache.crop(100)
    again = cache.read(second[100:200], 1)[0]
    return float(np.abs(again - rows(model.runtime, [*first[:100], *second[100:200]], 1)[0]).max())


def slid(runtime: LlamaRuntime, texts: list[list[int]]) -> dict[str, Any]:
    """A text whose beginning is dropped in steps, compared with one that is read anew."""
    text = texts[0]
    exact = rows(runtime, [*text[:1], *text[121:]], 40)
    is_kept = isinstance(runtime.cache(), KeptCache)
    # The network is treated as large: a small one is read again, which is exact.
    large = replace(runtime, is_large=True)
    reader = PromptReader(large)
    reader.prompt(text, 1, lambda: False)
    found = reader.prompt([*text[:1], *text[121:]], 40, lambda: False)
    after = np.array([found[index] for index in range(40)])
    # If positions were not shifted, every token would be 120 further away than it is.
    return {
        "small is kept": is_kept,
        "spliced": spliced(large, texts),
        "computed": reader.n_computed - len(text),
        "tokens": reader.tokens == [*text[:1], *text[121:]],
        "same choice": int((exact.argmax(axis=1) == after.argmax(axis=1)).sum()),
        "worst": float(np.abs(exact - after).max()),
    }


def spliced(runtime: LlamaRuntime, texts: list[list[int]]) -> dict[str, Any]:
    """A text whose middle was replaced after reading, and one that began with it."""
    text, new = texts[0], texts[1][:30]
    now = [*text[:100], *new, *text[120:]]
    exact = rows(runtime, now, 40)
    cache = runtime.cache()
    assert isinstance(cache, KeptCache)
    cache.read(text[:-40], 0)
    begun, longer = cache.branch(90), cache.branch(140)
    is_moved = cache.splice(100, 20, new)
    n_held = cache.n_held, begun.n_held, longer.n_held
    after = np.array([*cache.read(text[-40:], 40)])
    behind = begun.read(now[90:100], 1)[0]
    return {
        "moved": is_moved,
        "held": n_held,
        "all": len(text) - 40 + 10,
        "same choice": int((exact.argmax(axis=1) == after.argmax(axis=1)).sum()),
        "branch": float(np.abs(behind - rows(runtime, now[:100], 1)[0]).max()),
    }


def given_up(runtime: LlamaRuntime, text: list[int]) -> dict[str, Any]:
    """An interrupted reading, and the part of it that the cache holds."""
    cache = replace(runtime, is_large=True).cache()
    assert isinstance(cache, KeptCache)
    cache.read(text[:50], 0)
    n_asked = 0

    def is_given_up() -> bool:
        nonlocal n_asked
        n_asked += 1
        return n_asked > 5

    cache.attend(is_given_up)
    try:
        cache.read(text[50:150], 0)
        is_stopped = False
    except GivenUp:
        is_stopped = True
    n_held = cache.n_held
    cache.attend(lambda: False)
    again = cache.read(text[50:150], 1)[0]
    exact = rows(runtime, text[:150], 1)[0]
    return {"stopped": is_stopped, "held": n_held, "worst": float(np.abs(again - exact).max())}


def forgotten_and_read_again(runtime: LlamaRuntime) -> dict[str, Any]:
    """More texts at once than there is room for: those that lost their cells still give the same logits."""
    texts = [list(range(300 + index, 300 + index + 400)) for index in range(6)]
    held = [(runtime.cache(), text) for text in texts]
    for begun, text in held:
        begun.read(text, 1)
    n_lost = sum(begun.sequence is None for begun, _ in held)
    worst = 0.0
    for begun, text in held:
        again = begun.read([11, 12], 2)[1]
        worst = max(worst, float(np.abs(again - rows(runtime, [*text, 11, 12], 1)[0]).max()))
    del held, begun
    gc.collect()
    runtime.cache().read([5], 1)
    return {"lost": n_lost, "worst": worst, "held": runtime.cells.n_texts}


def beams(model: Model) -> list[list[str]]:
    language = Language.load("python", version="3.11")
    found = []
    for hole in short_holes(3):
        recognizer = language.recognizer(hole.left, hole.right)
        options = Options(max_tokens=12, strategy="beam", n=2)
        completions = DecodingSession(model).complete(
            CompletionRequest(hole.left, hole.right, recognizer, options)
        )
        found.append([completion.text for completion in completions])
    return found


def wide_beams(model: Model) -> list[int]:
    """The number of texts found when more are wanted than a large network can hold."""
    language = Language.load("python", version="3.11")
    hole = short_holes(1)[0]
    request = CompletionRequest(hole.left, hole.right, language.recognizer(hole.left, hole.right))
    options = (Options(max_tokens=6, strategy="beam", n=n) for n in (MOST_BEAMS, 100))
    return [len(DecodingSession(model).complete(replace(request, options=one))) for one in options]


def as_full_as_a_large_one(model: Model) -> Model:
    """The model with only as much room for texts as a large network has."""
    assert isinstance(model.runtime, LlamaRuntime)
    gc.collect()
    cells = model.runtime.cells
    cells.sizes = replace(cells.sizes, n_texts=LARGE.n_texts)
    cells._free = cells._free[: max(0, LARGE.n_texts - cells.n_texts)]
    return model


def holes(ours: Model, theirs: Model) -> dict[str, Any]:
    wanted = short_holes(N_HOLES)
    there, here = written(theirs, wanted, OPTIONS), written(ours, wanted, OPTIONS)
    parted = differences(theirs, wanted, OPTIONS, there, here)
    return {
        "fit": sum(one.fits for one in here),
        "offered": sum(one.text is not None for one in here),
        "margins": [difference.margin for difference in parted],
        "differences": [str(difference) for difference in parted],
    }


if __name__ == "__main__":
    raise SystemExit(main())
