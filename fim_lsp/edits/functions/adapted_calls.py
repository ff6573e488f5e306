"""The calls of functions whose headers were changed.

    def fetch(url, timeout)  ->  def fetch(url, *, wait, tries=3)
    fetch(page, 10)          ->  fetch(page, wait=10)

Each call is read by the old header and written for the new one, with as few changes as possible. A call that
cannot be read, such as one with `*arguments`, stays, and so does one that would need an unknown value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.functions.call_arguments import Argument, arguments_of, bound_arguments, number_in_front
from fim_lsp.edits.functions.calls import Call, call_of
from fim_lsp.edits.functions.signatures import Altered, Parameter
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import MODULE


def adapted_for_good(
    change: FileChange, call: Call, function: Altered, given: dict[str, str]
) -> list[Replacement] | None:
    """The replacements in a call whose old form is not known. They name arguments where the new call would
    look like one that has not followed yet, such as `send(to, text)` after `send(text, to)`."""
    found = adapted_call(change, call, function, given)
    if not found or not reads_alike(change, call, function, found):
        return found
    arguments, listed = arguments_of(change.old, call.node), call.node.child_by_field_name("arguments")
    bound = None if arguments is None else bound_arguments(arguments, function.before.taken)
    if arguments is None or bound is None or listed is None:
        return None
    new = {one.name: one for one in function.after.taken}
    writer = ArgumentWriter(change, listed, arguments, function, call.probability)
    n_same = n_in_place(function, bound, arguments)
    for number, argument in enumerate(arguments):
        now = function.renamed.get(bound[number], bound[number])
        if now not in new:
            writer.remove(number)
        elif argument.name or number < n_same:
            continue
        elif new[now].kind == "place" or now == "*":
            return None
        else:
            writer.insert(argument.start, f"{now}=")
    return writer.replacements()


def n_in_place(function: Altered, bound: Sequence[str], arguments: Sequence[Argument]) -> int:
    """How many of a call's first arguments keep their places."""
    places = [one.name for one in function.after.taken if one.has_place]
    count = 0
    for name, argument, place in zip(bound, arguments, places, strict=False):
        if argument.name or function.renamed.get(name, name) != place:
            break
        count += 1
    return count


def reads_alike(change: FileChange, call: Call, function: Altered, found: Sequence[Replacement]) -> bool:
    """Whether a changed call would look like an unchanged one: the old header takes it, and it would be
    changed again."""
    start, stop = change.old.span(call.node)
    at = change.to_new(start)
    if at is None:
        return False
    text = change.new.text[at : at + stop - start]
    for one in reversed(found):
        text = text[: one.start - at] + one.new + text[one.stop - at :]
    begin = call.name.start - start
    then = FileChange.of(change.path, text, text, change.new.known_language)
    name = then.old_names.at(begin, begin + call.name.stop - call.name.start)
    node = call_of(name)
    return node is not None and bool(adapted_call(then, Call(node, name, call.probability), function, {}))


def adapted_call(
    change: FileChange, call: Call, function: Altered, given: dict[str, str]
) -> list[Replacement] | None:
    """The replacements in a call; None if they are not known. `given` are values for new parameters that
    the user has already written in calls."""
    arguments = arguments_of(change.old, call.node)
    listed = call.node.child_by_field_name("arguments")
    if arguments is None or listed is None or is_touched(change, listed):
        return None
    bound = bound_arguments(arguments, function.before.taken)
    if bound is None:
        return None
    writer = ArgumentWriter(change, listed, arguments, function, call.probability)
    places = FilledPlaces([one.name for one in function.after.taken if one.has_place])
    if (order := new_order(arguments, bound, function, places.names)) is not None:
        write_order(writer, order)
        return writer.replacements()
    if not write_kept(writer, bound, places):
        return None
    passed = {function.renamed.get(name, name) for name in bound}
    for parameter in function.after.taken:
        if parameter.name in passed or parameter.kind in ("rest", "keywords"):
            continue
        value = value_for(change, call, function, parameter, given)
        if value is not None:
            is_written = write_new(writer, bound, parameter, value, places)
        else:
            # A parameter with a default needs no value; for another one none is known.
            is_written = parameter.default is not None
        if not is_written:
            return None
    return writer.replacements()


@dataclass(slots=True)
class FilledPlaces:
    """The names of the new header's parameters that have a place, and how many of them got an argument there,
    one after the other. Behind the first argument that is named, no more do."""

    names: Sequence[str]
    n_filled: int = 0
    is_in_row: bool = True

    def is_next(self, name: str) -> bool:
        return self.is_in_row and [*self.names[self.n_filled : self.n_filled + 1]] == [name]


