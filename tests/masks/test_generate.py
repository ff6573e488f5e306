"""Real `generate` of `transformers` with random models: whatever they prefer, the text parses."""

import ast
from typing import Any

import pytest

from quotient import Language, Vocabulary, logits

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

# Every character of ASCII, so that every text can continue, and some longer tokens.
WORDS = [chr(code) for code in range(32, 127)] + [
    *("\n", "\n    ", "    ", "\t", "\\\n", " = ", "def ", "return", "lambda ", "x(", "):\n", "()", "])"),
    *("f'", "'''", "é"),
]
N_LOGITS = 128
"""More than there are tokens: a model's embeddings are often padded."""

END, PAD = len(WORDS), len(WORDS) + 1


def vocabulary() -> Vocabulary:
    return Vocabulary([*(word.encode() for word in WORDS), b"</s>", b""], eos=END)


def model(kind: str, seed: int) -> Any:
    torch.manual_seed(seed)
    common = {"vocab_size": N_LOGITS, "n_positions": 128, "n_embd": 16, "n_layer": 1, "n_head": 2}
    tokens = {"bos_token_id": END, "eos_token_id": END, "pad_token_id": PAD}
    config = getattr(transformers, f"{kind}Config")(**common, **tokens, initializer_range=0.5)
    return getattr(transformers, f"{kind}{'LMHeadModel' if kind == 'GPT2' else 'ForCausalLM'}")(config).eval()


def eager_to_end(_: Any, scores: Any) -> Any:
    """The scores of a random model that ends more often."""
    scores = scores.clone()
    scores[:, END] += 6
    return scores


def generated(kind: str, seed: int, left: str, right: str, **options: Any) -> list[tuple[str, bool]]:
    """The texts of all rows, and whether each has ended."""
    words = vocabulary()
    processor = logits.MaskProcessor(Language.load("python", "3.11").recognizer(left, right), words)
    prompt = torch.randint(0, len(WORDS), (2, 3))
    found = model(kind, seed).generate(
        prompt,
        attention_mask=torch.ones_like(prompt),
        logits_processor=[eager_to_end, processor],
        **options,
    )
    rows = [row[3:] for row in found.tolist()]
    ended = [row[: row.index(END)] if END in row else row for row in rows]
    return [
        ("".join(WORDS[token] for token in text), END in row) for row, text in zip(rows, ended, strict=True)
    ]


HOLES = [("", ""), ("def f(x):\n    ", "\n\ny = f(1)\n"), ("x = [1, ", "]\n"), ("if x:\n    y\n", "    z\n")]
SAMPLES = {"do_sample": True, "top_k": 0, "max_new_tokens": 24, "num_return_sequences": 4}
BEAMS = {"num_beams": 3, "max_new_tokens": 8}


@pytest.mark.parametrize("kind", ["GPT2", "GPTBigCode"])
def test_what_has_ended_parses(kind: str) -> None:
    torch.set_num_threads(1)
    n_ended = 0
    for seed, (left, right) in enumerate(HOLES):
        for options in (SAMPLES, BEAMS):
            for text, has_ended in generated(kind, seed, left, right, **options):
                # A text without an end can still be completed.
                recognizer = Language.load("python", "3.11").recognizer(left, right)
                assert recognizer.advance(text), (left, text, right)
                if has_ended:
                    n_ended += 1
                    ast.parse(left + text + right)
    assert n_ended > 10
