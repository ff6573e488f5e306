"""Tests of how a model writes and what steers it."""
