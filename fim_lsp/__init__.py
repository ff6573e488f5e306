"""Fill-in-the-middle completions that leave the file parsing.

This package is the part that users meet: the command line, the language server, decoding and replay. The
exact grammar engine underneath is in `lexer` and `quotient`. Nothing is imported here, so that importing the
engine, or asking for `--help`, never drags in an LSP library or a model.
"""
