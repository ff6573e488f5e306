"""The completer with a model: its memory of each document, and the loading of the model."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import exp
from typing import TYPE_CHECKING, Any

from fim_lsp.bundled_models import BUNDLED_NAME, NO_MODEL, is_bundled, is_model_of_braces
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.attempt import Attempt, CandidateText, Proposals
from fim_lsp.server.worker.completers import Completer, GrammarAlone
from fim_lsp.server.worker.messages import Traced, Wishes
from fim_lsp.server.worker.pace import seconds_an_offer, sentence
from fim_lsp.server.worker.written_before import WrittenBefore

if TYPE_CHECKING:
    from fim_lsp.context.snippet import Context, Snippet
    from fim_lsp.decoding.models.model import Model
    from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
    from fim_lsp.decoding.options import Options
    from fim_lsp.decoding.prompts.several_files import CrossFileTokens
    from fim_lsp.decoding.texts.completion import Completion
    from fim_lsp.decoding.writing.session import DecodingSession
    from fim_lsp.memory.project import ProjectMemory
    from fim_lsp.memory.recall import Recall

logger = logging.getLogger(__name__)

# While the user types, a text is abandoned below a probability of 1 in 400. In 60 regions of the held-out
# packages exp(-8) saved 37.1% of the keys and this 36.8%; 61.3% and 62.9% of the shown texts were useful, and
# the slowest keys took a third less.
LEAST_LOGPROB = -6.0
# A network with more parameters takes tens of milliseconds for a token on a processor.
SLOW = 60_000_000

TEXT_ALONE = "The model's server gives only text: if a text does not fit, the server is asked again."


class WithModel:
    """A model, with an attention cache for each of the last used documents."""

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
        # Loads the model of another language.
        self._load = load or load_bundled_model
        self._other: Completer | None = None
        self._last = "", "", ""
        self._sessions: OrderedDict[str, DecodingSession] = OrderedDict()
        self._written_before = WrittenBefore()
        # The number of tokens for other files; None until it is computed.
        self._budget: int | None = None
        # The context tokens of each document, for as long as its context stays the same.
        self._told: dict[str, tuple[Context, int, CrossFileTokens]] = {}

    @property
    def model(self) -> Model:
        """The model, without the state of any document."""
        return self._model

    def for_language(self, known_language: KnownLanguage) -> Completer:
        """The completer of the model that its name stands for in a language, loaded on first use. If it is
        not installed, only closers are written."""
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
        """Puts a quicker model first, since an offer of this one takes long.

        Memory then belongs to the quick model: memory's weights were fitted on it, and its sure texts are
        offered before this model is asked. This model is better at texts that memory does not have.
        """
        self.quick, self.memory, self.seconds = quick, quick.memory, seconds
        self.note = sentence(self.name, seconds)

    def propose_texts(self, task: Attempt) -> Proposals:
        from fim_lsp.decoding.writing.request import CompletionRequest
        from fim_lsp.runtimes.runtime import Unavailable

        at, is_asked = (task.uri, task.left, task.right), task.wishes.is_asked
        may_recall = self.may_recall(task.wishes, task.known_language)
        before = () if is_asked else self._written_before.behind(*at)
        kept = tuple(rest for rest in before if fits(task.recognizer, rest.text))
        if kept or task.request.is_kept:
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
                    # The bundled model's bar was chosen for texts that are as sure as when they were written.
                    is_kept=self.comes_second(task.known_language)
                    and not is_asked
                    and not is_bundled(self.name),
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
        """The last written text, if it was for the same place."""
        uri, left, text = self._last
        return text if (uri, left) == (task.uri, task.left) else ""

    def rests_at(self, uri: str, left: str, right: str) -> None:
        self._session(uri).rests_at(left, right)

    def read_ahead(self, is_given_up: Callable[[], bool], is_place_alone: bool = False) -> bool:
        """Reads ahead for the user's last document."""
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
        """The context tokens of other files for the model."""
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
        """Whether the model sees other files."""
        from fim_lsp.decoding.prompts.several_files import is_told

        return is_told(self._model, mode)

    def sent_prompt(self, uri: str) -> tuple[str, tuple[Snippet, ...]]:
        """The last prompt for a document as text, and its snippets of other files."""
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
        """Whether another completer is asked first: a quicker model, or the memory of the language."""
        return self.quick is not None or known_language is not PYTHON

    def may_recall(self, wishes: Wishes, known_language: KnownLanguage) -> bool:
        """Whether memory is used here. It is not, if the completer that is asked first uses it already."""
        return wishes.has_memory and not self.comes_second(known_language)

    def _recall(self, uri: str, left: str, right: str) -> Callable[[int], Recall]:
        """A function that looks memory up at a place."""
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
    """The proposals from completions."""
    candidates = tuple(
        CandidateText(completion.text, exp(min(completion.mean_logprob, 0.0)), completion)
        for completion in completions
        # A text that time has cut is no offer while typing, but better than nothing on request.
        if completion.text.strip() and completion.is_wanted
        if completion.ends_well or is_asked
    )
    return Proposals(candidates, None if candidates else "model silent")


def is_package(uri: str) -> bool:
    """Whether a document is a package's `__init__.py`, whose `__all__` may name modules."""
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
        # The first of several texts is the one that would be offered alone; the others begin differently.
        strategy="greedy",
        **scope,
    )


def load_completer(
    name: str | None,
    wishes: RuntimeWishes,
    max_sessions: int,
    on_progress: Callable[[str, float], None],
) -> tuple[Completer, str]:
    """The requested completer, or one that only closes brackets, with a sentence that says why."""
    if name == NO_MODEL:
        return GrammarAlone(), ""
    try:
        from fim_lsp.decoding.models.model import ModelError, load_model
    except ImportError as error:
        return GrammarAlone(), incomplete(error)
    try:
        load = partial(load_model, name, wishes)
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
    """Whether a model is better than the bundled one, on which memory's weights were fitted. A remote model
    does not count, since sure texts from memory save a request."""
    return model.n_parameters >= SLOW


def is_slow(model: Model) -> bool:
    """Whether a model is so slow that the bundled one is asked first."""
    return model.device == "cpu" and model.n_parameters >= SLOW and not model.is_elsewhere


def incomplete(error: ImportError) -> str:
    is_missing = isinstance(error, ModuleNotFoundError) and error.name is not None
    if not is_missing or str(error.name).startswith("_"):
        # The library exists but cannot be loaded, for example under a memory limit (`ulimit -v`).
        return f"no model can run: {str(error).partition(chr(10))[0]}; is there enough memory?"
    return f"no model can run: {error.name or error} is not installed; `fim-lsp doctor` says more"
