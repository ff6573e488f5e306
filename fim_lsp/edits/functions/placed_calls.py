"""Calls of functions whose headers were changed, in languages with positional arguments only.

    func send(to string, text string)   ->   func send(ctx Context, to string)
    send("me", "hello")                 ->   send(ctx, "me")

Each call is read by the old header and written for the new one. A call that spreads a list stays, and so does
one that would need an unknown value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from fim_lsp.edits.functions.adapted_calls import ArgumentWriter, is_touched
from fim_lsp.edits.functions.call_arguments import Argument
from fim_lsp.edits.functions.grouped_parameters import grouped_parameters, write_grouped
from fim_lsp.edits.functions.headers import AlteredHeader, FunctionHeader, altered_headers
from fim_lsp.edits.functions.signatures import Altered, Parameter
from fim_lsp.edits.renaming.renames import SURE
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.members import MEMBERSHIPS, body_around, is_of_this
from fim_lsp.edits.typed.scoped import SCOPINGS, owner, places, scope_of, scopes_declaring
from fim_lsp.edits.typed.typed_members import is_of

Path = Sequence[tree_sitter.Node]
# The nodes of calls, with the field of the called function.
CALLS = {
    "call_expression": "function",
    "new_expression": "constructor",
    "method_invocation": "name",
    "object_creation_expression": "type",
}
MEMBER_ACCESS = ("member_expression", "selector_expression")
LISTS = ("arguments", "argument_list")
# The bodies of types of Java, with fields.
FIELDED = ("class_body", "enum_body_declarations")
SPREADING = ("spread_element", "variadic_argument")
# The names in a value, members aside, and the texts in quotes.
USED = re.compile(r"(?<![\w.])[^\W\d]\w*")
TEXT = re.compile(r"\"[^\"\\]*\"|'[^'\\]*'")
# Literals, which mean the same everywhere.
LITERAL = re.compile(r"-?[\d.]+|true|false|null|undefined|nil|\"[^\"\\]*\"|'[^'\\]*'")


def adapted_placed_calls(change: FileChange) -> Iterator[Replacement]:
    """The replacements in calls of changed functions."""
    for header in altered_headers(change):
        given = given_values(change, header)
        for path in call_paths(change.old, header.before):
            yield from adapted_placed_call(change, path, header.altered, given)


def call_paths(source: SourceText, header: FunctionHeader) -> Iterator[Path]:
    """The paths to the names of a function in its calls."""
    for start in places_of(source, header, header.function.name):
        path = source.path_to(start)
        if call_of(path) is not None:
            yield path


def places_of(source: SourceText, header: FunctionHeader, name: str) -> Iterator[int]:
    """The places where a name is known to mean a function."""
    if not header.is_member:
        scoping = SCOPINGS[source.known_language.name]
        declared = source.path_to(source.span(header.name)[0])
        yield from places(source, scoping, name, scope_of(scoping, declared))
        return
    membership = MEMBERSHIPS.get(source.known_language.name)
    for start in source.places(name):
        path = source.path_to(start)
        is_own = membership is not None and (is_of_this(membership, path) or is_bare_invocation(path))
        if membership is not None and is_own:
            if body_around(membership, path) == header.type_body:
                yield start
        elif is_of(source, path, header.type_name):
            yield start


def is_bare_invocation(path: Path) -> bool:
    """Whether a name is a method of Java that is called without an object."""
    around = path[-2]
    return (
        around.type == "method_invocation"
        and around.child_by_field_name("name") == path[-1]
        and around.child_by_field_name("object") is None
    )


def call_of(path: Path) -> tree_sitter.Node | None:
    """The call whose function the last node of a path names."""
    for called, around in zip(reversed(path[-2:]), reversed(path[-3:-1]), strict=False):
        if around.child_by_field_name(CALLS.get(around.type, "")) == called:
            return around
        if around.type not in MEMBER_ACCESS:
            return None
    return None


def arguments_of(source: SourceText, call: tree_sitter.Node) -> list[Argument] | None:
    """The arguments of a call; None if they are not known one by one."""
    listed = call.child_by_field_name("arguments")
    if listed is None or listed.type not in LISTS or listed.has_error:
        return None
    found = []
    for node in listed.named_children:
        if node.type in SPREADING:
            return None
        if "comment" not in node.type:
            start, stop = source.span(node)
            found.append(Argument("", start, stop, start))
    return found


def bound_places(n_arguments: int, parameters: Sequence[Parameter]) -> list[str] | None:
    """The parameter of each argument; None for a call that the header does not take."""
    names = [one.name for one in parameters]
    if parameters and parameters[-1].kind == "rest":
        names += names[-1:] * n_arguments
    elif n_arguments > len(names):
        return None
    if any(one.default is None and one.kind != "rest" for one in parameters[n_arguments:]):
        return None
    return names[:n_arguments]


def adapted_placed_call(
    change: FileChange, path: Path, function: Altered, given: dict[str, str]
) -> list[Replacement]:
    """The replacements in a call; empty if they are not known."""
    call = call_of(path)
    listed = None if call is None else call.child_by_field_name("arguments")
    arguments = None if call is None else arguments_of(change.old, call)
    if arguments is None or listed is None or is_touched(change, listed):
        return []
    if (grouped := grouped_parameters(function)) is not None:
        writer = ArgumentWriter(change, listed, arguments, function, SURE)
        write_grouped(writer, grouped, [one for one in listed.named_children if "comment" not in one.type])
        return writer.replacements()
    bound = bound_places(len(arguments), function.before.taken)
    wanted = None if bound is None else wanted_arguments(change, path, function, bound, given)
    if wanted is None:
        return []
    writer = ArgumentWriter(change, listed, arguments, function, SURE)
    write_arguments(writer, wanted)
    return writer.replacements()


def wanted_arguments(
    change: FileChange, path: Path, function: Altered, bound: Sequence[str], given: dict[str, str]
) -> list[int | str] | None:
    """The new arguments of a call: numbers of its old arguments, or texts."""
    now = [function.renamed.get(name, name) for name in bound]
    wanted: list[int | str] = []
    is_cut = False
    if any(
        one.kind == "rest" and function.renamed.get(one.name, one.name) not in after_names(function)
        for one in function.before.taken
    ):
        return None
    for parameter in function.after.taken:
        found: list[int | str] = [number for number, name in enumerate(now) if name == parameter.name]
        if not found and parameter.kind != "rest":
            value = value_for(change, path, function, parameter, given)
            if value is None and parameter.default is None:
                return None
            found = [] if value is None else [value]
        if found and is_cut:
            return None
        is_cut = is_cut or not found
        wanted += found
    return wanted


def after_names(function: Altered) -> set[str]:
    return {one.name for one in function.after.taken}


def value_for(
    change: FileChange, path: Path, function: Altered, parameter: Parameter, given: dict[str, str]
) -> str | None:
    """The value for a parameter for which a call has no argument."""
    old = function.former_parameter(parameter)
    if old is not None:
        # It has lost its default.
        is_lost = parameter.default is None and old.default is not None and LITERAL.fullmatch(old.default)
        return old.default if is_lost else None
    if parameter.name in given:
        value = given[parameter.name]
        return value if is_seen(change, path, value) else None
    return parameter.name if has_variable_for(change, path, parameter) else None


def is_seen(change: FileChange, path: Path, value: str) -> bool:
    """Whether another call's argument is valid in this call, that is, all names in it are declared here,
    too."""
    scoping, source = SCOPINGS[change.new.known_language.name], change.new
    at = change.to_new(change.old.span(path[-1])[0])
    there = [] if at is None else source.path_to(at)
    scopes = {name: owner(source, scoping, name, there) for name in USED.findall(TEXT.sub("", value))}
    return at is not None and not any(
        bool({*scopes_declaring(source, scoping, name)})
        if scope is None
        else is_of_an_object(source, there, scope, name)
        for name, scope in scopes.items()
    )


def is_of_an_object(source: SourceText, path: Path, scope: tuple[int, int], name: str) -> bool:
    """Whether a name means a field of an object of Java's, at a place in a static method, which has none."""
    at = next((at for at, node in enumerate(path) if (node.start_byte, node.end_byte) == scope), -1)
    if at < 0 or path[at].type not in FIELDED or at + 1 >= len(path) or not is_static(source, path[at + 1]):
        return False
    fields = [one for one in path[at].named_children if one.type == "field_declaration"]
    own = [one for one in fields if any(source.text_of(said) == name for said in names_declared(one))]
    return any(not is_static(source, one) for one in own)


