"""`python -m release VERSION`: writes and checks the packages for each registry, and ends with a table.

Exit codes: 0 each shelf is ready, except for placeholders and steps that need an account; 1 a shelf is not
ready; 2 the version differs from the one in the sources.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from release.checks import CHECKS, CheckVerdict, Outcome, Tried
from release.extension import pack
from release.facts import ROOT, Facts, disagreements, facts
from release.placeholders import placeholders
from release.shelves import SHELVES, PackageShelf
from release.words import words


@dataclass(frozen=True, slots=True)
class Row:
    """The state of a shelf."""

    shelf: PackageShelf
    goods: int
    open_placeholders: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    # The reason, if nothing could be checked.
    lacks: str = ""

    @property
    def is_ready(self) -> bool:
        return not self.lacks and all(outcome.verdict is not CheckVerdict.FAILED for outcome in self.outcomes)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m release", description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("version", help="the version that the sources say")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="where the packages were built")
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "release", help="where the manifests go")
    parser.add_argument("--only-version", action="store_true", help="look at the version and stop")
    arguments = parser.parse_args(argv)
    # Each tool runs in a folder of its own.
    arguments.dist, arguments.out = arguments.dist.resolve(), arguments.out.resolve()
    wrong = disagreements(arguments.version)
    if wrong or arguments.only_version:
        print(
            *(f"release: {sentence}, not {arguments.version}" for sentence in wrong),
            sep="\n",
            file=sys.stderr,
        )
        return 2 if wrong else 0
    shutil.rmtree(arguments.out, ignore_errors=True)
    arguments.out.mkdir(parents=True)
    built = facts(arguments.dist)
    rows = shelved(arguments.out, built, placeholders())
    for row in rows:
        for outcome in row.outcomes:
            if outcome.verdict is CheckVerdict.FAILED:
                print(f"--- {row.shelf.name}, {outcome.tool}\n{outcome.said}\n")
    page = table(rows, arguments.version) + without_extension(built)
    (arguments.out / "shelves.md").write_text(page, encoding="utf-8")
    (arguments.out / "SHA256SUMS").write_text(checksums(arguments.out), encoding="utf-8")
    print(page)
    return 0 if all(row.is_ready for row in rows) else 1


def shelved(out: Path, built: Facts, known: Mapping[str, str]) -> list[Row]:
    said = words(built, known)
    packed = [pack(file.path, out / "marketplace", built.version, known) for file in built.extensions]
    return [row(shelf, out, built, known, said, packed) for shelf in SHELVES]


def row(
    shelf: PackageShelf,
    out: Path,
    built: Facts,
    known: Mapping[str, str],
    said: Mapping[str, str],
    packed: Sequence[tuple[Path | None, str]],
) -> Row:
    waits = tuple(shelf.open_placeholders(known))
    goods = {
        "wheels and sources": len(built.wheels) + bool(built.sdist),
        "wheels": len(built.wheels),
        "sources": int(bool(built.sdist)),
        "extensions": len(packed),
        "nothing": 0,
    }[shelf.goods]
    if shelf.goods != "nothing" and not goods:
        return Row(shelf, 0, waits, (), f"no {shelf.goods} in dist/")
    try:
        shelf.write(out, said)
    except KeyError as missing:
        return Row(shelf, goods, waits, (), f"nothing was built that says {missing.args[0]}")
    if shelf.goods == "extensions":
        outcomes = [
            Outcome("vsce package", CheckVerdict.PASSED if file else CheckVerdict.FAILED, words)
            for file, words in packed
        ]
        return Row(shelf, goods, waits, tuple(outcomes))
    tried = Tried(out, built)
    return Row(shelf, goods, waits, tuple(check(tried) for check in CHECKS[shelf.name]))


def table(rows: Sequence[Row], version: str) -> str:
    lines = [
        f"# Shelves of fim-lsp {version}",
        "",
        "| shelf | | tried by | not here | placeholders | only an account can |",
        "|---|---|---|---|--:|---|",
    ]
    for row in rows:
        by = {verdict: names(row, verdict) for verdict in CheckVerdict}
        state = "ready" if row.is_ready else row.lacks or "FAILED: " + by[CheckVerdict.FAILED]
        lines.append(
            f"| {row.shelf.name} | {state} | {by[CheckVerdict.PASSED]} | {by[CheckVerdict.MISSING]} "
            f"| {len(row.open_placeholders)} | {row.shelf.account} |"
        )
    waiting = sorted({name for row in rows for name in row.open_placeholders})
    lines += [
        "",
        "Placeholders in release/placeholders.toml that are not filled in yet, and what waits for them:",
        "",
    ]
    lines += [
        f"- {name}: {', '.join(row.shelf.name for row in rows if name in row.open_placeholders)}"
        for name in waiting
    ]
    return "\n".join(lines) + "\n"


def without_extension(built: Facts) -> str:
    """The platforms without an extension; empty if one was built for this machine alone."""
    command = [sys.executable, str(ROOT / ".ci" / "platforms.py")]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    there = {file.path.stem.removeprefix(f"{built.name}-") for file in built.extensions}
    lacking = [platform for platform in listed if platform not in there]
    return f"\nNo extension was built for: {', '.join(lacking)}\n" if lacking and there & {*listed} else ""


def names(row: Row, verdict: CheckVerdict) -> str:
    return ", ".join(dict.fromkeys(outcome.tool for outcome in row.outcomes if outcome.verdict is verdict))


def checksums(folder: Path) -> str:
    """The checksums of all written files, in the format of `sha256sum --check`."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
        for path in files
        if path.name != "shelves.md"
    )


if __name__ == "__main__":
    sys.exit(main())
