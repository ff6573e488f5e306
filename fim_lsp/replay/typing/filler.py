"""A region's row: the region is typed once for each bar that offers must reach, and judged.

A model's text at a place does not depend on the bar, so the model is asked once for each place. The decisions
on the text, and the work of a session and its cache, are done anew each time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from fim_lsp.bundled_models import NO_MODEL
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.memory.project import ProjectMemory as Memory
from fim_lsp.memory.workspace import Workspace
from fim_lsp.replay.typing.drawing import TypedProject, Typing
from fim_lsp.replay.typing.page import AtHand, Page, close, open_page, service_with, settle_page, uri_of
from fim_lsp.replay.typing.typist import Typed, TypedOffer, type_region
from fim_lsp.replay.typing.undefined import FilledText, new_undeclared, new_undefined
from fim_lsp.server.service import Service
from fim_lsp.server.worker.attempt import Attempt, Proposals
from fim_lsp.server.worker.completers import Completer
from fim_lsp.server.worker.messages import Traced, Wishes
from fim_lsp.server.worker.offer_filters import OFFER_FILTERS
from fim_lsp.server.worker.with_model import WithModel

if TYPE_CHECKING:
    from fim_lsp.decoding.models.runtime_wishes import RuntimeName

Row = dict[str, Any]
# The path of a file, and the texts of those beside it.
Beside = tuple[Path | None, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class TypingSettings:
    """The settings of typing. Part of a run's plan: equal settings give equal rows."""

    model: str | None = None
    device: str | None = None
    python_version: str | None = None
    eagerness: str = "balanced"
    # The bars of the curve, beside that of the eagerness.
    bars: tuple[float, ...] = ()
    max_tokens: int = 64
    runtime: RuntimeName | None = None
    # The parts that are left out, to measure their effect: "judge", "memory", "names", "filters", a filter.
    without: tuple[str, ...] = ()
    # The parts without which regions are typed once more, and the bars for that, besides the setting's.
    parts: tuple[str, ...] = ()
    bars_of_parts: tuple[float, ...] = ()

    def of_editor(self) -> dict[str, object]:
        """The settings as an editor has them."""
        return {
            "pythonVersion": self.python_version or "",
            "maxTokens": self.max_tokens,
            "eagerness": self.eagerness,
            "names": True,
        }


class Remembering:
    """A completer that is asked once for each place of a document."""

    quick: Remembering | None

    def __init__(self, completer: Completer) -> None:
        self.completer = completer
        self.name, self.note = completer.name, completer.note
        self.seconds = completer.seconds
        self.quick = None if completer.quick is None else Remembering(completer.quick)
        self._known: dict[tuple[str, str, Wishes], Proposals] = {}

    def for_language(self, known_language: KnownLanguage) -> Remembering:
        other = self.completer.for_language(known_language)
        return self if other is self.completer else Remembering(other)

    def propose_texts(self, attempt: Attempt) -> Proposals:
        if self.quick is not None or attempt.known_language is not PYTHON:
            # The completer also keeps its own texts, whose order depends on the shown offers.
            return self.completer.propose_texts(attempt)
        # The bar of the judge does not change the model's text.
        key = attempt.left, attempt.right, replace(attempt.wishes, bar=0.0)
        if key not in self._known:
            self._known[key] = self.completer.propose_texts(attempt)
        return self._known[key]

    def trace_attempt(self, attempt: Attempt) -> Traced | None:
        return self.completer.trace_attempt(attempt)

    def has_written(self, uri: str, left: str, right: str) -> bool:
        return self.completer.has_written(uri, left, right)

    def is_writing(self, uri: str, left: str, right: str) -> bool:
        return self.completer.is_writing(uri, left, right)

    def rests_at(self, uri: str, left: str, right: str) -> None:
        self.completer.rests_at(uri, left, right)

    def read_ahead(self, is_given_up: Callable[[], bool], is_place_alone: bool = False) -> bool:
        return self.completer.read_ahead(is_given_up, is_place_alone)

    def forget(self, uri: str | None) -> None:
        """Forgets the tokens of a closed document; the answers stay until the region is done."""
        self.completer.forget(uri)

    def clear(self) -> None:
        self._known.clear()
        if self.quick is not None:
            self.quick.clear()


