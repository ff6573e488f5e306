"""`python -m tests.names.go_names`: the names that Go predefines, from the installed Go.

They are the names of the universe, from `go/types`, and the names of the standard library's packages.
`--write` puts them into `fim_lsp/declared/go_names.json`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import fim_lsp.declared
from fim_lsp.replay.judges import ALONE, go
from tests.names.data import keep_or_tell

DATA = Path(fim_lsp.declared.__file__).with_name("go_names.json")
PROGRAM = """package main

import (
	"fmt"
	"go/types"
)

func main() {
	for _, name := range types.Universe.Names() {
		fmt.Println(name)
	}
}
"""
# Packages that only the library itself may import.
OWN = {"internal", "vendor"}


def go_names() -> dict[str, list[str] | dict[str, str]]:
    """Both kinds of names. Raises `NoJudge` without Go."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "main.go"
        program.write_text(PROGRAM, encoding="utf-8")
        universe = said(["run", str(program)])
    listed = (line.split() for line in said(["list", "-f", "{{.ImportPath}} {{.Name}}", "std"]))
    packages = {path: name for path, name in listed if not OWN & set(path.split("/"))}
    return {"universe": universe, "packages": packages}


def said(command: list[str]) -> list[str]:
    """The lines that Go prints."""
    done = subprocess.run([go(), *command], env=ALONE, capture_output=True, text=True, check=True)
    return done.stdout.split("\n")[:-1]


def main(arguments: list[str]) -> int:
    """Writes or prints the names."""
    names = go_names()
    return keep_or_tell(
        arguments,
        names,
        DATA,
        f"{len(names['universe'])} names of the universe, {len(names['packages'])} packages",
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
