"""Tests of the project's context that a model sees."""
