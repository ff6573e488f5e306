"""Texts: in progress, where they have come to an end, and as they are answered.

    marks.py      the facts about each token, for the judge of how sure it is
    step.py       the trace: each token, and those refused in its place
    hypothesis.py the text in progress, and the places where it could have ended
    completion.py a text to insert, why it ends where it ends, and what it cost
    written.py    a text that has come to an end, from which a completion is made
    kept.py       the rests of completions for the places behind theirs

Nothing stays behind the door.
"""
