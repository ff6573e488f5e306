"""Tests of the engine's Python interface and its limits."""
