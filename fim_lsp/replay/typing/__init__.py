"""The typist: how much typing the offers save, and how often they are wrong (docs/worth.md).

A region of a real file is taken out and typed again, key by key, through the server's own objects. Reading
order: `regions.py` (what may be typed), `tree_regions.py` (the same in other languages), `parsing.py` (who
says whether a text parses), `drawing.py` (which regions of which files), `packages.py` (pinned ones of other
languages), `page.py` (the server without its pipes), `typist.py` (the five rules), `filler.py` (a region's
row), `undefined.py` (the second judge), `figures.py` (the numbers), `report.py` (the tables). On the wall's
clock: `clock/`. Lines that are new since an older release: `new_lines.py`.
"""
