"""Decoding: a code model writes into a hole, the engine sees to it that every completion fits.

Read in this order: `request.py`, `options.py` and `completion.py` (what is asked, what is answered),
`model.py` (a network with its tokens), `prompt.py` (what the network is shown), `reader.py` (what it has
read, kept across keystrokes), `hypothesis.py` (the text in progress), `constraint.py` and `choice.py` (what
may come), `ends.py` (where a text ends), `loop.py` (the algorithm), `attempts.py` (several texts) and
`session.py` (one document's completions).

What computes the network lies behind `fim_lsp.runtimes.runtime.Runtime`; here its logits are arrays of NumPy.
"""
