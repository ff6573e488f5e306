"""Texts that others wrote, made to fit a hole: `fim_lsp.fit`.

The engine constrains our own models while they write, so their texts need no repair. Texts from elsewhere
come finished, and 6 to 10% of them break the file. Most are nearly right: a closer too many, a repeated line,
a block at the wrong column, an end that was cut off.

Read in this order: `fit.py` (the interface), `nearest.py` (how much of a text is kept, and the shortest end
behind it), `ends.py` (possible ends), `tags.py` (tags of JSX must match by name), `layout.py` (on which line
the end is put), `said_again.py` and `said_before.py` (text that repeats what stands right or left of the
cursor), `fenced.py` (fences of Markdown), `prose.py` (sentences around code), `signs.py` (special tokens of
models), `columns.py` (a text moved to the columns of the open blocks), `functions.py` (whether that has left
the cursor's block), `stream.py` (a text that is still being written) and `documents.py` (the cache of the
files around the holes).
"""
