"""`python -m tests.protocol_fuzz`: exit code 1 and the seed at the first broken promise."""

from __future__ import annotations

import argparse
import sys

from tests.protocol_fuzz.session import Failure, fuzz


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.protocol_fuzz", description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000, metavar="N", help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="(default: %(default)s)")
    arguments = parser.parse_args()
    n_sent = n_sessions = 0
    try:
        for n_messages, seconds in fuzz(arguments.messages, arguments.seed):
            n_sent, n_sessions = n_sent + n_messages, n_sessions + 1
            print(f"{n_sent:>8} messages in {n_sessions} sessions, the last {seconds:.1f} s", file=sys.stderr)
    except Failure as failure:
        print(f"protocol_fuzz: {failure}", file=sys.stderr)
        return 1
    print(f"{n_sent} messages in {n_sessions} sessions: one answer to each request, no hang, no orphan")
    return 0


if __name__ == "__main__":
    sys.exit(main())
