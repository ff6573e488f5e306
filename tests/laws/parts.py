"""Parts of offers that were accepted and then left: whether the file parses.

    python -m tests.laws.parts --offers 1000

At places in the standard library the rest of a line is removed, and a model makes an offer through the
worker's own job loop. Each offer is accepted up to each of its words and left there, and the worker's closing
text is inserted. The law: the file always parses, as it would with the whole offer.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.document.sent import SentEdit, SentText
from fim_lsp.positions import LINE_END
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.messages import Answer, ClosedUp, CloseUp, Complete, Wishes
from fim_lsp.server.worker.with_model import load_completer
from tests.laws.sources import Sources
from tests.sessions.play import VERSION

# The places where editors' "accept next word" may stop.
WORD = re.compile(r"\w+|[^\w\s]|\s+")
CLOSERS = ")]}'\":"
WISHES = Wishes(
    n=1, max_tokens=48, max_lines=8, multi_line=True, scope="", in_comments=False, indentation=None
)
LARGEST = 30_000
MODEL_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Part:
    """A file with a part of an offer in it, and the worker's text to insert behind that part."""

    name: str
    left: str
    accepted: str
    right: str
    rest: str
    closing: str | None

    @property
    def text(self) -> str:
        return self.left + self.accepted + (self.closing or "") + self.right

    @property
    def kind(self) -> str:
        if self.closing is None:
            return "nothing helps"
        if not self.closing:
            return "nothing is open"
        return "closers" if not set(self.closing) - set(CLOSERS) else "more of the offer"


def parts(n_offers: int, seed: int, model: str | None = None, has_names: bool = True) -> Iterator[list[Part]]:
    """The parts of each offer, one for each word except the last."""
    wishes = replace(WISHES, names=has_names)
    job_loop = JobLoop(lambda _message: None, lambda _ready: None)
    completer, complaint = load_completer(model, RuntimeWishes(device="cpu"), 4, lambda _stage, _share: None)
    assert not complaint, complaint
    job_loop.serving.completer = completer
    n = 0
    for number, (name, text, start, stop) in enumerate(places(random.Random(seed))):
        if n == n_offers:
            return
        uri = f"file:///{number}/{name}"
        left, right = text[:start], text[stop:]
        holed = SentText(uri, 1, VERSION, left + right)
        answer = job_loop.answer(Complete(2 * number, holed, start, start, "", wishes, MODEL_SECONDS))
        assert isinstance(answer, Answer)
        if answer.texts and answer.rung == "file":
            n += 1
            yield list(parts_of(job_loop, uri, name, left, right, answer.texts[0]))
        job_loop.around.texts.forget(None)


def parts_of(job_loop: JobLoop, uri: str, name: str, left: str, right: str, offer: str) -> Iterator[Part]:
    ends = [found.end() for found in WORD.finditer(offer)][:-1]
    accepted, serial = 0, 1
    for end in ends:
        serial += 1
        edit = SentEdit(len(left) + accepted, len(left) + accepted, offer[accepted:end])
        text = SentText(uri, serial, VERSION, None, (edit,))
        closed = job_loop.answer(CloseUp(serial, text, len(left) + end, offer[end:]))
        assert isinstance(closed, ClosedUp), closed
        accepted = end
        yield Part(name, left, offer[:end], right, offer[end:], closed.closing)


def places(generator: random.Random) -> Iterator[tuple[str, str, int, int]]:
    """Files, each with a place behind which the rest of the line, or of some lines, is removed."""
    sources = Sources(generator, LARGEST)
    while True:
        source = sources.next()
        start = generator.randrange(len(source.text) + 1)
        ends = [found.start() for found in LINE_END.finditer(source.text, start)][
            : generator.choice((1, 1, 3))
        ]
        yield source.name, source.text, start, ends[-1] if ends else len(source.text)


def is_parsed(text: str) -> bool:
    return is_taken(text, ast.PyCF_ONLY_AST)


def is_taken(text: str, flags: int = 0) -> bool:
    """Whether Python compiles the text, or only parses it, by the flag."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "part", "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.laws.parts", description=__doc__)
    parser.add_argument("--offers", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", help="as for the setting (default: the bundled one)")
    parser.add_argument("--no-names", action="store_true", help="offers may use names that do not exist")
    arguments = parser.parse_args()
    kinds: Counter[str] = Counter()
    n_offers = n_parsed_before = n_bad = n_compiled = 0
    for offer in parts(arguments.offers, arguments.seed, arguments.model, not arguments.no_names):
        n_offers += 1
        for part in offer:
            kinds[part.kind] += 1
            n_parsed_before += is_parsed(part.left + part.accepted + part.right)
            n_compiled += is_taken(part.text)
            if not is_parsed(part.text):
                n_bad += 1
                print(f"{part.name}: {part.accepted!r} and then {part.closing!r}")
    n_parts = sum(kinds.values())
    print(f"{n_offers} offers, {n_parts} parts; {n_parts - n_bad} parse ({1 - n_bad / max(n_parts, 1):.2%})")
    print(f"without what is put in: {n_parsed_before} ({n_parsed_before / max(n_parts, 1):.2%})")
    print(f"compiled with it: {n_compiled} ({n_compiled / max(n_parts, 1):.2%})")
    print(", ".join(f"{kind}: {count}" for kind, count in kinds.most_common()))
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
