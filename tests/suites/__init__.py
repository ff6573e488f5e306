"""Peers' own test suites: tests that others wrote to find the faults of their parsers, read by the engine.

No file of a suite is in this repository: `sources` says where each is found, and `python -m
tests.suites.fetch` fetches them. `cases` turns a suite into texts with verdicts, `differences` asks the
engine and explains its disagreements, and `docs/suites.md` names every difference.
"""
