"""Schemas of files of known names: the keys and values that they may have, where no model writes.

Read in this order: `store.py`, where schemas come from; `schema.py`, which keys and values one has at a
place; `place.py` and `toml_place.py`, what place of a file the cursor is at; `usual.py`, which key comes next
where there are several; `values.py`, which value; `toml_offers.py` and `offers.py`, texts for a hole, of
which the engine says whether they fit; `held.py`, whether what is remembered may stand there.
"""
