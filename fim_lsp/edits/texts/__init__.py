"""Two texts of a file: their trees, the places where they differ, and an edit that may follow.

    source.py     a text with its tree
    lent_names.py the names that a file has from another one
    symbols.py    the symbols of a text
    hunks.py      the places where two texts differ
    names.py      the uses of a name in a Python file
    change.py     a file before and after a change, and the symbols that replaced others
    opposites.py  names that mean the opposite now
    places.py     a place, and the text around it
    edit.py       an edit that may come next, and its cause
    refusals.py   refused edits, and how long each refusal holds
    acceptance.py the bar for edits, by those that the user took and refused

Nothing stays behind the door.
"""
