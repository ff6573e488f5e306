"""Windows, tested on Linux: Wine, a Windows Python, our wheel, and the tests that can run there.

setting_up.py  Wine's drive, Python and the wheels, all from registries
toolchains.py  Node, Go and Java, whose parsers are judges
chosen.py      the files of tests that run there
share.py       their share of all tests, and the reasons of the others
lacking.py     what Windows lacks, by the tests that need it
__main__.py    the command
"""
