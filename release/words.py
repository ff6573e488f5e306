"""Facts and placeholders in the words of each shelf's language: lists in YAML, Lua, TOML, Ruby and Nix."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping

from fim_lsp.known_languages import KNOWN, KnownLanguage
from release.facts import Artefact, Facts, language_ids, requirement, titles

# The names of dependencies that differ from those on PyPI.
CONDA = {"tree-sitter": "tree_sitter"}
# Nix's own collection of grammars.
NIX_GRAMMARS = "tree-sitter-grammars."
# The names in these editors of languages that other editors name by file extension, too.
HELIX = {"javascriptreact": "jsx", "typescriptreact": "tsx"}
ZED = {"javascriptreact": "", "typescriptreact": "TSX"}
# Homebrew's names of systems.
HOMEBREW = {"macos": "on_macos", "linux": "on_linux"}


def words(facts: Facts, known: Mapping[str, str]) -> dict[str, str]:
    """All words that templates may use. Words about files that were not built are missing."""
    return {
        **known,
        "name": facts.name,
        "version": facts.version,
        "version_quoted": json.dumps(facts.version),
        "description": facts.description,
        "description_quoted": json.dumps(facts.description),
        # Homebrew allows at most 80 characters and no full stop.
        "desc": facts.description.partition(":")[0],
        "licence": facts.licence,
        "python": facts.python,
        "titles_yaml": "\n".join(f"  - {title}" for title in titles()),
        "filetypes_lua": "\n".join(f"    '{name}'," for name in language_ids()),
        "helix_languages": "\n\n".join(map(helix_language, KNOWN)),
        "zed_languages": ", ".join(json.dumps(name) for name, _ in zed_languages()),
        "zed_ids": "\n".join(f'"{name}" = "{language}"' for name, language in zed_languages()),
        "conda_dependencies": "\n".join(f"    - {conda(one)}" for one in facts.dependencies),
        "nix_dependencies": "\n".join(f"    {nix(one)}" for one in facts.dependencies),
        **(of_sources(facts.sdist, known) if facts.sdist else {}),
        **of_wheels(facts, known),
    }


def of_sources(sdist: Artefact, known: Mapping[str, str]) -> dict[str, str]:
    digest = base64.b64encode(bytes.fromhex(sdist.sha256)).decode()
    return {
        "sdist_url": known["pypi_download"].replace("{file}", sdist.name),
        "sdist_sha256": sdist.sha256,
        "sdist_sri": f"sha256-{digest}",
    }


def of_wheels(facts: Facts, known: Mapping[str, str]) -> dict[str, str]:
    """A block of Ruby for each system that Homebrew supports, with one for each processor in it."""
    blocks = []
    for system, block in HOMEBREW.items():
        wheels = [wheel for wheel in facts.wheels if wheel.platform and wheel.platform[0] == system]
        inner = [
            f"    on_{wheel.platform[1]} do\n"
            f'      url "{known["pypi_download"].replace("{file}", wheel.name)}", using: :nounzip\n'
            f'      sha256 "{wheel.sha256}"\n'
            "    end"
            for wheel in wheels
            if wheel.platform
        ]
        if inner:
            blocks.append("\n".join([f"  {block} do", *inner, "  end"]))
    return {"homebrew_wheels": "\n\n".join(blocks)} if blocks else {}


def helix_language(language: KnownLanguage) -> str:
    name = HELIX.get(language.name, language.name)
    return f'[[language]]\nname = "{name}"\nlanguage-servers = ["fim-lsp"]'


def zed_languages() -> list[tuple[str, str]]:
    """The pairs of Zed's name and the protocol's name of each language. Zed's JavaScript includes JSX."""
    named = [
        (ZED.get(known_language.name, known_language.title), known_language.name) for known_language in KNOWN
    ]
    return [(title, name) for title, name in named if title]


def conda(dependency: str) -> str:
    """A requirement in conda's notation. conda-forge has all of them on all platforms, so it needs no
    marker."""
    name, wanted, _ = requirement(dependency)
    return f"{CONDA.get(name, name)} {wanted}".rstrip()


def nix(dependency: str) -> str:
    """A requirement in Nix, which has one version of each package."""
    name, _, _ = requirement(dependency)
    return NIX_GRAMMARS + name if name.startswith("tree-sitter-") else name
