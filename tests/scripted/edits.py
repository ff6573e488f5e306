"""A process for next edits that obeys the text in its request: it answers late, not at all, or with its own
process id."""

from __future__ import annotations

import os
import sys
import time

from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.server.next_edits.messages import FailedJob, ForgetDocument, FoundEdits
from fim_lsp.server.worker.channel import framed_message, read_message


def main() -> None:
    while True:
        try:
            message = read_message(sys.stdin.buffer)
        except EOFError:
            return
        if isinstance(message, ForgetDocument):
            continue
        answer: FoundEdits | FailedJob = FoundEdits(
            message.job, (NextEdit("", 0, 0, "", str(os.getpid()), "", 1.0),)
        )
        match message.changed.new.split():
            case ["late", seconds]:
                time.sleep(float(seconds))
            case ["end"]:
                return
            case ["fail"]:
                answer = FailedJob(message.job, "somewhere")
        sys.stdout.buffer.write(framed_message(answer))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
