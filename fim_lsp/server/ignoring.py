"""The verdict of ignore files on a path, by git's rules.

The patterns come from a workspace, so they must not be able to make matching slow: ripgrep's matcher turns
them into automata. The regular expressions of pathspec, which was used before, backtrack; a pattern such as
`*a*a*a*a*a*a*a*a*b` took seconds for one name.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from pathlib import Path, PurePath

from fim_lsp.bounded_files import OverLimit, bounded_text
from quotient._native import IgnorePatterns

logger = logging.getLogger(__name__)

# An automaton for more lines would take seconds to build; real files have some hundred lines.
MAX_LINES = 5_000


class IgnorePatternsTooLarge(Exception):
    """An ignore file is too large to be read. The message names it."""


def verdict(patterns: IgnorePatterns, path: PurePath) -> bool | None:
    """Whether a file is ignored (True), admitted again (False), or not mentioned (None). The path is
    relative.

    A file in an ignored folder is always ignored.
    """
    # Bytes of names that are not Unicode are replaced.
    parts = [part.encode("utf-8", "surrogateescape").decode("utf-8", "replace") for part in path.parts]
    is_ignored: bool | None = None
    for n_parts in range(1, len(parts) + 1):
        here = patterns.verdict("/".join(parts[:n_parts]), n_parts < len(parts))
        if here:
            return True
        is_ignored = is_ignored if here is None else here
    return is_ignored


def patterns_in(path: Path) -> IgnorePatterns | None:
    """The patterns of an ignore file, read again only after a change; None if there is no such file."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    return patterns_at(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=256)
def patterns_at(path: Path, _mtime: int, _size: int) -> IgnorePatterns | None:
    try:
        text = bounded_text(path)
    except OverLimit as error:
        raise IgnorePatternsTooLarge(str(error)) from error
    return compile_patterns(text, name=path.name) if text else None


@lru_cache(maxsize=256)
def compile_patterns(
    text: str, ignores_case: bool = False, name: str = "the setting exclude"
) -> IgnorePatterns:
    if text.count("\n") > MAX_LINES:
        raise IgnorePatternsTooLarge(f"{name} has more than {MAX_LINES} lines")
    try:
        patterns = IgnorePatterns(text.encode("utf-8", "replace").decode(), ignores_case)
    except ValueError as error:
        raise IgnorePatternsTooLarge(f"{name} has patterns that are too large together") from error
    if patterns.n_unreadable:
        logger.warning("%d patterns of files to exclude cannot be read", patterns.n_unreadable)
    return patterns
