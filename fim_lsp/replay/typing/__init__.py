"""The typist: how much typing the offers save, and how often they are wrong (docs/worth.md).

A region of a real file is taken out and typed again, key by key, through the server's own objects. Reading
order: `regions.py` (what may be typed), `tree_regions.py` (the same in other languages), `parsing.py` (the
parser that judges), `drawing.py` (which regions of which files), `packages.py` (pinned packages of other
languages), `page.py` (the server without its pipes), `typist.py` (the four rules), `filler.py` (a region's
row), `undefined.py` (the second judge), `figures.py` (the numbers), `report.py` (the tables). In real time:
`clock/`. Lines that are new since an older release: `new_lines.py`.
"""
