"""Endings: where a text ends, how it is connected and how it is tidied.

    hole_context.py what the texts of one hole stand in
    steering.py     when the budget runs out, and the shortest way out
    connecting.py   the way out, written behind a text that finds no end
    ends.py         when a text ends, by what the model expects and by what it has said

Behind the door:

    edges.py        the right context, as what is written comes to it
    repetition.py   whether a text goes round in circles
    tidying.py      a text in good form where it ends
"""
