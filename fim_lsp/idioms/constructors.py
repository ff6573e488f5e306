"""Assignments of a constructor's parameters: `self.orders = orders`.

class Store:
    def __init__(self, orders, limit=10):
        self.orders = orders
        |                           self.limit = limit
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

# A header at the end of the text in front of its body, its parameters without brackets in brackets in
# brackets.
HEADER = re.compile(
    r"^(?P<indentation>[ \t]+)def (?P<name>\w+)\((?P<parameters>(?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)"
    r"(?:\s*->[^:\n]+)?:[ \t]*(?:#[^\n]*)?\r?\n",
    re.MULTILINE,
)
CLASS = re.compile(r"^(?P<indentation>[ \t]*)class \w+(?P<bases>\([^)]*\))?\s*:", re.MULTILINE)
PARAMETER = re.compile(r"\*{0,2}(\w+)")
ATTRIBUTE = re.compile(r"(?P<self>\w+)\.(?P<name>\w*)(?P<equals>[ \t]*=[ \t]*)?(?P<value>\w*)")
# A constructor whose end is further away is not read.
MAX_CHARACTERS = 4000


def assignments(left: str, constructors: Collection[str]) -> Iterator[str]:
    """The rests of the assignment that comes next in a constructor's body, if it is one that takes a
    parameter."""
    near = left[-MAX_CHARACTERS:]
    header = next(reversed([*HEADER.finditer(near)]), None)
    if header is None or header["name"] not in constructors:
        return
    *above, line = near[header.end() :].split("\n")
    receiver, *parameters = names(header["parameters"]) or [""]
    body = line[: len(line) - len(line.lstrip())]
    if not is_inside(header["indentation"], above, body):
        return
    taken = {found["name"] for text in above if (found := ATTRIBUTE.match(text.strip()))}
    missing = [name for name in parameters if name not in taken]
    if not line.strip():
        if not missing or not (begins_so(above, receiver, parameters) or is_plain(near, header, above)):
            return
        yield f"{receiver}.{missing[0]} = {missing[0]}"
        return
    begun = ATTRIBUTE.fullmatch(line.strip(" \t") if line.endswith(("=", "= ")) else line.lstrip())
    if begun is not None and begun["self"] == receiver:
        yield from rest(line, begun, missing)
        if begun["name"].lstrip("_") not in parameters and begins_so(above, receiver, parameters):
            yield from the_last(line, above, parameters)


def rest(line: str, begun: re.Match[str], missing: list[str]) -> Iterator[str]:
    if not begun["equals"] and not line.rstrip().endswith("="):
        # `self._` may become any private attribute, and `self._or` is one with its name begun.
        lead = "_" if begun["name"].startswith("_") else ""
        for name in missing:
            if (lead + name).startswith(begun["name"]):
                yield f"{(lead + name)[len(begun['name']) :]} = {name}"
        return
    name = begun["name"].lstrip("_")
    if name in missing and name.startswith(begun["value"]) and name != begun["value"]:
        yield (" " if line.endswith("=") and line[-2:-1] == " " else "") + name[len(begun["value"]) :]


def the_last(line: str, above: list[str], parameters: list[str]) -> Iterator[str]:
    """The one parameter that no line has taken, for an attribute of another name: `self.link = url`."""
    used = {found["value"] for text in above if (found := ATTRIBUTE.match(text.strip()))}
    left = [name for name in parameters if name not in used]
    if line.rstrip().endswith("=") and len(left) == 1:
        yield (" " if line.endswith(" =") else "") + left[0]


def names(parameters: str) -> list[str]:
    """The parameters' names, in their order."""
    depth, parts = 0, [""]
    for letter in parameters:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    found = (PARAMETER.match(part.strip()) for part in parts)
    return [name[1] for name in found if name]


def is_inside(indentation: str, above: list[str], body: str) -> bool:
    """Whether the cursor's line and all above it belong to the body, at its column."""
    columns = {text[: len(text) - len(text.lstrip())] for text in above if text.strip()}
    return len(body) > len(indentation) and body.startswith(indentation) and columns <= {body}


def begins_so(above: list[str], receiver: str, parameters: list[str]) -> bool:
    """Whether the last line has taken a parameter."""
    last = next((text.strip() for text in reversed(above) if text.strip()), "")
    found = ATTRIBUTE.fullmatch(last)
    return bool(found and found["self"] == receiver and found["value"] in parameters)


def is_plain(near: str, header: re.Match[str], above: list[str]) -> bool:
    """Whether it is the first line of a constructor that has no other one to call: its class has no bases."""
    around = next(reversed([*CLASS.finditer(near[: header.start()])]), None)
    if around is None or any(text.strip() for text in above):
        return False
    return len(around["indentation"]) < len(header["indentation"]) and around["bases"] in (
        None,
        "()",
        "(object)",
    )
