"""Tests of the judge of offers."""
