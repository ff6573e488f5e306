"""Missing features of Windows, or of Wine, by the tests that need them: a pytest plugin that skips those
tests."""

from __future__ import annotations

import re

import pytest

NO_LINKS = "a link leads nowhere in Wine"
NO_PLAIN_FILE = "a program writes into no plain file in Wine"
NO_SHELL = "Windows has no make and no shell for scripts"
# By a test's file with its folder, then by its name.
LACKING: dict[str, dict[str, str]] = {
    "context/test_kept.py": {
        r"test_where_it_lies\[(linux|darwin)": "Windows takes other paths for whole ones"
    },
    "engine/test_boundary.py": {r"stub_names|strictly_typed": "mypy is not laid there"},
    "commands/test_check.py": {
        r"what_is_no_file_is_passed_over_in_a_folder": "Windows has no pipes with names in folders"
    },
    "names/test_go.py": {r"names_are_those_of_the_installed": "Go has other packages on Windows"},
    "names/test_java.py": {r"names_are_those_of_the_installed": "the Java that is laid there lacks modules"},
    "replay/test_cross_file.py": {r"names_that_a_checker_misses": "mypy is not laid there"},
    "replay/test_data.py": {r"parquet": "pyarrow is not laid there"},
    "replay/test_golden.py": {r"what_computes_the_model": "torch is not installed there"},
    "server/test_exclusion.py": {r"a_link_to_a_secret": NO_LINKS},
    "server/test_untrusted.py": {
        r"extension_s_server|relative_entry_of_pythonpath": "the esbuild that is laid there is for Linux"
    },
    "typing/test_clock.py": {r"processes_are_counted": "Windows has no /proc"},
    "server/test_worker.py": {r"before_anything_heavy_is_loaded": NO_PLAIN_FILE},
    "commands/test_cli.py": {r"what_the_system_refuses_is_said_in_a_line": NO_SHELL},
    "commands/test_fetching.py": {r"lies_as_the_hubs_client_lays_it": "the hub's client is not laid there"},
    "packages/test_platforms.py": {
        r"marketplace_has_names": "vsce is not laid there",
        r"not_packed|launchers_of|emulated": "an embedded Python looks for no modules beside a script",
        r"no_compiler_is_needed|packed_by_one_command": NO_SHELL,
    },
    "commands/test_replay.py": {r"reports_in_all_forms": "pyarrow is not laid there"},
    "house/test_repository.py": {r"_make_|_prerequisite": NO_SHELL, r"without_rights_and_network": NO_SHELL},
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for pattern, reason in LACKING.get("/".join(item.path.parts[-2:]), {}).items():
            if re.search(pattern, item.name):
                item.add_marker(pytest.mark.skip(reason=reason))
                break
