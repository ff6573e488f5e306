"""The messages between the server and its worker: frozen values, sent as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fim_lsp.context.added_import import AddedImport
from fim_lsp.context.snippet import Snippet
from fim_lsp.document.sent import Indentation, SentText
from fim_lsp.edits.texts.edit import Replacement

Rung = Literal["file", "unfinished", "set aside", "enclosing", "left", "unread"]

# The reasons why nothing is offered. docs/server.md lists them; `status.py` has their texts for the user.
Reason = Literal[
    "broken",
    "cancelled",
    "command",
    "comment",
    "disabled",
    "encoding",
    "excluded",
    "language",
    "manual",
    "model lacks language",
    "model loading",
    "model silent",
    "no model",
    "not open",
    "out of step",
    "overtaken",
    "parses",
    "time",
    "too large",
    "tree",
    "trifling",
    "undeclared",
    "unreachable",
    "unsure",
    "worker",
]


# --- to the worker ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of the worker's memory."""

    documents: int = 32
    model_sessions: int = 4
    chart_bytes: int = 64 << 20
    # When a slow model reads ahead: "always", "never", or while "plugged" in.
    read_ahead: str = "plugged"


@dataclass(frozen=True, slots=True)
class LoadModel:
    """Load another model: None is the bundled one, "none" is no model."""

    name: str | None
    device: str | None
    # The layers of a GGUF file on a GPU; None: all of them, if there is a GPU.
    gpu_layers: int | None = None
    # The model that writes edits: None is the same one, if it was trained on edits, "none" is none.
    edits: str | None = None


@dataclass(frozen=True, slots=True)
class Wishes:
    """The wishes for a completion."""

    n: int
    max_tokens: int
    max_lines: int
    multi_line: bool
    scope: str
    in_comments: bool
    indentation: Indentation | None
    # The least probability of an offer, from 0 to 1.
    bar: float = 0.0
    # Whether the user asked for it; otherwise the filters for typing apply.
    is_asked: bool = False
    # Whether the project's memory is used.
    has_memory: bool = True
    # Whether the model sees the project's other files: "auto", "on" or "off".
    context: str = "off"
    # Whether laws hold beside the grammar: only names that exist, no key of TOML twice.
    names: bool = True
    # Whether JSON's keys must be unique.
    unique_keys: bool = False
    # Whether an offer may use a name that one import would define; accepting it inserts the import.
    imports: bool = False
    # Whether a closing brace may have a line of its own, even behind a text of one line.
    closer_lines: bool = True


