"""Texts with their footings: the part of a file that a completion is held to, as in the worker."""

from __future__ import annotations

import sysconfig
from pathlib import Path

from fim_lsp.document.hole import Hole
from fim_lsp.document.repair.substitute import Substitute
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.server.worker.ladder import Footing, footing
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.site import Site
from tests.server_editor import VERSION

WISHES = Wishes(1, 64, 20, True, "", False, None)


def footing_between(left: str, right: str, language: str = "python") -> Footing:
    sent = SentText("file:///a", 0, VERSION, left + right, language=language)
    found = footing(Site.of(WorkerText(sent, left + right), Hole(len(left), len(left))))
    assert found is not None
    assert found.rung == "file"
    return found


def text_of(content: str) -> WorkerText:
    return WorkerText(SentText("file:///a.py", 0, VERSION, content), content)


def substitute_of(text: WorkerText) -> Substitute:
    return text.repair.substitute or text.repair.substitutes.with_patches(text.text, [])


def library_files() -> list[str]:
    folder = Path(sysconfig.get_path("stdlib"))
    names = ("textwrap.py", "heapq.py", "reprlib.py", "shlex.py")
    return [(folder / name).read_text(encoding="utf-8") for name in names]
