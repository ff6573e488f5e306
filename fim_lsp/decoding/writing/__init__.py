"""The loop: what is asked, one text, several texts, and a document's session.

    request.py    a request to a session
    session.py    one document's completions, and the state between requests
    advised.py    a text that a type checker is against, written on another way

Behind the door:

    generation.py what is fixed while the texts of one request are written
    loop.py       the algorithm: read, look for an end, choose, advance
    beam.py       several texts side by side
    unfinished.py what was being written when a key fell
    attempts.py   several texts, one after the other
"""
