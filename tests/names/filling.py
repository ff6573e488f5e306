"""Regions of projects, filled as by an editor, with and without names, and judged.

The offers go through the service, the sessions and the worker's job loop, as in `fim-lsp replay typing`: the
offers while the user types, and all offers on request. ruff and pyflakes find the undefined names that an
offer adds to the file, and `compile` says whether Python accepts it.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from fim_lsp.checkers.advice import Checkers
from fim_lsp.context.added_import import AddedImport
from fim_lsp.context.importable import Importable
from fim_lsp.context.modules import Modules
from fim_lsp.context.outline import PythonOutline
from fim_lsp.replay.typing.drawing import TypedProject, Typing
from fim_lsp.replay.typing.filler import RegionTyper, TypingSettings
from fim_lsp.replay.typing.page import close, open_page, settle_page, uri_of
from fim_lsp.replay.typing.undefined import FilledText
from fim_lsp.server.session import EditorRequest, InsertionSite
from tests.names.checked import ALL_PATIENCE, OF_USE, OfProjects
from tests.names.undefined import Finding, Judged, judged

Row = dict[str, Any]
# The checks that each mode leaves out. In `imports` an offer may come with an import; the modes of types ask
# a type checker, with unlimited patience and with that of an editor.
MODES: dict[str, tuple[str, ...]] = {
    "without names": ("names",),
    "names": (),
    "imports": (),
    "types": (),
    "types in time": (),
}
PATIENCE = {"types": ALL_PATIENCE, "types in time": OF_USE}
# A text, and its import.
Offer = tuple[str, AddedImport | None]


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run, which are part of its plan."""

    model: str | None = None
    python_version: str | None = None
    modes: tuple[str, ...] = ("without names", "names")
    # Whether the user also asks, and then gets three texts.
    is_asked: bool = True


