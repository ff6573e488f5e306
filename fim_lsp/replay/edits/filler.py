"""The row of a pair: the hunks that were foreseen on the way from one release of a file to the next, and the
faults of the file after the edits that were taken."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from fim_lsp.edits.filling import edit_writer
from fim_lsp.edits.next_edits import EditContext, next_edits
from fim_lsp.edits.projects.elsewhere import Definitions
from fim_lsp.edits.projects.history import History
from fim_lsp.edits.projects.imported_elsewhere import asker_at
from fim_lsp.edits.projects.project import followed_here
from fim_lsp.edits.proving.proof import Proof, compiles
from fim_lsp.edits.repeating.substitutions import Substitution
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.edits.texts.refusals import Refused
from fim_lsp.edits.writers import EditWriter
from fim_lsp.replay.edits.pairs import Pair, ReleasePair
from fim_lsp.replay.edits.walk import WalkStep, walk
from fim_lsp.replay.journal import Row
from fim_lsp.replay.typing.undefined import FilledText, new_undefined
from fim_lsp.worth.acceptance import AcceptanceHistory
from quotient import Document, Language

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model
    from fim_lsp.decoding.models.runtime_wishes import RuntimeName

# One key to go to the place, and one to take the edit that is shown there.
KEYS_TO_TAKE = 2


@dataclass(frozen=True, slots=True)
class EditReplaySettings:
    """The settings of a run. `model` is a name or a file, and no model is asked without one; `device` and
    `runtime` are where it runs."""

    bar: float
    python_version: str | None
    model: str | None = None
    device: str | None = None
    runtime: RuntimeName | None = None


@dataclass(slots=True)
class HunkCounts:
    """The counts of a file, or of many."""

    hunks: int = 0
    # Hunks with as many lines as before, and hunks that consist of substitutions that were made earlier.
    replacements: int = 0
    repeated: int = 0
    # Hunks that were foreseen: as a whole, or in part.
    exact: int = 0
    repeated_exact: int = 0
    part: int = 0
    # The edits that are right, but leave no line as the next release has it.
    inside: int = 0
    # Hunks that were foreseen as a whole by one edit of several.
    covered: int = 0
    wrong: int = 0
    silent: int = 0
    # Characters that had to be written, keys that were pressed, characters that were shown, and those of them
    # that were kept.
    characters: int = 0
    keys: int = 0
    shown_characters: int = 0
    kept_characters: int = 0
    # The edits that were taken: their number, and the numbers of faults with them.
    taken: int = 0
    not_compiling: int = 0
    undefined: int = 0
    reversed: int = 0

    @property
    def shown(self) -> int:
        return self.right + self.wrong

    @property
    def right(self) -> int:
        return self.exact + self.part + self.inside

    def add(self, step: WalkStep) -> None:
        if step.is_hunk:
            self.hunks += 1
            self.replacements += step.is_replacement
            self.repeated += step.is_repeated
        self.exact += step.kind == "exact"
        self.covered += step.kind == "covered"
        self.repeated_exact += step.kind in ("exact", "covered") and step.is_repeated
        self.part += step.kind == "part"
        self.inside += step.kind == "inside"
        self.wrong += step.kind == "wrong"
        self.silent += step.kind == "silent"
        n_written = len(step.edit.new) + bool(step.edit.old) if step.edit else step.n_characters
        if step.kind == "by hand":
            self.characters += n_written
            self.keys += n_written
        elif step.edit is not None and step.kind != "wrong":
            self.characters += n_written
            self.keys += min(KEYS_TO_TAKE, n_written)
        if step.edit is not None:
            self.shown_characters += n_written
            self.kept_characters += n_written * (step.kind != "wrong")


@dataclass(slots=True)
class EarlierFiles:
    """The first files of a project: their number, what was replaced in them, and their definitions that were
    changed."""

    number: int = 0
    history: History = field(default_factory=History)
    definitions: list[Definitions] = field(default_factory=list)

    def add(self, change: FileChange, language: Language) -> None:
        self.number += 1
        self.history.add(change)
        definitions = Definitions.of(change, PurePosixPath(change.path))
        if definitions.words and Proof(change.new, language).parses:
            self.definitions.append(definitions)

    def proposer(
        self, case: Pair, language: Language, bar: float, writer: EditWriter | None = None
    ) -> EditProposer:
        """The proposer of edits in the next file."""
        definitions = [one for one in self.definitions if any(word in case.old for word in one.words)]
        return EditProposer(
            self.history,
            PurePosixPath(case.path),
            self.history.of(case.old),
            definitions,
            language,
            bar,
            writer,
        )


@dataclass(frozen=True, slots=True)
class EditProposer:
    """Proposes edits of a file on its way, as an editor does: earlier changes of other files count."""

    history: History
    path: PurePosixPath
    earlier: Sequence[Substitution]
    definitions: Sequence[Definitions]
    language: Language
    bar: float
    writer: EditWriter | None

    def edits(
        self,
        change: FileChange,
        refused: Collection[Refused],
        document: Document,
        acceptance: AcceptanceHistory,
    ) -> list[NextEdit]:
        """The likeliest edit of the file's own, and of those that changed definitions elsewhere ask for."""
        around = EditContext(
            self.history.imports.source,
            asker_at(self.path),
            refused,
            self.earlier,
            converted=self.history.converted,
            writer=self.writer,
        )
        bar = acceptance.adjusted_bar(self.bar)
        found = next_edits(change, self.language, around, bar, 1, document)
        proof = Proof(change.new, self.language, document, change.old)
        if self.definitions and proof.parses:
            found += followed_here(change, self.path, self.definitions, proof, around, bar, 1)
        return sorted(found, key=lambda one: -one.probability)


