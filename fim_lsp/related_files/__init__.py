"""The context of a document in JavaScript, TypeScript, Go or Java: snippets of the files that it depends on.

For Python, `fim_lsp/context/` finds more of them, in the whole workspace. `snippets.py` finds the files and
ranks their definitions; `outlines.py` reads the definitions of one file.
"""
