"""Next edits: from what the user has just changed to what else must change (docs/edits.md).

Reading order:

    hunks.py           where two texts differ
    source.py          a text with its tree; change.py two of them, and what became what
    edit.py            what may come next, and why
    names.py           who is who in a Python file; objects.py which class an object is of
    renames.py         names that were changed where they are bound; bound_values.py what these are given;
                       scoped.py, members.py, typed_members.py and typed_patterns.py do that in the
                       other languages; mentions.py what texts say of them; fixtures.py who takes fixtures
                       by their names; said_fields.py and literal_keys.py where texts and keywords name
                       what was changed; moved_names.py what is reached otherwise
    signatures.py      headers that were changed; calls.py their calls; adapted_calls.py what these become;
                       awaits.py; properties.py what has become a property, or is none any more;
                       fields.py what classes of data are made with; overrides.py methods that
                       stand for one another; kept_parameters.py what constructors keep; returned_rows.py
                       what takes apart that is given back
    annotations.py     what functions are annotated with, one after the other
    headers.py         headers that were changed in the other languages; placed_calls.py what their calls
                       become, where arguments go by their place; turned_functions.py what is
                       asynchronous or a getter now; returned_errors.py what gives back an error besides;
                       implementations.py methods that stand for those of an interface
    imports.py         what is imported otherwise, or not yet; unused_imports.py; standard_names.py
    symbols.py         what a text consists of for code that changes it
    places.py          a place, and what is around it
    rows.py            what was replaced in a line, put together; conversions.py what has an equal, by the
                       rules of conversion_rules.py
    substitutions.py   what was put in the place of what; candidates.py where else the same stands
    history.py         what was replaced in the files that were changed before
    judge.py           how sure it is that it is replaced here, too
    rewriting.py       what a model that was taught edits makes of the lines around the last change
    whole_lines.py     lines that came or went at several places
    templates.py       what two changed places have in common, and where a third one is like those
    refusals.py        what the user did not want, as long as that holds
    mending.py         what keeps a file from parsing since it was changed; indenting.py which lines move then
    proof.py           the guarantee
    brought.py         the imports that go with an edit
    next_edits.py      all of them put together, proved and ranked
    elsewhere.py       what follows in other files of Python, with members_elsewhere.py; in those of other
                       languages declared_elsewhere.py, by other_files.py; project.py in which; kept_files.py
"""
