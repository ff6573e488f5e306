"""Endings: where a text ends, how it is connected and how it is tidied.

    hole_context.py the context of the texts of one hole
    steering.py     the budget, and the shortest way out when it runs short
    connecting.py   the way out, written behind a text that finds no end
    ends.py         the conditions under which a text ends

Behind the door:

    edges.py        the right context, which a text should not repeat
    margin.py       texts that begin at the left margin
    repetition.py   texts that repeat themselves
    tidying.py      the form of a text's end
"""
