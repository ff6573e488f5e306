"""What clients ask before they ask for a text: whether the server is there, and which models it has."""

from __future__ import annotations

import time
from collections.abc import Callable


def health(name: str) -> object:  # noqa: ARG001
    return {"status": "ok"}


def models(name: str) -> object:
    """As llama-server and OpenAI list them."""
    model = {"id": name, "object": "model", "created": 0, "owned_by": "fim-lsp"}
    return {"object": "list", "data": [model]}


def ollama_models(name: str) -> object:
    """As Ollama lists them; of what a model weighs, nothing is said."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    model = {"name": name, "model": name, "modified_at": now, "size": 0, "digest": "", "details": {}}
    return {"models": [model]}


def ollama_model() -> object:
    """What Ollama tells of a model: clients look whether its template has a place for what is to follow, and
    send `suffix` then."""
    return {
        "modelfile": "",
        "parameters": "",
        "template": "{{ .Prompt }}{{ .Suffix }}",
        "details": {},
        "model_info": {},
        "capabilities": ["completion", "insert"],
    }


ABOUT: dict[str, Callable[[str], object]] = {
    "/health": health,
    "/v1/health": health,
    "/v1/models": models,
    "/models": models,
    "/api/tags": ollama_models,
}
OLLAMA_MODEL = "/api/show"
# Where clients chat.
CHAT = ("/v1/chat/completions", "/chat/completions", "/v1/messages", "/v1/responses", "/api/chat")
NO_CHAT = "this endpoint completes code; chat has to be pointed at another server"
