"""Grammars of others: made to mean to the engine what they mean to Lark, as far as can be.

Reading order: `meaning.py` (the whole way), `order.py` (in which order Lark tries terminals), `lr_states.py`,
`contexts.py` and `copies.py` (where it tries which), `followed_terminals.py` (all of them over all texts),
`differences.py` (what stays different), `going_back.py`, `tried_first.py`, `lines.py`, `indenter.py` and
`neighbours.py` (one way each in which it would mean something else).
"""
