"""Prompts: the tokens that a model is shown, and those of them that it has read.

    prompt.py        the part of both sides that a prompt shows, from one key to the next
    readings.py      what is read of a file once, and begins the prompts of all its places
    several_files.py what a prompt has of other files, as the model's family writes it
    reader.py        the tokens in a runtime's cache, kept from one request to the next
    drafts.py        what may follow, guessed from what has been read
    lookahead.py     what the network expects next, one token after the other, however many it reads at once

Behind the door:

    reading.py       a stretch of a file that was read once, kept through its edits
    kept_rows.py     what it has told already of the tokens that were read last
"""
