"""Renamed names and members of the other languages, found by scopes and by types.

    handed_names.py     names that a file of JavaScript exports
    name_spaces.py      name spaces of Java, and overloads
    scoped.py           names, by their scopes
    members.py          members of classes behind `this`
    declared_members.py members where types declare them
    written_types.py    types as they are written, and the types inside them
    object_types.py     the types of values
    expected_types.py   the types that literals have to be of
    typed_patterns.py   the types of what patterns take apart
    nameless_structs.py fields of Go's types without a name
    typed_members.py    members behind values of a type

Behind the door:

    narrowed_types.py   the types that `instanceof` shows
"""
