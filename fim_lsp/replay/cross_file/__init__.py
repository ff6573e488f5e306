"""Cross-file holes: lines that use a name which another file of the project defines.

They are found as in CrossCodeEval (Ding et al., 2023): the imports of the project's own modules are removed,
and a checker lists the names that are missing then. Only the other files define these. Each hole begins at
such a name, and is the rest of its line.

Reading order: `withdrawal.py` (imports taken away), `missing.py` (what a checker misses), `drawing.py`
(holes), `filler.py` (a hole's row: filled with and without each source), `report.py`.
"""
