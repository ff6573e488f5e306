"""The grammar compiler: from a grammar's text to the description that the engine loads.

Reading order: `reader.py` (the command), `description.py` (what comes out), `grammar.py` (the whole way),
`terminals.py` and `rules.py` (its two halves), `directives.py` (what comments with `@` say), `branching.py`
and `frames.py` (what they say of texts that the lexer alone cannot read), `narrowing.py`, `imports.py`,
`faults.py` and `sizes.py` (what is wrong with a grammar, or endless).
"""
