"""Real Python files to cut: the standard library with its tests, and installed packages.

A file that CPython itself rejects (some tests are broken on purpose, and some are for other versions) is left
out and counted. A seeded generator draws files, mostly small ones: the laws do not depend on size, but their
cost does.
"""

import io
import sysconfig
import tokenize
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from random import Random

from tests.laws.oracle import Verdict, verdict


@dataclass(frozen=True, slots=True)
class Source:
    """A file that parses, with a name that says where it comes from."""

    name: str
    text: str


# The place where `tests/laws/testsuite` unpacks CPython's tests if the interpreter has none.
UNPACKED = Path(__file__).parents[2] / "target" / "testsuite" / "lib"

File = tuple[str, Path, int]
"""A file's name below its root, its path and its size."""


@cache
def python_files() -> tuple[File, ...]:
    """Return every installed Python file, in a fixed order."""
    roots = {sysconfig.get_path(name) for name in ("stdlib", "purelib")}
    found: dict[Path, File] = {}
    for root in (*sorted(map(Path, roots)), UNPACKED):
        for path in root.rglob("*.py"):
            found[path] = (str(path.relative_to(root)), path, path.stat().st_size)
    return tuple(sorted(found.values(), key=lambda entry: (entry[0], str(entry[1]))))


def decoded(data: bytes) -> str | None:
    """The text as an editor holds it: decoded, without a byte order mark, its line ends unchanged."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return None


@dataclass(slots=True)
class Sources:
    """A seeded, endless supply of real files up to a size; of Python by default."""

    random: Random
    largest: int = 60_000
    files: Callable[[], tuple[File, ...]] = python_files
    decoded: Callable[[bytes], str | None] = decoded
    judge: Callable[[str], Verdict] = verdict
    skipped: Counter[str] = field(default_factory=Counter)
    _library: list[File] = field(init=False)
    _installed: list[File] = field(init=False)

    def __post_init__(self) -> None:
        eligible = [entry for entry in self.files() if 0 < entry[2] <= self.largest]
        eligible.sort(key=lambda entry: entry[2])
        self._installed = [entry for entry in eligible if "site-packages" in entry[1].parts]
        self._library = [entry for entry in eligible if "site-packages" not in entry[1].parts]

    def next(self) -> Source:
        """A file that parses; files that do not are counted in `skipped`."""
        while True:
            # The standard library is the same everywhere; other installed files add other people's styles.
            is_library = bool(self._library) and (not self._installed or self.random.random() < 0.6)
            files = self._library if is_library else self._installed
            # Squaring a uniform draw takes half of the files from the smallest quarter.
            source = self.read(files[int(self.random.random() ** 2 * len(files))])
            if source is not None:
                return source

    def read(self, entry: File) -> Source | None:
        """Return the file when it decodes and parses."""
        name, path, _ = entry
        text = self.decoded(path.read_bytes())
        if text is None:
            self.skipped["not decodable"] += 1
            return None
        judgement = self.judge(text)
        if judgement is not Verdict.VALID:
            self.skipped[judgement.value] += 1
            return None
        return Source(name, text)


def library_text(size: int, *, seed: int = 0) -> str:
    """About `size` characters of standard library modules, joined to one file that parses."""
    # If no good end is near the size, as in one long docstring, other modules are drawn.
    drawn = (trimmed(joined_modules(size, f"{seed} {attempt}"), size) for attempt in count())
    return next(text for text in drawn if len(text) > size * 0.8)


def joined_modules(size: int, seed: str) -> str:
    """At least `size` characters of library modules, in the order of the seed."""
    paths = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    Random(seed).shuffle(paths)
    pieces: list[str] = []
    length = 0
    for path in paths:
        text = decoded(path.read_bytes())
        if text is None or "\r" in text or not text.endswith("\n"):
            continue
        pieces.append(text)
        length += len(text)
        if length >= size:
            break
    return "".join(pieces)


def trimmed(text: str, size: int) -> str:
    """The longest beginning of at most `size` characters that ends in front of a top-level block, if any."""
    end = size
    while end > 0:
        end = text.rfind("\n\n\n", 0, end) + 1
        if end > 0 and text[end + 2 : end + 3].strip() and verdict(text[:end]) is Verdict.VALID:
            return text[:end]
    return ""
