"""Next edits between two releases of a project: which hunks are foreseen, and how often that is wrong
(docs/edits.md).

Reading order: `pairs.py` (two releases), `verdict.py` (what an edit comes to), `walk.py` (hunk by hunk, with
what is proposed), `filler.py` (a pair's row), `report.py` (the tables). The judge of substitutions is fitted
on other pairs by `training/edits_judge.py`.
"""
