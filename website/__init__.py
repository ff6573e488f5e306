"""The site: the pages of this checkout, with a front page and a search. `make site` builds it.

zensical.toml  the generator's configuration
front.md       the front page
pages.py       the place of each page, and its links
__main__.py    gathers the pages, builds the site, and follows its links
"""