@dataclass(slots=True)
class Auditor:
    """Fills and judges, in one process."""

    settings: Settings
    filler: RegionTyper
    texts: dict[tuple[str, str], str]
    checkers: OfProjects
    projects: dict[str, TypedProject]
    # The imports that are possible in the files of each project, computed on demand.
    importable: dict[str, Importable] = field(default_factory=dict)
    # The judges' findings in an unchanged file; None if it does not compile.
    _as_it_is: dict[tuple[str, str], frozenset[Finding] | None] = field(default_factory=dict)

    @classmethod
    def of(
        cls, settings: Settings, projects: Sequence[TypedProject], n_threads: int | None = None
    ) -> Auditor:
        # The lowest bar for automatic offers, too, so that uncertain ones are judged as well.
        typing = TypingSettings(settings.model, None, settings.python_version, "eager")
        texts = {(project.name, file.name): file.text for project in projects for file in project.files}
        folders = {project.name: project.folder for project in projects if project.folder is not None}
        filler = RegionTyper.of(typing, projects, n_threads)
        return cls(settings, filler, texts, OfProjects(folders), {one.name: one for one in projects})

    def rows(self, case: Typing) -> tuple[Row, Row]:
        """The region's row and its timing, for the journal."""
        region = case.region
        row: Row = {
            "case": case.id,
            "project": case.project,
            "kind": region.kind,
            "typed": region.typed,
            "error": None,
            "left_out": None,
            "offers": {},
        }
        seconds: dict[str, float] = {}
        try:
            before = self._findings_as_it_is(case)
            if before is None:
                row["left_out"] = "the file does not compile"
            elif before:
                row["left_out"] = "the file has undefined names"
            else:
                self.filler.begin(case)
                self.filler.worker.job_loop.around.imports.know(self._importable_in(case.project))
                offers = {
                    mode: asyncio.run(self._offers(case, mode, seconds)) for mode in self.settings.modes
                }
                row["offers"] = self._judged(case, offers)
        except Exception:  # a crash of ours is reported, and the run continues
            row["error"] = traceback.format_exc(limit=-4)
        return row, {"case": case.id, "seconds": seconds}

    def _importable_in(self, project: str) -> Importable:
        if project not in self.importable:
            self.importable[project] = importable_in(self.projects[project])
        return self.importable[project]

    async def _offers(self, case: Typing, mode: str, seconds: dict[str, float]) -> dict[str, list[Offer]]:
        """The offers while the user types, and those on request."""
        region, service = case.region, self.filler.service
        self.filler.worker.leave_out(MODES[mode])
        self.checkers.patience = PATIENCE.get(mode, 0.0)
        self.filler.worker.job_loop.around.checkers = self.checkers if mode in PATIENCE else Checkers()
        # Offers depend on the mode, so texts of another mode are not reused.
        self.filler.completer.clear()
        service.acceptances.clear()
        text = region.text[: region.start] + region.text[region.stop :]
        page = open_page(service, uri_of(case.project, case.file), text, region.start)
        clock = asyncio.get_running_loop().time
        found = {}
        try:
            await settle_page(page)
            for name, is_asked in (("typing", False), ("asked", True))[: 1 + self.settings.is_asked]:
                start = clock()
                at = InsertionSite(region.start, region.start, "")
                snapshot = page.session.document.snapshot
                request = EditorRequest(snapshot, at, is_asked, has_imports=mode == "imports")
                outcome = await asyncio.ensure_future(service.complete(request))
                seconds[f"{mode}, {name}"] = round(clock() - start, 4)
                found[name] = [(suggestion.text, suggestion.added) for suggestion in outcome.suggestions]
        finally:
            close(service, page)
        return found

    def _judged(self, case: Typing, offers: dict[str, dict[str, list[Offer]]]) -> Row:
        """Each distinct offer of a mode, with everything against it."""
        written = (offer for mode in offers.values() for some in mode.values() for offer in some)
        files = {offer: self._filled(case, *offer) for offer in dict.fromkeys(written)}
        found = judged([*files.values()], PurePosixPath(case.file).name)
        against = {
            offer: {"compiles": file.compiles} | sorted_out(one)
            for (offer, file), one in zip(files.items(), found, strict=True)
        }
        return {
            mode: [
                {
                    "text": offer[0],
                    "import": None if offer[1] is None else offer[1].statement,
                    "is_typing": offer in some["typing"],
                    **against[offer],
                }
                for offer in dict.fromkeys(offer for which in some.values() for offer in which)
            ]
            for mode, some in offers.items()
        }

    def _filled(self, case: Typing, offer: str, added: AddedImport | None = None) -> FilledText:
        """The file with an offer and its import; a file that was damaged elsewhere is restored."""
        region, text = case.region, self.texts[case.project, case.file]
        start, stop = region.place, region.place + region.stop - region.start
        assert text[start:stop] == region.typed
        if added is None:
            return FilledText(text[:start] + offer + text[stop:], start, start + len(offer))
        # Only an undamaged file gets imports.
        assert region.text[: region.start] == text[:start]
        whole = text[: added.start] + added.new + text[added.stop : start] + offer + text[stop:]
        start += len(added.new) - (added.stop - added.start)
        return FilledText(whole, start, start + len(offer))

    def _findings_as_it_is(self, case: Typing) -> frozenset[Finding] | None:
        key = case.project, case.file
        if key not in self._as_it_is:
            file = FilledText(self.texts[key], 0, 0)
            [found] = judged([file], PurePosixPath(case.file).name)
            self._as_it_is[key] = frozenset(found.findings) if file.compiles else None
        return self._as_it_is[key]


def importable_in(project: TypedProject) -> Importable:
    """The imports that are possible in a project's files, by the typist's URIs."""
    outlines = {uri_of(project.name, file.name): PythonOutline.of(file.text) for file in project.files}
    paths = {uri_of(project.name, file.name): PurePosixPath(file.name) for file in project.files}
    return Importable.of(Modules.of(outlines, paths))


def sorted_out(found: Judged) -> dict[str, list[tuple[str, str, str]]]:
    """The findings inside the offer, and those elsewhere: judge, rule and name."""
    inside = [one for one in found.findings if found.file.start <= one.offset < found.file.stop]
    elsewhere = [one for one in found.findings if one not in inside]
    return {"inside": said(inside), "elsewhere": said(elsewhere)}


def said(findings: Iterable[Finding]) -> list[tuple[str, str, str]]:
    return sorted({(one.judge, one.code, one.name) for one in findings})
