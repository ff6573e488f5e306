"""Decoding: a code model writes into a hole, the engine sees to it that every completion fits.

Read in this order: `options.py` and `completion.py` (what is asked, what is answered), `model.py` (a network
with its tokens), `prompt.py` (what the network is shown), `reader.py` (what it has read, kept across
keystrokes), `hypothesis.py` (the text in progress), `loop.py` (the algorithm), `ends.py` (where a text ends)
and `session.py` (one document's completions).

PyTorch is imported by `model.py` when a model is loaded, and by nothing that the server or the command line
need without one.
"""
