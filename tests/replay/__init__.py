"""Tests of replays; `bundled/` and `typing/` are the rows of two fixed runs."""
