"""`python -m fim_lsp`: the same command line as `fim-lsp`, for when its script is not on PATH.

The folder that it runs in is not searched for modules. Editors start servers in the user's project, and a
`types.py` there must be neither run nor taken for Python's own.
"""

import sys

if not getattr(sys.flags, "safe_path", False):
    del sys.path[0]

from fim_lsp.cli import main

raise SystemExit(main())
