"""The row of a hole: its fillings under each condition, and whether an oracle could have copied the name.

The conditions are: nothing of the project, each source of context, the memory of the file alone, that of the
project, and both. The oracle sees the prompt and knows the wanted name: it is right if that name stands in
the prompt. So it is the ceiling of a model that copies and does not guess.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from fim_lsp.context.builder import ContextSources, Spot, gather_context
from fim_lsp.context.modules import Modules
from fim_lsp.context.similar import Windows
from fim_lsp.context.snippet import Context, Source
from fim_lsp.memory.project import ProjectMemory as Memory
from fim_lsp.memory.recall import Recall
from fim_lsp.memory.weights import shipped_weights
from fim_lsp.memory.workspace import Workspace
from fim_lsp.replay.cross_file.drawing import CrossFileHole, modules_of
from fim_lsp.replay.typing.drawing import TypedProject
from fim_lsp.replay.typing.page import uri_of
from fim_lsp.server.worker.with_model import is_better
from quotient import Language, NoCompletion, TooCostly

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model
    from fim_lsp.decoding.models.runtime_wishes import RuntimeName

Row = dict[str, Any]
NAME = re.compile(r"[^\W\d]\w*")
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition under which holes are filled."""

    name: str
    sources: tuple[Source, ...] = ()
    has_path: bool = False
    # Whether the memory has the file alone, or the project's other files, too.
    memory: Literal["nothing", "file", "project"] = "nothing"


CONDITIONS = (
    Condition("nothing"),
    Condition("path", has_path=True),
    Condition("definitions", ("definition",), has_path=True),
    Condition("similar", ("similar",), has_path=True),
    Condition("all", ("definition", "similar"), has_path=True),
    Condition("memory of the file", memory="file"),
    Condition("memory", memory="project"),
    Condition("memory and definitions", ("definition",), has_path=True, memory="project"),
    Condition("memory and all", ("definition", "similar"), has_path=True, memory="project"),
)


@dataclass(frozen=True, slots=True)
class CrossFileSettings:
    """The settings of filling. Part of a run's plan."""

    model: str | None = None
    device: str | None = None
    runtime: RuntimeName | None = None
    python_version: str | None = None
    max_tokens: int = 32
    # The most tokens of a prompt that may tell of other files.
    budget: int = 256
    conditions: tuple[str, ...] = tuple(one.name for one in CONDITIONS)


@dataclass(slots=True)
class KnownProject:
    """What is read of a project before the first of its holes is filled."""

    around: ContextSources
    windows: Windows
    workspace: Workspace


@dataclass(slots=True)
class CrossFileFiller:
    """Fills holes, in one process."""

    settings: CrossFileSettings
    model: Model
    projects: dict[str, TypedProject]
    known: dict[str, KnownProject] = field(default_factory=dict)

    @classmethod
    def of(
        cls, settings: CrossFileSettings, projects: Sequence[TypedProject], n_threads: int | None = None
    ) -> CrossFileFiller:
        from fim_lsp.decoding.models.model import load_model
        from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes

        model = load_model(
            settings.model,
            RuntimeWishes(runtime=settings.runtime, device=settings.device, n_threads=n_threads),
        )
        return cls(settings, model, {one.name: one for one in projects})

    def rows(self, case: CrossFileHole) -> tuple[Row, Row]:
        """The hole's row and its timing, ready for the journal."""
        row: Row = {
            "case": case.id,
            "project": case.project,
            "kind": case.kind,
            "name": case.name,
            "rest": case.rest,
            "is_used_elsewhere": case.is_used_elsewhere,
            "error": None,
            "filled": {},
        }
        seconds: dict[str, float] = {}
        try:
            for condition in CONDITIONS:
                if condition.name in self.settings.conditions:
                    start = time.perf_counter()
                    row["filled"][condition.name] = self.filled_row(case, condition)
                    seconds[condition.name] = round(time.perf_counter() - start, 6)
        except NoCompletion as error:
            row["error"] = f"the file cannot be filled: {error}"
        except TooCostly as error:
            row["error"] = f"whether the file can be filled is not known: {error}"
        except Exception as error:  # a crash of ours is reported, and the run goes on
            row["error"] = f"{type(error).__name__}: {error}"
        return row, {"case": case.id, "seconds": seconds}

    def filled_row(self, case: CrossFileHole, condition: Condition) -> Row:
        """The row of a text that is written under one condition, and whether it could have been copied."""
        from fim_lsp.decoding.options import Options
        from fim_lsp.decoding.prompts.several_files import context_tokens
        from fim_lsp.decoding.writing.request import CompletionRequest
        from fim_lsp.decoding.writing.session import DecodingSession

        known = self._known_project(case.project)
        chosen = context_tokens(self.model, self.context(case, condition), self.settings.budget)
        session = DecodingSession(self.model)
        language = Language.load("python", version=self.settings.python_version)
        options = Options(max_tokens=self.settings.max_tokens, multi_line=False)
        memory = Memory(
            self.model.encode_here, len(self.model.vocabulary), shipped_weights(is_better(self.model))
        )
        if condition.memory == "project":
            memory.workspace = known.workspace
        uri = uri_of(case.project, case.file)

        def recall(n_pending: int) -> Recall:
            return memory.recall(uri, case.left, case.right, n_pending)

        written = session.complete(
            CompletionRequest(
                case.left,
                case.right,
                language.recognizer(case.left, case.right),
                options,
                remembers=None if condition.memory == "nothing" else recall,
                told=chosen,
            )
        )
        text = written[0].text.partition("\n")[0].rstrip() if written else ""
        return {
            "text": text,
            "is_exact": text == case.rest,
            "is_next": first_name(text) == case.name,
            "is_shown": case.name in self.shown_names(session.sent),
            "n_told": chosen.n_tokens,
        }

    def context(self, case: CrossFileHole, condition: Condition) -> Context:
        if not condition.has_path:
            return Context()
        known = self._known_project(case.project)
        spot = Spot(uri_of(case.project, case.file), PurePosixPath(case.file), case.left, case.right)
        return gather_context(spot, known.around, known.windows, condition.sources)

    def shown_names(self, tokens: Sequence[int]) -> set[str]:
        """The names in a prompt."""
        text = b"".join(self.model.token_bytes[token] for token in tokens)
        return set(WORD.findall(text.decode(errors="replace")))

    def _known_project(self, name: str) -> KnownProject:
        if name not in self.known:
            project = self.projects[name]
            texts = {uri_of(name, file.name): file.text for file in project.files}
            modules: Modules = modules_of(project)
            workspace = Workspace.of_texts(texts.items(), self.model.encode_here, len(self.model.vocabulary))
            # The memory of one project is kept at a time: of a large one, it takes as much as the model.
            self.known = {
                name: KnownProject(
                    ContextSources(modules, texts.get, repository=name), Windows(texts.get), workspace
                )
            }
        return self.known[name]


def first_name(text: str) -> str | None:
    found = NAME.match(text.lstrip())
    return None if found is None else found[0]
