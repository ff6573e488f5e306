"""The facts that replays on whole projects write down of themselves."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from fim_lsp.cli import version
from fim_lsp.known_languages import PYTHON, language_named
from fim_lsp.replay.plan import checksum_of_code, name_of_model
from fim_lsp.replay.typing.drawing import TypedProject
from fim_lsp.replay.typing.projects import digest


def plan_on(
    projects: list[TypedProject], selection: Mapping[str, Any], settings: Mapping[str, Any], **judges: str
) -> dict[str, Any]:
    """The plan of a run: the same plan gives the same rows.

    `judges` are the programs of others, by what they decide. What changes no row is left out of the settings.
    """
    kept = dict(settings) | {
        "model": name_of_model(settings["model"], language_named(selection.get("language", PYTHON.name)))
    }
    del kept["device"], kept["runtime"]
    origin = ", ".join(project.name for project in projects)
    return {
        "fim_lsp": version(),
        "code": checksum_of_code(),
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "data": f"{origin} ({digest(projects)})",
        **judges,
        "selection": dict(selection),
        "settings": kept,
    }
