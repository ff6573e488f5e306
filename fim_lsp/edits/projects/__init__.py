"""Projects: edits in other files than the one that was changed.

    project.py             the files that a change may affect, and their edits
    elsewhere.py           edits in other files of Python
    imported_elsewhere.py  the import of a name, by the project's other files
    history.py             the replacements in the files that were changed before

Behind the door:

    moved_definitions.py   definitions that another module of the project has now
    other_files.py         the names that a file of another language has from a changed one
    declared_elsewhere.py  edits in such files
    said_imports.py        what the imports of a file say, before it is read
    kept_files.py          a cache of a project's files
"""
