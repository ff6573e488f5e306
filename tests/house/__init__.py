"""Tests of the sources and pages themselves."""
