"""Types as advice: a type checker that the workspace has, asked about texts before they are offered.

Its language server is a child of the worker and is spoken to by threads (`process.py`), so a checker that
hangs, dies or talks nonsense costs nothing but its advice. `finding.py` says which program that is,
`advice.py` what a request asks it, `decoding/writing/advised.py` what comes of the answers.
"""
