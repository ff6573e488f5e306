"""Names that other files of a JavaScript or TypeScript package use undeclared, or make names for all.

A page, a plugin or a bundler puts such names there (`$localize`, `CodeMirror`), or a file of the package does
(`globalThis.Go = class {}`): where one file has a name from nowhere, so may the others.
"""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from fim_lsp.declared.beside import FileLocation, root_of_source, source
from fim_lsp.declared.javascript_imports import MOST_FILES, project_files
from fim_lsp.declared.roles import ScopeBinding, TypeBinding
from fim_lsp.declared.tree import contains, spans_of
from fim_lsp.declared.undeclared import USES, places_of
from fim_lsp.dialects import read_as
from fim_lsp.known_languages import of_file

# The most files with a name that are read, and the largest one.
MOST_READ = 6
LARGEST = 200_000


def is_free_elsewhere(name: str, place: FileLocation) -> bool:
    """Whether another file of the package uses a name without a declaration; those beside a file come
    first."""
    if place.path is None:
        return False
    near = place.path.parent
    n_read = 0
    for path in islice(sorted(project_files(place.path), key=lambda one: one.parent != near), MOST_FILES):
        content = None if path == place.path or ".min." in path.name else source(path, place)
        if content is None or len(content) > LARGEST or next(spans_of(name.encode(), content), None) is None:
            continue
        if is_global_in(name, content) or is_free_in(name, path, content):
            return True
        n_read += 1
        if n_read >= MOST_READ:
            return False
    return False


def is_global_in(name: str, content: bytes) -> bool:
    said = rb"\b(?:globalThis|window|self|global)\s*\.\s*" + re.escape(name.encode()) + rb"\s*=(?!=)"
    return re.search(said, content) is not None


def is_free_in(name: str, path: Path, content: bytes) -> bool:
    """Whether a file uses a name that nothing in it declares where it is used."""
    known_language = read_as(of_file(path.name), content.decode(errors="replace"))
    root = root_of_source(content, known_language)
    found = [one for one in places_of(name, 0, root, content) if one is not None]
    scopes = [one.role.scope for one in found if isinstance(one.role, ScopeBinding | TypeBinding)]
    free = [one for one in found if not any(contains(scope, one.node) for scope in scopes)]
    return any(one.role in USES for one in free)
