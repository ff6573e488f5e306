"""Measurements of the engine through its Python interface; `python -m benches.engine` runs them all."""
