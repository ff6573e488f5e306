"""The two names of a React state, which people name alike: if one is renamed, the other follows.

const [value, setValue] = useState("");        const [text, setValue]: `setText`
"""

from __future__ import annotations

from collections.abc import Iterator

from fim_lsp.edits.renaming.renames import LIKELY, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement

HOOKS = ("useState", "React.useState", "useReducer", "React.useReducer")


def renamed_states(change: FileChange) -> Iterator[Replacement]:
    if "useState" not in change.new.text and "useReducer" not in change.new.text:
        return
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            path = change.new.path_to(new[0])
            if len(path) < 3:
                continue
            names, declared = path[-2], path[-3]
            value = declared.child_by_field_name("value") if declared.type == "variable_declarator" else None
            called = None if value is None else value.child_by_field_name("function")
            if names.type != "array_pattern" or change.new.text_of(called) not in HOOKS:
                continue
            both = names.named_children
            if len(both) != 2 or both[1].type != "identifier" or both[0].type != "identifier":
                continue
            was, now = change.old.text[slice(*old)], change.new.text[slice(*new)]
            is_state = both[0] == path[-1]
            other, wanted = both[is_state], (setter_name(now) if is_state else state_name(now))
            expected = setter_name(was) if is_state else state_name(was)
            if wanted and expected and change.new.text_of(other) == expected:
                start, stop = change.new.span(other)
                reason = f"`{was}`, which it goes with, is called `{now}` now"
                yield Replacement(start, stop, wanted, reason, LIKELY, f"state {was} {now}")


def setter_name(state: str) -> str:
    return f"set{state[0].upper()}{state[1:]}"


def state_name(setter: str) -> str:
    """The name of the state that a setter sets; empty if its name is not that of a setter."""
    name = setter.removeprefix("set")
    return f"{name[0].lower()}{name[1:]}" if name != setter and name[:1].isupper() else ""
