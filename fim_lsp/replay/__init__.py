"""Replay: the experiments of the quotient paper and of SynCode, and ours, with any model, on any machine.

A case is a file with a hole and the text that used to be in it. A mode is a way to fill the hole: without
constraint, checked afterwards, as the paper does, with our guarantee, and that in a scope. A run fills every
hole in every mode, writes one row for each case, and reports tables and figures as the papers print them.

Reading order: `case.py`, then where cases come from (`corpus.py`, `cuts.py`, `stack.py`, `benchmarks.py`,
`devbench.py`, `recipes.py`), how they are filled and judged (`modes.py`, `judge.py`, `escape.py`,
`sandbox.py`), how a run survives a stop (`journal.py`, `running.py`, `progress.py`), and its reports
(`report/`, `compare.py`,
`show.py`). `through_lsp.py` sends the cases through the server instead.
"""
