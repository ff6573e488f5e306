"""Tests of decoding: what a model writes, and what constrains it."""
