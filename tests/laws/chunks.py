"""A share of a law's checks with its own seed, which a worker process runs from start to end.

The seed of a chunk says everything about it, so a run does not depend on how many workers share it.
"""

from dataclasses import dataclass, replace
from random import Random

from quotient import Language
from tests.laws.cases import Failure, Outcome
from tests.laws.domains import DOMAINS, counts_taken
from tests.laws.drawing import Setting
from tests.laws.laws import LAWS
from tests.laws.shrink import shrunk


@dataclass(frozen=True, slots=True)
class Chunk:
    """A share of a law's count, with its own seed."""

    law: str
    count: int
    seed: str
    largest: int
    seconds_to_shrink: float
    language: str = "python"


def check(chunk: Chunk) -> Outcome:
    """Repeat rounds of a law until its count is reached; shrink the first failure of each kind."""
    law = LAWS[chunk.law]
    random = Random(chunk.seed)
    domain = DOMAINS[chunk.language]
    language = domain.language
    setting = Setting(language, random, domain.sources(random, chunk.largest), domain=domain)
    outcome = Outcome(setting.tally)
    kinds: set[str] = set()
    counts_taken()
    while setting.tally[law.unit] < chunk.count:
        for failure in law.round(setting):
            setting.tally["failures"] += 1
            setting.tally[f"failure: {failure.kind}"] += 1
            if failure.kind not in kinds:
                kinds.add(failure.kind)
                setting.tally.update(counts_taken())
                outcome.failures.append(smaller(language, failure, chunk.seconds_to_shrink))
                # The questions asked to make it small are no part of the run.
                counts_taken()
    setting.tally.update(counts_taken())
    for reason, count in setting.sources.skipped.items():
        setting.tally[f"files left out: {reason}"] += count
    return outcome


def smaller(language: Language, failure: Failure, seconds: float) -> Failure:
    """Return the failure with its case made small, where its law can be asked about a case."""
    question = LAWS[failure.law].question
    if question is None:
        return failure
    return replace(failure, case=shrunk(question, language, failure.case, failure.kind, seconds))
