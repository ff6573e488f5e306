"""The judge of offers: the probability that an offer, or a beginning of it, is wanted.

A model's own confidence is a poor judge: it does not know the surroundings of the place, the project's
memory, or an offer's length. The judge is a small set of decision trees (`trees.py`) over features of the
offer and its place (`features.py`). `python -m training.judge` fits them to the choices of a simulated
typist, in projects outside of all tests. `judge.py` combines them, `acceptance.py` follows the user's
accepts, and `odds.py` has the numbers that both use.
"""
