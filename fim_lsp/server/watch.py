"""Reports events of the worker: progress while a model loads, the loaded model's name, crashes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from lsprotocol import types

from fim_lsp.server.editor import EditorClient, ProgressBar
from fim_lsp.server.status import Status, StatusBoard

logger = logging.getLogger(__name__)

GIVEN_UP = (
    "It ended three times within a minute. It is not started again for a minute, or until you choose a model."
)


class Watch:
    """Implements `WorkerEvents` with messages to the editor."""

    def __init__(self, editor: EditorClient, board: StatusBoard, on_model: Callable[[], object]) -> None:
        self.editor = editor
        self.board = board
        self.on_model = on_model
        self.memory = 0
        self._progress: ProgressBar | None = None
        self._waiting: list[asyncio.Future[str]] = []

    def next_model(self) -> asyncio.Future[str]:
        """A future of the next loaded model; its result is the complaint, or empty."""
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        return future

    def worker_loading(self, stage: str, fraction: float) -> None:
        if self._progress is None:
            self._progress = self.editor.progress("fim-lsp: model")
        self._progress.report(stage, fraction)
        self.board.show(Status("busy", "Normal", stage))

    def worker_loaded(self, model: str, message: str, note: str) -> None:
        self.board.model = model
        self.on_model()
        self.board.complaint, self.board.note = message, note
        if self._progress is not None:
            self._progress.end(message or model)
            self._progress = None
        if message:
            logger.warning("no model: %s", message)
            self.editor.say(
                types.MessageType.Warning,
                f"{message}. Until a model is loaded, only brackets and quotes are closed.",
            )
            self.board.show(Status("error", "Error", message))
        else:
            logger.info("the model %s is ready", model)
            self.board.show(Status("idle", "Normal"))
        self._tell(message)

    def worker_loaded_edits(self, is_there: bool, message: str) -> None:
        logger.info("a model for edits: %s", is_there)
        if message:
            logger.warning("no model for next edits: %s", message)
            self.editor.say(types.MessageType.Warning, f"Next edits: {message}")

    def worker_crashed(self, message: str, is_final: bool) -> None:
        logger.error("%s", message)
        self.board.model = None
        next_step = GIVEN_UP if is_final else "The next request starts it again."
        self.editor.say(types.MessageType.Error, f"{message}. {next_step}")
        self.board.show(Status("error", "Error", f"{message}. {next_step}"))
        if self._progress is not None:
            self._progress.end(message)
            self._progress = None
        self._tell(message)

    def worker_holds(self, memory: int) -> None:
        self.memory = memory

    def _tell(self, message: str) -> None:
        for future in self._waiting:
            if not future.done():
                future.set_result(message)
        self._waiting.clear()
