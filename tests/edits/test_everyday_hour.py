"""Pairs of the kind that people try in an hour of their own."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

WRAPPED = """\
package shop

func load(path string) (*Store, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	store := NewStore()
	if err := store.Add(Item{Name: string(data), Price: 1}); err != nil {
		return nil, err
	}
	if _, err := store.Get("a"); err != nil {
		return nil, err
	}
	return store, nil
}
"""
WRAP = 'return nil, fmt.Errorf("load: %w", err)'

HOUR = (
    case(
        "what is put around something is not made by half",
        WRAPPED,
        ("return nil, err", WRAP),
        ("return nil, err", WRAP),
        then=(("return nil, err", WRAP),),
        language="go",
    ),
)


@pytest.mark.parametrize("one", HOUR, ids=lambda one: f"{one.language}: {one.name}")
def test_what_comes_next(one: Case) -> None:
    check(one)
