"""Two texts of a file: their trees, the places where they differ, and an edit that may follow.

    source.py     a text with its tree
    lent_names.py the names that it has from another file
    symbols.py    the symbols of a text, for code that changes it
    hunks.py      the places where two texts differ
    names.py      the uses of a name in a Python file
    change.py     two sources, and the symbols of one that replaced others
    places.py     a place, and the text around it
    edit.py       an edit that may come next, and its cause
    refusals.py   the edits that the user refused, as long as that holds
    acceptance.py how sure others have to be, given what was taken and refused

Nothing stays behind the door.
"""
