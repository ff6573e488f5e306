"""The small model of the languages with braces as a drafter of a large one: `python -m benches.drafter FILE`.

Lines of the tuning packages are written from where their code begins, by the large model and by the small
one. A draft's first tokens are of use as far as the large model writes them, too. The reads are those of the
large model behind its prompt, by the rule by which an expected text is read (`Expected`): up to four tokens
of it at once, as long as it was right. Counts depend on no clock; the small model's time is the processor's.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.prompts.drafts import Expected
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.known_languages import KNOWN, KnownLanguage, language_named
from fim_lsp.replay.typing.projects import of_set
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.shared import n_shared
from quotient import Language

OPTIONS = Options(max_tokens=40, multi_line=False, context_tokens=256)
SHORTEST = 20
LANGUAGES = tuple(one.name for one in KNOWN if one.blocks == "braces" and not one.name.endswith("react"))


@dataclass(frozen=True, slots=True)
class DraftedLine:
    """A line that both models wrote: its tokens, those of the draft, the draft's right ones, and the reads
    without a draft and with it."""

    n_tokens: int
    n_drafted: int
    n_right: int
    n_reads: int
    n_reads_drafted: int
    n_rows_drafted: int
    milliseconds: float


def places(known_language: KnownLanguage, limit: int) -> Iterator[tuple[str, str]]:
    """Texts left and right of lines of code, as many of each package."""
    projects, _ = of_set("tuning", known_language)
    random = Random(0)
    for project in projects:
        for file in random.sample(project.files, min(len(project.files), limit // len(projects))):
            lines = file.text.splitlines(keepends=True)
            wanted = [number for number, line in enumerate(lines) if is_code(line, known_language)]
            if wanted:
                number = random.choice(wanted)
                begun = len(lines[number]) - len(lines[number].lstrip())
                left = "".join(lines[:number]) + lines[number][:begun]
                yield left, "\n" + "".join(lines[number + 1 :])


def is_code(line: str, known_language: KnownLanguage) -> bool:
    comments = (known_language.line_comment, "/*", "*")
    return len(line.strip()) >= SHORTEST and line[:1].isspace() and not line.strip().startswith(comments)


def written_text(model: Model, known_language: KnownLanguage, left: str, right: str) -> str:
    recognizer = Language.load(known_language.name).recognizer(left, right)
    contexts = HoleContexts(left, right, known_language.name)
    request = CompletionRequest(left, right, recognizer, OPTIONS, contexts=contexts)
    found = DecodingSession(model).complete(request)
    return found[0].text if found else ""


def counted_reads(text: Sequence[int], draft: Sequence[int]) -> tuple[int, int]:
    """The number of reads of a text behind its prompt, with a draft, and of their rows. What is read together
    with the prompt is not counted."""
    expected = Expected(draft)
    n_written = 1 + n_shared(text, expected.next(()))
    n_reads = n_rows = 0
    while n_written < len(text):
        guessed = expected.next(text[:n_written])
        n_reads, n_rows = n_reads + 1, n_rows + 1 + len(guessed)
        n_written += 1 + n_shared(text[n_written:], guessed)
    return n_reads, n_rows


def drafted_lines(
    large: Model, small: Model, known_language: KnownLanguage, limit: int
) -> Iterator[DraftedLine]:
    for number, (left, right) in enumerate(places(known_language, limit), 1):
        text = large.encode_here(written_text(large, known_language, left, right))
        start = time.process_time()
        draft = large.encode_here(written_text(small, known_language, left, right))
        seconds = time.process_time() - start
        (without, _), (with_draft, rows) = counted_reads(text, ()), counted_reads(text, draft)
        n_right = n_shared(text, draft)
        print(f"{known_language.name} {number}: {n_right} of {len(text)}", file=sys.stderr)
        if text:
            yield DraftedLine(len(text), len(draft), n_right, without, with_draft, rows, 1e3 * seconds)


def row(known_language: KnownLanguage, found: Sequence[DraftedLine]) -> str:
    means = (
        fmean(one.n_tokens for one in found),
        fmean(one.n_drafted for one in found),
        fmean(one.n_right for one in found),
        fmean(one.n_reads for one in found),
        fmean(one.n_reads_drafted for one in found),
        sum(one.n_rows_drafted for one in found) / max(sum(one.n_reads_drafted for one in found), 1),
    )
    milliseconds = fmean(one.milliseconds for one in found)
    said = " | ".join(f"{mean:.1f}" for mean in means)
    return f"| {known_language.title} | {len(found)} | {said} | {milliseconds:.0f} |"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.drafter", description=__doc__.split("\n")[0])
    parser.add_argument("file", type=Path, help="the large model, a GGUF file")
    parser.add_argument("--language", nargs="+", choices=LANGUAGES, default=LANGUAGES)
    parser.add_argument("--limit", type=int, default=40, help="lines of each language (%(default)s)")
    arguments = parser.parse_args()
    large = load_model(str(arguments.file))
    print("| | lines | tokens | drafted | right | reads | reads with drafts | rows a read | ms a draft |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name in arguments.language:
        known_language = language_named(name)
        small = load_model(known_language=known_language)
        print(
            row(known_language, list(drafted_lines(large, small, known_language, arguments.limit))),
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
