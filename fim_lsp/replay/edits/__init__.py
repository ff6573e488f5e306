"""Next edits between two releases of a project: which hunks are foreseen, and how often that is wrong
(docs/edits.md).

Reading order: `pairs.py` (two releases), `walk.py` (hunk by hunk, with what is proposed), `filler.py` (a
pair's row), `report.py` (the tables), `counting.py` (what the judge of substitutions is made of).
"""
