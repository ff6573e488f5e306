"""Regular expressions: from Python's syntax, by way of automata, to the syntax of Rust's `regex`.

Reading order: `regexes.py` (expressions as trees), `character_sets.py`, `back_references.py`,
`regex_dialects.py` (dialects of the syntax), `python_regex.py` (the parser), `textless.py` (expressions that
match no text), `regex_programs.py`, `looks_behind.py` and `terminal_automata.py` (the meaning of a
backtracking matcher, as automata), `automaton_regexes.py` (from automata to expressions).
"""
