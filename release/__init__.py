"""What is put on shelves: `make release VERSION=x` builds it, writes each shelf's manifest, and tries it as
far as that goes without an account. Not in the wheel.

Read in this order:

placeholders.toml  what only a maintainer knows, in one place
placeholders.py    which of that is not filled in yet
facts.py           what the package says of itself: its version, languages, needs, the files that were built
words.py           facts and placeholders in the words of each shelf's language
templates.py       manifests with places for these words; `templates/` has them, a folder for each shelf
shelves.py         the shelves: their manifests, and what only an account can do
extension.py       the extension as the marketplaces want it
settings.py        what the extension's manifest and the page say of settings: `make settings` writes it
checks.py          each manifest, tried by its shelf's own tool where that can be had
__main__.py        all of it, and a table at the end
"""
