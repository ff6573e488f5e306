"""Tests of grammars: reading, compiling and parsing with them."""
