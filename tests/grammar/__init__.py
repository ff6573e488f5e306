"""Tests of grammars: how they are read, compiled and held to."""
