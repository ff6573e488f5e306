"""Types as advice: the workspace's type checker judges texts before they are offered.

Its language server is a child of the worker, and threads talk to it (`process.py`), so a checker that hangs,
dies or talks nonsense costs nothing but its advice. `finding.py` finds the program, `advice.py` asks it for a
request, and `decoding/writing/advised.py` uses the answers.
"""
