"""Facts and placeholders in the words of each shelf's language: lists in YAML, Lua, TOML, Ruby and Nix."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping

from fim_lsp.known_languages import KNOWN, KnownLanguage
from release.facts import Artefact, Facts, language_ids, requirement, titles

# What a dependency is called elsewhere than on PyPI.
CONDA = {"tree-sitter": "tree_sitter"}
# Grammars that come from Nix's own collection of them.
NIX_GRAMMARS = "tree-sitter-grammars."
# How these editors call what others name by its extension, too.
HELIX = {"javascriptreact": "jsx", "typescriptreact": "tsx"}
ZED = {"javascriptreact": "", "typescriptreact": "TSX"}
# Homebrew's words for who a wheel is for.
HOMEBREW = {"macos": "on_macos", "linux": "on_linux"}


def words(facts: Facts, known: Mapping[str, str]) -> dict[str, str]:
    """All that templates may ask for. What cannot be said, since it was not built, is missing."""
    return {
        **known,
        "name": facts.name,
        "version": facts.version,
        "version_quoted": json.dumps(facts.version),
        "description": facts.description,
        "description_quoted": json.dumps(facts.description),
        # Homebrew's has 80 characters at most, and no full stop.
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
    """A block of Ruby for each system that Homebrew runs on, with one for each processor in it."""
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
    """Zed's name of each language and the protocol's; its JavaScript holds JSX, too."""
    named = [
        (ZED.get(known_language.name, known_language.title), known_language.name) for known_language in KNOWN
    ]
    return [(title, name) for title, name in named if title]


def conda(dependency: str) -> str:
    """What conda-forge has on all of its platforms needs no marker."""
    name, wanted, _ = requirement(dependency)
    return f"{CONDA.get(name, name)} {wanted}".rstrip()


def nix(dependency: str) -> str:
    """Nix has one version of each."""
    name, _, _ = requirement(dependency)
    return NIX_GRAMMARS + name if name.startswith("tree-sitter-") else name
