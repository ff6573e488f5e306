"""Peers' own test suites: what others wrote to find the faults of their parsers, read by the engine.

Nothing of a suite is in this repository: `sources` says where each is had, and `python -m tests.suites
--fetch` fetches it. `cases` makes texts with verdicts of it, `differences` asks the engine and says why it
answers otherwise, and `docs/suites.md` names every difference.
"""
