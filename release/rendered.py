"""Renders a recipe for conda-forge, for each platform: what rattler-build does before a build.

    python release/rendered.py conda-forge/recipe.yaml

This is a program of its own, so that nothing else here needs rattler-build.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig

PLATFORMS = ("linux-64", "linux-aarch64", "osx-64", "osx-arm64", "win-64")
# conda-forge's pins that our recipe uses.
PINNED = {
    "python": ["3.10.* *_cpython", "3.14.* *_cp314"],
    "c_stdlib": ["sysroot"],
    "c_stdlib_version": ["2.17"],
}


def main(recipe: Path) -> int:
    for platform in PLATFORMS:
        config = RenderConfig(platform=PlatformConfig(target_platform=platform))
        rendered = Stage0Recipe.from_file(recipe).render(VariantConfig(PINNED), config)
        if not rendered:
            print(f"nothing is built for {platform}")
            return 1
    print(f"rendered: {Stage0Recipe.from_file(recipe).to_dict()['context']['name']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
