"""The site has every page, its links lead to the same places as in the checkout, and it loads nothing from
other hosts."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

pytest.importorskip("tomllib", reason="the site's configuration is TOML, which Python reads from 3.11 on")

import tomllib

from website.__main__ import SITE, other_hosts
from website.pages import ROOT, gathered, page, places

KNOWN = {"docs/a.md": "a.md", "docs/images/p.png": "images/p.png", "ARCHITECTURE.md": "architecture.md"}


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("[b](../ARCHITECTURE.md#map)", "docs/a.md", "[b](architecture.md#map)"),
        ("[a](docs/a.md)", "ARCHITECTURE.md", "[a](a.md)"),
        ("![picture](docs/images/p.png)", "ARCHITECTURE.md", "![picture](images/p.png)"),
        ("[`code.py`](../fim_lsp/code.py)", "docs/a.md", "`code.py`"),
        ("[other](https://example.org/x.md)", "docs/a.md", "[other](https://example.org/x.md)"),
        ("[here](#below)", "docs/a.md", "[here](#below)"),
        ("```\n[a](b.py)\n```", "docs/a.md", "```\n[a](b.py)\n```"),
    ],
)
def test_what_becomes_of_a_link(text: str, source: str, expected: str) -> None:
    assert page(text, source, KNOWN, "", "1.2.3") == expected


def test_sources_are_linked_once_their_address_is_said() -> None:
    where = "https://example.org/{version}/{path}"
    linked = page("[code](../fim_lsp/code.py#L3)", "docs/a.md", KNOWN, where, "1.2.3")
    assert linked == "[code](https://example.org/1.2.3/fim_lsp/code.py#L3)"


def test_every_page_is_in_the_menu_and_is_there() -> None:
    nav = tomllib.loads((ROOT / "website" / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]

    def listed(entry: Any) -> list[str]:
        inner = entry.values() if isinstance(entry, dict) else entry
        return [entry] if isinstance(entry, str) else [name for one in inner for name in listed(one)]

    assert sorted(listed(nav)) == sorted(place for place in places().values() if place.endswith(".md"))


def test_all_that_pages_show_is_on_the_site() -> None:
    files = dict(gathered("", "1.2.3"))
    assert len(files) > 30
    assert b"](images/vscode.png)" in files["index.md"]
    assert "images/vscode.png" in files


@pytest.mark.parametrize(
    ("markup", "asked"),
    [
        ('<script src="https://cdn.example/x.js"></script>', ["https://cdn.example/x.js"]),
        ('<link rel="stylesheet" href="//fonts.example/css">', ["//fonts.example/css"]),
        ("<style>@import 'https://fonts.example/a'</style>", ["https://fonts.example/a"]),
        ('<script src="assets/x.js"></script><a href="https://example.org">there</a>', []),
    ],
)
def test_what_a_browser_would_fetch_elsewhere_is_seen(markup: str, asked: list[str], tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(markup, encoding="utf-8")
    assert other_hosts(tmp_path / "page.html") == asked


@pytest.fixture(scope="module")
def site() -> Path:
    if not (Path(sys.executable).parent / "zensical").exists():
        pytest.skip("the generator is not here; `make site` installs it")
    assert subprocess.run([sys.executable, "-m", "website"], cwd=ROOT, check=False).returncode == 0
    return SITE


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.long
def test_a_browser_finds_a_setting_and_asks_no_other_host(site: Path) -> None:
    browser = ROOT / "target" / "e2e" / "chromium"
    if not browser.exists():
        pytest.skip("chromium is not there; `tests/e2e/setup .venv/bin/python` says why")
    handler = partial(Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, sync_playwright() as playwright:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        chromium = playwright.chromium.launch(
            executable_path=browser.read_text().strip(), args=["--no-sandbox"]
        )
        page = chromium.new_page()
        asked: list[str] = []
        wrong: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"{address}index.html")
        picture = page.get_by_role("img", name="Grey text at the cursor")
        assert picture.evaluate("one => one.naturalWidth") > 0
        for way in ("VS Code.", "Neovim.", "The command line."):
            assert page.get_by_text(way, exact=True).is_visible()
        page.keyboard.press("Control+k")
        page.keyboard.type("eagerness")
        page.get_by_text("What makes an offer worth showing").first.click()
        page.wait_for_url(f"{address}worth.html*")
        assert {url for url in asked if not url.startswith((address, "data:", "blob:"))} == set()
        assert wrong == []
        chromium.close()
        server.shutdown()


@pytest.mark.long
@pytest.mark.usefixtures("site")
def test_a_broken_link_stops_the_site() -> None:
    front = ROOT / "target" / "broken.md"
    front.write_text("# Start\n\n[nowhere](../docs/editors.md#nowhere)\n", encoding="utf-8")
    spoilt = """
from website import __main__ as website, pages
pages.ELSEWHERE["index.md"] = "target/broken.md"
website.PROJECT = pages.ROOT / "target" / "broken-site"
website.PAGES, website.SITE = website.PROJECT / "pages", website.PROJECT / "html"
raise SystemExit(website.main())
"""
    assert subprocess.run([sys.executable, "-c", spoilt], cwd=ROOT, check=False).returncode in (1, 2)
