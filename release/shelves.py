"""The shelves: the contents of each, and the steps that need a person's account there.

A shelf's manifests are templates, filled with words. The names in the templates say which placeholders the
shelf needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from release.facts import ROOT
from release.placeholders import still_open
from release.templates import names_in, template

# The built files that are put on the shelf.
Goods = Literal["wheels and sources", "sources", "wheels", "extensions", "nothing"]


@dataclass(frozen=True, slots=True)
class PackageShelf:
    name: str
    # Paths of templates. Each result has the same path.
    manifests: tuple[str, ...]
    goods: Goods
    # The steps that need an account, in a maintainer's words.
    account: str
    # Files of the checkout that are copied, by their new path.
    copies: tuple[tuple[str, str], ...] = ()
    # Placeholders that no template names.
    asks_besides: tuple[str, ...] = ()

    def open_placeholders(self, known: Mapping[str, str]) -> list[str]:
        asked = {name for path in self.manifests for name in names_in(template(path))}
        if self.goods != "nothing" and asked & {"sdist_url", "homebrew_wheels"}:
            asked.add("pypi_download")
        return sorted(still_open(known) & (asked | set(self.asks_besides)))

    def write(self, folder: Path, words: Mapping[str, str]) -> None:
        """Writes a shelf's files. Raises KeyError for a word that is missing because its file was not
        built."""
        texts = {path: template(path).substitute(words) for path in self.manifests}
        contents = {to: (ROOT / source).read_bytes() for to, source in self.copies}
        for path, content in {**{path: text.encode() for path, text in texts.items()}, **contents}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)


MARKETPLACES = ("repository", "issues", "homepage", "vscode_publisher")

SHELVES = (
    PackageShelf(
        "PyPI",
        ("pypi/publish.yml", "pypi/systems.yml"),
        "wheels and sources",
        "name this workflow as the project's trusted publisher",
    ),
    PackageShelf(
        "Marketplace",
        (),
        "extensions",
        "make the publisher, and a token for `vsce publish --packagePath`",
        asks_besides=MARKETPLACES,
    ),
    PackageShelf(
        "Open VSX",
        (),
        "extensions",
        "sign the publisher agreement, make the namespace, and a token for `ovsx publish`",
        asks_besides=MARKETPLACES,
    ),
    PackageShelf("mason", ("mason/package.yaml",), "nothing", "a pull request to its registry"),
    PackageShelf("nvim-lspconfig", ("nvim-lspconfig/lsp/fim_lsp.lua",), "nothing", "a pull request"),
    PackageShelf("Helix", ("helix/languages.toml",), "nothing", "a pull request, or a page that shows it"),
    PackageShelf(
        "Zed",
        ("zed/extension.toml", "zed/Cargo.toml", "zed/src/lib.rs", "zed/settings.json"),
        "nothing",
        "a repository for the extension, and a pull request that names it",
        copies=(("zed/LICENSE", "LICENSE"),),
    ),
    PackageShelf(
        "LSP4IJ",
        (),
        "nothing",
        "a pull request, or the folder to download",
        copies=tuple(
            (f"lsp4ij/fim-lsp/{name}", f"editors/jetbrains/{name}")
            for name in ("template.json", "settings.json", "README.md")
        ),
    ),
    PackageShelf(
        "Homebrew",
        ("homebrew/fim-lsp.rb",),
        "wheels",
        "a repository for the tap",
        asks_besides=("homebrew_tap",),
    ),
    PackageShelf("conda-forge", ("conda-forge/recipe.yaml",), "sources", "a pull request to staged-recipes"),
    PackageShelf(
        "container",
        ("container/Containerfile",),
        "wheels",
        "an image's name in a registry, and a login",
        copies=(("container/constraints.txt", "constraints.txt"),),
    ),
    PackageShelf(
        "Nix",
        ("nix/package.nix",),
        "sources",
        "a pull request to nixpkgs",
        copies=(("nix/Cargo.lock", "Cargo.lock"),),
    ),
)
