"""`fim-lsp` whose worker knows scripts when it serves. It serves unless another command is named."""

from __future__ import annotations

import sys

from fim_lsp.cli import COMMANDS, main
from fim_lsp.server import answering, lookups, worker_client
from fim_lsp.server.next_edits import process

if __name__ == "__main__":
    # The machine may be busy with other tests, and the worker late; the model's budget stays the same.
    answering.GRACE_SECONDS = lookups.LOOKUP_SECONDS = process.BUDGET_SECONDS = 30.0
    worker_client.WORKER = "tests.scripted.worker"
    words = sys.argv[1:]
    sys.exit(main(words if words and words[0] in COMMANDS else ["serve", *words]))
