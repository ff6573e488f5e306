"""The pages of the site: the place of each page of the checkout, and what its links become.

A link from page to page leads to the other page. A link to a source file leads to its public address, once a
maintainer has filled in `source_file` in `release/placeholders.toml`; until then it is plain text.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent

# Pages outside docs/, by their place on the site.
ELSEWHERE = {
    "index.md": "website/front.md",
    "architecture.md": "ARCHITECTURE.md",
    "contributing.md": "CONTRIBUTING.md",
    "changes.md": "CHANGELOG.md",
    "datasets.md": "datasets/README.md",
    "vscode.md": "vscode-client/README.md",
    "neovim.md": "editors/neovim/README.md",
    "jetbrains.md": "editors/jetbrains/README.md",
}
PICTURES = (".png", ".svg")
# The site has a front page of its own in place of the README.
SAME = {"README.md": "website/front.md"}

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^( *(?:```|~~~).*?^ *(?:```|~~~) *$)", re.MULTILINE | re.DOTALL)


def places() -> dict[str, str]:
    """Each file of the site, by its path in the checkout, with its place on the site."""
    docs = ROOT / "docs"
    shown = [path for path in sorted(docs.rglob("*")) if path.suffix in (".md", *PICTURES)]
    return {
        **{f"docs/{path.relative_to(docs).as_posix()}": path.relative_to(docs).as_posix() for path in shown},
        **{source: place for place, source in ELSEWHERE.items()},
    }


def gathered(source_file: str, version: str) -> Iterator[tuple[str, bytes]]:
    """Each file of the site's sources, by its place."""
    known = places()
    for source, place in known.items():
        content = (ROOT / source).read_bytes()
        if source.endswith(".md"):
            content = page(content.decode("utf-8"), source, known, source_file, version).encode("utf-8")
        yield place, content


def page(text: str, source: str, known: dict[str, str], source_file: str, version: str) -> str:
    """A page with the links of the site. Code stays unchanged."""
    here = posixpath.dirname(known[source])

    def led(found: re.Match[str]) -> str:
        mark, words, target = found.groups()
        if re.match(r"\w+:|#", target):
            return found[0]
        path, sign, anchor = target.partition("#")
        named = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        named = SAME.get(named, named)
        if named in known:
            return f"{mark}[{words}]({posixpath.relpath(known[named], here or '.')}{sign}{anchor})"
        if source_file and not mark:
            address = source_file.replace("{version}", version).replace("{path}", named)
            return f"[{words}]({address}{sign}{anchor})"
        return words

    # Every second part is a block of code.
    parts = FENCE.split(text)
    parts[::2] = [LINK.sub(led, part) for part in parts[::2]]
    return "".join(parts)
