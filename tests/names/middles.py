"""True middles of real files, and the same with a wrong name."""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Middle:
    """A hole and its true text."""

    kind: str
    left: str
    text: str
    right: str


def middles(random: Random, text: str, count: int) -> Iterator[Middle]:
    """Yield holes of a file: a line, a rest of a line, a statement with its body, or any span."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    if "\r" in text or "\f" in text or len(starts) < 4:
        return
    blocks = compound_statements(text)
    for _ in range(count):
        kind = random.choice(("line", "rest", "block", "span"))
        index = random.randrange(len(starts) - 1)
        start, stop = starts[index], starts[index + 1]
        if kind == "rest":
            start, stop = random.randint(start, max(start, stop - 1)), max(start, stop - 1)
        elif kind == "line":
            start += len(text[start:stop]) - len(text[start:stop].lstrip(" "))
            stop = max(start, stop - 1)
        elif kind == "span":
            start = random.randrange(len(text))
            stop = min(len(text), start + random.choice((3, 10, 30, 100)))
        elif blocks:
            node = random.choice(blocks)
            start, stop = starts[node.lineno - 1], starts[node.end_lineno or node.lineno]
            start += len(text[start:stop]) - len(text[start:stop].lstrip(" "))
            if stop - start > 4000 or text[stop - 1 : stop] != "\n":
                continue
            stop -= 1
        yield Middle(kind, text[:start], text[start:stop], text[stop:])


def compound_statements(text: str) -> list[ast.stmt]:
    """The compound statements, if the running interpreter knows all of the file's syntax."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and hasattr(node, "body")]


def planted(random: Random, middle: Middle) -> Middle | None:
    """The middle with one use of a variable replaced by an undefined name; None if there is no use.

    Only variables that `ast` reads as loaded count, and no names in annotations, which may be forward
    references.
    """
    try:
        tree = ast.parse(middle.left + middle.text + middle.right)
    except (SyntaxError, ValueError):
        return None
    before = middle.left.count("\n")
    first, last = before + 1, before + 1 + middle.text.count("\n")
    uses = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and first <= node.lineno <= last
        and node.id.isascii()
        and not hasattr(builtins, node.id)
    ]
    random.shuffle(uses)
    lines = (middle.left + middle.text + middle.right).split("\n")
    for use in uses:
        line = lines[use.lineno - 1].encode()
        if not line.isascii():
            continue
        offset = sum(len(line) + 1 for line in lines[: use.lineno - 1]) + use.col_offset
        start, stop = offset - len(middle.left), offset - len(middle.left) + len(use.id)
        if start < 0 or stop > len(middle.text) or middle.text[start:stop] != use.id:
            continue
        wrong = middle.text[:start] + "zq_" + use.id + middle.text[stop:]
        return Middle(middle.kind, middle.left, wrong, middle.right)
    return None


def has_star_import(text: str) -> bool:
    """Whether any name may exist."""
    return "import *" in text or "exec(" in text or "globals" in text or "_convert" in text
