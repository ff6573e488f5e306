"""`python -m tests.plugins`: plugins as users get them, in front of the endpoint and of a bare llama-server.

Each types at places of real files, in its own editor without a screen or in a browser without one, and all
that goes over the wire is recorded. Read in this order: `places.py` (where is typed), `recorder.py` (what
was asked and answered, and by whom), `servers.py` (what stands behind it), `in_neovim.py`, `in_vscode.py`
and `in_node.py` (who types), `rows.py` (what is kept of it), `played.py` (what came of it) and
`__main__.py` (the table). `fetch` gets the
plugins; nothing of them is kept here.
"""
