"""The judge of offers: the probability that an offer, or a beginning of it, is wanted.

A model's own confidence is a poor judge: it does not know what stands around the place, what the project's
memory says, and how long an offer is. The judge is a small set of decision trees (`trees.py`) over features
of the offer and its place (`features.py`), fitted by `python -m training.judge` on what a typist would have
taken, in projects that nothing is tested on. What memory writes alone has numbers of its own
(`remembered.py`). `cuts.py` says where an offer may end, `judge.py` which of these ends is best, `bars.py`
how sure it has to be; `acceptance.py` follows what a person accepts, `odds.py` has the numbers that both
speak in.
"""
