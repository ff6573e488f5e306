"""Tests of each language, held to its own parsers."""
