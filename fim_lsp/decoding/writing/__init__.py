"""The loop: requests, one text, several texts, and a document's session.

    request.py    a request to a session
    session.py    one document's completions, and the state between requests
    advised.py    a text that a type checker refuses, written another way
    effective.py  another text where the first one would do nothing

Behind the door:

    generation.py what is fixed while the texts of one request are written
    loop.py       the algorithm: read, look for an end, choose, advance
    beam.py       several texts side by side
    unfinished.py the text in progress when the user typed a key
    attempts.py   several texts, one after the other
"""
