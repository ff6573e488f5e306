"""Tests of the edits that follow from a change."""
