"""`fim-lsp serve`, whose worker knows scripts."""

from __future__ import annotations

import sys

from fim_lsp.cli import main
from fim_lsp.server import engine

if __name__ == "__main__":
    engine.WORKER = "tests.scripted.worker"
    sys.exit(main(["serve", *sys.argv[1:]]))
