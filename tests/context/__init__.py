"""Tests of what a model is told of a project's other files."""
