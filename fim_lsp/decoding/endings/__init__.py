"""Endings: where a text ends, how it is connected and how it is tidied.

    hole_context.py the context of the texts of one hole
    steering.py     when the budget runs out, and the shortest way out
    connecting.py   the way out, written behind a text that finds no end
    ends.py         when a text ends, by what the model expects and by what it has said

Behind the door:

    edges.py        the right context, as the written text comes to it
    repetition.py   whether a text goes round in circles
    tidying.py      a text in good form where it ends
"""
