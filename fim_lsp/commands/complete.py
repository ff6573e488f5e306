"""`fim-lsp complete FILE:LINE:COL`: completions of one hole, on the terminal.

The bundled model writes them, or the one that `--model` names; `--model none` prints the shortest text that
makes the file parse, which the engine knows alone. So it does, with the reason, where no model was named and
none can run.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from fim_lsp.bundled_models import NO_MODEL, model_knows
from fim_lsp.cli import CommandError
from fim_lsp.commands.check import unfillable_message
from fim_lsp.commands.complete_shown import (
    UNWANTED,
    PrintedAnswer,
    as_json,
    explained_prompt,
    fault_as_json,
    show,
    show_what_was_sent,
)
from fim_lsp.commands.language_options import (
    add_language,
    add_unique_keys,
    grammar_of_file,
    language_of_arguments,
    language_of_text,
)
from fim_lsp.commands.model_options import add_runtime
from fim_lsp.decoding.options import Options, Scope, Strategy, usual_scope
from fim_lsp.decoding.texts.completion import Completion, completions_without_overlap
from fim_lsp.holes import FilledHole, Unfillable, fill
from fim_lsp.known_languages import PYTHON, KnownLanguage, UnknownLanguage
from fim_lsp.positions import with_line_ends_of
from fim_lsp.presentable import is_presentable, is_saying, swallows_rest
from fim_lsp.recognizers import hides_code
from fim_lsp.sources import SourcePosition, Unreadable, is_folder, read_source
from fim_lsp.terminal import takes_drawings
from quotient import Language, TooCostly

if TYPE_CHECKING:
    from fim_lsp.commands.project import FileInProject
    from fim_lsp.context.added_import import AddedImport
    from fim_lsp.decoding.models.model import Model
    from fim_lsp.decoding.prompts.several_files import CrossFileTokens
    from fim_lsp.decoding.writing.session import DecodingSession

DEFAULTS = Options()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "place", metavar="FILE:LINE:COL", help="where to complete; lines and columns count from 1"
    )
    parser.add_argument(
        "more",
        metavar="FILE:LINE:COL",
        nargs="*",
        default=[],
        help="with --together, more places of that file",
    )
    parser.add_argument(
        "--together", action="store_true", help="fill several places of one file; it parses with all texts"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_language(parser)
    add_model(parser)
    project = parser.add_argument_group("project")
    project.add_argument(
        "--project",
        type=Path,
        metavar="DIR",
        help="show the model the other files below this folder, and import from them (default: neither)",
    )
    project.add_argument(
        "--explain",
        action="store_true",
        help="show what was sent to the model, and the reason for each piece",
    )
    decoding = parser.add_argument_group("decoding")
    decoding.add_argument(
        "--n", type=int, default=DEFAULTS.n, help="how many different completions (%(default)s)"
    )
    decoding.add_argument(
        "--scope",
        choices=get_args(Scope),
        help="stay inside the statement, the block or the bracket around the cursor (default: the statement,"
        " and the block where no line has begun)",
    )
    decoding.add_argument(
        "--no-names",
        action="store_true",
        help="check the grammar alone, not names and keys (docs/names.md)",
    )
    add_unique_keys(decoding)
    decoding.add_argument(
        "--single-line", action="store_true", help="no line break, unless nothing fits without one"
    )
    decoding.add_argument(
        "--max-tokens",
        type=int,
        default=DEFAULTS.max_tokens,
        metavar="N",
        help="at most N tokens (%(default)s)",
    )
    decoding.add_argument("--budget", type=float, metavar="SECONDS", help="answer within this time")
    decoding.add_argument(
        "--strategy", choices=get_args(Strategy), default=DEFAULTS.strategy, help="(%(default)s)"
    )
    decoding.add_argument(
        "--temperature", type=float, default=DEFAULTS.temperature, help="of samples (%(default)s)"
    )
    decoding.add_argument("--seed", type=int, default=DEFAULTS.seed, help="of samples (%(default)s)")


def add_model(parser: argparse.ArgumentParser) -> None:
    """The options that say which model, and where it runs."""
    model = parser.add_argument_group("model")
    model.add_argument(
        "--model",
        metavar="NAME",
        help="a folder, a GGUF file, the address of a server, a name on the hub, or none for the grammar"
        " alone (default: bundled)",
    )
    add_runtime(model)
    model.add_argument(
        "--gpu-layers",
        type=int,
        metavar="N",
        help="how many layers of a GGUF file a GPU computes (default: all, if there is a GPU)",
    )
    model.add_argument("--dtype", help="float32, bfloat16 or float16 (default: what suits the device)")
    model.add_argument("--offline", action="store_true", help="download nothing")


def run(arguments: argparse.Namespace) -> int:
    if arguments.together:
        from fim_lsp.commands.together import run_together

        try:
            options = options_of(arguments)
        except ValueError as error:
            raise CommandError(str(error)) from error
        return run_together(arguments, options)
    if arguments.more:
        raise CommandError("to fill several places, use --together")
    place = SourcePosition.parse(arguments.place)
    if place is None:
        raise CommandError(f"{arguments.place!r} is not FILE:LINE:COL, such as app.py:12:8")
    if is_folder(place.name):
        raise CommandError(f"{place.name} is a folder; name a place in one of its files")
    try:
        known_language = language_of_arguments(arguments, place.name)
        text = read_source(place.name, is_python=known_language is PYTHON).text
        known_language = language_of_text(arguments, known_language, text)
        offset = place.offset(text)
        options = options_of(arguments)
    except (Unreadable, UnknownLanguage, ValueError) as error:
        raise CommandError(str(error)) from error
    language = grammar_of_file(arguments, known_language, place.name)
    left, right = text[:offset], text[offset:]
    start = time.perf_counter()
    try:
        filled = fill(language, left, right)
    except TooCostly as error:
        raise CommandError(f"{arguments.place}: unknown whether any text fits here: {error}") from error
    seconds = time.perf_counter() - start
    if isinstance(filled, Unfillable):
        if arguments.json:
            print(json.dumps(fault_as_json(filled, offset, seconds), indent=2))
        else:
            print(unfillable_message(text, filled.side, filled.offset, filled.message))
        return 1
    asked = AskedPlace(file_of(arguments), known_language, language, left, right)
    answer = printed_answer(arguments, asked, options, filled, seconds)
    if arguments.json:
        print(json.dumps(as_json(answer, offset) | explained_prompt(arguments, answer), indent=2))
    else:
        show(answer, text, offset)
        if arguments.explain:
            show_what_was_sent(answer)
    return 0


@dataclass(frozen=True, slots=True)
class AskedPlace:
    """The place of the command line: its file, its language, and the texts on both sides."""

    file: Path
    known_language: KnownLanguage
    language: Language
    left: str
    right: str

    def is_wanted(self, completion: Completion) -> bool:
        """Whether a user could want a text that fits."""
        text = completion.text
        return (
            is_saying(text)
            and is_presentable(text, self.left)
            and not swallows_rest(text, self.right, self.known_language)
            and not hides_code(self.language.recognizer(self.left, self.right), text, self.right)
            and completion.is_wanted
        )


def options_of(arguments: argparse.Namespace) -> Options:
    if arguments.budget is not None and not arguments.budget > 0:
        raise ValueError(f"--budget must be more than 0 seconds, not {arguments.budget:g}")
    if arguments.max_tokens < 1:
        raise ValueError(f"--max-tokens must be at least 1, not {arguments.max_tokens}")
    return Options(
        max_tokens=arguments.max_tokens,
        budget_s=arguments.budget,
        n=arguments.n,
        scope=arguments.scope or DEFAULTS.scope,
        multi_line=not arguments.single_line,
        strategy=arguments.strategy,
        temperature=arguments.temperature,
        seed=arguments.seed,
    )


def printed_answer(
    arguments: argparse.Namespace, place: AskedPlace, options: Options, filled: FilledHole, seconds: float
) -> PrintedAnswer:
    """The model's completions where there is a model, else what the engine knows."""
    if arguments.scope is None:
        options = replace(options, scope=usual_scope(place.left))
    start = time.perf_counter()
    model, why_none = chosen_model(arguments, place.known_language)
    loading_seconds = time.perf_counter() - start
    if model is None:
        known = known_text(arguments, place.known_language, place.language, place.left, place.right)
        return PrintedAnswer(filled, [], None, why_none, seconds, loading_seconds, known=known)
    from fim_lsp.commands.project import FileInProject
    from fim_lsp.decoding.prompts.prompt import prompt_text
    from fim_lsp.decoding.writing.session import DecodingSession

    project = FileInProject.of(arguments.project, place.file)
    told = project.context_tokens(model, place.left, place.right, place.known_language)
    start = time.perf_counter()
    session = DecodingSession(model)
    written = written_completions(arguments, place, options, session, project, told)
    wanted = {completion: added for completion, added in written.items() if place.is_wanted(completion)}
    if len(wanted) < len(written):
        session.refused.append(UNWANTED)
    return PrintedAnswer(
        filled,
        list(wanted),
        model.name,
        None,
        time.perf_counter() - start,
        loading_seconds,
        prompt_text(model, session.sent),
        told.snippets,
        list(wanted.values()),
        tuple(session.refused),
    )


