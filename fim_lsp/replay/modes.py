"""The ways to fill a hole. Each takes a case to an outcome: the text, and what the judge says about the file.

    truth          no model: the engine reads the true middle, and must accept every character
    unconstrained  the model alone; it ends where it says so, or at the token limit
    checked        the same text, but it ends where the file parses: each prefix is tested with `ast.parse`
    paper          the paper's: the likeliest of 50 tokens that the engine accepts, until the model may end
    constrained    the same with a guarantee: near the limit, the likeliest way to a valid end is taken
    steered        as an editor gets it: a scope that is not left, too
    named          the same, with names that exist
    served         ours, through the language server: what an editor would be offered

An unconstrained text is generated once for both of its modes, as a checked generation is the same text cut
off earlier.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from fim_lsp.known_languages import language_named
from fim_lsp.replay.case import Case
from fim_lsp.replay.clocked import Clocked
from fim_lsp.replay.judge import ParserJudge, Task, judged_outcome
from fim_lsp.replay.outcome import CaseOutcome, Cost, case_row
from fim_lsp.runtimes.contexts import HoleContexts
from quotient import Language, NoCompletion, TooCostly

if TYPE_CHECKING:
    from fim_lsp.decoding.models.runtime_wishes import RuntimeName
    from fim_lsp.decoding.options import Options, Scope
    from fim_lsp.decoding.writing.session import DecodingSession

Mode = Literal["truth", "unconstrained", "checked", "paper", "constrained", "steered", "named", "served"]
# The modes that are replayed by default, and all modes that need a model.
USUAL: tuple[Mode, ...] = ("unconstrained", "checked", "paper", "constrained", "steered")
WITH_MODEL: tuple[Mode, ...] = (*USUAL, "named")
MODES: tuple[Mode, ...] = ("truth", *WITH_MODEL)


@dataclass(frozen=True, slots=True)
class ReplaySettings:
    """The settings of a replay. Part of a run's plan: equal settings give equal texts."""

    modes: tuple[Mode, ...]
    task: Task
    model: str | None = None
    device: str | None = None
    max_tokens: int = 500
    # The scope of the steered mode; None means the scope that completions in an editor have.
    scope: Scope | None = None
    seed: int = 0
    python_version: str | None = None
    has_tests: bool = True
    runtime: RuntimeName | None = None
    language: str = "python"


