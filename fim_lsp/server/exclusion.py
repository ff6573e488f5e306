"""The exclusion of files, neither completed nor kept: secrets, and those of ignore files and settings.

A file is judged by its path alone, by the one that it is opened under and by the one that links lead to; a
notebook's cell by the notebook's. What lies elsewhere, such as in a repository's history (`git:`) or on
another machine, is held against the names of secrets only. Of what lies on disk only ignore files are read:
`.gitignore` and `.fimignore` in the file's folder and those above, up to the repository's or the editor's
folder, and the repository's `.git/info/exclude`. Where one of these is too large to be looked at, the file is
taken for excluded: it may be named there. Reading may take its time; the event loop is no place for it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from pygls.uris import to_fs_path

from fim_lsp.server.ignoring import IgnorePatternsTooLarge, compile_patterns, patterns_in, verdict

# The name that VS Code has for a cell: the notebook's path, and the cell behind a `#`.
NOTEBOOK_CELL = "vscode-notebook-cell"

# The parts of a URI in front of its path, and behind it.
AROUND_PATH = re.compile(r"^[^:/?#]+:(//[^/?#]*)?|[?#].*", re.DOTALL)

# Default deny. Patterns as in .gitignore, matched from the root of the file system, capitals ignored.
SECRETS = """
.env
.env.*
*.env
.envrc
.ssh/
.gnupg/
.aws/
.azure/
.kube/
.docker/config.json
.git/
id_rsa*
id_dsa*
id_ecdsa*
id_ed25519*
*.pem
*.key
*.ppk
*.p12
*.pfx
*.jks
*.keystore
*.kdbx
*.asc
*.gpg
.netrc
_netrc
.pgpass
.npmrc
.pypirc
.git-credentials
.htpasswd
credentials
credentials.json
secrets.json
secrets.toml
secrets.yaml
secrets.yml
*.tfstate
*.tfvars
"""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A file is excluded, and the sentence that says by what."""

    message: str


def exclusion(uri: str, patterns: tuple[str, ...], folders: tuple[str, ...]) -> Exclusion | None:
    """Why a document is excluded, or None. `patterns` are the setting's, `folders` the editor's, as URIs."""
    path = path_of(uri)
    if path is None:
        return secret_exclusion(named_path(uri))
    roots = tuple(root for folder in folders if (root := path_of(folder)) is not None)
    real = Path(os.path.realpath(path))
    for candidate in dict.fromkeys((path, real)):
        found = path_exclusion(candidate, patterns, roots)
        if found is not None:
            return found
    return None


def path_of(uri: str) -> Path | None:
    """The file that a URI names; None for what is in no file that can be looked at, such as `untitled:`."""
    scheme, _, rest = uri.partition(":")
    if scheme == NOTEBOOK_CELL:
        uri = f"file:{rest.partition('#')[0]}"
    elif scheme != "file":
        return None
    name = to_fs_path(uri)
    # No system has a file with such a name; asking for it is an error.
    return None if name is None or "\0" in name else Path(os.path.normpath(name))


def named_path(uri: str) -> Path:
    """The path of a URI of any kind."""
    return Path(os.path.normpath(unquote(AROUND_PATH.sub("", uri)).replace("\0", "")))


def secret_exclusion(path: Path) -> Exclusion | None:
    if verdict(compile_patterns(SECRETS, ignores_case=True), relative(path)):
        return Exclusion(f"{path.name} may hold secrets: such files are never completed")
    return None


def path_exclusion(path: Path, patterns: tuple[str, ...], roots: tuple[Path, ...]) -> Exclusion | None:
    secret = secret_exclusion(path)
    if secret is not None:
        return secret
    try:
        return listed_exclusion(path, patterns, roots)
    except IgnorePatternsTooLarge as error:
        return Exclusion(f"{error}: what it names is not known")


def listed_exclusion(path: Path, patterns: tuple[str, ...], roots: tuple[Path, ...]) -> Exclusion | None:
    """The exclusion by the setting and the ignore files; raises `IgnorePatternsTooLarge`."""
    if patterns and any(
        verdict(compile_patterns("\n".join(patterns)), name) for name in names_below(path, roots)
    ):
        return Exclusion(f"{path.name} is named by the setting exclude")
    # Our own ignore files have the last word: with `!name` they admit what git ignores.
    for files in (own_ignore_files(path, roots), git_ignore_files(path)):
        nearest = nearest_verdict(path, files)
        if nearest is not None:
            return nearest if nearest.message else None
    return None


def nearest_verdict(path: Path, files: Iterator[tuple[Path, Path]]) -> Exclusion | None:
    """The verdict of the first ignore file that mentions the path; with an empty message it admits it."""
    for ignore_file, base in files:
        patterns = patterns_in(ignore_file)
        if patterns is not None and path.is_relative_to(base):
            is_ignored = verdict(patterns, path.relative_to(base))
            if is_ignored is not None:
                return Exclusion(f"{path.name} is named by {ignore_file.name}" if is_ignored else "")
    return None


def names_below(path: Path, roots: tuple[Path, ...]) -> Iterator[Path]:
    """The path as patterns may mean it: below each of the editor's folders, or absolute."""
    for root in roots:
        if path.is_relative_to(root):
            yield path.relative_to(root)
    yield relative(path)


def relative(path: Path) -> Path:
    """The path below the root of the file system."""
    return path.relative_to(path.anchor)


def repository_of(path: Path) -> Path | None:
    """The nearest folder with a `.git`, which is a file in work trees."""
    return next((folder for folder in path.parents if is_there(folder / ".git")), None)


def is_there(path: Path) -> bool:
    """Whether a file can be seen; one behind a closed door cannot, and `Path.exists` would call that an
    error."""
    try:
        return path.exists()
    except OSError:
        return False


def own_ignore_files(path: Path, roots: tuple[Path, ...]) -> Iterator[tuple[Path, Path]]:
    """`.fimignore` files and their folders, the nearest first, up to the repository's or the editor's
    folder."""
    tops = {root for root in (repository_of(path), *roots) if root is not None and path.is_relative_to(root)}
    # Outside of every known folder only the file's own folder can speak about it.
    top = min(tops, key=lambda folder: len(folder.parts), default=path.parent)
    for folder in path.parents:
        yield folder / ".fimignore", folder
        if folder == top:
            break


def git_ignore_files(path: Path) -> Iterator[tuple[Path, Path]]:
    """The files that git reads, the nearest first. Without a repository it is only that of the file's own
    folder."""
    repository = repository_of(path)
    for folder in path.parents:
        yield folder / ".gitignore", folder
        if folder == (repository or path.parent):
            break
    if repository is not None:
        yield repository / ".git" / "info" / "exclude", repository
