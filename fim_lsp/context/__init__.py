"""The context of a place: pieces of the project's other files that a model is told, each with its reason.

No model can know what a class of the same project has for methods unless it is shown. What is shown is
found here, by our own parse of the workspace, and without any model: how much of it fits into a prompt, and
how it is written there, is decoding's business (`decoding/prompts/several_files.py`).

Reading order: `snippet.py` (what is found), `outline.py` (a file's definitions, as far as others need them),
`kept_outlines.py` (on disk, for the next start), `modules.py` (which file an import means), `reach.py` (what
the text around the cursor names), `similar.py` and `recent.py` (where else to look), `builder.py` (all of it,
ranked), `secrets.py` (what is never kept). `imports_said.py`, `path_aliases.py` and `kinship.py` say
which of a workspace's folders have to do with each other. Imports that are missing: `importable.py` (which
names a file could import), `dependencies.py` (those of installed packages), `import_place.py` and
`added_import.py` (where one goes, and as what it is sent on).
"""
