"""Names and members of the other languages that were changed, by scopes and by what is of which type.

    handed_names.py     names that a file of JavaScript hands out
    scoped.py           names, by their scopes
    members.py          members of classes
    declared_members.py members where types declare them
    object_types.py     the types of values
    expected_types.py   the types that literals have to be of
    typed_patterns.py   the types of what patterns take apart
    nameless_structs.py fields of Go's types without a name
    typed_members.py    members behind values of a type

Nothing stays behind the door.
"""
