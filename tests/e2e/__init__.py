"""Real editors, driven from tests, and what passes between them and the server."""
