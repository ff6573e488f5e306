"""The typist on the wall's clock: a person types, and an offer that comes too late was none (docs/clock.md).

The server runs as an editor runs it: a process of its own with its worker, asked over stdio at each key.
Reading order: `person.py` (when the keys fall), `screen.py` (what has been seen), `typist.py` (the rules,
on a clock), `conversation.py` (the language server's other end), `editor.py` (a document and its cursor, in
real time), `processes.py` (what it costs), `project_copy.py` (the folder that is opened), `filler.py` (a
region's row), `report.py` (the tables).
"""
