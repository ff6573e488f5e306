"""Questions to every system that is tried on this machine, and how far the answers are equal.

questions.py holes in real files, from a seed answers.py what the engine and the bundled model say there,
written down compared.py two systems' answers, counted results.py what came of tests, in a table day.py a day
of an editor over stdio
"""