@dataclass(slots=True)
class HoleFiller:
    """Fills holes, in one process. The session holds a loaded model; None where no mode needs one."""

    settings: ReplaySettings
    language: Language
    judge: ParserJudge
    session: DecodingSession | None = None
    # The prefixes that were generated without constraint for the case in hand.
    _prefixes: tuple[str, list[str], CaseOutcome, Cost] | None = field(default=None, init=False)

    @classmethod
    def of(cls, settings: ReplaySettings, n_threads: int | None = None) -> HoleFiller:
        """Loads what the modes need. `n_threads` is for the network on a processor; None suits its size."""
        version = settings.python_version if settings.language == "python" else None
        language = Language.load(settings.language, version=version)
        filler = cls(settings, language, ParserJudge.of(settings.python_version, settings.language))
        if set(settings.modes) & set(WITH_MODEL):
            from fim_lsp.decoding.models.model import load_model
            from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
            from fim_lsp.decoding.writing.session import DecodingSession

            wishes = RuntimeWishes(settings.runtime, settings.device, n_threads=n_threads)
            known_language = language_named(settings.language)
            model = load_model(settings.model, wishes, known_language=known_language)
            filler.session = DecodingSession(model)
        return filler

    def rows(self, case: Case) -> tuple[dict[str, Any], dict[str, Any]]:
        """The case's row and its timing, ready for the journal."""
        if self.session is not None:
            # Memory of other cases in a session changes what it computes in the last digits, and so, once in
            # a long while, a text. A new one makes a row depend on its case alone.
            self.session = type(self.session)(self.session.model)
        outcomes: dict[str, Any] = {}
        costs: dict[str, Any] = {}
        for mode in self.settings.modes:
            outcome, cost = self.outcome(case, mode)
            outcomes[mode] = asdict(outcome)
            costs[mode] = asdict(cost)
        return case_row(case, outcomes), {"case": case.id, "modes": costs}

    def outcome(self, case: Case, mode: Mode) -> tuple[CaseOutcome, Cost]:
        """The outcome of a case in a mode. A crash of ours is one, too: the run continues and reports it."""
        try:
            outcome, cost = self.filled_outcome(case, mode)
        except Exception as error:
            outcome, cost = CaseOutcome("", error=f"{type(error).__name__}: {error}"), Cost()
        return judged_outcome(case, outcome, self.judge, self.settings.task, self.settings.has_tests), cost

    def filled_outcome(self, case: Case, mode: Mode) -> tuple[CaseOutcome, Cost]:
        match mode:
            case "truth":
                return self.truth(case)
            case "unconstrained":
                _, _, outcome, cost = self.unconstrained_outcome(case)
                return outcome, cost
            case "checked":
                return self.checked_outcome(case)
            case "paper" | "constrained" | "steered" | "named":
                names = () if mode == "named" else None
                return self.constrained_outcome(case, options_of(mode, self.settings), names)
            case "served":
                raise ValueError("the server fills in through_lsp.py")

    def truth(self, case: Case) -> tuple[CaseOutcome, Cost]:
        """The engine reads the true middle, which it must accept to the last character."""
        start = perf_counter()
        try:
            recognizer = self.language.recognizer(case.left, case.right)
        except (NoCompletion, TooCostly) as refusal:
            return CaseOutcome(case.middle, error=in_words(refusal)), Cost(perf_counter() - start)
        cost = Cost(once=perf_counter() - start, n_checks=len(case.middle))
        error = None
        for offset, character in enumerate(case.middle):
            if not recognizer.advance(character):
                error = f"refused at character {offset}"
                break
        else:
            error = None if recognizer.is_member() else "not a member"
        cost.seconds = perf_counter() - start
        cost.checking = cost.seconds - cost.once
        return CaseOutcome(case.middle, error=error), cost

    def unconstrained_outcome(self, case: Case) -> tuple[str, list[str], CaseOutcome, Cost]:
        """The model alone, with every prefix of its text."""
        if self._prefixes is None or self._prefixes[0] != case.id:
            prefixes: list[str] = []
            start = perf_counter()
            outcome = self.completed_outcome(case, None, options_of("unconstrained", self.settings), prefixes)
            self._prefixes = case.id, prefixes, outcome, Cost(perf_counter() - start)
        return self._prefixes

    def checked_outcome(self, case: Case) -> tuple[CaseOutcome, Cost]:
        """The longest prefix with which the file parses; the whole text where the model ended it well."""
        _, prefixes, whole, generation = self.unconstrained_outcome(case)
        cost = Cost(generation.seconds)
        for text in dict.fromkeys((whole.text, *reversed(prefixes), "")):
            start = perf_counter()
            is_good = self.judge.accepts(case.with_middle(text))
            cost.checking += perf_counter() - start
            cost.n_checks += 1
            if is_good:
                break
        else:
            text = whole.text
        cost.seconds += cost.checking
        is_whole = text == whole.text
        stopped_by = whole.stopped_by if is_whole else "check"
        return CaseOutcome(text, stopped_by=stopped_by, n_tokens=whole.n_tokens), cost

    def constrained_outcome(
        self, case: Case, options: Options, names: tuple[str, ...] | None
    ) -> tuple[CaseOutcome, Cost]:
        start = perf_counter()
        try:
            recognizer = self.language.recognizer(case.left, case.right, names)
        except (NoCompletion, TooCostly) as refusal:
            return CaseOutcome("", error=in_words(refusal)), Cost(perf_counter() - start)
        once = perf_counter() - start
        clocked = Clocked(recognizer)
        prefixes: list[str] = []
        outcome = self.completed_outcome(case, clocked, options, prefixes)
        # Tokens that were written and then cut off have cost checks, too.
        return outcome, Cost(perf_counter() - start, once, clocked.seconds, len(prefixes))

    def completed_outcome(
        self, case: Case, recognizer: Any, options: Options, prefixes: list[str]
    ) -> CaseOutcome:
        from fim_lsp.decoding.writing.request import CompletionRequest

        assert self.session is not None, "modes with a model load one"
        completions = self.session.complete(
            CompletionRequest(
                case.left,
                case.right,
                recognizer,
                options,
                on_partial=prefixes.append,
                contexts=self.contexts_of(case, recognizer),
            )
        )
        if not completions:
            return CaseOutcome("", stopped_by="nothing")
        best = completions[0]
        return CaseOutcome(
            best.text, stopped_by=best.stopped_by, n_tokens=best.n_tokens, n_forced=best.n_forced
        )

    def contexts_of(self, case: Case, recognizer: Any) -> HoleContexts | None:
        """The contexts by which a request knows the case's language."""
        if recognizer is None:
            return None
        language = self.language
        return HoleContexts(case.left, case.right, language.name, language.version, recognizer.has_law)


def in_words(refusal: NoCompletion | TooCostly) -> str:
    """A report's words for a hole that no text fits, or that was not read."""
    return f"no completion: {refusal}" if isinstance(refusal, NoCompletion) else f"not looked at: {refusal}"


def options_of(mode: Mode, settings: ReplaySettings) -> Options:
    """The options of the session in a mode; a text that is checked is generated without constraint."""
    from fim_lsp.decoding.options import Options

    if mode in ("steered", "named"):
        options = Options(max_tokens=settings.max_tokens, seed=settings.seed)
        return options if settings.scope is None else replace(options, scope=settings.scope)
    # Section VII-B of the quotient paper: greedy, 50 candidates, and nothing that leads to an end.
    return Options(
        max_tokens=settings.max_tokens,
        constraint="constrained" if mode in ("paper", "constrained") else "none",
        scope="free",
        steer=mode == "constrained",
        drafts=False,
        seed=settings.seed,
    )
