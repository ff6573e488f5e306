"""Tests of fitting other programs' texts to holes."""
