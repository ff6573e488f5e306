"""Windows, tried on Linux: Wine, a Windows Python, our wheel, and the tests here that can run there.

setting_up.py  Wine's drive, Python and the wheels, all from registries
toolchains.py  Node, Go and Java, whose parsers are judges
chosen.py      which files of tests run there
share.py       how many of all tests that is, and why others do not
lacking.py     what Windows lacks, by the tests that ask for it
__main__.py    the command
"""
