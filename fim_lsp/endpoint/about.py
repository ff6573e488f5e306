"""Answers to clients' questions about the server: whether it runs, and which models it has."""

from __future__ import annotations

import time
from collections.abc import Callable


def health(name: str) -> object:  # noqa: ARG001
    return {"status": "ok"}


def models(name: str) -> object:
    """The list of models in the form of llama-server and OpenAI."""
    model = {"id": name, "object": "model", "created": 0, "owned_by": "fim-lsp"}
    return {"object": "list", "data": [model]}


def ollama_models(name: str) -> object:
    """The list of models in Ollama's form, without a size."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    model = {"name": name, "model": name, "modified_at": now, "size": 0, "digest": "", "details": {}}
    return {"models": [model]}


def ollama_model() -> object:
    """Ollama's description of a model. Clients send `suffix` only if the template has a place for it."""
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
# Paths at which clients chat.
CHAT = ("/v1/chat/completions", "/chat/completions", "/v1/messages", "/v1/responses", "/api/chat")
NO_CHAT = "this endpoint only completes code; use another server for chat"
