"""Releases: `make release VERSION=x` builds each shelf's package, writes its manifest, and tests it as far as
possible without an account. Not in the wheel.

Read in this order:

placeholders.toml  what only a maintainer knows, in one place
placeholders.py    which placeholders are not filled in yet
facts.py           the package's facts: its version, languages, dependencies, and the files that were built
words.py           facts and placeholders in the language of each shelf
templates.py       manifests with places for these words; `templates/` has them, a folder for each shelf
shelves.py         the shelves: their manifests, and the steps that need an account
extension.py       the extension for the marketplaces
settings.py        settings in the extension's manifest and on the page: `make settings` writes them
checks.py          each manifest, checked by its shelf's own tool if that is installed
__main__.py        all of this, and a table at the end
"""
