"""Foreign grammars: they get the meaning that they have in Lark, as far as possible.

Reading order: `meaning.py` (the whole way), `order.py` (the order in which Lark tries terminals),
`lr_states.py`, `contexts.py` and `copies.py` (the terminals that Lark tries at each place),
`followed_terminals.py` (all terminals over all texts), `differences.py` (remaining differences), and five
special cases: `going_back.py`, `tried_first.py`, `lines.py`, `indenter.py` and `neighbours.py`.
"""
