"""Files that are damaged at random, and files with comments everywhere: finding next edits raises no error,
and edits keep a parsing file parsing."""

from __future__ import annotations

from random import Random

import pytest

from fim_lsp.edits.next_edits import next_edits
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.holes import first_fault
from fim_lsp.known_languages import language_named
from tests.edits import (
    test_changes_in_braces,
    test_renamed_fields,
    test_renamed_keys,
    test_renames_in_braces,
    test_renames_in_python,
    test_types_of_members,
)
from tests.edits.everyday_edits import Case, loaded, replaced

MODULES = (
    test_renames_in_braces,
    test_renamed_fields,
    test_renamed_keys,
    test_changes_in_braces,
    test_renames_in_python,
    test_types_of_members,
)
CASES = [
    one
    for module in MODULES
    for listed in vars(module).values()
    if isinstance(listed, tuple)
    for one in listed
    if isinstance(one, Case)
]
SIGNS = ("", "x", "(", "{", "\n", " ", "*", '"')
N_TIMES = 40


def spoilt(text: str, random: Random) -> str:
    for _ in range(random.choice((0, 1, 1, 2))):
        at = random.randrange(len(text) + 1)
        text = text[:at] + random.choice(SIGNS) + text[at + random.choice((1, 1, 3, 10)) :]
    return text[: random.randrange(len(text) + 1)] if random.random() < 0.15 else text


def commented(text: str, language: str) -> str:
    """A text with a comment behind each line that opens or continues a row."""
    sign = language_named(language).line_comment
    ends = (",\n", "{\n", "[\n", "(\n")
    lines = text.splitlines(keepends=True)
    return "".join(f"{line[:-1]}  {sign} one\n" if line.endswith(ends) and sign else line for line in lines)


@pytest.mark.parametrize("seed", [0, 1, 2, 241])
def test_a_spoilt_file_is_no_error(seed: int) -> None:
    assert len(CASES) > 60
    random = Random(seed)
    for _ in range(N_TIMES):
        case = random.choice(CASES)
        language, known_language = loaded(case.language), language_named(case.language)
        old, new = case.old, replaced(case.old, case.made)
        if random.random() < 0.5:
            old, new = (commented(text, case.language) for text in (old, new))
        old, new = spoilt(old, random) if random.random() < 0.3 else old, spoilt(new, random)
        did_parse = first_fault(language, new) is None
        for edit in next_edits(FileChange.of("a", old, new, known_language), language):
            text = edit.edited_text(new)
            assert not did_parse or first_fault(language, text) is None, (case.name, seed, edit)
