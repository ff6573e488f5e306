"""Choices of the next token, and the constraints on them beside the grammar.

    lexical_context.py  whether a place stands in code, in a string or in a comment
    constraint.py the protocol of constraints, and the one that texts differ
    enclosure.py  the scope in languages with braces, whose brackets are counted
    fence.py      the scope: brackets, blocks and statements that a text does not leave
    layout.py     the layout of the cursor's line
    unwritten_body.py   the body of a function that has only a docstring so far
    reachable.py  the lines behind the hole, which stay reachable
    members.py    the names behind a dot, if a checker knows them
    exports.py    the names in `__all__`
    binding.py    the names that the first statement should bind, because lines below use them
    lessons.py    the lessons of earlier texts for the hole
    choice.py     the result of a choice: a token, an end, a leaving, a wrong name or a wrong beginning
    chooser.py    the choosing
    spelling.py   whether the typed text is better spelled by one token than by several
    frontier.py   where the text stands, for a runtime that computes elsewhere

Nothing stays behind the door.
"""
