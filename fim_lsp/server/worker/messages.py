"""Messages between the server and its worker: frozen values, so that they can be sent as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fim_lsp.context.added_import import AddedImport
from fim_lsp.context.snippet import Snippet
from fim_lsp.document.sent import Indentation, SentText

Rung = Literal["file", "set aside", "enclosing", "left", "unread"]

# Why nothing is offered. docs/server.md lists them; `status.py` says them to people.
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
    "undeclared",
    "unreachable",
    "unsure",
    "worker",
]


# --- to the worker ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of what the worker may keep."""

    documents: int = 32
    model_sessions: int = 4
    chart_bytes: int = 64 << 20
    # When a slow model reads what was not asked about yet: "always", "never", or while "plugged" in.
    read_ahead: str = "plugged"


@dataclass(frozen=True, slots=True)
class LoadModel:
    """Get another model: None is the bundled one, "none" is none at all."""

    name: str | None
    device: str | None
    # The layers of a GGUF file on a GPU; None: all of them, where there is one.
    gpu_layers: int | None = None


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
    # The least sureness of an offer, from 0 to 1.
    bar: float = 0.0
    # Whether the user asked for it; else what is filtered while the user types is not offered.
    is_asked: bool = False
    # Whether what stands in the project is to be remembered.
    has_memory: bool = True
    # Whether the model is told of the project's other files: "auto", "on" or "off".
    context: str = "off"
    # Whether what holds beside a grammar is held: only names that exist, keys of TOML once.
    names: bool = True
    # Whether JSON's keys have to be unique.
    unique_keys: bool = False
    # Whether a name may be used that one import would define, which is put in when the offer is accepted.
    imports: bool = False
    # Whether a closing brace may have a line of its own, also behind a text of one line.
    closer_lines: bool = True


@dataclass(frozen=True, slots=True)
class Complete:
    """Fill the hole between two offsets, beginning with a text that is given."""

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
    """The folders whose files are remembered, and what is excluded from them, as patterns."""

    folders: tuple[str, ...]
    exclude: tuple[str, ...]
    has_memory: bool = True
    # The context as in `Wishes`.
    context: str = "off"
    # Whether it is to be known what the files define.
    has_names: bool = True
    # Whether that is kept on disk for the next start.
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
    """The cursor rests at an offset. Nothing is asked for there yet."""

    text: SentText
    offset: int


@dataclass(frozen=True, slots=True)
class Explain:
    """Say in words what may come at an offset, and with wishes what the model wants there."""

    job: int
    text: SentText
    offset: int
    wishes: Wishes | None = None


@dataclass(frozen=True, slots=True)
class CloseUp:
    """Say what closes what a part of an offer has opened that ends at an offset; `rest` is what was not
    accepted of it."""

    job: int
    text: SentText
    offset: int
    rest: str


@dataclass(frozen=True, slots=True)
class FillTogether:
    """Say what goes to several offsets of a text, each exact given the others."""

    job: int
    text: SentText
    offsets: tuple[int, ...]
    wishes: Wishes
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
    """Forget everything that can be worked out again, on disk, too."""


# Messages that get an answer.
Asked = Complete | Explain | CloseUp | FillTogether
ToWorker = Limits | LoadModel | Folders | Trusted | Prepare | Rest | Asked | Cancel | Close | ForgetCaches


# --- from the worker -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answer:
    """The texts that fit, best first; else the reason. `rung` is how much of the file they fit into."""

    job: int
    texts: tuple[str, ...] = ()
    reason: Reason | None = None
    rung: Rung | None = None
    seconds: float = 0.0
    # The seconds of these that the model took. The rest is our own overhead.
    model_seconds: float = 0.0
    # The model's wishes that came to nothing, in words.
    refused: tuple[str, ...] = ()
    # The import that goes with each text; none at all where no text has one.
    imports: tuple[AddedImport | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Partial:
    """A text that fits already, while the model writes on."""

    job: int
    text: str


@dataclass(frozen=True, slots=True)
class Traced:
    """The text that a model writes at a place, the one that it would write if nothing were against it, and
    sentences on where they differ and why."""

    offered: str
    wanted: str
    refused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """The texts that may come next, in words, and how much of the file they fit into."""

    job: int
    next: str
    rung: Rung | None
    # Why the last offer for the document was shown or not.
    reasons: tuple[str, ...] = ()
    # The last prompt for the document as text, and what it had of other files.
    prompt: str = ""
    told: tuple[Snippet, ...] = ()
    trace: Traced | None = None


@dataclass(frozen=True, slots=True)
class ClosedUp:
    """The closing to put in; empty where nothing is open, None where nothing helps."""

    job: int
    closing: str | None


@dataclass(frozen=True, slots=True)
class FilledTogether:
    """A text for each offset, in their order; the best texts first, none where none were found."""

    job: int
    texts: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class MissingDocument:
    """The worker does not know the document up to the edits that it was sent: it needs the whole text."""

    job: int


@dataclass(frozen=True, slots=True)
class Loading:
    """A model is being loaded."""

    stage: str
    fraction: float


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model is there; with a message, the one that was asked for is not, and the grammar works alone.

    `note` is what is to be known of a model that works.
    """

    model: str
    message: str = ""
    note: str = ""
    # The seconds of an offer, where these are longer than a key.
    seconds: float | None = None


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
    """The pairs of workspace folders of which one imports the other, as far as they were read."""

    pairs: frozenset[tuple[str, str]]


FromWorker = (
    Answer
    | Partial
    | Explained
    | ClosedUp
    | FilledTogether
    | MissingDocument
    | Loading
    | Loaded
    | Logged
    | MemoryUse
    | FoldersInReach
)
