"""Texts that others wrote, made to fit a hole: `fim_lsp.fit`.

Our own models are held while they write, so nothing of theirs is ever repaired. Other people's completions
come finished, and 6 to 10% of them break the file. Most are nearly right: a closer too many, a line said
twice, a block at the wrong column, an end that was cut off.

Read in this order: `fit.py` (what is asked, what is answered), `nearest.py` (so much of a text, and the
shortest end behind it), `ends.py` (what may be put behind a text), `tags.py` (the names of an element's two
tags), `layout.py` (where that end stands), `said_again.py` and `said_before.py` (what stands right and left
of the cursor already), `fenced.py` (what stands in a fence of Markdown), `columns.py` (a text moved into the
blocks that are open), `stream.py` (a text that is still being written) and `documents.py` (what is kept of
the files around the holes).
"""
