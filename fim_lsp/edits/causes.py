"""The causes of next edits: one change, and the edits that it asks for elsewhere in the file.

Changes that count only because they were repeated are looked for in `next_edits.py`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fim_lsp.edits.functions import kept_parameters, overrides, returned_rows
from fim_lsp.edits.functions.adapted_calls import adapted_call, values_given
from fim_lsp.edits.functions.annotations import repeated_annotations
from fim_lsp.edits.functions.awaits import adapted_awaits
from fim_lsp.edits.functions.calls import calls_in
from fim_lsp.edits.functions.fields import altered_fields
from fim_lsp.edits.functions.handed_keywords import renamed_keywords_handed
from fim_lsp.edits.functions.implementations import implemented_members
from fim_lsp.edits.functions.overloads import renamed_overloads
from fim_lsp.edits.functions.placed_calls import adapted_placed_calls
from fim_lsp.edits.functions.properties import adapted_brackets
from fim_lsp.edits.functions.returned_errors import returned_errors
from fim_lsp.edits.functions.signatures import altered_functions
from fim_lsp.edits.functions.turned_functions import adapted_uses
from fim_lsp.edits.importing import (
    imports,
    missing_packages,
    renamed_packages,
    unused_imports,
    unused_names,
)
from fim_lsp.edits.renaming import mentions, renames
from fim_lsp.edits.renaming.field_names import (
    renamed_attribute_texts,
    renamed_field_names,
    renamed_listed_fields,
)
from fim_lsp.edits.renaming.fixtures import renamed_fixtures
from fim_lsp.edits.renaming.format_keys import renamed_format_keys
from fim_lsp.edits.renaming.literal_keys import renamed_keys, renamed_typed_keys
from fim_lsp.edits.renaming.loop_names import renamed_loop_names
from fim_lsp.edits.renaming.moved_names import moved_names
from fim_lsp.edits.renaming.objects import family
from fim_lsp.edits.renaming.renamed_places import renamed_occurrences
from fim_lsp.edits.renaming.returned_keys import renamed_returned_keys
from fim_lsp.edits.renaming.said_fields import renamed_fields, renamed_options
from fim_lsp.edits.repeating import conversions
from fim_lsp.edits.rules.awaited_thens import repeated_awaits
from fim_lsp.edits.rules.command_options import renamed_by_options, renamed_options_of
from fim_lsp.edits.rules.component_props import renamed_props
from fim_lsp.edits.rules.container_kinds import refilled_containers
from fim_lsp.edits.rules.declaring_words import repeated_words
from fim_lsp.edits.rules.doc_comments import renamed_in_comments
from fim_lsp.edits.rules.element_tags import renamed_tags
from fim_lsp.edits.rules.event_names import renamed_events
from fim_lsp.edits.rules.given_keywords import repeated_keywords
from fim_lsp.edits.rules.joined_texts import repeated_fields
from fim_lsp.edits.rules.labels import renamed_labels
from fim_lsp.edits.rules.literal_types import renamed_literals
from fim_lsp.edits.rules.logged_prints import repeated_logging
from fim_lsp.edits.rules.named_literals import repeated_names
from fim_lsp.edits.rules.named_wraps import named_wraps
from fim_lsp.edits.rules.object_keys import renamed_object_keys
from fim_lsp.edits.rules.parametrized import renamed_by_decorator, renamed_parametrized
from fim_lsp.edits.rules.routes import renamed_route_parts
from fim_lsp.edits.rules.sibling_rows import repeated_in_rows
from fim_lsp.edits.rules.state_hooks import renamed_states
from fim_lsp.edits.rules.strict_comparisons import repeated_strictness
from fim_lsp.edits.rules.text_ends import repeated_ends
from fim_lsp.edits.rules.wrapped_errors import repeated_wraps
from fim_lsp.edits.rules.written_keys import renamed_written_keys
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.typed import members, scoped, typed_members
from fim_lsp.edits.typed.nameless_structs import renamed_row_fields
from fim_lsp.known_languages import PYTHON


def known_causes(change: FileChange, converted: Mapping[str, int]) -> Iterator[Replacement]:
    """The replacements that a change of a file asks for by itself."""
    if change.new.known_language is PYTHON:
        yield from python_causes(change, converted)
    else:
        yield from other_causes(change)
    yield from renamed_events(change)
    yield from repeated_in_rows(change)
    yield from repeated_ends(change)
    yield from repeated_names(change)


def python_causes(change: FileChange, converted: Mapping[str, int]) -> Iterator[Replacement]:
    """The replacements that a change of a Python file asks for. `converted` counts earlier conversions."""
    yield from renamed_occurrences(change)
    for rename in renames.renames(change):
        yield from overrides.renamed_overrides(change, rename, family(change, rename.owner))
        yield from mentions.renamed_mentions(change, rename)
        yield from renamed_fixtures(change, rename)
        yield from renamed_parametrized(change, rename)
        yield from renamed_options_of(change, rename)
        yield from renamed_fields(change, rename)
        yield from renamed_field_names(change, rename)
        yield from renamed_attribute_texts(change, rename)
        yield from renamed_typed_keys(change, rename)
        yield from renamed_overloads(change, rename)
    yield from moved_names(change)
    yield from renamed_by_decorator(change)
    yield from renamed_by_options(change)
    yield from renamed_options(change)
    yield from renamed_listed_fields(change)
    yield from renamed_format_keys(change)
    yield from renamed_keys(change)
    yield from renamed_returned_keys(change)
    yield from renamed_loop_names(change)
    for function in [*altered_functions(change), *altered_fields(change)]:
        given = values_given(change, function)
        yield from overrides.adapted_headers(change, function, family(change, function.before.owner))
        yield from kept_parameters.kept_parameters(change, function)
        yield from renamed_keywords_handed(change, function)
        for call in calls_in(change, function, change):
            yield from adapted_call(change, call, function, given) or []
            yield from adapted_awaits(change, call, function)
    yield from adapted_brackets(change)
    yield from refilled_containers(change)
    yield from conversions.repeated_conversions(change, converted)
    yield from repeated_logging(change)
    yield from repeated_keywords(change)
    yield from returned_rows.adapted_rows(change)
    yield from repeated_annotations(change)
    yield from imports.imported_otherwise(change)
    yield from unused_imports.dropped_imports(change)
    yield from imports.put_back(change)


def other_causes(change: FileChange) -> Iterator[Replacement]:
    """The replacements that a change of a file in another language asks for."""
    yield from scoped.renamed_uses(change)
    yield from renamed_labels(change)
    yield from renamed_in_comments(change)
    yield from members.renamed_calls(change)
    yield from typed_members.renamed_member_uses(change)
    yield from typed_members.renamed_embedded_types(change)
    yield from renamed_row_fields(change)
    yield from renamed_object_keys(change)
    yield from renamed_literals(change)
    yield from renamed_states(change)
    yield from repeated_awaits(change)
    yield from repeated_words(change)
    yield from repeated_strictness(change)
    yield from repeated_fields(change)
    yield from renamed_written_keys(change)
    yield from adapted_placed_calls(change)
    yield from kept_parameters.kept_fields(change)
    yield from adapted_uses(change)
    yield from implemented_members(change)
    yield from returned_errors(change)
    yield from repeated_wraps(change)
    yield from named_wraps(change)
    yield from unused_names.dropped_names(change)
    yield from missing_packages.missing_packages(change)
    yield from renamed_packages.renamed_packages(change)
    yield from renamed_tags(change)
    yield from renamed_props(change)
    yield from renamed_route_parts(change)