def written_completions(
    arguments: argparse.Namespace,
    place: AskedPlace,
    options: Options,
    session: DecodingSession,
    project: FileInProject,
    told: CrossFileTokens,
) -> dict[Completion, AddedImport | None]:
    """What the model writes, each with the import that it needs."""
    from fim_lsp.commands.project import calls_of, without_errors, without_undeclared
    from fim_lsp.declared.advice import hole_declarations
    from fim_lsp.decoding.writing.effective import effective_completions
    from fim_lsp.decoding.writing.request import CompletionRequest
    from fim_lsp.runtimes.contexts import HoleContexts

    known_language, language, left, right = place.known_language, place.language, place.left, place.right
    has_law = known_language.has_law(not arguments.no_names, arguments.unique_keys)
    is_python_held = has_law and known_language is PYTHON
    declared = None
    if not arguments.no_names:
        declared = hole_declarations(known_language, left, right, str(place.file))
    adviser = calls_of(language, left, right) if is_python_held else declared
    contexts = HoleContexts(left, right, language.name, language.version, has_law)

    def completed(names: Sequence[str] | None) -> list[Completion]:
        recognizer = language.recognizer(left, right, names)
        request = CompletionRequest(
            left, right, recognizer, options, told=told, adviser=adviser, contexts=contexts
        )
        found = [
            replace(one, text=with_line_ends_of(left + right, one.text))
            for one in completions_without_overlap(recognizer, effective_completions(session, request), right)
        ]
        return without_errors(found) if declared is None else without_undeclared(found, declared)

    if is_python_held and project.workspace.importable.sources:
        with_imports = project.with_imports(language, left, right, completed)
        if with_imports:
            return with_imports
    return dict.fromkeys(completed(() if has_law else None))


