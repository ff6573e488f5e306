"""The manifests of `make release`: made from the package's own data, reproducible, without invented
addresses.

`make release` itself runs the tools that check manifests, and so does the long test here: each tool has to
refuse a damaged manifest.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("tomllib", reason="manifests are read with tomllib, which is there from Python 3.11 on")

import tomllib

from fim_lsp.known_languages import KNOWN
from release import checks
from release.__main__ import Row, row, table, without_extension
from release.checks import Check, CheckVerdict, Outcome, Tried
from release.extension import VSCE, pack, public_manifest
from release.facts import ROOT, Facts, facts
from release.placeholders import is_open, placeholders, still_open
from release.shelves import SHELVES
from release.templates import FOLDER, names_in, template
from release.words import words

VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
PLATFORMS = ("manylinux_2_34_x86_64", "manylinux_2_34_aarch64", "macosx_11_0_arm64", "win_amd64")
FILLED = {name: f"https://example.org/{name}/{{file}}" for name in placeholders()}


@pytest.fixture
def built(tmp_path: Path) -> Facts:
    dist = tmp_path / "dist"
    dist.mkdir()
    (dist / f"fim_lsp-{VERSION}.tar.gz").write_bytes(b"sources")
    for platform in PLATFORMS:
        (dist / f"fim_lsp-{VERSION}-cp310-abi3-{platform}.whl").write_bytes(platform.encode())
    return facts(dist)


def written(folder: Path, built: Facts, known: dict[str, str]) -> dict[str, bytes]:
    said = words(built, known)
    for shelf in SHELVES:
        shelf.write(folder, said)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("there", "lacking"),
    [
        ((), ""),
        (("fim-lsp.vsix",), ""),
        (
            ("fim-lsp-win32-x64.vsix", "fim-lsp-linux-x64.vsix"),
            "linux-arm64, alpine-x64, alpine-arm64, win32-arm64, darwin-arm64, darwin-x64",
        ),
    ],
)
def test_platforms_without_an_extension_are_named(
    tmp_path: Path, there: tuple[str, ...], lacking: str
) -> None:
    for name in there:
        (tmp_path / name).touch()
    said = f"\nNo extension was built for: {lacking}\n" if lacking else ""
    assert without_extension(facts(tmp_path)) == said


def test_the_same_files_give_the_same_manifests(built: Facts, tmp_path: Path) -> None:
    first = written(tmp_path / "first", built, placeholders())
    assert first == written(tmp_path / "second", built, placeholders())
    assert len(first) > 15


def test_each_manifest_says_the_version_and_what_was_built(built: Facts, tmp_path: Path) -> None:
    texts = {name: content.decode() for name, content in written(tmp_path / "out", built, FILLED).items()}
    assert f"id: pkg:pypi/fim-lsp@{VERSION}\n" in texts["mason/package.yaml"]
    assert tomllib.loads(texts["zed/extension.toml"])["version"] == VERSION
    assert tomllib.loads(texts["zed/Cargo.toml"])["package"]["version"] == VERSION
    assert built.sdist is not None
    assert f"sha256: {built.sdist.sha256}\n" in texts["conda-forge/recipe.yaml"]
    assert f"fim-lsp=={VERSION}" in texts["container/Containerfile"]
    for wheel in built.wheels:
        # Homebrew does not run on Windows.
        assert (wheel.sha256 in texts["homebrew/fim-lsp.rb"]) == ("win" not in wheel.name)


def test_each_manifest_lists_the_languages_of_the_engine(built: Facts, tmp_path: Path) -> None:
    texts = {name: content.decode() for name, content in written(tmp_path / "out", built, FILLED).items()}
    server = tomllib.loads(texts["zed/extension.toml"])["language_servers"]["fim-lsp"]
    assert set(server["languages"]) == set(server["language_ids"])
    assert {*server["language_ids"].values(), "javascriptreact"} == {
        known_language.name for known_language in KNOWN
    }
    helix = tomllib.loads(texts["helix/languages.toml"])
    assert len(helix["language"]) == len(KNOWN)
    assert all(one["language-servers"] == list(helix["language-server"]) for one in helix["language"])
    for known_language in KNOWN:
        assert f"'{known_language.name}'," in texts["nvim-lspconfig/lsp/fim_lsp.lua"]
    [listed] = re.findall(r"filetypes = \{([^}]+)\}", (ROOT / "README.md").read_text(encoding="utf-8"))
    plugin = re.findall(r'"([^"]+)"', listed)
    assert set(plugin) == {known_language.name for known_language in KNOWN}


def test_each_manifest_asks_for_what_an_install_needs(built: Facts, tmp_path: Path) -> None:
    texts = {name: content.decode() for name, content in written(tmp_path / "out", built, FILLED).items()}
    for name in ("lark", "pygls", "tree-sitter-python", "onnxruntime"):
        assert re.search(rf"^    - {name} >=", texts["conda-forge/recipe.yaml"], re.MULTILINE), name
        assert re.search(rf"^    ([\w-]+\.)?{name}$", texts["nix/package.nix"], re.MULTILINE), name


def test_no_address_is_invented() -> None:
    """All addresses of ours are in one file; the others are this machine's, or published by others."""
    others = ("http://127.0.0.1:", "https://placeholder.invalid", "https://json-schema.org")
    addresses = [
        (str(path), address)
        for path in [*FOLDER.rglob("*"), FOLDER.parent / "placeholders.toml"]
        if path.is_file()
        for address in re.findall(r"https?://[^\s\"'`)]*", path.read_text(encoding="utf-8"))
    ]
    assert [where for where in addresses if not where[1].startswith(others)] == []
    assert all(is_open(value) for value in placeholders().values())


