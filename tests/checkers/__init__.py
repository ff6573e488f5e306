"""Tests of the type checkers that a workspace has."""
