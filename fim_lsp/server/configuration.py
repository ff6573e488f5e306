"""The configuration: the sources of settings, and the effects of a change.

First come `initializationOptions`, then the editor's answers for its section `fim-lsp`, for all documents and
for each open one. Editors that cannot be asked send settings with `workspace/didChangeConfiguration`.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fim_lsp.python_version import known_version
from fim_lsp.server.editor import SECTION, EditorClient
from fim_lsp.server.settings import Settings

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Configuration:
    """The settings for all documents and for each."""

    initial: Settings = field(default_factory=Settings)
    general: Settings = field(default_factory=Settings)
    # The settings of a document's folder or language that differ.
    scoped: dict[str, Settings] = field(default_factory=dict)

    def begin(self, options: object) -> None:
        self.initial = self.general = decoded_settings(Settings(), section_of(options))

    def of(self, uri: str) -> Settings:
        return self.scoped.get(uri, self.general)

    def forget(self, uri: str) -> None:
        self.scoped.pop(uri, None)

    async def pull(self, editor: EditorClient, uris: list[str]) -> bool:
        """Asks the editor for settings; says whether it could be asked."""
        found = await editor.settings([None, *uris])
        if not found:
            return False
        self.general = decoded_settings(self.initial, found[0])
        for uri, own in zip(uris, found[1:], strict=False):
            self.scoped[uri] = decoded_settings(self.initial, own)
        return True

    def push(self, sent: object) -> None:
        """Takes the settings that an editor sends without being asked."""
        self.general = decoded_settings(self.initial, section_of(sent))
        self.scoped.clear()


def section_of(sent: object) -> object:
    """Our section of sent settings: some editors send it alone, some inside an object with its name."""
    return sent[SECTION] if isinstance(sent, Mapping) and SECTION in sent else sent


def decoded_settings(base: Settings, given: Any) -> Settings:
    settings, complaints = base.updated_settings(given)
    if settings.python_version and known_version(settings.python_version) is None:
        complaints.append(f"pythonVersion: there is no grammar for Python {settings.python_version}")
    for complaint in complaints:
        logger.warning(complaint if complaint.startswith("settings ") else f"setting {complaint}")
    return settings
