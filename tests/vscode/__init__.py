"""Completions in a real VS Code: the extension from the VSIX, the server with its model, keys and pixels.

`make e2e` runs these and fails where VS Code or a browser cannot be had; `make test` runs the shortest story
alone (tests/editors/test_vscode.py). The holes must be filled for the file to parse, so that something is
offered whatever the model prefers.
"""
