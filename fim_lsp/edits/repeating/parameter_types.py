"""Types of parameters that were changed once: parameters with other names keep theirs."""

from __future__ import annotations

from fim_lsp.edits.repeating.candidates import SubstitutionCandidate
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.source import SourceText

PARAMETERS = (
    "typed_parameter", "typed_default_parameter", "required_parameter", "optional_parameter",
    "parameter_declaration", "formal_parameter",
)  # fmt: skip


def is_type_of_another(change: FileChange, candidate: SubstitutionCandidate) -> bool:
    """Whether a substitution would change the type of a parameter as it did once for one with another
    name."""
    made = candidate.substitution.made
    if len(made) != 1 or made[0].place.path != change.path:
        return False
    there = parameter_typed(change.old, made[0].place.start)
    return bool(there) and parameter_typed(change.new, candidate.start) not in ("", there)


def parameter_typed(source: SourceText, offset: int) -> str:
    """The name of the parameter whose type a place is in; empty elsewhere."""
    path = source.path_to(offset)
    for number in range(len(path) - 2, max(len(path) - 8, -1), -1):
        around = path[number]
        if around.type in PARAMETERS:
            if around.child_by_field_name("type") != path[number + 1]:
                return ""
            name = around.child_by_field_name("name") or around.child_by_field_name("pattern")
            return source.text_of(name or around.named_children[0])
    return ""
