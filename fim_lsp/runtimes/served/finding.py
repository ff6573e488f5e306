"""Which kind of server an address leads to, and what it can do: found out once, when a model is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from fim_lsp.runtimes.folder import ModelError
from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.wire import ServerError, asked

# How long a server may take to say what it is. A model that is loaded first may take longer, and says so.
SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Found:
    """A server and the model that is asked for there."""

    kind: Literal["llama-server", "ollama", "completions"]
    model: str
    # None where the server does not tell.
    n_positions: int | None = None
    n_tokens: int | None = None
    n_slots: int = 1
    has_logprobs: bool = True

    @property
    def ability(self) -> str:
        """What it can do, for people."""
        match self.kind:
            case "llama-server":
                return "all probabilities, token for token"
            case _ if self.has_logprobs:
                return "text with the likeliest continuations"
            case _:
                return "text alone"


def find(address: Address) -> Found:
    """What is there. Raises `ModelError` with a sentence for the user."""
    try:
        props = answer(address, "/props")
        if isinstance(props, dict) and "default_generation_settings" in props:
            return llama_server(address, props)
        if isinstance(answer(address, "/api/version"), dict) and (tags := answer(address, "/api/tags")):
            names = [str(model["name"]) for model in tags.get("models", ())]
            return Found("ollama", chosen(address, names))
        models = asked(address, "/v1/models", seconds=SECONDS)
        described = {str(model["id"]): model for model in models["data"]}
        model = chosen(address, list(described))
        length = described[model].get("max_model_len")
        return Found(
            "completions",
            model,
            n_positions=length if isinstance(length, int) else None,
            has_logprobs=tells_logprobs(address, model),
        )
    except ServerError as error:
        raise ModelError(str(error)) from error
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise ModelError(f"{address} is no server of models that is known here") from error


def llama_server(address: Address, props: dict[str, Any]) -> Found:
    listed = asked(address, "/v1/models", seconds=SECONDS)["data"][0]
    settings = props["default_generation_settings"]
    return Found(
        "llama-server",
        str(props.get("model_alias") or listed["id"]),
        n_positions=int(settings["n_ctx"]),
        n_tokens=int(listed["meta"]["n_vocab"]),
        n_slots=max(1, int(props["total_slots"])),
    )


def chosen(address: Address, names: list[str]) -> str:
    """The model that the address names, or the only one."""
    if not names:
        raise ModelError(f"{address} has no model")
    if address.model:
        # Ollama's names end with a tag, which may be left out.
        matching = [name for name in names if name == address.model or name.split(":")[0] == address.model]
        if not matching:
            raise ModelError(f"{address} has no model of that name; it has {', '.join(names[:8])}")
        return matching[0]
    if len(names) > 1:
        raise ModelError(f"{address} has several models: put #name behind it, such as {address}#{names[0]}")
    return names[0]


def answer(address: Address, path: str) -> Any:
    """What a path answers; None where the server does not know it."""
    try:
        return asked(address, path, seconds=SECONDS)
    except ServerError as error:
        if error.status is None:
            raise
        return None


def tells_logprobs(address: Address, model: str) -> bool:
    """Whether a request for probabilities is answered with some."""
    body = {"model": model, "prompt": "x =", "max_tokens": 1, "temperature": 0, "logprobs": 1}
    try:
        found = asked(address, "/v1/completions", body)
    except ServerError as error:
        if error.status is None:
            raise
        return False
    return bool(found["choices"][0].get("logprobs"))
