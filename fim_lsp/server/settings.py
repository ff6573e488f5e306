"""The user's settings, decoded once on arrival into a frozen value.

Settings are declared only here; CONTRIBUTING.md says how to add one. Their names in editors, docs/server.md
and messages are in camel case (`timeBudget`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fim_lsp.server.declaration import SettingsPage, declared_settings, kind_of, setting

EAGERNESS = {
    "quiet": "Only what is very likely to be useful.",
    "balanced": "What is likely to be useful.",
    "eager": "Also what may be useful.",
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
        "Offer completions. The server starts with the first file in a language that it completes.",
    )
    manual_only: bool = setting(
        False,
        "offer a completion only when the user asks for one",
        "Offer a completion only when you ask for one, with `Alt+\\` or the command *Complete at the "
        "cursor*. Nothing is computed while you type.",
    )
    eagerness: str = setting(
        "balanced",
        "how sure an offer must be to appear while you type: `quiet`, `balanced` or `eager`; an explicit "
        "request ignores it",
        "How sure a completion must be to appear while you type. `Alt+\\` shows it in any case.",
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
        "where a completion ends: `statement`, `block`, `bracket` or `free`; empty: it depends on the place",
        "Where a completion ends.",
        is_harmless=True,
        empty_label="depends on the place",
        among={
            "": "Chosen from the code around the cursor.",
            "statement": "At the end of the statement that it begins or continues.",
            "block": "At the end of the innermost block or bracket around the cursor.",
            "bracket": "At the closing bracket around the cursor; it may end blocks.",
            "free": "Where the model ends, within the limits of time and length.",
        },
    )
    max_lines: int = setting(
        20,
        "the most lines of an offer",
        "The most lines of a completion.",
        at_least=1,
        at_most=1000,
    )
    max_tokens: int = setting(
        64,
        "the most tokens that the model writes",
        "The most tokens that the model writes for a completion.",
        at_least=1,
        at_most=1024,
    )
    alternatives: int = setting(
        3,
        "how many completions an explicit request gets; while the user types there is always one",
        "How many completions you can choose from (`Alt+]`, `Alt+[`) when you ask for one. While you type "
        "there is always one.",
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
        "also offer names that need one more import, and insert that import on accepting "
        "([names.md](names.md))",
        "Also offer names that need one more import, if other files of the workspace or its dependencies "
        "show which one. Accepting inserts the import; Undo removes both in one step.",
        is_harmless=True,
    )
    types: str = setting(
        "auto",
        "ask the workspace's type checker: `on`, `off`, or `auto` if the editor says that the workspace is "
        "trusted ([names.md](names.md))",
        "Ask the workspace's type checker, or one on PATH (ty, basedpyright or pyright), and rewrite "
        "completions in which it finds errors.",
        among={
            "auto": "If you trust the workspace",
            "on": "Always",
            "off": "Never",
        },
    )
    disk_cache: bool = setting(
        True,
        "keep an outline of the workspace's files in the user's cache folder, for the next start "
        "([context.md](context.md))",
        "Keep an outline of the workspace's files in your cache folder, so that the next start is quick: "
        "signatures and fields, no function bodies, nothing from excluded files. *Forget the completions "
        "computed so far* deletes it.",
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
        "milliseconds until the answer, also to the first request; the text that fits by then is offered if "
        "it ends well. At the default the server waits longer for a slow model: 1.4 times the time of its "
        "offers (measured when it is loaded, and shown in the status), at most four seconds; an explicit "
        "request waits up to ten seconds",
        "Milliseconds for one completion. After that, the best text so far with which the file parses is "
        "offered.",
        at_least=1,
        at_least_in_vscode=50,
        at_most=60_000,
    )
    prefetch: bool = setting(
        True,
        "after an accept, compute the next completion ahead",
        "After you accept a completion, compute the next one ahead of time.",
    )
    popup_completion: str = setting(
        "auto",
        "offer completions in the completion popup: `on`, `off`, or `auto` (only for clients without inline "
        "completion)",
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
        "`*_pb2.py`. Always excluded are `.env` files, keys, `.ssh`, and files that `.gitignore` or "
        "`.fimignore` name.",
    )
    python_version: str = setting(
        "",
        "the Python version of the files, such as `3.11`; empty: the project's version",
        "The Python version of the files, such as `3.11`. When empty: the project's version or, without one, "
        "that of the server's interpreter.",
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
        "offer no key that a JSON object has already, which JSON allows; `names` does the same for TOML",
        "Offer no key that a JSON object has already. JSON allows duplicate keys, but few programs do.",
        is_harmless=True,
    )
    next_edits: bool = setting(
        True,
        "propose the next edit after a change, to an editor that asks ([edits.md](edits.md))",
        "After a change, show what else must change: other uses of a name, calls, imports, code that no "
        "longer parses. `Tab` goes there, `Tab` again makes the edit, `Escape` dismisses it.",
        is_harmless=True,
    )
    next_edits_eagerness: str = setting(
        "",
        "how sure a next edit must be to appear, with the values of `eagerness`; empty: the value of "
        "`eagerness`",
        "How sure a next edit must be to appear. It may be far from the code that you are looking at.",
        is_harmless=True,
        empty_label="as for completions",
        among={"": "The same as `#fim-lsp.eagerness#`.", **EAGERNESS},
    )
    model: str = setting(
        "",
        'empty or `"bundled"`: the bundled model; `"none"`: no model, which only closes brackets and quotes; '
        "otherwise a name, a folder or GGUF file (`./path`, `~/path` or an absolute path), or [the address "
        "of a server](models.md)",
        "The model that completes: a name from the list of *fim-lsp models*, a folder, a GGUF file, or the "
        "address of a server such as `http://127.0.0.1:8080` (llama-server, Ollama, LM Studio, vLLM), which "
        "then receives the text around the cursor. Empty selects the bundled model; `none` only closes "
        "brackets and quotes.",
        group=SettingsPage.MODEL,
    )
    next_edits_model: str = setting(
        "",
        "the model that is asked for next edits where the rules have none; empty: that of `model`, if it "
        'was trained on edits, such as Sweep Next-Edit or Zeta; `"none"`: no model; otherwise a name, a '
        "folder or GGUF file as in `model`, also of a model that was not trained on edits "
        "([edits.md](edits.md#with-a-model))",
        "The model that is asked for next edits where the rules have none, once you rest: a name, a folder "
        "or a GGUF file. Empty selects the model that completes, if it was trained on edits, such as Sweep "
        "Next-Edit or Zeta; `none` asks no model.",
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
        "how many layers of a GGUF file the GPU computes; `-1`: all, if there is a GPU",
        "How many layers of a GGUF file the GPU computes. -1 means all of them, if there is a GPU.",
        group=SettingsPage.MODEL,
        at_least=-1,
    )
    statistics: bool = setting(
        False,
        "count shown and accepted offers, in memory only, for the command `fim-lsp.statistics`",
        "Count shown and accepted completions, by file and day, for *Show statistics*. The counts stay on "
        "this machine.",
        group=SettingsPage.SERVER,
        is_harmless=True,
    )
    read_ahead: str = setting(
        "plugged",
        "when a slow model reads the file around a resting cursor ahead of a request: `plugged` (not on "
        "battery), `always` or `never` ([models.md](models.md))",
        "When a large model that runs on the processor reads the file around a resting cursor ahead of a "
        "request.",
        group=SettingsPage.LIMITS,
        among={
            "plugged": "Not while the machine runs on its battery.",
            "always": "On battery, too.",
            "never": "It reads only for a request.",
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
        "for how many documents the worker keeps charts and trees; the last used ones stay",
        "For how many documents the engine keeps its parser state; the last used ones stay.",
        group=SettingsPage.LIMITS,
        at_least=1,
    )
    max_chart_megabytes: int = setting(
        64,
        "larger charts of a document are rebuilt; a larger tree is not kept",
        "If the engine's parser state of a document takes more memory, it is rebuilt.",
        group=SettingsPage.LIMITS,
        at_least=1,
    )
    max_model_sessions: int = setting(
        4,
        "for how many documents the model keeps its attention cache",
        "For how many documents the model keeps the text that it has read.",
        group=SettingsPage.LIMITS,
        at_least=1,
    )
    max_cached_completions: int = setting(
        64,
        "how many answers are cached for each document",
        "How many completions are cached for each document.",
        group=SettingsPage.LIMITS,
        at_least=0,
    )
    max_worker_megabytes: int = setting(
        4096,
        "a worker that takes more memory is restarted when it is idle",
        "If the process that runs the model takes more memory, it is restarted when it is idle.",
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
