"""The laws that the engine keeps, checked on real files, corrupted files and small exhaustive ones.

Every law compares the engine with the language's own parser (CPython's: `oracle.parses`; `domains` has the
others); none compares the engine with itself where the parser could be asked. Reading order: `oracle`,
`cases`, `sources`, `words`, `domains`, `cuts`, `corrupt`, `verdicts`, `search`, then the laws themselves in
`laws`, and `shrink` and `__main__`, which report what fails.
"""
