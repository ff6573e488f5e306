"""Substitutions with one example that are meant for its place alone.

    log.info("no %s", x)     ->   log.warning("no %s", x)      says nothing about other calls of `log.info`
    if user.ok:              ->   if not user.ok:              nor this about other conditions

Another example makes them substitutions like all others. A name of the user's own that became a new one is
one from the first time on.
"""

from __future__ import annotations

import builtins
import logging
import re
from functools import cache
from keyword import kwlist
from pathlib import Path

from fim_lsp.edits.repeating.candidates import SubstitutionCandidate
from fim_lsp.edits.repeating.judge import is_code, is_in_a_run
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.names import PARAMETERS
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD
from fim_lsp.known_languages import JAVASCRIPT, PYTHON, KnownLanguage

# The words that every program may have, so that one of them says no more than its place needs.
VERBS = "get post put patch delete head options"
SCRIPT = """
    true false null undefined string number boolean any unknown void never object bigint symbol
    public private protected readonly static max min floor ceil round abs trunc
    map filter forEach find findIndex some every push pop shift unshift slice splice indexOf lastIndexOf
    includes startsWith endsWith trim trimStart trimEnd join concat sort reverse keys values entries flat
    flatMap reduce log error info debug warn trace fatal add has set delete if while
"""
GO = """
    true false nil int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64 string byte rune
    bool error Print Printf Println Sprint Sprintf Sprintln Fprint Fprintf Fprintln Errorf Fatal Fatalf Error
    Info Debug Warn Infof Debugf Warnf Warning Warningf Panic Panicf if for
"""
JAVA = """
    true false null int long short byte char float double boolean void String Integer Long Double Float
    Boolean Object List Set Map Collection ArrayList LinkedList HashSet TreeSet HashMap TreeMap LinkedHashMap
    Queue Deque
    public private protected static final abstract info error debug warn trace max min abs add remove contains
    Exception RuntimeException IllegalArgumentException IllegalStateException if while
"""
# Members that are out of use: who replaces one replaces all.
OUTDATED = ("warn", "fatal")
DIGITS = re.compile(r"\b\d[\w.]*")
# A word or a number, or a row of members.
PLAIN = re.compile(r"[\w.]*\w[\w.]*")
# The object in front of a member.
OBJECT = re.compile(r"([^\W\d]\w*)\s*\.\s*\Z")
MOST_CHARACTERS = 80
QUOTES, PATH = ("'", '"', "`"), "/"
STRINGS = ("string", "interpreted_string_literal", "raw_string_literal", "string_literal")
# The nodes from a top-level declaration down to its value.
DECLARING = (
    "expression_statement", "assignment", "export_statement", "lexical_declaration", "variable_declaration",
    "variable_declarator",
)  # fmt: skip
# Shorter texts are no names.
LEAST_TEXT = 3


def is_for_its_place(change: FileChange, one: SubstitutionCandidate) -> bool:
    """Whether a substitution was meant for the place where it was made, or for the object that it was made
    with."""
    if one.features["made"] > 1:
        return is_of_another_object(change, one)
    if is_in_a_run(one.features):
        return False
    old, new = one.substitution.old, one.substitution.new
    known = change.new.known_language
    if is_raised(one):
        return False
    if is_usual(old, known) and is_usual(new, known):
        return True
    if is_turned_round(old, new) or is_argument_left_out(old, new) or is_added_parameter(change, one):
        return True
    if new.startswith(f"{known.line_comment} ") and not old.startswith(known.line_comment or " "):
        # One line was taken out of use.
        return True
    if not is_code(one.features):
        return is_within_text(change, one) or is_text_of_constant(change, one)
    return WORD.fullmatch(old) is not None and is_other_name(change, new)


def is_usual(text: str, known_language: KnownLanguage) -> bool:
    """Whether a text is a word that every program may have, or a number."""
    if PLAIN.fullmatch(text) is None:
        return False
    usual = usual_words(known_language.family)
    return all(word in usual for word in WORD.findall(DIGITS.sub("", text)))


def is_raised(one: SubstitutionCandidate) -> bool:
    """Whether an exception was replaced where it is raised. Handlers differ from each other; what a program
    raises does not."""
    kinds = (getattr(builtins, name, None) for name in (one.substitution.old, one.substitution.new))
    are_raised = all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in kinds)
    return are_raised and all(made.place.right[:1] == ("(",) for made in one.substitution.made)


