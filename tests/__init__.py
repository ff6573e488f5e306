"""The tests; a package so that `python -m tests.laws` and the test modules find one another."""
