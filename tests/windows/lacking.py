"""What Windows lacks, or Wine, by the tests that ask for it: a plugin of pytest that skips those tests."""

from __future__ import annotations

import re

import pytest

# By a test's file and name.
LACKING = (
    (r"test_engine_boundary.*(stub_names|strictly_typed)", "mypy is not laid there"),
    (r"test_context_kept.*test_where_it_lies\[(linux|darwin)", "Windows takes other paths for whole ones"),
    (r"what_is_no_file_is_passed_over_in_a_folder", "Windows has no pipes with names in folders"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for pattern, reason in LACKING:
            if re.search(pattern, item.nodeid):
                item.add_marker(pytest.mark.skip(reason=reason))
                break
