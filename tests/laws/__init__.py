"""The laws that the engine keeps, checked on real files, damaged files and exhaustively on small ones.

Every law compares the engine with the language's own parser (CPython: `oracle.parses`; `domains` has the
others). No law compares the engine with itself where the parser could judge. Reading order: `oracle`,
`cases`, `sources`, `real_files`, `words`, `domains`, `cuts`, `corrupt`, `verdicts`, `search`, then the laws
themselves in `laws`, and `shrink` and `__main__`, which report what fails.
"""
