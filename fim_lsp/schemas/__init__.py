"""Schemas of files of known names: the keys and values that they may have, where no model writes.

Read in this order: `store.py`, where schemas come from; `schema.py`, which keys and values a schema has at a
place; `place.py` and `toml_place.py`, at which place of a file the cursor is; `usual.py`, the likeliest next
key; `values.py`, the likeliest value; `toml_offers.py` and `offers.py`, texts for a hole, which the engine
checks; `held.py`, whether a remembered text may stand there.
"""
