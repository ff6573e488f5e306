"""Tests of the typist and its clock."""
