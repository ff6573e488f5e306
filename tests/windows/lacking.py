"""What Windows lacks, or Wine, by the tests that ask for it: a plugin of pytest that skips those tests."""

from __future__ import annotations

import re

import pytest

# By a test's file and name.
LACKING: tuple[tuple[str, str], ...] = ()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for pattern, reason in LACKING:
            if re.search(pattern, item.nodeid):
                item.add_marker(pytest.mark.skip(reason=reason))
                break
