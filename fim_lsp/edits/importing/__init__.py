"""Importing: imports that a change altered, or that are missing or unused since.

    imports.py          imports that are changed or missing
    unused_imports.py   imports that lost their last use
    unused_names.py     the same in Go, Java, JavaScript and TypeScript
    renamed_packages.py packages of Go that have another name in the file now
    missing_packages.py packages that are missing in Go, Java and files of React

Behind the door:

    standard_names.py   names that mean one thing in all Python code, and their modules
    known_packages.py   packages of Go, Java and React, by the names that they define
"""
