"""Runs a program that a model wrote, in this very process, which is made harmless first.

Started by `sandbox.py` as `python -I jail.py PROGRAM SECONDS MEGABYTES`; imports nothing of ours. The limits
are set here, not between fork and exec, where a process with threads must not run Python.
"""

import os
import sys
from contextlib import suppress

# Not 0: a program that ends itself before its tests are through has not passed them.
PASSED = 77


def limited(seconds: int, megabytes: int) -> None:
    """Limits processor time, memory, what may be written, and how many files and processes there may be."""
    import resource
    import signal

    signal.signal(signal.SIGXCPU, out_of_time)
    limits = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_AS: megabytes * 2**20,
        resource.RLIMIT_FSIZE: 2**20,
        resource.RLIMIT_NOFILE: 32,
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in limits.items():
        _, hard = resource.getrlimit(limit)
        soft = value if hard == resource.RLIM_INFINITY else min(value, hard)
        # One second above, the kernel kills what does not come back to Python to be told.
        resource.setrlimit(limit, (soft, soft + 1 if limit == resource.RLIMIT_CPU else soft))


def out_of_time(*_: object) -> None:
    print("Timeout", file=sys.stderr, flush=True)
    os._exit(1)


def main() -> None:
    program, seconds, megabytes = sys.argv[1:]
    with open(program, encoding="utf-8") as file:  # noqa: PTH123
        text = file.read()
    # Windows has no such limits; the time limit of the parent still holds.
    with suppress(ImportError):
        limited(int(seconds), int(megabytes))
    sys.argv = [program]
    try:
        exec(compile(text, program, "exec"), {"__name__": "__main__"})
    except SystemExit:
        print("SystemExit", file=sys.stderr)
        os._exit(1)
    except BaseException as error:
        print(type(error).__name__, file=sys.stderr)
        sys.stderr.flush()
        os._exit(1)
    os._exit(PASSED)


if __name__ == "__main__":
    main()
