"""A model that writes: what is kept of each document for it, and how it is loaded."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import exp
from typing import TYPE_CHECKING, Any

from fim_lsp.bundled_models import BUNDLED_NAME, NO_MODEL, is_model_of_braces
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.attempt import Attempt, CandidateText, Proposals
from fim_lsp.server.worker.completers import Completer, GrammarAlone
from fim_lsp.server.worker.messages import Traced, Wishes
from fim_lsp.server.worker.pace import seconds_an_offer, sentence
from fim_lsp.server.worker.written_before import WrittenBefore

if TYPE_CHECKING:
    from fim_lsp.context.snippet import Context, Snippet
    from fim_lsp.decoding.models.model import Model, RuntimeName
    from fim_lsp.decoding.options import Options
    from fim_lsp.decoding.prompts.several_files import CrossFileTokens
    from fim_lsp.decoding.texts.completion import Completion
    from fim_lsp.decoding.writing.session import DecodingSession
    from fim_lsp.memory.project import ProjectMemory
    from fim_lsp.memory.recall import Recall

logger = logging.getLogger(__name__)

# While the user types, a text is not written on that is right once in 400 times. In 60 regions of the
# held-out packages exp(-8) saved 37.1 % and this 36.8 %, 61.3 and 62.9 % of what was shown were useful, and
# the slowest keys took a third less.
LEAST_LOGPROB = -6.0
# A network with so many parameters takes tens of milliseconds for a token on a processor.
SLOW = 60_000_000

TEXT_ALONE = "The server of the model tells text alone: where that does not fit, it is asked again."


class WithModel:
    """A model, with an attention cache for each of the documents used last."""

    def __init__(
        self,
        name: str,
        model: Model,
        max_sessions: int,
        load: Callable[[KnownLanguage], Model] | None = None,
    ) -> None:
        from fim_lsp.memory import project
        from fim_lsp.memory.weights import shipped_weights

        self.name = name
        self.note = TEXT_ALONE if model.is_text_alone else ""
        self.max_sessions = max_sessions
        self.quick: WithModel | None = None
        self.seconds: float | None = None
        weights = shipped_weights(is_better(model))
        self.memory: ProjectMemory = project.ProjectMemory(model.encode_here, len(model.vocabulary), weights)
        self._model = model
        # The function that loads the model of another language, and that model.
        self._load = load or load_bundled_model
        self._other: Completer | None = None
        self._last = "", "", ""
        self._sessions: OrderedDict[str, DecodingSession] = OrderedDict()
        self._written_before = WrittenBefore()
        # The number of tokens that may tell of other files; None until that was asked.
        self._budget: int | None = None
        # The tokens that each document's model is told, for as long as its context stays.
        self._told: dict[str, tuple[Context, int, CrossFileTokens]] = {}

    @property
    def model(self) -> Model:
        """The model that writes, without what is known of a document."""
        return self._model

    def for_language(self, known_language: KnownLanguage) -> Completer:
        """The model that its name stands for in a language, loaded when it is first asked for. Where this
        installation is without it, closers are all that is written."""
        from fim_lsp.decoding.models.model import ModelError

        if not is_model_of_braces(self.name, known_language):
            return self
        if self._other is None:
            try:
                self._other = WithModel(self.name, self._load(known_language), self.max_sessions)
            except ModelError as error:
                logger.error("%s", error)
                self._other = GrammarAlone()
        return self._other

    def be_second_to(self, quick: WithModel, seconds: float) -> None:
        """Puts another model first, since an offer of this one takes so long.

        The memory is that one's: its weights were fitted on it, and what it is sure of is offered before this
        one is asked, which knows better what is not remembered.
        """
        self.quick, self.memory, self.seconds = quick, quick.memory, seconds
        self.note = sentence(seconds)

    def propose_texts(self, task: Attempt) -> Proposals:
        from fim_lsp.decoding.writing.request import CompletionRequest
        from fim_lsp.runtimes.runtime import Unavailable

        at, is_asked = (task.uri, task.left, task.right), task.wishes.is_asked
        may_recall = self.may_recall(task.wishes, task.known_language)
        before = () if is_asked else self._written_before.behind(*at)
        kept = tuple(rest for rest in before if fits(task.recognizer, rest.text))
        if kept or task.is_kept:
            return proposals_of(kept, is_asked)
        session = self._session(task.uri)
        try:
            completions = session.complete(
                CompletionRequest(
                    task.left,
                    task.right,
                    task.recognizer.fork(),
                    replace(
                        options(task.wishes, task.budget_s),
                        exports=task.modules is not None or not is_package(task.uri),
                        modules=task.modules or frozenset(),
                    ),
                    is_cancelled=task.is_cancelled,
                    on_partial=task.on_partial,
                    remembers=self._recall(*at) if may_recall else None,
                    told=self.context_tokens(task.uri, task.context, task.wishes.context, session),
                    adviser=task.adviser,
                    contexts=task.contexts,
                    expected="" if self.quick is None else self.quick.last_text(task),
                    imports=task.imports,
                )
            )
        except Unavailable as error:
            logger.error("%s", error)
            return Proposals(reason="unreachable")
        if completions:
            self._last = task.uri, task.left, completions[0].text
        if self.comes_second(task.known_language) and not is_asked:
            self._written_before.keep(*at, completions)
        return replace(proposals_of(completions, is_asked), refused=tuple(session.refused))

    def last_text(self, task: Attempt) -> str:
        """The text that was written last, if that was for the same place."""
        uri, left, text = self._last
        return text if (uri, left) == (task.uri, task.left) else ""

    def rests_at(self, uri: str, left: str, right: str) -> None:
        self._session(uri).rests_at(left, right)

    def read_ahead(self, is_given_up: Callable[[], bool], is_place_alone: bool = False) -> bool:
        """Reads ahead for the document that the user was in last."""
        session = next(reversed(self._sessions.values()), None)
        return session is not None and session.read_ahead(is_given_up, is_place_alone)

    def has_written(self, uri: str, left: str, right: str) -> bool:
        return bool(self._written_before.behind(uri, left, right))

    def is_writing(self, uri: str, left: str, right: str) -> bool:
        session = self._sessions.get(uri)
        return session is not None and session.is_writing(left, right)

    def context_tokens(
        self, uri: str, known_context: Callable[[], Context] | None, mode: str, session: DecodingSession
    ) -> CrossFileTokens:
        """The tokens of other files that the model is told."""
        from fim_lsp.decoding.prompts.several_files import NOTHING_TOLD, budget, context_tokens, is_told

        if known_context is None or not is_told(self._model, mode):
            return NOTHING_TOLD
        self._budget = budget(self._model, session.reader.tokens_per_second, self._budget)
        context = known_context()
        known = self._told.get(uri)
        if known is None or known[:2] != (context, self._budget):
            known = self._told[uri] = (
                context,
                self._budget,
                context_tokens(self._model, context, self._budget),
            )
        return known[2]

    def tells(self, mode: str) -> bool:
        """Whether the model is told of other files."""
        from fim_lsp.decoding.prompts.several_files import is_told

        return is_told(self._model, mode)

    def sent_prompt(self, uri: str) -> tuple[str, tuple[Snippet, ...]]:
        """The last prompt for a document as text, and what it had of other files."""
        from fim_lsp.decoding.prompts.prompt import prompt_text

        session = self._sessions.get(uri)
        return (
            ("", ()) if session is None else (prompt_text(self._model, session.sent), session.told.snippets)
        )

    def trace_attempt(self, task: Attempt) -> Traced | None:
        from fim_lsp.runtimes.runtime import Unavailable
        from fim_lsp.server.worker.tracing import trace_writing

        wished = options(task.wishes, task.budget_s)
        try:
            session = self._session(task.uri)
            at, may_recall = (task.left, task.right), self.may_recall(task.wishes, task.known_language)
            recall = self._recall(task.uri, *at) if may_recall else None
            return trace_writing(session, *at, task.recognizer, wished, task.is_cancelled, recall)
        except Unavailable as error:
            logger.error("%s", error)
            return None

    def comes_second(self, known_language: KnownLanguage) -> bool:
        """Whether another completer is asked before: a quicker one, or what is remembered of the language."""
        return self.quick is not None or known_language is not PYTHON

    def may_recall(self, wishes: Wishes, known_language: KnownLanguage) -> bool:
        """Whether what is remembered counts here: what is asked before this model has said it."""
        return wishes.has_memory and not self.comes_second(known_language)

    def _recall(self, uri: str, left: str, right: str) -> Callable[[int], Recall]:
        """The function that looks up what is remembered."""
        return partial(self.memory.recall, uri, left, right)

    def forget(self, uri: str | None) -> None:
        self.memory.forget(uri)
        self._written_before.forget(uri)
        for other in (self.quick, self._other):
            if other is not None:
                other.forget(uri)
        if uri is None:
            self._sessions.clear()
            self._told.clear()
        else:
            self._sessions.pop(uri, None)
            self._told.pop(uri, None)

    def _session(self, uri: str) -> DecodingSession:
        from fim_lsp.decoding.writing.session import DecodingSession

        session = self._sessions.pop(uri, None) or DecodingSession(self._model)
        self._sessions[uri] = session
        while len(self._sessions) > self.max_sessions:
            uri_of_oldest, _ = self._sessions.popitem(last=False)
            self._told.pop(uri_of_oldest, None)
        return session


def load_bundled_model(known_language: KnownLanguage) -> Model:
    from fim_lsp.decoding.models.model import load_model

    return load_model(known_language=known_language)


def proposals_of(completions: Sequence[Completion], is_asked: bool) -> Proposals:
    """The proposals of some completions."""
    candidates = tuple(
        CandidateText(completion.text, exp(min(completion.mean_logprob, 0.0)), completion)
        for completion in completions
        # A text that time has cut anywhere is no offer, but better than nothing to a user who asks for one.
        if completion.text.strip() and completion.is_wanted
        if completion.ends_well or is_asked
    )
    return Proposals(candidates, None if candidates else "model silent")


def is_package(uri: str) -> bool:
    """Whether a document is a package's own file, whose `__all__` may name modules."""
    return uri.endswith("/__init__.py")


