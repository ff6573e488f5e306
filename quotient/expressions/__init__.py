"""Regular expressions: Python's syntax in, automata, and that of Rust's `regex` out.

Reading order: `regexes.py` (expressions as trees), `character_sets.py`, `back_references.py`,
`regex_dialects.py` (whose syntax it is), `python_regex.py` (the reader), `textless.py` (what no text
matches), `regex_programs.py`, `looks_behind.py` and `terminal_automata.py` (what a backtracking matcher
means, as automata), `automaton_regexes.py` (and back).
"""
