"""Narrowed rules, without some terminals: `// @without RULE TERMINAL ...` and `// @never TERMINAL`.

A construct in which a version refuses more is a smaller language. It is not written down again: the rule and
the rules below it are copied, without parts that need one of the terminals.

A terminal that no text has is an argument for templates: `statement{returns}` with RETURN or with NEVER.
Rules that always need themselves, so that no text matches them, are left out as well; Lark accepts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from quotient.compiler.rules import Body, symbols


def narrowed_bodies(bodies: Mapping[str, Body], rule: str, without: frozenset[str]) -> dict[str, Body]:
    """The rules, with `rule` narrowed to texts without these terminals; the copies are named after it."""
    below = _below(bodies, rule)
    copies = {name: f"{rule}/{name}" for name in below if name != rule} | {rule: rule}
    found = dict(bodies)
    for name, copy in copies.items():
        body = _without(bodies[name], copies, without)
        if body is None:
            raise ValueError(f"`@without {rule}` leaves nothing of the rule `{name}`")
        found[copy] = body
    return found


def without_never(bodies: Mapping[str, Body], start: str, never: Iterable[str]) -> dict[str, Body]:
    """The rules without these terminals, and without rules that always need them."""
    left, gone = dict(bodies), frozenset(never)
    while gone:
        own = {name: name for name in left}
        found = {name: _without(body, own, gone) for name, body in left.items()}
        lost = frozenset(name for name, body in found.items() if body is None)
        left = {name: body for name, body in found.items() if body is not None}
        if not lost:
            break
        gone |= lost
    if start not in left:
        raise ValueError("no text is left of the start rule")
    used = set(_below(left, start)) if gone else set(left)
    return {name: body for name, body in left.items() if name in used}


def textless_rules(bodies: Mapping[str, Body]) -> frozenset[str]:
    """The rules that no text matches, assuming that every terminal has a text."""
    left = set(bodies)
    while found := {name for name in left if _has_text(bodies[name], left)}:
        left -= found
    return frozenset(left)


def _has_text(body: Body, textless: set[str]) -> bool:
    if isinstance(body, str):
        return body not in textless
    if "seq" in body:
        return all(_has_text(part, textless) for part in body["seq"])
    if "alt" in body:
        return any(_has_text(part, textless) for part in body["alt"])
    return "plus" not in body or _has_text(body["plus"], textless)


def _below(bodies: Mapping[str, Body], rule: str) -> list[str]:
    """The rules that a rule uses, itself included, in order of appearance."""
    found = [rule]
    for name in found:
        found.extend(
            dict.fromkeys(used for used in symbols(bodies[name]) if used in bodies and used not in found)
        )
    return found


def _without(body: Body, copies: Mapping[str, str], without: frozenset[str]) -> Body | None:
    """The body with the copies in it; None if it always has one of the terminals."""
    if isinstance(body, str):
        return None if body in without else copies.get(body, body)
    if "seq" in body:
        parts = [_without(part, copies, without) for part in body["seq"]]
        whole = [part for part in parts if part is not None]
        return {"seq": whole} if len(whole) == len(parts) else None
    if "alt" in body:
        choices = [_without(part, copies, without) for part in body["alt"]]
        left = [choice for choice in choices if choice is not None]
        return {"alt": left} if left else None
    if "plus" in body:
        part = _without(body["plus"], copies, without)
        return None if part is None else {"plus": part}
    if "opt" in body:
        part = _without(body["opt"], copies, without)
        return {"seq": []} if part is None else {"opt": part}
    part = _without(body["star"], copies, without)
    return {"seq": []} if part is None else {"star": part}
