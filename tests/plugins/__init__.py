"""`python -m tests.plugins`: plugins as users get them, in front of the endpoint and of a bare llama-server.

Each plugin types at places of real files, in its own editor without a screen or in a headless browser, and
all its traffic is recorded. Read in this order: `places.py` (where it types), `recorder.py` (requests,
answers, and the server of each), `servers.py` (the servers), `in_neovim.py`, `in_vscode.py` and `in_node.py`
(the editors), `rows.py` (the stored results), `played.py` (the evaluation) and `__main__.py` (the table).
`fetch` downloads the plugins; none of their files is kept here.
"""
