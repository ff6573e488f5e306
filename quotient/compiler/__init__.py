"""The grammar compiler: from a grammar's text to the description that the engine loads.

Reading order: `reader.py` (the command), `description.py` (the result), `grammar.py` (the whole way),
`terminals.py` and `rules.py` (its two halves), `shared_bodies.py` (parts of several rules, written once),
`directives.py` (comments with `@`), `branching.py` and `frames.py` (directives for texts that the lexer alone
cannot read), `narrowing.py`, `imports.py`, `faults.py` (errors in a grammar), `sizes.py` (endless grammars).
"""