@dataclass(frozen=True, slots=True)
class Complete:
    """Fill the hole between two offsets with a text that begins with a given one."""

    job: int
    text: SentText
    start: int
    stop: int
    begun: str
    wishes: Wishes
    budget_s: float
    is_streamed: bool = False


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders whose files are remembered, and the patterns of excluded files."""

    folders: tuple[str, ...]
    exclude: tuple[str, ...]
    has_memory: bool = True
    # The context as in `Wishes`.
    context: str = "off"
    # Whether the files' definitions are collected.
    has_names: bool = True
    # Whether they are kept on disk for the next start.
    is_kept: bool = False


@dataclass(frozen=True, slots=True)
class Trusted:
    """The folders whose type checkers may run."""

    folders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepare:
    """Look at a document before the user asks about it."""

    text: SentText


@dataclass(frozen=True, slots=True)
class Rest:
    """The cursor rests at an offset; no request yet."""

    text: SentText
    offset: int


@dataclass(frozen=True, slots=True)
class Explain:
    """Explain in words what may come at an offset and, with wishes, what the model wants there."""

    job: int
    text: SentText
    offset: int
    wishes: Wishes | None = None


@dataclass(frozen=True, slots=True)
class CloseUp:
    """Find the closers behind an accepted part of an offer that ends at an offset; `rest` is the part that
    was not accepted."""

    job: int
    text: SentText
    offset: int
    rest: str


@dataclass(frozen=True, slots=True)
class FillTogether:
    """Fill several offsets of a text, each text exact given the others."""

    job: int
    text: SentText
    offsets: tuple[int, ...]
    wishes: Wishes
    budget_s: float


@dataclass(frozen=True, slots=True)
class ProposeEdits:
    """Propose edits after a change, once nothing else is asked. `old` is the text before the change, `path`
    is shown to the model, and `unsure` are edits of which rules are not sure."""

    job: int
    text: SentText
    old: str
    path: str
    unsure: tuple[Replacement, ...]
    budget_s: float


@dataclass(frozen=True, slots=True)
class Cancel:
    """No request waits for this job any more."""

    job: int


@dataclass(frozen=True, slots=True)
class Close:
    """Forget a document."""

    uri: str


@dataclass(frozen=True, slots=True)
class ForgetCaches:
    """Drop all caches, on disk, too."""


# Messages that get an answer, and those of them that do not wait for a rest.
Urgent = Complete | Explain | CloseUp | FillTogether
Asked = Urgent | ProposeEdits
ToWorker = Limits | LoadModel | Folders | Trusted | Prepare | Rest | Asked | Cancel | Close | ForgetCaches


# --- from the worker -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answer:
    """The texts that fit, best first, or the reason why there are none. `rung` is the part that they fit
    into."""

    job: int
    texts: tuple[str, ...] = ()
    reason: Reason | None = None
    rung: Rung | None = None
    seconds: float = 0.0
    # The seconds of the model; the rest is our own overhead.
    model_seconds: float = 0.0
    # The model's wishes that came to nothing, in words.
    refused: tuple[str, ...] = ()
    # The import of each text; empty if no text has one.
    imports: tuple[AddedImport | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Partial:
    """A text that fits while the model goes on writing."""

    job: int
    text: str


@dataclass(frozen=True, slots=True)
class Traced:
    """The model's text at a place, the text that it would write without the engine, and sentences on their
    differences."""

    offered: str
    wanted: str
    refused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """The texts that may come next, in words, and the part of the file that they fit into."""

    job: int
    next: str
    rung: Rung | None
    # The reasons why the last offer for the document was shown or not.
    reasons: tuple[str, ...] = ()
    # The last prompt for the document as text, and its snippets of other files.
    prompt: str = ""
    told: tuple[Snippet, ...] = ()
    trace: Traced | None = None


@dataclass(frozen=True, slots=True)
class ClosedUp:
    """The closers to insert; empty if nothing is open, None if nothing helps."""

    job: int
    closing: str | None


@dataclass(frozen=True, slots=True)
class FilledTogether:
    """Tuples with a text for each offset, the best first; empty if none were found."""

    job: int
    texts: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ProposedEdits:
    """The edits that a model proposes, none of them proved."""

    job: int
    found: tuple[Replacement, ...] = ()


@dataclass(frozen=True, slots=True)
class MissingDocument:
    """The worker does not know the text in front of the sent edits, so it needs the whole text."""

    job: int


@dataclass(frozen=True, slots=True)
class Loading:
    """A model is being loaded."""

    stage: str
    fraction: float


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model is loaded. With a message, loading failed, and the grammar works alone.

    `note` is a note on a model that works.
    """

    model: str
    message: str = ""
    note: str = ""
    # The seconds of an offer, if it takes longer than a key.
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class LoadedEdits:
    """Whether there is a model that writes edits; with a message, one could not be loaded."""

    is_there: bool
    message: str = ""


@dataclass(frozen=True, slots=True)
class Logged:
    """A line for the log."""

    level: int
    name: str
    message: str


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """The memory that the worker holds, in bytes."""

    memory: int


@dataclass(frozen=True, slots=True)
class FoldersInReach:
    """The pairs of workspace folders of which one imports the other, as far as read."""

    pairs: frozenset[tuple[str, str]]


FromWorker = (
    Answer
    | Partial
    | Explained
    | ClosedUp
    | FilledTogether
    | ProposedEdits
    | MissingDocument
    | Loading
    | Loaded
    | LoadedEdits
    | Logged
    | MemoryUse
    | FoldersInReach
)
