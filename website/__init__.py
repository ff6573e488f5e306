"""The site: the pages of this checkout, with a front page and a search. `make site` builds it.

zensical.toml  what the generator is told
front.md       the front page
pages.py       which page lies where, and what its links become
__main__.py    gathers the pages, builds the site, and follows its links
"""
