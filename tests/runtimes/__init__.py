"""Tests of the runtimes of models."""
