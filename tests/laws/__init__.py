"""The laws that the engine keeps, checked on real files, corrupted files and small exhaustive ones.

Every law compares the engine with CPython's own parser (`oracle.parses`); none compares the engine with
itself where the parser could be asked. Reading order: `oracle`, `cases`, `sources`, `cuts`, `corrupt`,
`verdicts`, `search`, then the laws themselves in `laws`, and `shrink` and `__main__`, which report what
fails.
"""
