"""Texts: in progress, finished, and as an answer.

    marks.py      the facts about each token, for the judge of offers
    step.py       the trace: each token, and those refused in its place
    hypothesis.py the text in progress, and the places where it could have ended
    completion.py a text to insert, the reason for its end, and its cost
    written.py    a finished text, from which a completion is made
    kept.py       the rests of completions for places behind theirs

Nothing stays behind the door.
"""
