"""Renaming: names of Python that were changed where they are bound, and their uses.

    renames.py        renamed names, and their uses in code
    renamed_places.py all their places in the file, with those in docstrings, annotations and `__all__`
    objects.py        the classes of objects, as far as the file shows them
    bound_values.py   the values of variables
    mentions.py       names in docstrings, comments and strings
    fixtures.py       functions that take pytest's fixtures by name
    said_fields.py    fields of models and options of commands, named by keywords and strings
    field_names.py    fields of data classes, named by keywords, patterns and strings
    format_keys.py    fields of format strings
    literal_keys.py   keys of dictionaries and their uses
    returned_keys.py  keys of dictionaries that functions return
    loop_names.py     variables of comprehensions, renamed where they are used
    moved_names.py    names that are reached in another way
    members_elsewhere.py members that another file has renamed

Behind the door:

    only_imports.py   imports in which only a name has changed
    asked_classes.py  the classes that conditions ask for
    queried_models.py the models whose objects queries give
"""
