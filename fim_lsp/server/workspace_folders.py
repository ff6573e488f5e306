"""The workspace's folders for the worker: which ones it reads, and where type checkers may run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from fim_lsp.server.configuration import Configuration
from fim_lsp.server.exclusion import path_of
from fim_lsp.server.worker.messages import Folders, Trusted
from fim_lsp.server.worker_client import Worker

# After a save the workspace is read again, at most once in this time.
READING_SECONDS = 30.0


class WorkspaceFolders:
    """The workspace's folders under the settings."""

    def __init__(
        self, worker: Worker, configuration: Configuration, folder_uris: Callable[[], Iterable[str]]
    ) -> None:
        self._worker = worker
        self._configuration = configuration
        self._folder_uris = folder_uris
        # Whether the editor trusts the workspace, so that its programs may run.
        self.is_trusted = False
        self._read_at = 0.0

    def tell(self, *, is_due: bool = False) -> None:
        """Sends the folders to the worker. It reads them again if they have changed, or if `is_due`."""
        self._worker.trust(self._with_checkers())
        self.read_again(is_due=is_due or self._to_read() != self._worker.folders)

    def read_again(self, *, is_due: bool = False) -> None:
        """Lets the worker read the workspace again, now and then."""
        now = time.monotonic()
        if is_due or now - self._read_at > READING_SECONDS:
            self._read_at = now
            self._worker.remember(self._to_read())

    def _with_checkers(self) -> Trusted:
        """The folders whose type checkers may run."""
        mode = self._configuration.general.types
        if mode == "off" or (mode == "auto" and not self.is_trusted):
            return Trusted()
        return Trusted(self._paths())

    def _to_read(self) -> Folders:
        general = self._configuration.general
        is_read = general.memory or general.names or general.context != "off"
        return Folders(
            self._paths() if is_read else (),
            general.exclude,
            general.memory,
            general.context,
            general.names,
            general.disk_cache,
        )

    def _paths(self) -> tuple[str, ...]:
        found = (path_of(uri) for uri in self._folder_uris())
        return tuple(str(path) for path in found if path is not None)
