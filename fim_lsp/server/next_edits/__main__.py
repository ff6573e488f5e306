"""The process that finds next edits: it reads questions from stdin and writes answers to the original stdout.

It yields to all others, and ends with its stdin or with the server.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import sys
import traceback

from fim_lsp.server.next_edits.messages import (
    FailedJob,
    FindCompatibleEdits,
    FindEditsElsewhere,
    ForgetDocument,
    FoundEdits,
    Question,
)
from fim_lsp.server.next_edits.working_out import WorkingOut
from fim_lsp.server.worker.channel import framed_message, read_message
from fim_lsp.system.processes import end_with_parent

# The process yields to those that serve typing.
NICENESS = 10


def main() -> None:
    faulthandler.enable()
    end_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    outgoing = os.fdopen(os.dup(1), "wb")
    # Output of libraries would garble the answers.
    os.dup2(2, 1)
    gc.freeze()
    working_out = WorkingOut()
    while True:
        try:
            message: Question | ForgetDocument = read_message(sys.stdin.buffer)
        except EOFError:
            return
        if isinstance(message, ForgetDocument):
            working_out.forget(message.path)
            continue
        outgoing.write(framed_message(answer(working_out, message)))
        outgoing.flush()


def answer(working_out: WorkingOut, question: Question) -> FoundEdits | FailedJob:
    """Exactly one answer, whatever happens."""
    try:
        if isinstance(question, FindCompatibleEdits):
            return working_out.together(question)
        if isinstance(question, FindEditsElsewhere):
            return working_out.find_elsewhere(question)
        return working_out.find_edits(question)
    except Exception as error:  # one document's trouble must not end what others wait for
        working_out.forget(question.changed.path)
        frames = "".join(traceback.format_tb(error.__traceback__))
        return FailedJob(question.job, f"{type(error).__name__}\n{frames}")


if __name__ == "__main__":
    main()
