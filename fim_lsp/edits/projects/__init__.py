"""Projects: edits in other files than the one that was changed.

    project.py             what follows in which files
    elsewhere.py           edits in other files of Python
    imported_elsewhere.py  imports that other files of the project do otherwise now
    history.py             the replacements in the files that were changed before

Behind the door:

    moved_definitions.py   definitions that another module of the project has now
    other_files.py         other files of the other languages
    declared_elsewhere.py  edits in them
    kept_files.py          the files of a project, kept read
"""
