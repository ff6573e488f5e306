"""The context of a place: snippets of the project's other files for a model, each with its reason.

A model cannot know the methods of a project's class unless it sees them. The snippets are found here, by our
own parse of the workspace, without any model; decoding decides how many fit into a prompt, and how they are
written there (`decoding/prompts/several_files.py`).

Reading order: `snippet.py` (a piece of a file), `outline.py` (a file's definitions, as others see them),
`kept_outlines.py` (outlines on disk, for the next start), `modules.py` (the file that an import means),
`reach.py` (the names around the cursor), `similar.py` and `recent.py` (other sources), `builder.py` (all
snippets, ranked), `secrets.py` (lines that are never kept). `imports_said.py`, `path_aliases.py` and
`kinship.py` say which of a workspace's folders belong together. For missing imports: `importable.py` (the
names that a file can import), `dependencies.py` (those of installed packages), `import_place.py` (the place
of an import) and `added_import.py` (the import as a value).
"""
