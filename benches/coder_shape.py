"""`python -m benches.coder_shape`: a model of a size that people use, through llama.cpp, beside llama-server.

The model has the shape of Qwen2.5-Coder 0.5B, random weights in Q4_0, and the bundled tokenizer, whose
vocabulary is filled up to Qwen's 151,936 tokens. So it costs as much to compute as the real one. The same
prompts are completed by llama.cpp in this process, constrained and unconstrained, and by llama-server's own
`/infill`, each on one thread: from an empty cache, and again after five more characters were typed. A model
with random weights nearly always prefers tokens that do not fit, so the constrained run is the worst case.

A first text has 16 tokens. Times are medians of the wall clock, so they are valid only on a quiet machine.
`--write` puts the table into docs/models.md. The file of 350 MB is kept in target/.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import gguf
import numpy as np
import numpy.typing as npt

from benches.runtimes import write
from fim_lsp.bundled_models import BUNDLED
from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.decoding.options import Constraint, Options
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.runtimes.served.address import Address, address_of
from fim_lsp.runtimes.served.wire import request_json
from quotient import Language
from tests.e2e.llama import SERVER, WHY_NO_SERVER, llama_server
from training.gguf_file import add_tokenizer
from training.holes import MeasuredHole, library_holes

SUMMARY = (__doc__ or "").partition("\n")[0]
FILE = Path(__file__).parent.parent / "target" / "qwen2.5-coder-0.5b-random.gguf"
BEGIN = "<!-- figures: written by `python -m benches.coder_shape --write` -->"
N_LAYERS, WIDTH, N_HEADS, N_KEY_HEADS, INNER, N_TOKENS = 24, 896, 14, 2, 4864, 151_936
N_POSITIONS, EPSILON, THETA = 4096, 1e-6, 1e6
# Half a window on each side of the cursor.
N_SHOWN = 1000
N_WRITTEN, N_LONGER = 16, 48
N_TYPED = 5
SPREAD = 0.02


@dataclass(frozen=True)
class Took:
    """Milliseconds to the first text from an empty cache, to the text after five more characters, and per
    token."""

    cold: float
    typed: float
    a_token: float


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.coder_shape", description=SUMMARY)
    parser.add_argument("--holes", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="write the table into docs/models.md")
    arguments = parser.parse_args()
    if not SERVER.exists():
        raise SystemExit(WHY_NO_SERVER)
    if not FILE.exists():
        print(f"writing {FILE} ...", file=sys.stderr)
        write_random(FILE)
    text = "\n".join(table(wide_holes(arguments.holes)))
    print(text)
    if arguments.write:
        write(BEGIN, text)
    return 0


def table(holes: Sequence[MeasuredHole]) -> Iterator[str]:
    yield f"| {len(holes)} holes, milliseconds | from nothing | {N_TYPED} characters later | a token |"
    yield "|---|---|---|---|"
    model = load_model(str(FILE), RuntimeWishes(n_threads=1))
    prompts: list[tuple[str, str]] = []
    free = median_of([ours(model, hole, "none", prompts) for hole in holes])
    held = median_of([ours(model, hole, "constrained", []) for hole in holes])
    with tempfile.TemporaryDirectory() as folder:
        options = ("--cache-ram", "0", "--parallel", "1", "--ctx-size", str(N_POSITIONS))
        with llama_server(FILE, Path(folder, "log"), *options) as address:
            served = address_of(address)
            theirs = median_of(
                [infilled(served, *prompt, hole) for prompt, hole in zip(prompts, holes, strict=True)]
            )
    for name, took in (
        ("llama-server's `/infill`", theirs),
        ("llama.cpp in this process, free", free),
        ("llama.cpp in this process, held to the grammar", held),
    ):
        yield f"| {name} | {took.cold:.0f} | {took.typed:.0f} | {took.a_token:.1f} |"


def median_of(found: Sequence[Took]) -> Took:
    cold, typed, a_token = (
        median(getattr(took, name) for took in found) for name in ("cold", "typed", "a_token")
    )
    return Took(cold, typed, a_token)


def ours(model: Model, hole: MeasuredHole, constraint: Constraint, prompts: list[tuple[str, str]]) -> Took:
    """The figures of our own decoding loop. Its prompts are added to `prompts`."""
    session = DecodingSession(model)
    typed = hole.left + hole.middle[:N_TYPED]
    cold = completed(session, hole.left, hole.right, constraint, N_WRITTEN)
    prompts.append(shown(model, session.sent))
    again = completed(session, typed, hole.right, constraint, N_WRITTEN)
    # The prompt has been read by now, except for its last token.
    n_computed = session.reader.n_computed
    longer = completed(session, typed, hole.right, constraint, N_LONGER)
    return Took(1000 * cold, 1000 * again, 1000 * longer / (session.reader.n_computed - n_computed))


def completed(
    session: DecodingSession, left: str, right: str, constraint: Constraint, n_tokens: int
) -> float:
    # No text is drafted, because the server drafts none either.
    options = Options(
        max_tokens=n_tokens, context_tokens=N_SHOWN, constraint=constraint, drafts=False, scope="free"
    )
    recognizer = None
    start = time.perf_counter()
    if constraint != "none":
        recognizer = Language.load("python", version="3.11").document(left + right).recognizer(len(left))
    session.complete(CompletionRequest(left, right, recognizer, options))
    return time.perf_counter() - start


def shown(model: Model, tokens: Sequence[int]) -> tuple[str, str]:
    """The left and right texts that a prompt shows."""
    first, second = tokens.index(model.prefix), tokens.index(model.suffix)
    third = len(tokens) if model.middle is None else tokens.index(model.middle)
    parts = (tokens[first + 1 : second], tokens[second + 1 : third], tokens[third + 1 :])
    left, right, begun = (
        b"".join(model.token_bytes[token] for token in part).decode(errors="replace") for part in parts
    )
    return left + begun, right


def infilled(address: Address, left: str, right: str, hole: MeasuredHole) -> Took:
    def infill(prefix: str, n_tokens: int) -> float:
        body = {
            "input_prefix": prefix,
            "input_suffix": right,
            "n_predict": n_tokens,
            "temperature": 0,
            "cache_prompt": True,
            "ignore_eos": True,
        }
        start = time.perf_counter()
        answer = request_json(address, "/infill", body)
        assert answer["tokens_predicted"] == n_tokens, answer
        return time.perf_counter() - start

    typed = left + hole.middle[:N_TYPED]
    cold, again = infill(left, N_WRITTEN), infill(typed, N_WRITTEN)
    return Took(1000 * cold, 1000 * again, 1000 * infill(typed, N_LONGER) / N_LONGER)


def wide_holes(n_holes: int) -> list[MeasuredHole]:
    """Holes with more text around them than a prompt shows, and more text inside than is typed."""
    wide = (
        hole
        for hole in library_holes(40 * n_holes)
        if min(len(hole.left), len(hole.right)) > 6 * N_SHOWN and len(hole.middle.strip()) > 2 * N_TYPED
    )
    return [hole for hole, _ in zip(wide, range(n_holes), strict=False)]


def write_random(path: Path) -> None:
    """A file of random weights, each of which is read during computation, as in a real file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.part")
    writer = gguf.GGUFWriter(unfinished, "qwen2")
    writer.add_name("random weights")
    writer.add_block_count(N_LAYERS)
    writer.add_context_length(N_POSITIONS)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(N_HEADS)
    writer.add_head_count_kv(N_KEY_HEADS)
    writer.add_layer_norm_rms_eps(EPSILON)
    writer.add_rope_freq_base(THETA)
    add_tokenizer(writer, N_TOKENS, BUNDLED)
    generator = np.random.default_rng(0)
    keys = WIDTH // N_HEADS * N_KEY_HEADS
    add(writer, generator, "token_embd", N_TOKENS, WIDTH)
    add(writer, generator, "output_norm", WIDTH)
    for layer in range(N_LAYERS):
        for name, *shape in (
            ("attn_norm", WIDTH),
            ("attn_q", WIDTH, WIDTH),
            ("attn_k", keys, WIDTH),
            ("attn_v", keys, WIDTH),
            ("attn_output", WIDTH, WIDTH),
            ("ffn_norm", WIDTH),
            ("ffn_gate", INNER, WIDTH),
            ("ffn_up", INNER, WIDTH),
            ("ffn_down", WIDTH, INNER),
        ):
            add(writer, generator, f"blk.{layer}.{name}", *shape)
        for name, width in (("attn_q", WIDTH), ("attn_k", keys), ("attn_v", keys)):
            writer.add_tensor(f"blk.{layer}.{name}.bias", np.zeros(width, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    unfinished.replace(path)


def add(writer: gguf.GGUFWriter, generator: np.random.Generator, name: str, *shape: int) -> None:
    """Adds a vector of ones or a random matrix in Q4_0; the embedding is in Q8_0, as in real quantized
    files."""
    if len(shape) == 1:
        writer.add_tensor(f"{name}.weight", np.ones(shape, np.float32))
        return
    is_embedding = name == "token_embd"
    kind = gguf.GGMLQuantizationType.Q8_0 if is_embedding else gguf.GGMLQuantizationType.Q4_0
    blocks = random_blocks(generator, shape, 32 if is_embedding else 16, 128 if is_embedding else 8)
    writer.add_tensor(f"{name}.weight", blocks, raw_dtype=kind)


def random_blocks(
    generator: np.random.Generator, shape: Sequence[int], n_bytes: int, largest: int
) -> npt.NDArray[np.uint8]:
    """Blocks of 32 weights: a scale in half precision, and their bytes."""
    n_rows, n_blocks = shape[0], shape[1] // 32
    blocks = generator.integers(0, 256, (n_rows, n_blocks, 2 + n_bytes), np.uint8)
    scale = np.array([2 * SPREAD / largest], np.float16).view(np.uint8)
    blocks[:, :, :2] = scale
    return blocks.reshape(n_rows, n_blocks * (2 + n_bytes))


if __name__ == "__main__":
    raise SystemExit(main())
