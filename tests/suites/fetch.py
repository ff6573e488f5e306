"""`python -m tests.suites.fetch`: fetches peers' test suites that are missing.

It needs no engine, so on a bare clone suites are fetched while the engine is compiled.
"""

from __future__ import annotations

import sys

from tests.suites.sources import SOURCES, NotFetched


def main() -> int:
    try:
        for source in SOURCES:
            source.fetch()
    except NotFetched as error:
        print(f"suites: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
