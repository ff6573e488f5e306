"""Questions to every system that is tested on this machine, and how many answers are equal.

questions.py  holes in real files, from a seed
answers.py    the answers of the engine and the bundled model there, written down
compared.py   two systems' answers, counted
results.py    the results of tests, as a table
day.py        a day of an editor over stdio
"""
