"""`python -m tests.laws.early`: early errors in TypeScript, our law beside the grammar against its checker.

Each round takes a real file of the pinned packages, or a few of the lines below, and inserts one or two lines
that are wrong in some places and right in others. The law has to refuse the text exactly if the checker
reports an early error that needs no types, or acorn does after types are removed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from fim_lsp.replay import judges
from quotient import Language
from tests.laws.domains import DOMAINS
from tests.laws.npm_files import read

CHECKER = Path(__file__).with_name("checker.js")
LARGEST = 30_000
SHOWN = 12
LINES = r"""
let a; / let b: string; / var a = 1; / const a = b; / function a() {} / function a(): void;
function b<T>(c: T): T { return c } / class a {} / class b<T> extends a<T> implements c { } / enum a { b }
interface a { b: c } / type a = b; / namespace a { let b } / declare const a: b; / declare function a(): b;
{ let a; var a } / { let a; { var b } } / try { } catch (a) { var a } / import a from "b";
for (let a of b) { var a } / for (const a in b) { let a } / switch (1) { case 1: let a; case 2: let a }
function f(a, a) {} / (a: b, a) => 1; / const f = (a, { a }: b) => 1; / function f(a) { let a }
function f<a>(a: a): a { var a; return a } / a: a: ; / a: for (;;) { continue a } / a: { continue a }
while (1) { break b } / break; / continue; / switch (1) { case 1: break } / class A { #a; #a }
class A { #a: b; m() { return this.#a } } / class A { m(b: A) { b.#c } } / a.#b;
class A { get #a() { return 1 } set #a(b) {} } / class A { #m(): void; #m(b?: c) {} }
class A { constructor(); constructor(private a?: b) {} } / class A { constructor() {} constructor() {} }
class A { get constructor() { return 1 } } / class A { static prototype() {} } / class A { constructor: b }
class A { async constructor() {} } / class A extends B { constructor() { super() } }
class A { constructor() { super() } } / function f() { super.a } / ({ m() { super.a } });
class A { a = super.b } / class A { a = arguments } / class A { static { await } }
class A { static { let a; var a } } / new.target; / function f() { new.target } / "use strict"; / 010;
"\01"; / with (a) {} / delete a; / delete a.b; / eval = 1; / arguments++; / let eval;
function f() { "use strict"; 010 } / function f() { "use strict"; with (a) {} }
function f(a = 1) { "use strict" } / var public, static; / function f() { "use strict"; var public }
class A { m() { var package } } / export {}; / export { a }; / export { a as b }; / export let a;
export default 1; / export default function () {} / export default function f(): void;
export default interface a {} / export type { a }; / export class a {} / export enum a {}
export interface a {} / import { a } from "b"; / import type { a } from "b"; / import { type a } from "b";
import * as a from "b"; / import a = require("b"); / import a = b.c; / /(/; / /a/gg; / /(?<a>b)\k<c>/;
x = a as b < c; / a<b>(c); / a < b > c; / async function f(a = await b) {} / function* f(a = yield) {}
async <T>(a: T): b => await a; / <T>(a: T, a) => a; / let let; / var yield;
({ __proto__: 1, "__proto__": 2 }); / `\01`; / a`\01`;
abstract class a { abstract b(): c; d?: e; readonly [f: string]: g } / return;
class A { declare a: b; static readonly #c = 1; accessor d = 2; override e(): void {} }
@a class b { @c() d; @e f(@g h) {} } / a!.b!; / a?.<b>(c); / const f = (a: b): a is c => a;
const f = function <T>(this: a, b: T) { let b }; / let { a, b: a } = c; / let a!: b, c: d = e;
let [a, a] = b; / declare module "a" { export let b; export { c } }
namespace a { export const b = 1; export const b = 2 } / declare global { let a }
x = <T,>(a: T) => { let a }; / x = a ? (b) : c; / x = a ? (b, c) => d : e; / x = (a) satisfies b;
x = y as (a: b) => c; / type a<b> = b extends infer c ? c : d;
"""


@cache
def lines() -> list[str]:
    """The lines, one after the other."""
    return [line.strip() for line in LINES.replace(" / ", "\n").split("\n") if line.strip()]


def texts(random: Random, files: list[Path]) -> Iterator[str]:
    """Real files with a line or two inserted, and programs of only such lines."""
    while True:
        if files and random.random() < 0.3:
            text = read(random.choice(files)).split("\n")
            for _ in range(random.choice((0, 1, 1, 2))):
                text.insert(random.randrange(len(text) + 1), random.choice(lines()))
            yield "\n".join(text)
            continue
        drawn = [random.choice(lines()) for _ in range(random.choice((1, 2, 2, 3, 4)))]
        opening = random.choice(
            ("", "", "", "function f() {", "class a { m() {", "a: for (;;) {", "async () => {")
        )
        closing = {"": "", "c": "}}"}.get(opening[:1], "}")
        yield "\n".join((opening, *drawn, closing))


def wrong(language: Language, text: str) -> tuple[bool, str | None]:
    """Whether the grammar accepts a text, and the law's objections."""
    recognizer = language.recognizer(names=())
    if not recognizer.advance(text) or not recognizer.without_names().is_member():
        return False, None
    refusal = recognizer.refusal("")
    return True, refusal[2] if refusal else None


def checker(name: str) -> judges.JudgeProcess:
    """The checker as a running process."""
    folder = judges.CLIENT / "typescript-6"
    command = [
        "node",
        "--stack-size=4000",
        str(CHECKER),
        str(folder),
        name,
        str(judges.SOURCES),
        str(judges.CLIENT / "acorn"),
    ]
    return judges.JudgeProcess(command)


def main() -> int:
    """Prints disagreements and counts. The exit status says whether there are any."""
    parser = argparse.ArgumentParser(description="hold early errors of TypeScript to its checker")
    parser.add_argument("--language", choices=("typescript", "typescriptreact"), default="typescript")
    parser.add_argument("--count", type=int, default=1000, help="how many texts (%(default)s)")
    parser.add_argument("--seed", default="1", help="names the run")
    parser.add_argument("--files", action="store_true", help="real files as they are, and nothing else")
    chosen = parser.parse_args()
    random = Random(f"early-{chosen.seed}")
    language = Language.load(chosen.language)
    judge = checker("a.tsx" if chosen.language.endswith("react") else "a.ts")
    files = [path for _, path, size in DOMAINS[chosen.language].files() if 0 < size <= LARGEST]
    drawn = (
        map(read, random.sample(files, min(chosen.count, len(files))))
        if chosen.files
        else texts(random, files)
    )
    counts: Counter[str] = Counter()
    for _, text in zip(range(chosen.count), drawn, strict=False):
        is_read, ours = wrong(language, text)
        said = judge.fault(text)
        if not is_read or (said and said[1] == "no parse"):
            counts["no text of the grammar's"] += 1
            continue
        verdict = f"{'refused' if ours else 'taken'}, {'wrong' if said else 'right'}"
        counts[verdict] += 1
        if (ours is None) == (said is None):
            continue
        kind = f"{verdict}: {ours or (said or (0, ''))[1].split(' ')[0]}"
        counts[kind] += 1
        if counts[kind] <= SHOWN and len(text) < 2000:
            print(kind, said, repr(text), sep="\n    ")
    print("\n".join(f"{count:7} {kind}" for kind, count in counts.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
