"""Types of other languages as they are written: their names, and the types inside them.

*User, User | null, Partial<User>                 the name `User`
Promise<User[]>                                   promises `User[]`, whose items are `User`
Map<number, User>                                 maps to `User`
"""

from __future__ import annotations

import re
from collections.abc import Iterator

BARE = re.compile(r"^((?:[^\W\d]\w*\.)?[^\W\d]\w*)(?:<.*>)?$", re.DOTALL)
NOTHING = re.compile(r"\s*\|\s*(?:null|undefined)\b|\b(?:null|undefined)\s*\|\s*")
WRAPPED = re.compile(r"^(?:Readonly|Partial|Required|NonNullable)<(.+)>$", re.DOTALL)
PROMISE = re.compile(r"^Promise<(.+)>$", re.DOTALL)
HOLDING = re.compile(
    r"^(?:Readonly)?(?:Array|Set|List|ArrayList|LinkedList|HashSet|Iterable|Iterator|Collection|Stream|Deque|Queue)"
    r"<(.+)>$",
    re.DOTALL,
)
MAPPING = re.compile(r"^(?:Readonly)?(?:\w*Map|Record)<(.+)>$", re.DOTALL)
GO_HOLDING = re.compile(r"^(?:\[\d*\]|map\[[^\]]+\]|<?-?chan\s+|\.\.\.)(.+)$", re.DOTALL)
# The arguments of a type of Go, innermost first: `[int]` in `Stack[int]`.
ARGUMENTS = re.compile(r"(?<=\w)(?<!\bmap)\[[^\[\]]+\]")


def bare_name(said: str) -> str:
    """The name of a type, with that of its file or package, if it is written."""
    found = BARE.match(cleaned_type(said).lstrip("*& "))
    return found[1] if found else ""


def cleaned_type(said: str) -> str:
    """A type without the signs around it, such as its colon or `| null`."""
    said = NOTHING.sub("", said.strip().removeprefix(":").strip()).strip().removeprefix("readonly ").strip()
    wrapped = WRAPPED.match(said)
    return wrapped[1].strip() if wrapped else said


def without_arguments(said: str) -> str:
    """A type of Go without the arguments of all types in it: `[]Stack` for `[]Stack[int]`."""
    while (less := ARGUMENTS.sub("", said)) != said:
        said = less
    return said


def promised_type(said: str) -> str:
    found = PROMISE.match(cleaned_type(said))
    return found[1] if found else said


def item_type(said: str) -> str:
    """The type of the elements of a list or a map."""
    said = cleaned_type(said)
    if said.endswith("[]"):
        return said[:-2].strip("() ")
    for pattern in (HOLDING, GO_HOLDING):
        if (found := pattern.match(said)) is not None:
            return found[1].strip()
    return ""


def mapped_type(said: str) -> str:
    """The type of a map's values."""
    found = MAPPING.match(cleaned_type(said))
    parts = [] if found is None else [*split_types(found[1])]
    return parts[1] if len(parts) == 2 else ""


def literal_member(said: str, name: str) -> str:
    """The type of a member in a type without a name, `{ rows: User[]; size?: number }`."""
    said = cleaned_type(said)
    for one in split_types(said[1:-1], ",;\n") if said.startswith("{") and said.endswith("}") else ():
        key, colon, of_type = one.partition(":")
        if colon and key.strip().removesuffix("?") == name:
            return of_type.strip()
    return ""


def split_types(said: str, signs: str = ",") -> Iterator[str]:
    """The types in a list of types, `number, Map<string, User>`."""
    at = depth = 0
    for place, sign in enumerate(said):
        depth += (sign in "<([{") - (sign in ">)]}")
        if sign in signs and not depth:
            yield said[at:place].strip()
            at = place + 1
    yield said[at:].strip()
