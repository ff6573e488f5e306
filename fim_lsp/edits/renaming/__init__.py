"""Renaming: names of Python that were changed where they are bound, and what follows at their uses.

    renames.py        names that were changed, and their uses in the file
    objects.py        the classes of objects, as far as the file tells them
    bound_values.py   the values that names are bound to
    mentions.py       names in texts
    fixtures.py       functions that take fixtures by their names
    said_fields.py    texts and keywords that name a changed field
    field_names.py    fields that keywords, patterns and texts name
    format_keys.py    fields of texts that are filled
    literal_keys.py   the keys of literals that name a changed member
    moved_names.py    names that are reached otherwise
    members_elsewhere.py members that another file has renamed

Behind the door:

    only_imports.py   imports of which nothing else has changed
"""
