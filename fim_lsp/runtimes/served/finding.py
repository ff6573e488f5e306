"""Detects the kind of a server and its abilities, once, when a model is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.folder import ModelError
from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.llama_server import N_FIRST, begun_with_one_of
from fim_lsp.runtimes.served.ollama import N_POSITIONS, Ollama
from fim_lsp.runtimes.served.wire import NONSENSE, TOKENS_PATH, ServerError, request_json

# The seconds for a server to answer. One that loads its model first may take longer, and says so.
SECONDS = 5.0
# The seconds for an answer that drips in.
MOST_SECONDS = 10.0
# A longer name is refused, since names are shown to users.
LONGEST_NAME = 200
# The numbers that are accepted from a server: a window for at least two tokens, and a vocabulary that fits
# into memory.
WINDOWS, VOCABULARIES = range(2, 1 << 30), range(1, 1 << 22)
ONE_OF = {"prompt": [0], "n_predict": 1, **begun_with_one_of({0: b""})}


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A server and its requested model."""

    kind: Literal["llama-server", "ollama", "vllm", "completions"]
    model: str
    # The numbers of positions and of tokens; None if the server does not give them.
    n_positions: int | None = None
    n_tokens: int | None = None
    n_slots: int = 1
    # To how many tokens the first one of a draft can be limited.
    n_first: int = 0
    has_logprobs: bool = True
    # Whether it takes a hole's contexts and constrains its model to what fits.
    is_held: bool = False

    @property
    def ability(self) -> str:
        """The server's ability, in words for the user."""
        match self.kind:
            case "llama-server":
                return "all probabilities, token for token"
            case "vllm":
                return "tokens with the likeliest ones, held to the grammar in the server"
            case _:
                powers = "text with the likeliest continuations" if self.has_logprobs else "text alone"
                return f"{powers}, held to the grammar in the server" if self.is_held else powers


def find(address: Address) -> ServedModel:
    """Detects the server at an address. Raises `ModelError` with a sentence for the user."""
    try:
        props = answer(address, "/props")
        if isinstance(props, dict) and "default_generation_settings" in props:
            return llama_server(address, props)
        if isinstance(answer(address, "/api/version"), dict) and (tags := answer(address, "/api/tags")):
            names = [str(model["name"]) for model in tags.get("models", ())]
            return of_ollama(address, chosen_model(address, names))
        models = request_json(address, "/v1/models", seconds=SECONDS, most_seconds=MOST_SECONDS)
        described = {str(model["id"]): model for model in models["data"]}
        model = chosen_model(address, list(described))
        length = described[model].get("max_model_len")
        n_positions = length if isinstance(length, int) and length in WINDOWS else None
        is_held = n_positions is not None and keeps_to_grammars(address, model)
        if is_held and tells_tokens(address):
            return ServedModel("vllm", model, n_positions=n_positions, is_held=True)
        has_logprobs = tells_logprobs(address, model)
        return ServedModel("completions", model, n_positions, has_logprobs=has_logprobs, is_held=is_held)
    except ServerError as error:
        raise ModelError(str(error)) from error
    except NONSENSE as error:
        raise ModelError(f"{address} is not a model server of a known kind") from error


def llama_server(address: Address, props: dict[str, Any]) -> ServedModel:
    listed = request_json(address, "/v1/models", seconds=SECONDS, most_seconds=MOST_SECONDS)["data"][0]
    settings = props["default_generation_settings"]
    return ServedModel(
        "llama-server",
        nameable(address, str(props.get("model_alias") or listed["id"])),
        n_positions=believed_number(address, int(settings["n_ctx"]), WINDOWS),
        n_tokens=believed_number(address, int(listed["meta"]["n_vocab"]), VOCABULARIES),
        n_slots=max(1, int(props["total_slots"])),
        # Older servers know only grammars of characters.
        n_first=N_FIRST if did(address, "/completion", ONE_OF) else 0,
    )


def of_ollama(address: Address, model: str) -> ServedModel:
    """The model of an Ollama, which silently cuts a prompt that is longer than its window."""
    n_positions = N_POSITIONS
    if isinstance(shown := answer(address, "/api/show", {"model": model}), dict):
        model_info = shown.get("model_info") or {}
        length = model_info.get(f"{model_info.get('general.architecture')}.context_length", n_positions)
        n_positions = min(believed_number(address, int(length), WINDOWS), n_positions)
    ollama = Ollama(address, model, n_positions)
    return ServedModel("ollama", model, n_positions, has_logprobs=ollama.tells_logprobs())


def believed_number(address: Address, number: int, possible: range) -> int:
    if number not in possible:
        raise ModelError(
            f"{address} says {number} of itself where {possible[0]} to {possible[-1]} is possible"
        )
    return number


def chosen_model(address: Address, names: list[str]) -> str:
    """The model that the address names, or the only one."""
    names = [nameable(address, name) for name in names]
    if not names:
        raise ModelError(f"{address} has no model")
    if address.model:
        # Ollama's names end with an optional tag.
        matching = [name for name in names if name == address.model or name.split(":")[0] == address.model]
        if not matching:
            raise ModelError(f"{address} has no model of that name; it has {', '.join(names[:8])}")
        return matching[0]
    if len(names) > 1:
        raise ModelError(f"{address} has several models: put #name behind it, such as {address}#{names[0]}")
    return names[0]


def nameable(address: Address, name: str) -> str:
    """A model's name, if it can be shown to users."""
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        raise ModelError(f"{address} has a model whose name cannot be shown")
    return name


def answer(address: Address, path: str, body: dict[str, object] | None = None) -> Any:
    """The answer of a path; None if the server does not have it."""
    try:
        return request_json(address, path, body, seconds=SECONDS, most_seconds=MOST_SECONDS)
    except ServerError as error:
        if error.status is None:
            raise
        return None


def tells_logprobs(address: Address, model: str) -> bool:
    """Whether the server gives probabilities on request."""
    body = {"model": model, "prompt": "x =", "max_tokens": 1, "temperature": 0, "logprobs": 1}
    try:
        found = request_json(address, "/v1/completions", body)
    except ServerError as error:
        if error.status is None:
            raise
        return False
    return bool(found["choices"][0].get("logprobs"))


def keeps_to_grammars(address: Address, model: str) -> bool:
    """Whether a vLLM has our plugin; without it, vLLM refuses this grammar."""
    grammar = HoleContexts("x = ", "\n").spec
    body = {"model": model, "prompt": "x = ", "max_tokens": 1, "structured_outputs": {"grammar": grammar}}
    return did(address, "/v1/completions", body)


def tells_tokens(address: Address) -> bool:
    return did(address, f"{TOKENS_PATH}/encode", {"text": ""})


def did(address: Address, path: str, body: dict[str, object]) -> bool:
    """Whether a server fulfilled a request."""
    try:
        request_json(address, path, body)
    except ServerError as error:
        if error.status is None:
            raise
        return False
    return True
