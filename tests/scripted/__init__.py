"""The server with a model that writes a test's texts. Everything else is real: pipes, processes, engine.

    python -m tests.scripted.server [arguments of fim-lsp serve]

The model's name is its script: `script:` and a JSON object (see `worker.py`).
"""