def write_order(writer: ArgumentWriter, order: Sequence[int]) -> None:
    """Puts the arguments without a name into another order."""
    for number, other in enumerate(order):
        if number != other:
            argument = writer.arguments[number]
            writer.replace(argument.start, argument.stop, writer.text_of(other))


def write_kept(writer: ArgumentWriter, bound: Sequence[str], places: FilledPlaces) -> bool:
    """Removes arguments that nothing takes, and names those whose place or name is another one now. False if
    the new header cannot take one of them."""
    function = writer.function
    new = {one.name: one for one in function.after.taken}
    kinds = {one.kind for one in function.after.taken}
    for number, (argument, name) in enumerate(zip(writer.arguments, bound, strict=True)):
        now = function.renamed.get(name, name)
        if name == "*":
            if not kinds & {"rest", "keywords"}:
                return False
        elif now not in new:
            is_among_keywords = "keywords" in kinds and argument.name
            if not is_among_keywords:
                writer.remove(number)
        elif argument.name:
            if argument.name != now:
                writer.replace(argument.start, argument.start + len(argument.name), now)
        elif places.is_next(now):
            places.n_filled += 1
        elif new[now].kind == "place":
            return False
        else:
            # From here on arguments need names, since their places differ.
            places.is_in_row = False
            writer.insert(argument.start, f"{now}=")
    return True


def write_new(
    writer: ArgumentWriter, bound: Sequence[str], parameter: Parameter, value: str, places: FilledPlaces
) -> bool:
    """Passes a value to a new parameter: by its place if that comes next, and by its name otherwise. False if
    the header gives it no name."""
    by_place = places.is_next(parameter.name) and (parameter.default is None or value != parameter.name)
    if by_place and all(not argument.name for argument in writer.arguments):
        places.n_filled += 1
        writer.append(value)
        return True
    if parameter.kind == "place":
        return False
    behind = number_in_front(writer.function, bound, writer.arguments, parameter)
    writer.append(f"{parameter.name}={value}", behind)
    return True


def new_order(
    arguments: Sequence[Argument], bound: Sequence[str], function: Altered, places: Sequence[str]
) -> list[int] | None:
    """The new order of the arguments if nothing else changes; None otherwise."""
    now = [function.renamed.get(name, name) for name in bound]
    n_places = sum(not argument.name for argument in arguments)
    is_all = sorted(now[:n_places]) == sorted(places[:n_places])
    if not is_all or now[:n_places] == [*places[:n_places]] or function.added or function.removed:
        return None
    if function.renamed or any(one.default is None for one in function.after.taken if one.name not in now):
        return None
    return [now.index(name) for name in places[:n_places]]


def value_for(
    change: FileChange, call: Call, function: Altered, parameter: Parameter, given: dict[str, str]
) -> str | None:
    """The value that a call gives to a parameter that it does not name."""
    old = function.former_parameter(parameter)
    if old is not None:
        # It has lost its default. The default of a factory cannot be written in a call.
        return old.default or None if parameter.default is None else None
    if parameter.name in given:
        return given[parameter.name]
    return parameter.name if has_variable_for(change, call, parameter) else None


def has_variable_for(change: FileChange, call: Call, parameter: Parameter) -> bool:
    """Whether the caller has a variable with the name of a new parameter. If the parameter is optional, the
    variable must be new, too."""
    at = change.to_new(call.name.start)
    if at is None:
        return False
    scopes = change.new_names.at(at, at + call.name.stop - call.name.start).scopes
    is_variable = change.new_names.binding_scope(parameter.name, scopes) not in (None, MODULE)
    if parameter.default is None or not is_variable:
        return is_variable
    return change.old_names.binding_scope(parameter.name, call.name.scopes) is None


def is_touched(change: FileChange, node: tree_sitter.Node) -> bool:
    """Whether any part of a node has changed."""
    start, stop = change.old.span(node)
    at = change.to_new(start)
    return at is None or change.new.text[at : at + stop - start] != change.old.text[start:stop]


