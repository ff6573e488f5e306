"""The user's settings, decoded once on arrival into a frozen value.

Settings are declared only here; CONTRIBUTING.md says how to add one. Their names in editors, docs/server.md
and messages are in camel case (`timeBudget`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fim_lsp.server.declaration import SettingsPage, declared_settings, kind_of, setting

EAGERNESS = {
    "quiet": "Only what is very likely to be of use.",
    "balanced": "What is likely to be of use.",
    "eager": "Also what may be of use.",
}
# Milliseconds for an answer while the user types, and for one on request.
BUDGET_MS, ASKED_MS = 800, 10_000
# While the user types, an answer may take this factor of an offer's usual time, and so many seconds at most.
ROOM, LONGEST_S = 1.4, 4.0


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings, each with its default, its row of docs/server.md, its text in VS Code, and its limits."""

    enable: bool = setting(
        True,
        "offer anything at all",
        "Offer completions. The server is started with the first file of a language that it completes.",
    )
    manual_only: bool = setting(
        False,
        "answer only requests that the user asked for",
        "Offer a completion only when it is asked for, with `Alt+\\` or the command *Complete at the "
        "cursor*. Nothing is computed while you type.",
    )
    eagerness: str = setting(
        "balanced",
        "how sure an offer has to be while you type: `quiet`, `balanced` or `eager`; an explicit request "
        "is always answered",
        "How sure a completion has to be while you type. `Alt+\\` always answers.",
        is_harmless=True,
        among=EAGERNESS,
    )
    multi_line: bool = setting(
        True,
        "completions may have several lines",
        "Offer completions of more than one line.",
        is_harmless=True,
    )
    scope: str = setting(
        "",
        "where a completion ends: `statement`, `block`, `bracket` or `free`; empty: as the place suggests",
        "Where a completion ends.",
        is_harmless=True,
        empty_label="as the place suggests",
        among={
            "": "Chosen by what the cursor is in.",
            "statement": "At the end of the statement that it begins or continues.",
            "block": "At the end of the innermost block or bracket around the cursor.",
            "bracket": "At the closing bracket around the cursor; blocks may end.",
            "free": "Where the model ends, within the limits of time and length.",
        },
    )
    max_lines: int = setting(
        20,
        "the most lines that an offer may have",
        "The length of a completion, in lines, at most.",
        at_least=1,
        at_most=1000,
    )
    max_tokens: int = setting(
        64,
        "the most tokens that the model may write",
        "The length of a completion, in the model's tokens, at most.",
        at_least=1,
        at_most=1024,
    )
    alternatives: int = setting(
        3,
        "how many completions a user who asks gets; always one while typing",
        "How many completions to choose from (`Alt+]`, `Alt+[`) when you ask for one. While you type there "
        "is always one.",
        at_least=1,
        at_most=10,
    )
    in_comments: bool = setting(
        False,
        "complete inside comments",
        "Complete inside comments, too.",
    )
    memory: bool = setting(
        True,
        "remember the text of the open files and the workspace, in memory only; one workspace folder's text "
        "is offered in another folder only if one of them imports the other",
        "Remember the text of the open files and the workspace, so that completions repeat the project's own "
        "words. Nothing is written to disk, and lines that may hold a secret are left out.",
    )
    context: str = setting(
        "auto",
        "show the model parts of the workspace's other files: `on`, `off`, or `auto` for models trained on "
        "several files at once ([context.md](context.md))",
        "Show the model parts of the workspace's other files: the definitions behind imports, the last "
        "edits, similar lines.",
        among={
            "auto": "If the model was trained on several files at once.",
            "on": "Always.",
            "off": "Never.",
        },
    )
    names: bool = setting(
        True,
        "offer no name that is proven not to exist, and leave Python, JavaScript and TypeScript compiling; "
        "define no key of TOML twice ([names.md](names.md))",
        "Offer only text that compiles and whose names exist, as far as fim-lsp can tell.",
        is_harmless=True,
    )
    imports: bool = setting(
        True,
        "use a name that one import would define, and insert the import on accepting ([names.md](names.md))",
        "Also use a name that one import would define, if other files of the workspace or its dependencies "
        "say which. The import is inserted when you accept; Undo takes both back in one step.",
        is_harmless=True,
    )
    types: str = setting(
        "auto",
        "ask the workspace's type checker: `on`, `off`, or `auto` where the editor says that the workspace "
        "is trusted ([names.md](names.md))",
        "Ask the workspace's type checker, or one on PATH (ty, basedpyright or pyright), and rewrite what it "
        "calls an error.",
        among={
            "auto": "Where you trust the workspace",
            "on": "Always",
            "off": "Never",
        },
    )
    disk_cache: bool = setting(
        True,
        "keep an outline of the workspace's files in the user's cache folder, for the next start "
        "([context.md](context.md))",
        "Keep what the workspace's files define in your cache folder, so that the next start is quick: "
        "signatures and fields, no bodies, nothing of excluded files. *Forget the completions computed so "
        "far* deletes it.",
    )
    debounce: int = setting(
        0,
        "milliseconds to wait for the next keystroke before work begins",
        "Milliseconds without a keystroke before the search for a completion begins.",
        is_harmless=True,
        default_in_vscode=75,
        at_least=0,
        at_most=5000,
    )
    time_budget: int = setting(
        BUDGET_MS,
        "milliseconds until the answer, the first one included; the text that fits by then is offered, if it "
        "ends well. At the default the server waits longer for a model that is slower on this machine: 1.4 "
        "times what an offer of it takes (measured when it is loaded, and shown by the status), four seconds "
        "at most; a user who asks explicitly waits up to ten seconds",
        "Milliseconds for one completion. When they are over, the best text so far that leaves the file "
        "parsing is offered.",
        at_least=1,
        at_least_in_vscode=50,
        at_most=60_000,
    )
    prefetch: bool = setting(
        True,
        "after an accept, compute the next completion ahead",
        "After a completion is accepted, look for the next one ahead of time.",
    )
    popup_completion: str = setting(
        "auto",
        "offer completions in the completion popup: `on`, `off`, or `auto` for clients without inline "
        "completion",
        among={
            "auto": "",
            "on": "",
            "off": "",
        },
    )
    exclude: tuple[str, ...] = setting(
        (),
        "files that are neither completed nor kept, as patterns of `.gitignore`",
        "Files that are neither completed nor read, as patterns of `.gitignore`, such as `secrets/` or "
        "`*_pb2.py`. Added to what is always excluded: `.env` files, keys, `.ssh`, and files that "
        "`.gitignore` or `.fimignore` name.",
    )
    python_version: str = setting(
        "",
        "the Python version of the files, such as `3.11`; empty: what the project says",
        "The version of Python that the files are written in, such as `3.11`. When empty: what the project "
        "says, else that of the server's interpreter.",
        is_harmless=True,
        suggested=("", "3.8", "3.9", "3.10", "3.11", "3.12", "3.12.10", "3.13", "3.14", "3.15"),
    )
    toml_version: str = setting(
        "1.0",
        "the version of TOML that files must follow, `1.0` or `1.1`",
        "The version of TOML that files must follow. Few programs read 1.1 yet.",
        is_harmless=True,
        among={
            "1.0": "",
            "1.1": "",
        },
    )
    unique_keys: bool = setting(
        False,
        "define no key of a JSON object twice, although JSON allows it; `names` does the same for TOML",
        "Define no key of a JSON object twice. JSON allows it, few programs do.",
        is_harmless=True,
    )
    next_edits: bool = setting(
        True,
        "propose the next edit after a change, to an editor that asks ([edits.md](edits.md))",
        "Show what else must change after a change: other uses of a name, calls, imports, code that no "
        "longer parses. `Tab` goes there, `Tab` again makes the edit, `Escape` dismisses it.",
        is_harmless=True,
    )
    next_edits_eagerness: str = setting(
        "",
        "how sure a next edit has to be, with the values of `eagerness`; empty: as `eagerness` says",
        "How sure a next edit has to be: it may stand far from where you are looking.",
        is_harmless=True,
        empty_label="as completions",
        among={"": "As `#fim-lsp.eagerness#` says.", **EAGERNESS},
    )
    model: str = setting(
        "",
        'empty or `"bundled"` for the bundled model; `"none"` for none, which closes brackets and quotes; '
        "else a name, a folder or a GGUF file as `./path`, `~/path` or a whole path, or [the address of a "
        "server](models.md)",
        "The model that completes: the name of one that *fim-lsp models* lists, a folder, a GGUF file, or "
        "the address of a server such as `http://127.0.0.1:8080` (llama-server, Ollama, LM Studio, vLLM), "
        "to which the text around the cursor is then sent. Empty is the bundled model; `none` closes "
        "brackets and quotes, and writes nothing else.",
        group=SettingsPage.MODEL,
    )
    device: str = setting(
        "auto",
        "where the model runs: `auto`, `cpu`, `cuda`, `cuda:0`, `mps`",
        "Where the model runs: `auto`, `cpu`, `cuda`, `cuda:1`, `mps`.",
        group=SettingsPage.MODEL,
    )
    gpu_layers: int = setting(
        -1,
        "how many layers of a GGUF file the GPU computes; `-1`: all, where there is a GPU",
        "How many layers of a GGUF file the GPU computes. -1 is all of them, where there is one.",
        group=SettingsPage.MODEL,
        at_least=-1,
    )
    statistics: bool = setting(
        False,
        "count what is shown and accepted, in memory, for `fim-lsp.statistics`",
        "Count what is shown and accepted, by file and day, for *Show statistics*. The counts stay on this "
        "machine.",
        group=SettingsPage.SERVER,
        is_harmless=True,
    )
    read_ahead: str = setting(
        "plugged",
        "when a slow model reads the file around a resting cursor ahead of a request: `plugged` (not on "
        "battery), `always` or `never` ([models.md](models.md))",
        "When a large model on this processor reads the file around a resting cursor ahead of a request.",
        group=SettingsPage.LIMITS,
        among={
            "plugged": "Not while the machine runs on its battery.",
            "always": "On battery, too.",
            "never": "Only when a completion is wanted.",
        },
    )
    max_document_kilobytes: int = setting(
        1024,
        "larger documents are not completed",
        "Larger documents are not completed.",
        group=SettingsPage.LIMITS,
        at_least=1,
    )
    max_documents: int = setting(
        32,
        "for how many documents the worker keeps charts and trees; those used last stay",
        "For how many documents the engine keeps its charts; those used last stay.",
        group=SettingsPage.LIMITS,
        at_least=1,
    )
    max_chart_megabytes: int = setting(
        64,
        "a document's charts are rebuilt when they take more; a tree that takes more is not kept",
        "The engine rebuilds its charts of a document when they take more memory.",
        group=SettingsPage.LIMITS,
        at_least=1,
    )
    max_model_sessions: int = setting(
        4,
        "for how many documents the model keeps its attention cache",
        "For how many documents the model keeps what it has read.",
        group=SettingsPage.LIMITS,
        at_least=1,
    )
    max_cached_completions: int = setting(
        64,
        "how many answers are kept for each document",
        "How many completions are remembered for each document.",
        group=SettingsPage.LIMITS,
        at_least=0,
    )
    max_worker_megabytes: int = setting(
        4096,
        "a worker that holds more memory is replaced when it has nothing to do",
        "The process that runs the model is replaced when it holds more memory and has nothing to do.",
        group=SettingsPage.LIMITS,
        at_least=1,
    )

    @property
    def max_characters(self) -> int:
        """The longest text that is completed."""
        return self.max_document_kilobytes << 10

    def budget_s(self, is_asked: bool, seconds_an_offer: float | None = None) -> float:
        """Seconds for an answer. Without a setting they follow from the model's usual time for an offer; a
        request by the user gets more."""
        if self.time_budget != BUDGET_MS:
            return self.time_budget / 1000
        if is_asked:
            return ASKED_MS / 1000
        return min(max(BUDGET_MS / 1000, ROOM * (seconds_an_offer or 0.0)), LONGEST_S)

    def updated_settings(self, given: object) -> tuple[Settings, list[str]]:
        """These settings updated with the valid ones that a client sent, and complaints about the others.

        Unknown names are ignored: VS Code sends the extension's own settings, too.
        """
        if given is None:
            return self, []
        if not isinstance(given, Mapping):
            return self, [f"settings are an object, not {kind_of(given)}"]
        changes: dict[str, object] = {}
        complaints: list[str] = []
        for known in declared_settings(self):
            value = given.get(known.name)
            if value is None:
                continue
            try:
                changes[known.attribute] = known.declaration.checked_value(value, known.default)
            except ValueError as error:
                complaints.append(f"{known.name}: {error}")
        return replace(self, **changes), complaints  # type: ignore[arg-type]
