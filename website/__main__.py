"""`python -m website`: gathers the pages in target/site, builds target/site/html, and follows its links.

Exit codes: 0 the site is built; 1 a link leads nowhere, or a page loads something from another host; 2 the
generator failed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from release.facts import ROOT, facts
from release.placeholders import is_open, placeholders
from website.pages import gathered

# The generator requires its configuration above both.
PROJECT = ROOT / "target" / "site"
PAGES = PROJECT / "pages"
SITE = PROJECT / "html"
PROGRAMS = Path(sys.executable).parent
# URLs that a browser loads by itself, without a click.
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc=["']?(?P<source>(?:https?:)?//[^"'\s>]+)"""
    r"""|<link\b(?=[^>]*\brel=["']?(?:stylesheet|preconnect|preload|icon|dns-prefetch))[^>]*"""
    r"""\bhref=["']?(?P<link>(?:https?:)?//[^"'\s>]+)"""
    r"""|(?:url\(|@import\s*)["']?(?P<style>(?:https?:)?//[^"')\s]+)"""
)


def main() -> int:
    gather()
    built = subprocess.run(
        [PROGRAMS / "zensical", "build", "--clean", "--strict"],
        cwd=PROJECT,
        env=dict(os.environ),
        check=False,
    )
    if built.returncode:
        return 2
    asked = {str(path.relative_to(SITE)): hosts for path in SITE.rglob("*") if (hosts := other_hosts(path))}
    for name, hosts in asked.items():
        print(f"site: {name} asks {', '.join(hosts)}", file=sys.stderr)
    followed = subprocess.run(
        [
            PROGRAMS / "lychee",
            "--offline",
            "--include-fragments",
            "--no-progress",
            "--root-dir",
            SITE,
            "--exclude-path",
            "sitemap.xml",
            SITE,
        ],
        cwd=SITE,
        env=dict(os.environ),
        check=False,
    )
    print(f"site: {len(list(SITE.rglob('*.html')))} pages in {SITE.relative_to(ROOT)}")
    return 1 if asked or followed.returncode else 0


def gather() -> None:
    shutil.rmtree(PROJECT, ignore_errors=True)
    PROJECT.mkdir(parents=True)
    shutil.copy(ROOT / "website" / "zensical.toml", PROJECT)
    source_file = placeholders()["source_file"]
    version = facts(ROOT / "dist").version
    for place, content in gathered("" if is_open(source_file) else source_file, version):
        (PAGES / place).parent.mkdir(parents=True, exist_ok=True)
        (PAGES / place).write_bytes(content)


def other_hosts(path: Path) -> list[str]:
    if path.suffix not in (".html", ".css"):
        return []
    text = path.read_text(encoding="utf-8")
    return sorted({found["source"] or found["link"] or found["style"] for found in FETCHED.finditer(text)})


if __name__ == "__main__":
    sys.exit(main())
