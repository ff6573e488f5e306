"""The output of `fim-lsp complete`: for people, and as one JSON object."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.holes import FilledHole, Unfillable
from fim_lsp.positions import LINE_END, Lines
from fim_lsp.terminal import Palette, duration

if TYPE_CHECKING:
    from fim_lsp.context.added_import import AddedImport
    from fim_lsp.context.snippet import Snippet

UNWANTED = "its text is blank, cannot be seen, makes a comment of the rest of the line, or was only a stopgap"
# The most characters of a line on each side of the hole.
LONGEST_SHOWN = 400
REASONS = {
    "eos": "the model ended it",
    "scope": "the model went on to leave the scope",
    "budget": "the time was up",
    "limit": "the token limit was reached",
    "forced": "the engine wrote the end",
    "cancelled": "cancelled",
}


@dataclass(frozen=True, slots=True)
class PrintedAnswer:
    """A printed answer: completions by a model (None: there is none, and `why_none` says why) or the
    engine's."""

    filled: FilledHole
    completions: Sequence[Completion]
    model: str | None
    why_none: str | None
    seconds: float
    loading_seconds: float
    # The prompt of the model, and the snippets of other files in it.
    prompt: str = ""
    told: Sequence[Snippet] = ()
    # The import that goes with each completion.
    imports: Sequence[AddedImport | None] = ()
    # The model's wishes that came to nothing, in words.
    refused: Sequence[str] = ()
    # The text that the file or its schema makes likely, where there is no model.
    known: str | None = None


def as_json(answer: PrintedAnswer, offset: int) -> dict[str, object]:
    completions: list[dict[str, object]]
    if answer.known is not None:
        completions = [{"text": answer.known, "source": "file"}]
    elif answer.model is None:
        completions = [{"text": answer.filled.text, "source": "grammar"}]
    else:
        completions = [
            asdict(completion) | {"source": "model", "import": None if added is None else asdict(added)}
            for completion, added in zip(answer.completions, answer.imports, strict=True)
        ]
    return {
        "completions": completions,
        "explanation": answer.filled.explanation,
        "offset": offset,
        "model": answer.model,
        "no_model_because": answer.why_none,
        "refused": list(answer.refused),
        "seconds": answer.seconds,
        "loading_seconds": answer.loading_seconds,
    }


def explained_prompt(arguments: argparse.Namespace, answer: PrintedAnswer) -> dict[str, object]:
    """The prompt, where that is asked for."""
    if not arguments.explain:
        return {}
    return {"prompt": answer.prompt, "told": [asdict(snippet) for snippet in answer.told]}


def show_what_was_sent(answer: PrintedAnswer) -> None:
    if answer.model is None:
        print("nothing was sent: there is no model")
        return
    if answer.refused and answer.completions:
        print(f"\nrefused while writing: {'; '.join(answer.refused)}")
    print(f"\ntold of {counted_files(answer.told)}:" if answer.told else "\ntold of no other files")
    for snippet in answer.told:
        n_lines = snippet.text.count("\n")
        print(f"  {snippet.path}, {n_lines} line{'s' * (n_lines != 1)}: {snippet.reason}")
    print(f"\nsent, with the model's special tokens:\n{answer.prompt}")


def counted_files(snippets: Sequence[Snippet]) -> str:
    n_files = len({snippet.path for snippet in snippets})
    return "1 other file" if n_files == 1 else f"{n_files} other files"


def fault_as_json(unfillable: Unfillable, offset: int, seconds: float) -> dict[str, object]:
    fault = {"side": unfillable.side, "offset": unfillable.offset, "message": unfillable.message}
    return {"completions": [], "fault": fault, "offset": offset, "model": None, "seconds": seconds}


def show(answer: PrintedAnswer, text: str, offset: int) -> None:
    palette = Palette.of(sys.stdout)
    if answer.model is None:
        show_shortest(answer, text, offset, palette)
        return
    for completion, added in zip(answer.completions, answer.imports, strict=True):
        print(hole_in_context(text, offset, completion.text, palette))
        if added is not None:
            print(f"  with | {added.statement}")
        print(palette.dim(f"       {cost(completion)}"))
    if not answer.completions:
        reasons = f": {'; '.join(answer.refused)}" if answer.refused else ""
        print(f"the model wrote nothing that can be offered{reasons}")
    loading = f"loaded in {duration(answer.loading_seconds)}"
    print(palette.dim(f"(model {answer.model}, {loading}; answered in {duration(answer.seconds)})"))


def show_shortest(answer: PrintedAnswer, text: str, offset: int, palette: Palette) -> None:
    if answer.known is not None:
        print(hole_in_context(text, offset, answer.known, palette))
        print(palette.dim(f"(what the file or its schema makes likely: {answer.why_none})"))
        return
    shortest = answer.filled.text
    print(hole_in_context(text, offset, shortest, palette))
    if answer.filled.is_filled_already:
        print("the file parses as it stands: nothing has to come here")
    else:
        print(f"shortest text that makes the file parse: {shortest!r}")
    if answer.filled.explanation:
        print(textwrap.fill(answer.filled.explanation, 100))
    print(palette.dim(f"(from the grammar alone: {answer.why_none}; {duration(answer.seconds)})"))


def cost(completion: Completion) -> str:
    """The reason why a completion ends, and its cost."""
    forced = f", {completion.n_forced} of them without the model" if completion.n_forced else ""
    tokens = "1 token" if completion.n_tokens == 1 else f"{completion.n_tokens} tokens"
    return (
        f"{REASONS[completion.stopped_by]}; {tokens}{forced},"
        f" mean log-probability {completion.mean_logprob:.2f}, {duration(completion.seconds)}"
    )


def hole_in_context(text: str, offset: int, filling: str, palette: Palette, n_lines: int = 2) -> str:
    """The lines around the hole with the filling in place, numbered as in the file."""
    lines = Lines(text)
    line = lines.position(offset).line
    first = max(0, line - n_lines)
    last = min(len(lines.starts), line + n_lines + 1)
    stop = lines.starts[last] if last < len(lines.starts) else len(text)
    marked = palette.hole(filling or " ") if palette.has_colours else f"«{filling}»"
    *above, before = LINE_END.split(text[lines.starts[first] : offset])
    behind, *below = LINE_END.split(text[offset:stop].rstrip("\r\n"))
    if len(before) > LONGEST_SHOWN:
        before = f"…{before[-LONGEST_SHOWN:]}"
    shown = [
        *map(shortened_line, above),
        before + marked + shortened_line(behind),
        *map(shortened_line, below),
    ]
    numbered = enumerate(LINE_END.split("\n".join(shown).rstrip("\n")), start=first + 1)
    return "\n".join(f"{palette.dim(f'{number:4} |')} {content.rstrip()}" for number, content in numbered)


def shortened_line(line: str) -> str:
    """A line up to a length that a terminal shows in some rows."""
    return line if len(line) <= LONGEST_SHOWN else f"{line[:LONGEST_SHOWN]}…"
