"""Windows, tried on Linux: Wine, a Windows Python, our wheel, and the tests of this folder that can run
there.

setting_up.py Wine's drive, Python and the wheels, all from registries chosen.py which files of tests run
there, and why others do not results.py what came of them, counted in a table __main__.py the command
"""
