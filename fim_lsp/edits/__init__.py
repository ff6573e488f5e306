"""Next edits: from what the user has just changed to what else must change (docs/edits.md).

Reading order:

    hunks.py           the places where two texts differ
    source.py          a text with its tree; change.py two of them, and the symbols that replaced others
    edit.py            an edit that may come next, and its cause
    names.py           the uses of a name in a Python file; objects.py the classes of objects
    renames.py         names that were changed where they are bound; bound_values.py their values;
                       scoped.py, members.py, typed_members.py and typed_patterns.py do that in the
                       other languages; mentions.py names in texts; fixtures.py functions that take
                       fixtures by their names; said_fields.py and literal_keys.py texts and keywords that
                       name a changed thing; moved_names.py names that are reached otherwise
    signatures.py      headers that were changed; calls.py their calls; adapted_calls.py the new calls;
                       awaits.py; properties.py methods that became properties, or the other way round;
                       fields.py the fields of classes of data; overrides.py methods that
                       stand for one another; kept_parameters.py kept arguments; returned_rows.py
                       places that take a returned row apart
    annotations.py     annotations of functions, one after the other
    headers.py         headers that were changed in the other languages; placed_calls.py their new calls,
                       where arguments go by their place; turned_functions.py functions that are
                       asynchronous or getters now; returned_errors.py functions that also return an error;
                       implementations.py methods that stand for those of an interface
    imports.py         names that are imported otherwise, or not yet; unused_imports.py; standard_names.py
    symbols.py         the symbols of a text for code that changes it
    places.py          a place, and the text around it
    rows.py            the replacements of a line, together; conversions.py nodes with an equal, by the
                       rules of conversion_rules.py
    substitutions.py   symbols that replaced others; candidates.py where else the old ones stand
    history.py         the replacements in the files that were changed before
    judge.py           the probability of a replacement at a place
    rewriting.py       the lines around the last change, rewritten by a model trained on edits
    whole_lines.py     lines that came or went at several places
    templates.py       the common part of two changed places, and other places that match it
    refusals.py        the edits that the user refused, and how long each refusal holds
    mending.py         repairs of a file that stopped parsing; indenting.py lines that then move
    proof.py           the guarantee
    brought.py         the imports that go with an edit
    next_edits.py      all of them put together, proved and ranked
    elsewhere.py       edits in other files of Python, with members_elsewhere.py;
                       declared_elsewhere.py those of other languages, by other_files.py;
                       project.py finds the files; kept_files.py caches them
"""
