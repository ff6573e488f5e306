"""`python -m tests.suites`: reads peers' test suites, and prints or writes where the engine differs.

python -m tests.suites.fetch        # fetches missing suites
python -m tests.suites              # prints the table; exits with 1 for a difference without a reason
python -m tests.suites --write      # writes the table and every difference into docs/suites.md
"""

from __future__ import annotations

import argparse
import sys

from fim_lsp.replay.judges import NoJudge
from tests.suites import page
from tests.suites.cases import SUITES
from tests.suites.differences import UNEXPLAINED, read
from tests.suites.sources import NotFetched


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.suites", description="peers' test suites")
    parser.add_argument("--write", action="store_true", help="write docs/suites.md anew")
    options = parser.parse_args()
    try:
        readings = [read(suite) for suite in SUITES]
    except (NotFetched, NoJudge) as error:
        print(f"suites: {error}", file=sys.stderr)
        return 2
    if options.write:
        page.write(readings)
    print("\n".join(page.table(readings)))
    unexplained = [
        (one.suite.name, difference.name)
        for one in readings
        for difference in one.differences
        if difference.reason == UNEXPLAINED
    ]
    for suite, name in unexplained:
        print(f"unexplained: {suite}: {name}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
