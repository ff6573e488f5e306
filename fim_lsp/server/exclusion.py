"""Excluded files, which are neither completed nor kept: secrets, and files named by ignore files or settings.

Only a file's path counts: the opened one and the one behind links; for a notebook's cell the notebook's. For
a file elsewhere, such as in a repository's history (`git:`) or on another machine, only the names of secrets
count. The only files read from disk are ignore files: `.gitignore` and `.fimignore` in the file's folder and
those above, up to the repository's or the editor's folder, and the repository's `.git/info/exclude`. If one
of these is too large to be read, the file counts as excluded, since it may be named there. Reading may take
long, so the event loop must not do it.
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

# VS Code's scheme for a cell's URI: the notebook's path, and the cell behind a `#`.
NOTEBOOK_CELL = "vscode-notebook-cell"

# The parts of a URI in front of its path and behind it.
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
    """An exclusion, with a sentence that gives its source."""

    message: str


def exclusion(uri: str, patterns: tuple[str, ...], folders: tuple[str, ...]) -> Exclusion | None:
    """The exclusion of a file, if any. `patterns` are the setting's, `folders` the editor's, as URIs."""
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
    """The file of a URI; None for a document without a readable file, such as `untitled:`."""
    scheme, _, rest = uri.partition(":")
    if scheme == NOTEBOOK_CELL:
        uri = f"file:{rest.partition('#')[0]}"
    elif scheme != "file":
        return None
    name = to_fs_path(uri)
    # No system has a file with such a name, and asking for it is an error.
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
        return Exclusion(f"{path.name} is excluded by the setting exclude")
    # Our own ignore files have the last word: with `!name` they admit what git ignores.
    repository = repository_of(path)
    for files in (own_ignore_files(path, roots, repository), git_ignore_files(path, repository)):
        nearest = nearest_verdict(path, files)
        if nearest is not None:
            return nearest if nearest.message else None
    return None


def nearest_verdict(path: Path, files: Iterator[tuple[Path, Path]]) -> Exclusion | None:
    """The verdict of the first ignore file that mentions the path; an empty message admits it."""
    for ignore_file, base in files:
        patterns = patterns_in(ignore_file)
        if patterns is not None and path.is_relative_to(base):
            is_ignored = verdict(patterns, path.relative_to(base))
            if is_ignored is not None:
                return Exclusion(f"{path.name} is excluded by {ignore_file.name}" if is_ignored else "")
    return None


def names_below(path: Path, roots: tuple[Path, ...]) -> Iterator[Path]:
    """The path in the forms that patterns may mean: relative to each of the editor's folders, or absolute."""
    for root in roots:
        if path.is_relative_to(root):
            yield path.relative_to(root)
    yield relative(path)


def relative(path: Path) -> Path:
    """The path relative to the root of the file system."""
    return path.relative_to(path.anchor)


def repository_of(path: Path) -> Path | None:
    """The nearest folder with a `.git`, which may be a file, as in work trees."""
    return next((folder for folder in path.parents if is_there(folder / ".git")), None)


def is_there(path: Path) -> bool:
    """Whether a file is visible; without permission it is not, and `Path.exists` would raise an error."""
    try:
        return path.exists()
    except OSError:
        return False


def own_ignore_files(
    path: Path, roots: tuple[Path, ...], repository: Path | None
) -> Iterator[tuple[Path, Path]]:
    """`.fimignore` files with their folders, the nearest first, up to the repository's or editor's folder."""
    tops = {root for root in (repository, *roots) if root is not None and path.is_relative_to(root)}
    # Outside of all known folders, only the file's own folder counts.
    top = min(tops, key=lambda folder: len(folder.parts), default=path.parent)
    for folder in path.parents:
        yield folder / ".fimignore", folder
        if folder == top:
            break


def git_ignore_files(path: Path, repository: Path | None) -> Iterator[tuple[Path, Path]]:
    """The ignore files of git, the nearest first; without a repository, only the one in the file's own
    folder."""
    for folder in path.parents:
        yield folder / ".gitignore", folder
        if folder == (repository or path.parent):
            break
    if repository is not None:
        yield repository / ".git" / "info" / "exclude", repository