class ArgumentWriter:
    """Replacements in the arguments of a call, by places of the old text."""

    def __init__(
        self,
        change: FileChange,
        listed: tree_sitter.Node,
        arguments: Sequence[Argument],
        function: Altered,
        probability: float,
    ) -> None:
        self.change, self.arguments, self.function = change, arguments, function
        self.probability = probability
        self.start, self.stop = change.old.span(listed)
        self._removed: set[int] = set()
        self._found: list[tuple[int, int, str]] = []
        self._appended: list[str] = []
        # What is put behind an argument that is not the last one.
        self._behind: dict[int, list[str]] = {}

    def remove(self, number: int) -> None:
        self._removed.add(number)

    def replace(self, start: int, stop: int, new: str) -> None:
        self._found.append((start, stop, new))

    def insert(self, at: int, new: str) -> None:
        self._found.append((at, at, new))

    def insert_before(self, number: int, new: str) -> None:
        """Inserts an argument in front of another, on its own line if that one has its own."""
        argument = self.arguments[number]
        self.insert(argument.start, f"{new},{self._gap(argument, len(self.arguments))}")

    def append(self, new: str, behind: int | None = None) -> None:
        """One more argument, the last one or behind another."""
        if behind is None or behind in self._removed or behind == len(self.arguments) - 1:
            self._appended.append(new)
        else:
            self._behind.setdefault(behind, []).append(new)

    def text_of(self, number: int) -> str:
        argument = self.arguments[number]
        return self.change.old.text[argument.start : argument.stop]

    def _gap(self, argument: Argument, n_arguments: int) -> str:
        """The text between two arguments: a line break if each has its own line."""
        lines = self.change.old.lines
        number = lines.line_at(argument.start)
        line = lines[number]
        indentation = line[: len(line) - len(line.lstrip())]
        if argument.start - lines.starts[number] != len(indentation) or n_arguments < 2:
            return " "
        return ("\r\n" if line.endswith("\r\n") else "\n") + indentation

    def replacements(self) -> list[Replacement]:
        kept = [number for number in range(len(self.arguments)) if number not in self._removed]
        for number in sorted(self._removed):
            argument = self.arguments[number]
            if number and any(other < number for other in kept):
                self._found.append((self.arguments[number - 1].stop, argument.stop, ""))
            elif number + 1 < len(self.arguments):
                self._found.append((argument.start, self.arguments[number + 1].start, ""))
            else:
                self._found.append((self.start + 1, self.stop - 1, ""))
        for number, some in self._behind.items():
            argument = self.arguments[number]
            gap = self._gap(argument, len(self.arguments))
            self._found.append((argument.stop, argument.stop, "".join(f",{gap}{one}" for one in some)))
        if self._appended:
            added = ", ".join(self._appended)
            if kept:
                last = self.arguments[kept[-1]]
                gap = self._gap(last, len(kept))
                self._found.append((last.stop, last.stop, "".join(f",{gap}{one}" for one in self._appended)))
            elif self.arguments:
                self._found = [(self.start + 1, self.stop - 1, added)]
            else:
                self._found.append((self.start + 1, self.start + 1, added))
        group = f"call {self.function.before.name} {self.start}"
        found = []
        for start, stop, new in self._found:
            at = self.change.to_new(self.start)
            assert at is not None
            shift = at - self.start
            found.append(
                Replacement(
                    start + shift, stop + shift, new, reason_of(self.function), self.probability, group
                )
            )
        return sorted(found, key=lambda one: one.start)


def reason_of(function: Altered) -> str:
    """The change of a function, in words for the user."""
    after = function.after
    known = {one.name for one in function.before.taken}
    if any(one.name.startswith("{") and one.name not in known for one in after.taken):
        return f"`{after.name}` takes an object now"
    said = [f"`{old}` is called `{new}`" for old, new in function.renamed.items()]
    said += [f"`{name}` is gone" for name in function.removed]
    said += [f"`{one.name}` is new" for one in function.added]
    old = {function.renamed.get(one.name, one.name): one for one in function.before.taken}
    for one in after.taken:
        if one.name in old and old[one.name].default is not None and one.default is None:
            said.append(f"`{one.name}` has no default any more")
        if one.name in old and old[one.name].kind != one.kind and one.kind == "keyword":
            said.append(f"`{one.name}` is given by its name")
    if not said:
        said.append("its parameters stand in another order")
    name = after.class_name if after.name == "__init__" else after.name
    return f"`{name}` takes other arguments now: {', '.join(said)}"


def values_given(change: FileChange, function: Altered) -> dict[str, str]:
    """The values of new parameters in calls that the user has changed, if they agree."""
    found: dict[str, set[str]] = {}
    new, after = function.after.taken, function.after
    for one in change.new_names.of(after.class_name if after.name == "__init__" else after.name):
        call = call_of(one)
        listed = None if call is None else call.child_by_field_name("arguments")
        if call is None or listed is None:
            continue
        start, stop = change.new.span(listed)
        if not change.is_typed(start, stop):
            continue
        arguments = arguments_of(change.new, call)
        bound = None if arguments is None else bound_arguments(arguments, new)
        for argument, name in zip(arguments or [], bound or [], strict=False):
            if name in {added.name for added in function.added}:
                found.setdefault(name, set()).add(change.new.text[argument.value_start : argument.stop])
    return {name: next(iter(values)) for name, values in found.items() if len(values) == 1}
