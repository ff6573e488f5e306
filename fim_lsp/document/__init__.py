"""A document: its text, what lies where in it, and the engine's charts of it, kept up as it is edited.

The server, the command line, next edits and texts of others all begin here; nothing here knows of them.

sent.py        how it is sent from process to process
hole.py        where text is to come in it, and what that begins with
code_lines.py  its lines, and what each of them is
syntax.py      tree-sitter: where it is broken, and what a completion would add to that
indentation.py its own way to indent
repair/        broken ones: what is set aside of them for a hole; a package with one door
texts.py       all that is kept of one document
"""
