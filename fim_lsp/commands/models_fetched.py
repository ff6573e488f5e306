"""Fetching for `fim-lsp models --download`: a file of the list, a file by its name, or for PyTorch a folder.

A download that was interrupted resumes the next time.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from threading import Lock

from fim_lsp.catalogue import ListError, models, published_model
from fim_lsp.cli import CommandError
from fim_lsp.fetching import FetchError, RequestedFile, fetch_file, hub, requested_file, wanted_named
from fim_lsp.needs import has_torch
from fim_lsp.terminal import takes_drawings


class DownloadProgress:
    """The progress of a download: for programs a JSON object a line, at a terminal one line, elsewhere one
    each tenth."""

    def __init__(self, name: str, is_json: bool) -> None:
        self.stage, self.is_json = f"downloading {name}", is_json
        self.is_drawn = not is_json and takes_drawings(sys.stdout)
        self.shown = -1
        self.lock = Lock()

    def bytes(self, n_here: int, n_bytes: int) -> None:
        self.percent(100 * n_here // max(1, n_bytes), f", {n_here / 1e6:.0f} of {n_bytes / 1e6:.0f} MB")

    def percent(self, percent: int, more: str = "") -> None:
        """Takes a percentage from several threads, of several bars: the furthest counts."""
        with self.lock:
            if percent <= self.shown or not (
                self.is_json or self.is_drawn or percent // 10 > self.shown // 10
            ):
                return
            self.shown = percent
            if self.is_json:
                print(json.dumps({"stage": self.stage, "percent": percent}), flush=True)
            else:
                line = f"{self.stage}: {percent} %{more}"
                print(
                    f"\r\x1b[K{line}" if self.is_drawn else line,
                    end="" if self.is_drawn else "\n",
                    flush=True,
                )

    def report_done(self, name: str, path: Path) -> None:
        if self.is_drawn:
            print()
        print(json.dumps({"name": name, "path": str(path)}) if self.is_json else path)


def download(name: str, is_json: bool) -> int:
    if not hub().startswith(("http://", "https://")):
        raise CommandError(f"HF_ENDPOINT is {hub()}, which is no address: it begins with https://")
    told = DownloadProgress(name, is_json)
    try:
        known = published_model(name)
    except ListError as error:
        raise CommandError(str(error)) from error
    file = requested_file(known) if known else wanted_named(name)
    path = file_of(file, told) if file is not None else folder_of(name, told)
    told.report_done(name, path)
    return 0


def file_of(file: RequestedFile, told: DownloadProgress) -> Path:
    try:
        return fetch_file(file, told.bytes)
    except FetchError as error:
        raise CommandError(str(error)) from error


def folder_of(name: str, told: DownloadProgress) -> Path:
    """A model's folder, which PyTorch computes."""
    from fim_lsp.decoding.models.model import INSTALL, ModelError

    if name.count("/") != 1:
        names = ", ".join(model.name for model in models())
        raise CommandError(
            f"no model is called {name}. There are {names}; or name owner/repository/file.gguf"
        )
    if not has_torch():
        raise CommandError(
            f"models of the hub other than GGUF files need PyTorch: {INSTALL}. GGUF files, which do not,"
            " are in the list of fim-lsp models"
        )
    from fim_lsp.decoding.models.hub import download_model

    try:
        # The download is the first half of loading.
        return download_model(name, False, lambda _stage, share: told.percent(min(round(200 * share), 100)))
    except ModelError as error:
        raise CommandError(str(error)) from error