def options(wishes: Wishes, budget_s: float) -> Options:
    from fim_lsp.decoding.options import Options

    scope: dict[str, Any] = {"scope": wishes.scope} if wishes.scope else {}
    return Options(
        max_tokens=wishes.max_tokens,
        budget_s=budget_s,
        n=wishes.n,
        multi_line=wishes.multi_line,
        least_logprob=None if wishes.is_asked else LEAST_LOGPROB,
        # The first of several is the one that would be offered alone; the others begin in another way.
        strategy="greedy",
        **scope,
    )


def load_completer(
    name: str | None,
    device: str | None,
    max_sessions: int,
    on_progress: Callable[[str, float], None],
    *,
    runtime: RuntimeName | None = None,
    n_threads: int | None = None,
    gpu_layers: int | None = None,
) -> tuple[Completer, str]:
    """The completer that was asked for, or what closes brackets alone, and a sentence that says why."""
    if name == NO_MODEL:
        return GrammarAlone(), ""
    try:
        from fim_lsp.decoding.models.model import ModelError, load_model
    except ImportError as error:
        return GrammarAlone(), incomplete(error)
    try:
        load = partial(
            load_model, name, device=device, runtime=runtime, n_threads=n_threads, gpu_layers=gpu_layers
        )
        model = load(on_progress=on_progress)
    except ModelError as error:
        return GrammarAlone(), str(error)
    except ImportError as error:
        return GrammarAlone(), incomplete(error)
    made = WithModel(
        name or BUNDLED_NAME, model, max_sessions, lambda language: load(known_language=language)
    )
    if is_slow(model):
        on_progress("measuring", 1.0)
        made.be_second_to(WithModel(BUNDLED_NAME, load_model(), max_sessions), seconds_an_offer(model))
    return made, ""


def is_better(model: Model) -> bool:
    """Whether it knows more than the model in the box, on which the memory's weights were fitted. Of one that
    is elsewhere is not known, and what memory is sure of saves it a question."""
    return model.n_parameters >= SLOW


def is_slow(model: Model) -> bool:
    """Whether an answer takes so long that the model in the box is asked first."""
    return model.device == "cpu" and model.n_parameters >= SLOW and not model.is_elsewhere


def incomplete(error: ImportError) -> str:
    is_missing = isinstance(error, ModuleNotFoundError) and error.name is not None
    if not is_missing or str(error.name).startswith("_"):
        # A library that is there and cannot be loaded, such as where memory is limited (`ulimit -v`).
        return f"no model can run: {str(error).partition(chr(10))[0]}; is there enough memory?"
    return f"no model can run: {error.name or error} is not installed; `fim-lsp doctor` says more"
