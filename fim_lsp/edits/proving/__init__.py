"""Proving: the guarantee that an edit keeps, and edits that restore it.

    proof.py      whether a file still parses and compiles with an edit, and its names resolve
    brought.py    the imports that go with an edit
    indenting.py  lines that move because a block's header was added or removed
    mending.py    repairs of a file that stopped parsing

Nothing stays behind the door.
"""