def known_text(
    arguments: argparse.Namespace, known_language: KnownLanguage, language: Language, left: str, right: str
) -> str | None:
    """The text that file or schema make likely where the model in the box does not know the language."""
    if arguments.model == NO_MODEL or known_language.blocks != "data":
        return None
    from fim_lsp.decoding.complete import known_completion

    names = () if known_language.has_law(not arguments.no_names, arguments.unique_keys) else None
    recognizer = language.recognizer(left, right, names)
    found = known_completion(left, right, recognizer, known_language, path=str(file_of(arguments)))
    return None if found is None else found.text


def file_of(arguments: argparse.Namespace) -> Path:
    place = SourcePosition.parse(arguments.place)
    assert place is not None
    return Path(place.name)


def chosen_model(
    arguments: argparse.Namespace, known_language: KnownLanguage
) -> tuple[Model | None, str | None]:
    """The model that was asked for; None and the reason where none was asked for and none can run."""
    if arguments.model == NO_MODEL:
        return None, "no model was asked for"
    if not model_knows(arguments.model, known_language):
        return None, f"the bundled model does not write {known_language.title}; --model selects another"
    from fim_lsp.decoding.models.model import ModelError, load_model
    from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes

    wishes = RuntimeWishes(
        runtime=arguments.runtime,
        device=arguments.device,
        dtype=arguments.dtype,
        gpu_layers=arguments.gpu_layers,
    )
    try:
        return (
            load_model(
                arguments.model,
                wishes,
                on_progress=progress,
                offline=arguments.offline,
                known_language=known_language,
            ),
            None,
        )
    except ModelError as error:
        wished = arguments.model, arguments.device, arguments.dtype, arguments.runtime
        if any(wish is not None for wish in wished):
            raise CommandError(str(error)) from error
        return None, str(error)


def progress(what: str, share: float) -> None:
    """Tells people who wait; not a file or a pipe."""
    if takes_drawings(sys.stderr):
        end = "\r\x1b[K" if share >= 1 else ""
        print(f"\r\x1b[K{what} ... {share:.0%}", end=end, file=sys.stderr, flush=True)
