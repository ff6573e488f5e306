"""The compiled grammars: up to date, complete, and with the properties that the engine relies on."""

from __future__ import annotations

import keyword
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quotient.compiler.description import as_json, from_json
from quotient.compiler.reader import description, main
from quotient.compiler.rules import symbols
from tests.reference.earley import RuleAutomata
from tests.reference.minimal import entering_symbols, state_classes

GRAMMARS = Path(__file__).parents[2] / "quotient" / "grammars"
# Rules that others import, and languages that are described in another one's file.
IMPORTED = ("jsx", "letters")
DESCRIBED = {"javascriptreact": "javascript", "typescriptreact": "typescript"}
SOURCES = ("calculator", "go", "java", "javascript", "json", "python", "toml", "typescript")
VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.12.10", "3.13", "3.14", "3.15")
PYTHONS = tuple(f"python-{version}" for version in VERSIONS)
COMPILED = (
    "calculator",
    "go",
    "java",
    "javascript",
    "javascriptreact",
    "json",
    "toml-1.0",
    "toml-1.1",
    "typescript",
    "typescriptreact",
    *PYTHONS,
)
SOFT_KEYWORDS = {
    "3.10": {"match", "case", "_"},
    "3.12": {"match", "case", "_", "type"},
    "3.15": {"match", "case", "_", "type", "lazy"},
}
LAYOUT = {"NEWLINE", "INDENT", "DEDENT"}


def compiled_file(name: str) -> Path:
    return GRAMMARS / f"{name}.json"


def committed(name: str) -> dict[str, Any]:
    return from_json(compiled_file(name).read_text(encoding="utf-8"))


def rules_of(name: str) -> RuleAutomata:
    return RuleAutomata(dict(committed(name)))


def test_every_grammar_is_compiled_and_nothing_else() -> None:
    assert {path.name for path in GRAMMARS.iterdir()} == {
        *(f"{name}.lark" for name in (*SOURCES, *IMPORTED)),
        *(compiled_file(name).name for name in COMPILED),
        # The names that exist without a binding; `src/python_names` reads them, and the grammar compiler does
        # not.
        "python-builtins.txt",
    }


# The versions with the fewest and the most rules of four that share a file. The command line compiles all
# versions of Python, below.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.long)
        if name in ("javascriptreact", "typescript", *PYTHONS)
        else name
        for name in COMPILED
    ],
)
def test_the_compiled_file_is_up_to_date(name: str) -> None:
    language, _, version = name.partition("-")
    source = GRAMMARS / f"{DESCRIBED.get(language, language)}.lark"
    text = source.read_text(encoding="utf-8")
    compiled = description(text, name=language, version=version or None, source=str(source))
    assert as_json(compiled) == compiled_file(name).read_text(encoding="utf-8"), (
        f"compile {source.name} again: python -m quotient.compiler.reader ..."
    )


def test_compiling_from_the_command_line(tmp_path: Path) -> None:
    """The hash seed differs, so that no order may depend on it."""
    command = [sys.executable, "-m", "quotient.compiler.reader", str(GRAMMARS / "python.lark")]
    subprocess.run(
        [*command, "--version", *VERSIONS, "-o", str(tmp_path)],
        check=True,
        env={"PYTHONHASHSEED": "7"},
        cwd=GRAMMARS.parents[1],
    )
    for name in PYTHONS:
        assert (tmp_path / f"{name}.json").read_bytes() == compiled_file(name).read_bytes()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('start: a "b"\n', "Rule 'a' used but not defined (in rule start)"),
        (None, "No such file or directory"),
    ],
)
def test_what_cannot_be_compiled_is_told_without_a_traceback(
    text: str | None, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grammar = tmp_path / "some.lark"
    if text is not None:
        grammar.write_text(text)
    monkeypatch.setattr(sys, "argv", ["reader", str(grammar)])
    with pytest.raises(SystemExit) as caught:
        main()
    assert says in str(caught.value)
    assert str(grammar) in str(caught.value)
    assert not (tmp_path / "some.json").exists()


@pytest.mark.parametrize("name", COMPILED)
def test_every_symbol_is_a_rule_a_terminal_or_declared(name: str) -> None:
    compiled = committed(name)
    terminals = [terminal["name"] for terminal in compiled["terminals"]]
    rules = [rule["name"] for rule in compiled["rules"]]
    known = [*terminals, *rules, *compiled["declared"]]
    assert len(known) == len(set(known))
    for rule in compiled["rules"]:
        assert set(symbols(rule["body"])) <= set(known), rule["name"]
    for terminal in compiled["terminals"]:
        assert set(terminal.get("emits", [])) <= {*terminals, *compiled["declared"]}
    assert set(compiled["ignore"]) <= set(terminals)
    assert compiled["start"] in rules


@pytest.mark.parametrize("version", VERSIONS)
def test_python_knows_every_keyword(version: str) -> None:
    """Hard keywords have been the same since 3.7, except for a joke of 3.9; soft ones were added."""
    terminals = committed(f"python-{version}")["terminals"]
    literals = {one["name"] for one in terminals if one["kind"] == "literal"}
    assert set(keyword.kwlist) <= literals
    soft: set[str] = {"3.9": {"PEG_PARSER"}}.get(version, set())
    for since, words in SOFT_KEYWORDS.items():
        if VERSIONS.index(version) >= VERSIONS.index(since):
            soft = words
    assert {word for word in literals if word.isidentifier()} - set(keyword.kwlist) == soft


def test_python_is_lean() -> None:
    """Few rules and few states keep charts small. Each number here may only fall."""
    rules = rules_of("python-3.11")
    assert len(rules.names) <= 28
    assert sum(len(set(state_classes(rules, name).values())) for name in rules.names) <= 829


@pytest.mark.parametrize("name", PYTHONS)
def test_the_block_has_the_shape_that_the_engine_expects(name: str) -> None:
    bodies = {rule["name"]: rule["body"] for rule in committed(name)["rules"]}
    line = {"seq": [{"opt": "JOINED"}, "statement"]} if name == "python-3.8" else "statement"
    assert bodies["block"] == {"seq": ["NEWLINE", "INDENT", {"plus": line}, "DEDENT"]}
    assert bodies["suite"] == {"alt": ["simple_line", "block"]}


def last_terminals(rules: RuleAutomata) -> dict[str, set[str]]:
    """The terminals that a rule may end with. In Python only the file may be empty."""
    last: dict[str, set[str]] = {name: set() for name in rules.names}
    while True:
        before = {name: set(found) for name, found in last.items()}
        for state, edges in enumerate(rules.edges):
            for symbol, target in edges.items():
                if rules.is_accepting[target]:
                    last[rules.rule_of[state]] |= last.get(symbol, {symbol})
        if last == before:
            return last


@pytest.mark.parametrize("name", PYTHONS)
def test_states_are_entered_by_line_ends_or_by_anything_else_but_not_by_both(name: str) -> None:
    rules = rules_of(name)
    assert rules.nullable == {"file_input"}
    last = last_terminals(rules)
    for rule in rules.names:
        for entering in entering_symbols(rules, rule).values():
            terminals = set().union(*(last.get(symbol, {symbol}) for symbol in entering))
            assert terminals <= LAYOUT or not terminals & LAYOUT, (rule, entering)
