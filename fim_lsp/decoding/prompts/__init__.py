"""Prompts: the tokens that a model is shown, and the ones that it has already read.

    prompt.py        the window on both sides that a prompt shows, from one key to the next
    readings.py      the tokens of a file read once, which begin the prompts of all its places
    several_files.py the other files in a prompt, as the model's family writes them
    reader.py        the tokens in a runtime's cache, kept from one request to the next
    drafts.py        guesses of the next tokens, from those that were read
    lookahead.py     the rows of the next tokens, one by one, with drafts that are read at once

Behind the door:

    reading.py       a stretch of a file that was read once, kept through its edits
    kept_rows.py     the cached rows behind the tokens that were read last
"""
