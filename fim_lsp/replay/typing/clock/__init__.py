"""The typist in real time: a person types on, and an offer that comes too late counts as none
(docs/clock.md).

The server runs as an editor runs it: a process of its own with its worker, asked over stdio at each key.
Reading order: `person.py` (the times of keys), `screen.py` (the offer on the screen), `typist.py` (the rules,
on a clock), `conversation.py` (messages to a language server), `editor.py` (a document and its cursor, in
real time), `processes.py` (costs), `project_copy.py` (the opened folder), `filler.py` (a region's row),
`report.py` (the tables).
"""
