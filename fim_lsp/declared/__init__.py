"""Undeclared names, in languages whose law the engine does not know: finished texts are checked for them.

Read in this order: `laws.py`, the law of each language; `advice.py`, the law for the hole of a document, as
decoding asks it; `scopes.py`, the search that languages with blocks share. `go_scopes.py` says what an
identifier of Go means, `go_package.py` what a file has from elsewhere, and `beside.py` reads the files around
it. `java_scopes.py`, `java_outline.py` and `java_package.py` do so for Java, with inherited members and with
`java_builds.py` for what builds say, and `java_modifiers.py` knows which modifiers exclude each other.
`twice.py` knows what each language allows only once in its surroundings, `redeclared.py` which variables of
Go and Java exist already, and `returns.py` what a function of theirs returns.
`tags.py` compares the two tags of an element.
`missing_import.py` finds the one import that an offer lacks, with `go_imports.py`, `java_imports.py` and
`javascript_imports.py`.
JavaScript and TypeScript have a search of their own, `roles.py` and `undeclared.py`, `own_value.py` for
variables in their own value, `host_names.py` for what hosts bring along, and `ambient.py` for what the
project around a file does, where `uses_elsewhere.py` looks for names that other files take for granted.
`lacking.py` has the names that the code behind a place uses and nothing declares.
`idle.py` knows texts that do nothing, in Python, too.
"""