def test_the_placeholders_are_those_that_are_asked_for(built: Facts) -> None:
    known = placeholders()
    asked = {name for path in FOLDER.rglob("*") if path.is_file() for name in names_in(template(str(path)))}
    assert asked <= set(words(built, known))
    waited_for = {name for shelf in SHELVES for name in shelf.open_placeholders(known)}
    # Only the site asks for the last placeholder.
    assert waited_for | {"source_file"} == still_open(known)


def test_nothing_waits_for_what_is_filled_in(built: Facts, tmp_path: Path) -> None:
    for name, content in written(tmp_path / "out", built, FILLED).items():
        assert b"placeholder" not in content, name
    assert [shelf.name for shelf in SHELVES if shelf.open_placeholders(FILLED)] == []


def test_what_was_not_built_is_not_on_a_shelf(tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    nothing, known = facts(tmp_path / "dist"), placeholders()
    for shelf in SHELVES:
        if shelf.goods != "nothing":
            missing = row(shelf, tmp_path, nothing, known, words(nothing, known), [])
            assert not missing.is_ready
            assert missing.lacks == f"no {shelf.goods} in dist/"


def test_the_table_says_what_failed_and_what_was_not_looked_at() -> None:
    outcomes = (
        Outcome("one", CheckVerdict.PASSED),
        Outcome("two", CheckVerdict.MISSING),
        Outcome("three", CheckVerdict.FAILED),
    )
    rows = [Row(SHELVES[0], 1, ("pypi_download",), outcomes), Row(SHELVES[3], 0, (), outcomes[:2])]
    lines = table(rows, VERSION).splitlines()
    assert next(line for line in lines if line.startswith("| PyPI")).startswith(
        "| PyPI | FAILED: three | one | two | 1 |"
    )
    assert next(line for line in lines if line.startswith("| mason")).startswith(
        "| mason | ready | one | two | 0 |"
    )
    assert "- pypi_download: PyPI" in lines


def test_another_version_than_the_sources_say_is_refused() -> None:
    command = [sys.executable, "-m", "release", "9.9.9", "--only-version"]
    refused = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert f"Cargo.toml says {VERSION}, not 9.9.9" in refused.stderr
    assert "CHANGELOG.md has no section 9.9.9" in refused.stderr


def test_the_published_manifest_is_the_extensions_with_an_owner() -> None:
    manifest = json.loads((ROOT / "vscode-client" / "package.json").read_text(encoding="utf-8"))
    public = public_manifest(manifest, FILLED)
    assert "private" not in public
    assert public["publisher"] == FILLED["vscode_publisher"]
    assert public["repository"]["url"] == FILLED["repository"]
    assert public["contributes"] == manifest["contributes"]


@pytest.mark.long
def test_the_extension_is_packed_to_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not VSCE.exists():
        pytest.skip("vsce is not installed; `npm --prefix vscode-client ci` gets it")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    manifest = {
        "name": "fim-lsp", "displayName": "x", "version": VERSION, "publisher": "p", "private": True,
        "engines": {"vscode": "^1.91.0"}, "main": "./out/extension.js",
        "activationEvents": ["onStartupFinished"],
    }  # fmt: skip
    with zipfile.ZipFile(tmp_path / "built.vsix", "w") as archive:
        archive.writestr("extension.vsixmanifest", '<Identity TargetPlatform="linux-x64" />')
        archive.writestr("extension/package.json", json.dumps(manifest))
        archive.writestr("extension/out/extension.js", "exports.activate = () => {};")
        archive.writestr("extension/readme.md", "# An extension\n\nIt says what it does.")
        archive.writestr("extension/LICENSE.txt", "As you like.")
    known = {**placeholders(), "vscode_publisher": "somebody"}
    packed = [pack(tmp_path / "built.vsix", tmp_path / name, VERSION, known) for name in ("one", "two")]
    [first, second] = [file for file, said in packed if file is not None or pytest.fail(said)]
    assert first.name == f"fim-lsp-{VERSION}-linux-x64.vsix"
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        assert json.loads(archive.read("extension/package.json"))["publisher"] == "somebody"
        assert 'TargetPlatform="linux-x64"' in archive.read("extension.vsixmanifest").decode()


SPOILT: dict[Check, tuple[str, str, str]] = {
    checks.workflow_schema: ("pypi/publish.yml", "runs-on:", "runs-at:"),
    checks.workflow_safety: ("pypi/publish.yml", 'VERSION="${GITHUB_REF_NAME#v}"', "${{ github.head_ref }}"),
    checks.mason: ("mason/package.yaml", "pkg:pypi", "pip"),
    checks.neovim: ("nvim-lspconfig/lsp/fim_lsp.lua", "'serve'", "'swerve'"),
    checks.helix: ("helix/languages.toml", "[language-server.fim-lsp]", "[language-server.other]"),
    checks.zed: ("zed/src/lib.rs", "fn language_server_command(", "fn language_server_commands("),
    checks.template_json: ("lsp4ij/fim-lsp/template.json", "{", "{{"),
    checks.ruby: ("homebrew/fim-lsp.rb", "  end\n", ""),
    checks.recipe: ("conda-forge/recipe.yaml", "requirements:", "requires:"),
    checks.container: ("container/Containerfile", "FROM docker.io/library/python:3.13-slim", "FROM python"),
    checks.nix: ("nix/package.nix", "];", ""),
}


@pytest.mark.long
@pytest.mark.parametrize("check", SPOILT, ids=lambda check: check.__name__)
def test_a_tool_refuses_what_is_spoilt(check: Check, built: Facts, tmp_path: Path) -> None:
    tried = Tried(tmp_path / "out", built)
    written(tried.folder, built, {**placeholders(), "pypi_environment": "pypi"})
    before = check(tried)
    if before.verdict is CheckVerdict.MISSING:
        pytest.skip(f"{before.tool} is not here; `make release` gets it where it can be had")
    assert before.verdict is CheckVerdict.PASSED, before.said
    file, right, wrong = SPOILT[check]
    content = (tried.folder / file).read_text(encoding="utf-8")
    assert right in content
    (tried.folder / file).write_text(content.replace(right, wrong), encoding="utf-8")
    assert check(tried).verdict is CheckVerdict.FAILED
