"""Path aliases in a `tsconfig.json`, which map names to folders: a folder with an alias for another folder
imports from there.

    "paths": { "@shop/*": ["../shop/src/*"] }        import { total } from "@shop/prices"

These files have comments and extra commas, so they are read with patterns, like imports.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from fim_lsp.context.imports_said import FAMILY, Name, extension, folders_between, text_of
from fim_lsp.known_languages import JAVASCRIPT

FILES = ("tsconfig.json", "tsconfig.base.json", "jsconfig.json")
COMMENT_LINE = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
PATHS = re.compile(r'"paths"\s*:\s*\{(?P<names>[^{}]*)\}')
BASE = re.compile(r'"baseUrl"\s*:\s*"(?P<base>[^"\n]*)"')
TARGETS = re.compile(r":\s*\[(?P<targets>[^\[\]]*)\]")
TARGET = re.compile(r'"([^"\n]+)"')


def aliased_names(folder: str, paths: Iterable[str], is_admitted: Callable[[str], bool]) -> frozenset[Name]:
    """The folders for which files below a folder have aliases."""
    around = {
        one
        for path in paths
        if FAMILY.get(extension(path)) == JAVASCRIPT.family
        for one in folders_between(path, folder)
    }
    files = (Path(one, name) for one in around for name in FILES)
    return frozenset(
        place
        for file in files
        if is_admitted(file.as_uri()) and (text := text_of(file)) is not None
        for place in places(file.parent, text)
    )


def places(folder: Path, text: str) -> Iterator[Name]:
    """The folders to which one file's aliases lead."""
    said = COMMENT_LINE.sub("", text)
    names = PATHS.search(said)
    base = BASE.search(said)
    for targets in TARGETS.finditer("" if names is None else names["names"]):
        for target in TARGET.findall(targets["targets"]):
            place = folder / ("" if base is None else base["base"]) / target.partition("*")[0]
            yield Path(os.path.normpath(place)).parts
