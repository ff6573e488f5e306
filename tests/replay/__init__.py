"""Tests of replays. `bundled/` and `typing/` contain the rows of two fixed runs."""
