"""A mark for tests of schemas, which come in optional packages."""

from importlib.util import find_spec

import pytest

from fim_lsp.schemas import store

HAS_SCHEMAS = pytest.mark.skipif(
    not store.documents()
    or any(find_spec(package) is None for package in (store.COLLECTION, store.PYPROJECT, store.TOOLS)),
    reason="the packages of the extra `schemas` are not installed",
)
