"""Choices of the next token, one at a time, and all that they are held to beside the grammar.

    lexical_context.py  whether a place stands in code, in a string or in a comment
    constraint.py the protocol of what constrains, and that texts differ
    enclosure.py  the scope in languages with braces, whose brackets are counted
    fence.py      the scope: brackets, blocks and statements that are not left
    layout.py     the cursor's line in good form
    members.py    the names behind a dot, where a checker knows them
    exports.py    the names in `__all__`
    binding.py    what the first statement is to bind, because lines below use it
    lessons.py    what earlier texts for the hole have taught
    choice.py     what a choice comes to: a token, an end, a leaving or a wrong name
    chooser.py    the choosing
    frontier.py   where the text stands, for a runtime that computes elsewhere

Nothing stays behind the door.
"""