@dataclass(slots=True)
class PairWalker:
    """Walks through pairs, in one process."""

    settings: EditReplaySettings
    projects: dict[str, ReleasePair]
    language: Language
    # The changes of a project's files, up to a number of them.
    earlier: dict[str, EarlierFiles] = field(default_factory=dict)
    model: Model | None = None

    @classmethod
    def of(
        cls, settings: EditReplaySettings, projects: Sequence[ReleasePair], n_threads: int | None = None
    ) -> PairWalker:
        """Raises `ModelError` if the model cannot be loaded."""
        language = Language.load("python", version=settings.python_version)
        model = None
        if settings.model is not None:
            from fim_lsp.decoding.models.model import load_model
            from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes

            model = load_model(
                settings.model,
                RuntimeWishes(runtime=settings.runtime, device=settings.device, n_threads=n_threads),
            )
        return cls(settings, {one.name: one for one in projects}, language, model=model)

    def earlier_files(self, case: Pair) -> EarlierFiles:
        """The project's files that come first."""
        pairs = self.projects[case.project].pairs
        at = pairs.index(case)
        found = self.earlier.get(case.project)
        if found is None or found.number > at:
            found = self.earlier[case.project] = EarlierFiles()
        for pair in pairs[found.number : at]:
            found.add(FileChange.of(pair.path, pair.old, pair.new), self.language)
        return found

    def rows(self, case: Pair) -> tuple[Row, Row]:
        """The pair's row and its timing, ready for the journal."""
        seconds: list[float] = []
        try:
            row = self._row(case, seconds)
        except Exception as error:  # a crash of ours is reported, and the run goes on
            row = {"case": case.id, "project": case.project, "error": f"{type(error).__name__}: {error}"}
            row |= {"counts": asdict(HunkCounts()), "shown": []}
        return row, {"case": case.id, "seconds": seconds}

    def _row(self, case: Pair, seconds: list[float]) -> Row:
        # Each file has its own proposer, so that its row does not depend on earlier files.
        writer = None if self.model is None else edit_writer(self.model)
        proposer = self.earlier_files(case).proposer(case, self.language, self.settings.bar, writer)
        counts, shown, taken = HunkCounts(), [], []
        steps = walk(case.path, case.old, case.new, proposer.earlier, self.language, proposer.edits)
        for step in steps:
            counts.add(step)
            if step.seconds is not None:
                seconds.append(step.seconds)
            if step.edit is not None:
                edit = step.edit
                shown.append([step.kind, edit.old, edit.new, edit.reason, edit.probability])
                if step.kind != "wrong":
                    taken.append((step.before, edit))
        judge(counts, case, taken)
        return {
            "case": case.id,
            "project": case.project,
            "error": None,
            "counts": asdict(counts),
            "shown": shown,
        }


def judge(counts: HunkCounts, case: Pair, taken: Sequence[tuple[str, NextEdit]]) -> None:
    """Judges the file with each edit that was taken: by Python itself, and by the search for names."""
    filled = []
    for before, edit in taken:
        after = edit.edited_text(before)
        counts.taken += 1
        counts.not_compiling += compiles(before) and not compiles(after)
        counts.reversed += after == case.old
        start = edit.start_then
        filled.append(FilledText(after, start, start + max(len(edit.new), 1)))
    counts.undefined += sum(new_undefined(filled) or [])
