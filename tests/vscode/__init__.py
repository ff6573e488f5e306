"""Completions in a real VS Code: the extension from the VSIX, the server with its model, keys and pixels.

`make e2e` runs these, and fails without VS Code or a browser; `make test` runs only the shortest story
(tests/editors/test_vscode.py). The holes cannot stay empty, so there is an offer whatever the model prefers.
"""
