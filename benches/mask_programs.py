"""The programs of each language on which masks are measured, as bytes, and how they are cut into tokens."""

import ast
import json
import tokenize
from collections.abc import Callable
from io import BytesIO
from itertools import islice
from random import Random

from quotient import Vocabulary
from tests.masks import states
from tests.masks.programs import functions
from tests.masks.samples import GO, JAVA

N_TEXTS = 12
"""How many there are at most of each kind."""


def segmented(vocabulary: Vocabulary) -> Callable[[bytes], list[int]]:
    """Cuts texts into the longest tokens, without a tokenizer package."""
    index = {vocabulary.token(token): token for token in range(len(vocabulary))}
    longest = min(max(map(len, index)), 64)

    def cut(text: bytes) -> list[int]:
        found: list[int] = []
        at = 0
        while at < len(text):
            ends = range(min(at + longest, len(text)), at, -1)
            end = next(end for end in ends if text[at:end] in index)
            found.append(index[text[at:end]])
            at = end
        return found

    return cut


def programs(language: str) -> list[bytes]:
    """The programs, some kilobytes each; `flat` gives pieces of Python that need no layout."""
    match language:
        case "python":
            return python_files()
        case "flat":
            return flat_pieces(N_TEXTS)
        case "json":
            return json_documents()
        case "go":
            return [text.encode() for text in [*GO, *benchmark_programs("go", "}\n")]]
        case "java":
            return [text.encode() for text in [*JAVA, *benchmark_programs("java", "}\n}\n")]]
    raise ValueError(language)


def python_files() -> list[bytes]:
    """Files of the standard library."""
    texts = [text for text in states.python_files() if 3_000 < len(text) < 10_000]
    return Random(1).sample(texts, N_TEXTS)


def flat_pieces(n: int) -> list[bytes]:
    """Pieces of files without line breaks in brackets, for grammars that know no layout."""
    texts = [text.replace(b"\r", b"") for text in states.python_files()]
    pieces = [piece + b"\n" for text in texts for piece in text.split(b"\n\n\n")]
    found = [piece for piece in pieces if 300 < len(piece) < 2_000 and is_flat(piece)]
    return Random(1).sample(found, min(n, len(found)))


def is_flat(text: bytes) -> bool:
    """Whether the statements have neither comments nor line breaks in brackets."""
    try:
        symbols = list(tokenize.tokenize(BytesIO(text).readline))
        ast.parse(text)
    except (SyntaxError, tokenize.TokenError):
        return False
    depth = 0
    for symbol in symbols:
        depth += (symbol.string in "([{") - (symbol.string in ")]}") if symbol.type == tokenize.OP else 0
        if symbol.type == tokenize.COMMENT or (symbol.type == tokenize.NL and depth):
            return False
    return b"\\\n" not in text


def json_documents() -> list[bytes]:
    """Documents, nested at random, on one line or indented."""
    random = Random(1)

    def value(depth: int) -> object:
        kind = random.random()
        if depth > 3 or kind < 0.3:
            return random.choice([1, 2.5, True, None, "some text", 'a "quoted" é', -100, "2024-01-02T00:00"])
        if kind < 0.65:
            names = [random.choice(["name", "id", "some_key", "Tags"]) + str(index) for index in range(5)]
            return {name: value(depth + 1) for name in names[: random.randrange(6)]}
        return [value(depth + 1) for _ in range(random.randrange(5))]

    texts = [
        json.dumps([value(0) for _ in range(8)], indent=random.choice([None, 2])) for _ in range(N_TEXTS)
    ]
    return [text.encode() for text in texts]


def benchmark_programs(language: str, end: str) -> list[str]:
    """Programs of a public benchmark, if it was fetched: a function and its tests."""
    found = islice(functions(language), 0, None, 100)
    return [left + (body or end) + right for left, body, right in found][: N_TEXTS - 2]
