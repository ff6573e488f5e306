"""`fim-lsp`, whose worker knows scripts when it serves, which it does where no other command is named."""

from __future__ import annotations

import sys

from fim_lsp.cli import COMMANDS, main
from fim_lsp.server import engine

if __name__ == "__main__":
    engine.WORKER = "tests.scripted.worker"
    words = sys.argv[1:]
    sys.exit(main(words if words and words[0] in COMMANDS else ["serve", *words]))
