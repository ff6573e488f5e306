"""Names of JavaScript and TypeScript that are declared nowhere: a law that finished texts are held to.

Read in this order: `roles.py`, which says what an identifier of tree-sitter's is, a binding with its scope
or a use; `undeclared.py`, which names a text uses that nothing declares; `host_names.py`, what languages
and hosts bring along; `advice.py`, the law for the hole of a document, as decoding asks it.
"""