def is_of_another_object(change: FileChange, one: SubstitutionCandidate) -> bool:
    """Whether a member was replaced several times behind one and the same object, and stands behind another
    one here; or whether a short text in the arguments of one function is among those of another."""
    text = change.new.text
    if one.features["attribute"]:
        found = OBJECT.search(text, max(one.start - MOST_CHARACTERS, 0), one.start)
        held = {made.place.left[1:2] for made in one.substitution.made if made.place.left[:1] == (".",)}
        return len(held) == 1 and found is not None and (found[1],) not in held
    if is_code(one.features) or len(one.substitution.old.strip("'\"`")) >= LEAST_TEXT:
        return False
    made = [of.place for of in one.substitution.made if of.place.path == change.path]
    called = {function_around(change.old, place.start) for place in made}
    return len(called) == 1 and "" not in called and function_around(change.new, one.start) not in called


def function_around(source: SourceText, offset: int) -> str:
    """The function in whose arguments a place is."""
    for node in reversed(source.path_to(offset)):
        called = node.child_by_field_name("function") or (
            node.child_by_field_name("name") if node.type == "method_invocation" else None
        )
        if called is not None:
            return source.text_of(called)
    return ""


@cache
def usual_words(family: str) -> frozenset[str]:
    if family == PYTHON.family:
        kinds = (str, bytes, list, tuple, dict, set, int, float, Path, logging.Logger)
        members = {name for kind in kinds for name in dir(kind)}
        return frozenset({*kwlist, *dir(builtins), *members, *VERBS.split()} - {*OUTDATED, "print"})
    said = {JAVASCRIPT.family: SCRIPT, "go": GO, "java": JAVA}.get(family, "true false null")
    return frozenset({*said.split(), *VERBS.split()})


def is_turned_round(old: str, new: str) -> bool:
    """Whether only a `not` or a `!` was put in or taken out."""

    def without(text: str) -> str:
        return re.sub(r"\bnot\b|!(?!=)|\s", "", text)

    return old != new and without(old) == without(new) and ("not" in old + new or "!" in old + new)


def is_argument_left_out(old: str, new: str) -> bool:
    said = old.strip()
    return not new and (said.startswith(",") or said.endswith(","))


def is_added_parameter(change: FileChange, one: SubstitutionCandidate) -> bool:
    """Whether a parameter that came into one header would come into another one of Python. Overrides have a
    rule of their own."""
    return one.substitution.new.count(",") > one.substitution.old.count(",") and any(
        node.type in PARAMETERS for node in change.new.path_to(one.start)
    )


def is_within_text(change: FileChange, one: SubstitutionCandidate) -> bool:
    """Whether a place is a word of a longer text, or too short for a name. The parts of a path are names."""
    text, old = change.new.text, one.substitution.old
    said = old.strip("'\"`")
    if len(said) < LEAST_TEXT:
        return True
    if PLAIN.fullmatch(said) is None:
        return False
    before, behind = text[one.start - 1 : one.start], text[one.stop : one.stop + 1]
    if one.features["made alike"] and before == PATH == behind:
        return False
    return not (before in QUOTES and behind in QUOTES) and old[:1] not in QUOTES


def is_text_of_constant(change: FileChange, one: SubstitutionCandidate) -> bool:
    """Whether the whole text of a top-level name was replaced: a place that means it says its name."""
    made = one.substitution.made[0].place
    if made.path != change.path:
        return False
    path = change.old.path_to(made.start)
    number = next((number for number, node in enumerate(path) if node.type in STRINGS), 0)
    value, around = path[number], path[max(number - 1, 0)]
    said = change.old.text_of(value).strip("'\"`")
    is_value = any(around.child_by_field_name(field) == value for field in ("value", "right"))
    is_top_level = all(node.type in DECLARING for node in path[1:number])
    return is_value and is_top_level and said == one.substitution.old.strip("'\"`")


def is_other_name(change: FileChange, name: str) -> bool:
    """Whether the file had the new name before, for something else."""
    return WORD.fullmatch(name) is not None and any(True for _ in change.old.places(name))
