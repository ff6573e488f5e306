"""The recipe of the bundled model: from installed packages to a folder that transformers loads.

    python -m training all

Read in this order: `recipe.py` (every number), `collect.py` with `licences.py` and `duplicates.py` (which
texts), `tokenizer.py`, `cuts.py`, `neighbours.py` and `samples.py` (what the model sees), `model.py`,
`passes.py`, `optimizer.py`, `train.py`, `folder.py`, `export.py`, `evaluate.py`. Nothing that users run
imports this package, and the wheel does not contain it.
"""
