"""A document: its text, what lies where in it, and the engine's charts of it, kept up as it is edited.

The server, the command line, next edits and texts of others all begin here; nothing here knows of them.

sent.py        how it is sent from process to process
hole.py        a hole in it, where text is to come, and how that begins
code_lines.py  its lines, and the kind of each
syntax.py      tree-sitter: its faults, and those that a completion would add
indentation.py its own way to indent
repair/        repair of broken ones for a hole; a package with one door
texts.py       the state of one document
"""
