"""A document: its text, its lines and tree, and the engine's charts of it, which follow its edits.

The server, the command line, next edits and fitting all begin here; nothing here knows of them.

sent.py        how it is sent from process to process
hole.py        a hole in it, and the text that the hole begins with
code_lines.py  its lines, and the kind of each
syntax.py      tree-sitter: its faults, and those that a completion would add
indentation.py its own way to indent
repair/        repair of broken ones for a hole; a package with one door
texts.py       the state of one document
"""
