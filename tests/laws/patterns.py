"""Regular expressions of JavaScript, made from the specification's syntax and damaged: our law against V8.

    python -m tests.laws.patterns --count 50000 --seed 1

Syntax that is too new for Node 20 is made only with `--newer`: names that occur in two alternatives, and
flags within patterns.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from random import Random

from fim_lsp.replay import judges
from quotient import Language
from tests.laws.pieces import words

FLAGS = ("", "", "", "u", "u", "u", "v", "v", "v", "g", "i", "dgimsy", "gu", "iv", "suy")
WRONG_FLAGS = ("gg", "uv", "x", "uu", "vgv", "ù")
ATOMS = words(
    r"""
    a b . ^ $ | z 0 - , : = ! < > & ' " # % ~ ` _ é 𝐱 { } ] { {1 {1} {1,2} {2,1} {,1} {1,} {1,2}? ? * +
    *? +? ?? ** \b \B \d \D \w \W \s \S \t \n \v \f \r \0 \00 \01 \1 \2 \3 \7 \8 \9 \10 \11 \12 \377 \400
    \99 \ca \cZ \c1 \c_ \c \x4 \x41 \xg \u \u1 \u0041 \ud835 \ud835\udc31 \udc31 \ud835\u0041 \u{ \u{41}
    \u{} \u{10ffff} \u{110000} \u{0000041} \u{g} \k \k<a> \k<b> \k<a \k<> \k<\u0061> (?<a>b) (?<b>) (?<a
    (?<> (?<\u0061>) (?<\u{61}>) (?<\ud835\udc31>x) \k<𝐱> (?<1>) (?<a1$_>) (?<é>) (?<\u{g}>) \p \P \p{
    \p{L} \p{Lu} \P{Lu} \p{lu} \p{ASCII} \p{Any} \p{Assigned} \p{Script=Grek} \p{Script=Greek}
    \p{sc=Latin} \p{scx=Cyrl} \p{scx=} \p{gc=Nd} \p{General_Category=Decimal_Number} \p{Letter}
    \p{Script} \p{Greek} \p{Alphabetic} \p{Alpha} \p{alpha} \p{Emoji} \p{EPres} \p{RGI_Emoji}
    \P{RGI_Emoji} \p{Basic_Emoji} \p{ID_Start=Yes} \p{L=L} \p{} \p{^L} \p{IDS} \p{White_Space} \p{space}
    \p{LC} \p{punct} \p{digit} \p{Block=Arrows} \p{In} \p{Cn} \p{Other_Math} \/ \. \* \- \\ \[ \] \( \)
    \{ \} \? \| \^ \$ \a \z \_ \é \: \& \q \q{a} \q{a|bc} \, \= \< \# \! \@ \~ \` \' \% (?: (?= (?! (?<=
    (?<! ( ) (? (?< [ [^ ] - a-z z-a \d-a a-\d \w-z --a a-- -- && &&& ++ ~~ !! ## $$ ** ,, .. :: ;; << ==
    >> ?? @@ ^^ `` || \b-a \B \k \c-a \c0-a \c* [a] [^a] [] [^] [a-z] [z-a] [\d-x] [-a] [a-] [[a]]
    [[a]&&[b]] [a--b] [\q{a|b}] [^\q{ab}] [^\q{a}] [\p{RGI_Emoji}] [^\p{RGI_Emoji}] [a&&b] [&&] [a&&&b]
    [a-b&&c] [a&&b-c] [[a-z]--[b]--c] [[a]&&b--c] [^[\q{ab}--\q{ab}]] [^\q{ab}&&a] [\q{}] [\q{a] [(]
    [a-[b]] [\b] [\B] [\-] [^a--\q{bc}] [\u{41}-\u{5a}] [\ud835\udc31-\ud835\udc32] (a) (?:a) (?=a)*
    (?!a){1} (?<=a)* (?<!a)? (?<a>x)|(?<a>y) (?:(?<a>x)|(?<a>y)) (?<a>x)(?<a>y) (?<=a) (?<!a) (?=a) ()
    """
)
# The syntax that needs a newer V8 than Node 20's: ECMAScript 2025.
NEWER = words("(?i:a) (?-i:a) (?i-m:a) (?ii:a) (?i-i:a) (?-:a) (?g:a) (?ims-:a) (?s (?-s (?s- (?i-s:")


def pattern(random: Random, is_newer: bool) -> str:
    """Makes a pattern that may be a literal's."""
    while True:
        found = made(random, (*ATOMS, *NEWER) if is_newer else ATOMS)
        if is_literal(found):
            return found


def made(random: Random, atoms: tuple[str, ...]) -> str:
    parts = [random.choice(atoms) for _ in range(random.choice((1, 1, 2, 2, 3, 4, 6, 9)))]
    kind = random.randrange(6)
    if kind == 0:
        parts = ["(", *parts, random.choice((")", ")*", "){2}", ")|a"))]
    elif kind in (1, 2):
        parts = [random.choice(("[", "[^")), *parts, "]"]
    found = "".join(parts)
    return spoilt(random, found) if kind == 3 else found


def spoilt(random: Random, text: str) -> str:
    """A text with one character left out, doubled, or moved."""
    at, other = random.randrange(len(text)), random.randrange(len(text))
    return random.choice(
        (
            text[:at] + text[at + 1 :],
            text[:at] + text[at] + text[at:],
            text[:at] + text[other] + text[at + 1 :],
            text[: min(at, other)] + text[max(at, other) :],
        )
    )


def is_literal(text: str) -> bool:
    """Whether a text between slashes is a literal's pattern, valid or not."""
    is_in_class, is_escaped = False, False
    for sign in text:
        if is_escaped:
            is_escaped = False
        elif sign == "\\":
            is_escaped = True
        elif (sign == "/" and not is_in_class) or sign in "\n\r\u2028\u2029":
            return False
        elif sign in "[]":
            is_in_class = sign == "["
    return bool(text) and text[0] != "*" and not is_escaped and not is_in_class


def flags(random: Random) -> str:
    return random.choice(WRONG_FLAGS) if random.randrange(40) == 0 else random.choice(FLAGS)


# Prints V8's message about each pattern of a list, or null.
JUDGE = """
const said = ([pattern, flags]) => {
  try { new RegExp(pattern, flags) } catch (error) { return error.message }
  return null;
};
process.stdout.write(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")).map(said)));
"""
# ECMAScript 2025 allows them in different alternatives.
TWICE = "Duplicate capture group name"


def made_ones(seed: str, count: int, is_newer: bool = False) -> list[tuple[str, str]]:
    """Distinct patterns with flags."""
    random = Random(seed)
    found: dict[tuple[str, str], None] = {}
    while len(found) < count:
        found[pattern(random, is_newer), flags(random)] = None
    return list(found)


def v8_faults(ones: Sequence[tuple[str, str]], program: str | None = None) -> list[str | None]:
    """The fault of each pattern by V8, or None. Raises `NoJudge`."""
    asked = [program or judges.node(), "-e", JUDGE]
    done = subprocess.run(asked, input=json.dumps(ones), capture_output=True, encoding="utf-8", check=True)
    faults: list[str | None] = json.loads(done.stdout)
    return faults


def engine_fault(literal: str, language: str = "javascript") -> str | None:
    """The law's reason to refuse a literal that the grammar accepts."""
    recognizer = Language.load(language).recognizer(names=())
    if not recognizer.advance(literal) or not recognizer.without_names().is_member():
        return "the grammar refuses it"
    refusal = recognizer.refusal("")
    return refusal and refusal[2]


def differences(
    ones: Sequence[tuple[str, str]], is_newer: bool = False, program: str | None = None
) -> list[str]:
    """The literals on which the engine and V8 disagree, with both messages."""
    found = []
    for (pattern, flags), fault in zip(ones, v8_faults(ones, program), strict=True):
        if fault is not None and TWICE in fault and not is_newer:
            continue
        said = engine_fault(f"/{pattern}/{flags}")
        if (said is None) != (fault is None):
            found.append(f"/{pattern}/{flags}  V8: {fault}  engine: {said}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Hold the law of regular expressions to V8.")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--newer", action="store_true", help="what ECMAScript 2025 adds, too")
    parser.add_argument("--node", help="another Node than the one on the path")
    given = parser.parse_args()
    found = differences(made_ones(given.seed, given.count, given.newer), given.newer, given.node)
    for line in found[:100]:
        print(line)
    print(f"{given.count} patterns, {len(found)} differences")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
