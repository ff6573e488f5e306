"""Tests of each language, compared with its own parsers."""