@dataclass(slots=True)
class RegionTyper:
    """Types regions, in one process."""

    settings: TypingSettings
    service: Service
    worker: AtHand
    completer: Remembering
    projects: dict[str, TypedProject]
    # The memory of each project, once it was needed.
    workspaces: dict[str, Workspace] = field(default_factory=dict)

    @classmethod
    def of(
        cls, settings: TypingSettings, projects: Sequence[TypedProject] = (), n_threads: int | None = None
    ) -> RegionTyper:
        completer = Remembering(loaded_completer(settings, n_threads))
        service = service_with(completer, settings.of_editor())
        assert isinstance(service.worker, AtHand)
        service.worker.leave_out(settings.without)
        return cls(settings, service, service.worker, completer, {one.name: one for one in projects})

    def remember(self, name: str) -> None:
        """Gives the completer the project of the region."""
        project = self.projects.get(name)
        memory = None if project is None else self.memory_of(project.known_language)
        if memory is None or project is None or not self.worker.has_memory:
            return
        if name not in self.workspaces:
            texts = ((self.uri(name, file.name), file.text) for file in project.files)
            self.workspaces[name] = Workspace.of_texts(texts, memory.encode, memory.n_vocabulary)
        memory.workspace = self.workspaces[name]

    def memory_of(self, known_language: KnownLanguage) -> Memory | None:
        """The memory that gets a project's files: the completer's own for the language."""
        completer, alone = self.completer.completer, self.worker.job_loop.serving.remembering
        if completer.name == NO_MODEL or known_language is not PYTHON:
            return alone.memory_of(known_language.family).project
        return completer.memory if isinstance(completer, WithModel) else None

    def forget_project(self, known_language: KnownLanguage) -> None:
        """Takes the project from the completer, which then knows the open file alone."""
        memory = self.memory_of(known_language)
        if memory is not None:
            memory.workspace = Workspace()

    def rows(self, case: Typing) -> tuple[Row, Row]:
        """The region's row and its timing, ready for the journal."""
        self.begin(case)
        try:
            row, seconds = asyncio.run(self._rows(case))
        except Exception as error:  # a crash of ours is reported, and the run goes on
            row, seconds = failed_row(case, f"{type(error).__name__}: {error}"), []
        return row, {"case": case.id, "seconds": seconds}

    def begin(self, case: Typing) -> None:
        """Forgets what was read for other regions, since it changes the last digits of logits."""
        self.completer.clear()
        self.completer.forget(None)
        self.worker.job_loop.serving.remembering.forget(None)
        project = self.projects.get(case.project)
        self.worker.work_in(None if project is None else project.folder)
        self.remember(case.project)

    def uri(self, name: str, file: str) -> str:
        """A file's address. If the language's packages are folders, names are read beside the file, so it is
        opened where it lies."""
        project = self.projects.get(name)
        if project is None or project.folder is None or project.known_language is PYTHON:
            return uri_of(name, file)
        return (project.folder / file).as_uri()

    def beside(self, case: Typing) -> Beside:
        """The path of a region's file, and the texts beside it in its project."""
        project = self.projects.get(case.project)
        if project is None or case.known_language is PYTHON:
            return None, ()
        folder = PurePath(case.file).parent
        others = (
            one for one in project.files if one.name != case.file and PurePath(one.name).parent == folder
        )
        path = None if project.folder is None else project.folder / case.file
        return path, tuple(one.text for one in others)

    async def _rows(self, case: Typing) -> tuple[Row, list[float]]:
        done, page = await self._typed_region(case, None)
        row = row_of(case, done, self.beside(case))
        row["reasons"] = count_names(outcome.reason or "offered" for outcome in page.outcomes)
        for bar in self.settings.bars:
            at_bar, _ = await self._typed_region(case, bar)
            row["curve"].append([bar, *asdict(Tally.of(at_bar)).values()])
        if self.settings.bars:
            best, _ = await self._typed_region(case, 0.0, is_oracle=True)
            row["oracle"] = [*asdict(Tally.of(best)).values()]
        row["parts"] = {part: await self._without(case, part) for part in self.settings.parts}
        return row, [round(second, 6) for second in page.seconds]

    async def _without(self, case: Typing, part: str) -> list[list[float | None]]:
        """The counts without a part, at the setting's bar (None); for a large part at other bars, too."""
        bars = () if part in OFFER_FILTERS else self.settings.bars_of_parts
        self.worker.leave_out({*self.settings.without, part})
        try:
            found: list[list[float | None]] = []
            for bar in (None, *bars):
                done, _ = await self._typed_region(case, bar)
                found.append([bar, *asdict(Tally.of(done)).values()])
            return found
        finally:
            self.worker.leave_out(self.settings.without)

    async def _typed_region(
        self, case: Typing, bar: float | None, is_oracle: bool = False
    ) -> tuple[Typed, Page]:
        """The counts of the region, typed with a bar; None is the setting's bar."""
        self.worker.bar = bar
        # A row depends on its region alone.
        self.service.acceptances.clear()
        region = case.region
        text = region.text[: region.start] + region.text[region.stop :]
        uri = self.uri(case.project, case.file)
        page = open_page(self.service, uri, text, region.start, case.known_language.name)
        try:
            await settle_page(page)
            return await type_region(region.typed, page, is_oracle), page
        finally:
            close(self.service, page)


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of a region that was typed."""

    characters: int = 0
    keys: int = 0
    shown: int = 0
    useful: int = 0
    whole: int = 0
    # Characters that were shown and not accepted.
    in_vain: int = 0

    @classmethod
    def of(cls, done: Typed) -> Tally:
        return cls(
            done.n_characters,
            done.n_keys,
            len(done.shown),
            sum(shown.is_useful for shown in done.shown),
            sum(shown.is_whole for shown in done.shown),
            sum(max(len(shown.text) - shown.n_accepted, 0) for shown in done.shown if not shown.is_whole),
        )

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.characters + other.characters,
            self.keys + other.keys,
            self.shown + other.shown,
            self.useful + other.useful,
            self.whole + other.whole,
            self.in_vain + other.in_vain,
        )

    @property
    def saved(self) -> float | None:
        return 1 - self.keys / self.characters if self.characters else None

    @property
    def share_useful(self) -> float | None:
        return self.useful / self.shown if self.shown else None

    @property
    def share_whole(self) -> float | None:
        return self.whole / self.shown if self.shown else None


def row_of(case: Typing, done: Typed, beside: Beside = (None, ())) -> Row:
    """The row that is kept of a region that was typed."""
    region = case.region
    # An offer can be blamed only if the original file has no fault.
    original = FilledText(region.text, region.start, region.stop, case.known_language, *beside)
    is_sound = original.compiles
    files = (
        [replace(filled_text(case, shown), path=beside[0], beside=beside[1]) for shown in done.shown]
        if is_sound
        else []
    )
    undefined = new_undefined(files) if case.known_language is PYTHON else new_undeclared(files, original)
    compiles = [file.compiles for file in files]
    return {
        "case": case.id,
        "project": case.project,
        "kind": region.kind,
        "is_repeated": case.is_repeated,
        "typed": region.typed,
        "error": None,
        **asdict(Tally.of(done)),
        "shown_texts": [[shown.place, shown.text, shown.n_accepted, shown.is_whole] for shown in done.shown],
        "n_judged": len(files) if undefined is not None else None,
        "new_undefined": None if undefined is None else sum(undefined),
        "not_compiling": len(compiles) - sum(compiles),
        "reasons": {},
        "curve": [],
        "parts": {},
    }


def filled_text(case: Typing, shown: TypedOffer) -> FilledText:
    """The text with an offer, as it would be after accepting it where it was shown."""
    region = case.region
    left = region.text[: region.start + shown.place]
    text = left + shown.text + region.text[region.stop :]
    return FilledText(text, len(left), len(left) + len(shown.text), case.known_language)


def failed_row(case: Typing, error: str) -> Row:
    n_characters = case.region.stop - case.region.start
    nothing = Tally(n_characters, n_characters)
    return {
        "case": case.id,
        "project": case.project,
        "kind": case.region.kind,
        "is_repeated": case.is_repeated,
        "typed": case.region.typed,
        "error": error,
        **asdict(nothing),
        "shown_texts": [],
        "n_judged": 0,
        "new_undefined": 0,
        "not_compiling": 0,
        "reasons": {},
        "curve": [],
        "parts": {},
    }


def count_names(names: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for name in names:
        found[name] = found.get(name, 0) + 1
    return dict(sorted(found.items()))


def loaded_completer(settings: TypingSettings, n_threads: int | None) -> Completer:
    """The completer of a model, as the worker has it."""
    from fim_lsp.cli import CommandError
    from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
    from fim_lsp.server.worker.with_model import load_completer as completer_of

    wishes = RuntimeWishes(settings.runtime, settings.device, n_threads=n_threads)
    completer, message = completer_of(settings.model, wishes, 4, lambda _what, _share: None)
    if message and settings.model != NO_MODEL:
        raise CommandError(message)
    return completer
