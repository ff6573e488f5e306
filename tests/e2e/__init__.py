"""Real editors, driven by tests, and the messages between them and the server."""
