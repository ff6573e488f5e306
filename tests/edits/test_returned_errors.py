"""Errors that functions of Go also return, and code that is put around returned values."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

READ = """\
package shop

func read(path string) []byte {
	if path == "" {
		return nil
	}
	return []byte(path)
}

func size(path string) (int, error) {
	data := read(path)
	return len(data), nil
}

func shown(path string) (Page, error) {
	data := read(path)
	return Page(data), nil
}

func show(path string) {
	data := read(path)
	println(len(data))
}
"""
SAVE = """\
package shop

func save(path string) {
	if path == "" {
		return
	}
	println(path)
}

func all(paths []string) error {
	for _, path := range paths {
		save(path)
	}
	return nil
}

func some(paths []string) {
	save(paths[0])
}
"""
WRAPPED = """\
package shop

import "fmt"

func all() error {
	if err := first(); err != nil {
		return err
	}
	if err := second(); err != nil {
		return err
	}
	if err := third(); err != nil {
		return err
	}
	return nil
}
"""

AGAIN = (
    case(
        "what is put around all of a short line",
        WRAPPED,
        (
            "first(); err != nil {\n		return err",
            'first(); err != nil {\n		return fmt.Errorf("all: %w", err)',
        ),
        (
            "second(); err != nil {\n		return err",
            'second(); err != nil {\n		return fmt.Errorf("all: %w", err)',
        ),
        then=(
            (
                "third(); err != nil {\n		return err",
                'third(); err != nil {\n		return fmt.Errorf("all: %w", err)',
            ),
        ),
        language="go",
    ),
    case(
        "what stands there already is not put in again",
        "class A {\n  load(path) {}\n}\n\nclass B {\n  load(path) {}\n}\n\nclass C {\n  load(path) {}\n}\n",
        ("A {\n  load", "A {\n  async load"),
        ("B {\n  load", "B {\n  async load"),
        then=(("C {\n  load", "C {\n  async load"),),
        language="javascript",
    ),
)
ERRORS = (
    case(
        "an error where nothing was given back",
        SAVE,
        ("save(path string) {", "save(path string) error {"),
        then=(
            ("		return\n", "		return nil\n"),
            ("	println(path)\n", "	println(path)\n	return nil\n"),
            (
                "		save(path)\n",
                "		if err := save(path); err != nil {\n			return err\n		}\n",
            ),
        ),
        language="go",
    ),
    case(
        "an error besides: its own returns, and calls where nothing of another type is needed",
        READ,
        ("string) []byte {", "string) ([]byte, error) {"),
        then=(
            ("		return nil", "		return nil, nil"),
            ("	return []byte(path)", "	return []byte(path), nil"),
            (
                "	data := read(path)",
                "	data, err := read(path)\n	if err != nil {\n		return 0, err\n	}",
            ),
        ),
        language="go",
    ),
)


@pytest.mark.parametrize("case", [*AGAIN, *ERRORS], ids=lambda case: f"{case.language}: {case.name}")
def test_what_follows(case: Case) -> None:
    check(case)


def test_lines_end_as_in_the_file() -> None:
    one = ERRORS[0]

    def ended(text: str) -> str:
        return text.replace("\n", "\r\n")

    made, follows = ([(ended(a), ended(b)) for a, b in some] for some in (one.made, one.follows))
    check(Case(one.name, ended(one.old), (*made,), (*follows,), one.language))
