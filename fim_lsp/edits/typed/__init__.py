"""Renamed names and members of the other languages, found by scopes and by types.

    handed_names.py     names that a file of JavaScript exports
    scoped.py           names, by their scopes
    members.py          members of classes behind `this`
    declared_members.py members where types declare them
    object_types.py     the types of values
    expected_types.py   the types that literals must have where they stand
    typed_patterns.py   members in destructuring patterns
    typed_members.py    members of values whose type is known

Nothing stays behind the door.
"""
