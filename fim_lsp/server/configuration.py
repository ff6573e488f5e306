"""The configuration: where settings come from, and what a change of them changes.

`initializationOptions` first, then what the editor answers for its section `fim-lsp`, for all and for each
open document; editors that cannot be asked send theirs with `workspace/didChangeConfiguration`.
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
        """Asks the editor; whether it could be asked."""
        found = await editor.settings([None, *uris])
        if not found:
            return False
        self.general = decoded_settings(self.initial, found[0])
        for uri, own in zip(uris, found[1:], strict=False):
            self.scoped[uri] = decoded_settings(self.initial, own)
        return True

    def push(self, sent: object) -> None:
        """An editor that was not asked tells its settings."""
        self.general = decoded_settings(self.initial, section_of(sent))
        self.scoped.clear()


def section_of(sent: object) -> object:
    """Our part of what an editor sends: some send it alone, some with its name around it."""
    return sent[SECTION] if isinstance(sent, Mapping) and SECTION in sent else sent


def decoded_settings(base: Settings, given: Any) -> Settings:
    settings, complaints = base.updated_settings(given)
    if settings.python_version and known_version(settings.python_version) is None:
        complaints.append(f"pythonVersion: there is no grammar for Python {settings.python_version}")
    for complaint in complaints:
        logger.warning("setting %s", complaint)
    return settings