def is_static(source: SourceText, member: tree_sitter.Node) -> bool:
    first = member.named_children[0] if member.named_children else None
    return first is not None and first.type == "modifiers" and "static" in source.text_of(first).split()


def names_declared(field: tree_sitter.Node) -> Iterator[tree_sitter.Node | None]:
    """The names that a declaration of fields declares."""
    return (one.child_by_field_name("name") for one in field.children_by_field_name("declarator"))


def has_variable_for(change: FileChange, path: Path, parameter: Parameter) -> bool:
    """Whether the caller has a variable with the name of a new parameter. If the parameter is optional, the
    variable must be new, too."""
    at = change.to_new(change.old.span(path[-1])[0])
    if at is None:
        return False
    scoping = SCOPINGS[change.old.known_language.name]
    there = change.new.path_to(at)
    seen = owner(change.new, scoping, parameter.name, there)
    if seen in (None, (change.new.root.start_byte, change.new.root.end_byte)):
        return False
    if is_of_an_object(change.new, there, seen, parameter.name):
        return False
    return parameter.default is None or owner(change.old, scoping, parameter.name, path) is None


def write_arguments(writer: ArgumentWriter, wanted: Sequence[int | str]) -> None:
    """Changes as little of a call as its new arguments need."""
    numbers = [one for one in wanted if isinstance(one, int)]
    if numbers == sorted(numbers):
        for number in range(len(writer.arguments)):
            if number not in numbers:
                writer.remove(number)
        kept = 0
        for one in wanted:
            if isinstance(one, int):
                kept += 1
            elif kept < len(numbers):
                writer.insert_before(numbers[kept], one)
            else:
                writer.append(one)
        return
    texts = [writer.text_of(one) if isinstance(one, int) else one for one in wanted]
    if len(texts) == len(writer.arguments):
        for number, text in enumerate(texts):
            if wanted[number] != number:
                writer.replace(writer.arguments[number].start, writer.arguments[number].stop, text)
    else:
        writer.replace(writer.arguments[0].start, writer.arguments[-1].stop, ", ".join(texts))


def given_values(change: FileChange, header: AlteredHeader) -> dict[str, str]:
    """The values of new parameters in calls that the user has changed, if they agree."""
    function = header.altered
    added = {one.name for one in function.added}
    found: dict[str, set[str]] = {}
    for path in paths_of_calls(change.new, function.after.name) if added else ():
        call = call_of(path)
        arguments = None if call is None else arguments_of(change.new, call)
        bound = None if arguments is None else bound_places(len(arguments), function.after.taken)
        for argument, name in zip(arguments or [], bound or [], strict=False):
            if name in added and change.is_typed(argument.start, argument.stop):
                found.setdefault(name, set()).add(change.new.text[argument.start : argument.stop])
    return {name: next(iter(values)) for name, values in found.items() if len(values) == 1}


def paths_of_calls(source: SourceText, name: str) -> Iterator[Path]:
    """The paths to a name in all calls of anything with that name."""
    for start in source.places(name):
        path = source.path_to(start)
        if path[-1].type.endswith("identifier") and call_of(path) is not None:
            yield path
