"""Importing: names that are imported otherwise, not yet, or no more.

    imports.py         imports that are changed or missing
    unused_imports.py  imports that an edit has left without a use

Behind the door:

    standard_names.py  names that mean one thing to all who write Python, and their modules
"""
