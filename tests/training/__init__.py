"""Tests of the bundled model's recipe."""
