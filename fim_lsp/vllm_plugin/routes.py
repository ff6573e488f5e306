"""Routes that tell a client the model's tokens, so that it can write prompts in them and read drafts exactly.

`GET /v1/fim-lsp` lists the tokens, once for each client; `POST /v1/fim-lsp/encode` turns a text into tokens.
vLLM's own key protects both, like all of `/v1`.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cached_property
from typing import Any

from fim_lsp.runtimes.served.wire import TOKENS_PATH


class Routes:
    """An endpoint plugin, as vLLM wants them."""

    name = "fim-lsp"
    required_tasks = ("generate",)

    def __init__(self) -> None:
        self._model_config: Any = None

    def attach_router(self, app: Any) -> None:
        from fastapi import Body, HTTPException
        from fastapi.concurrency import run_in_threadpool

        async def told() -> dict[str, object]:
            said: dict[str, object] = await run_in_threadpool(lambda: self.told)
            return said

        async def encoded(text: str = Body(embed=True)) -> dict[str, object]:
            try:
                return {"tokens": await run_in_threadpool(self.encode, text)}
            except UnicodeEncodeError as error:
                raise HTTPException(400, "no text: it has halves of characters") from error

        app.add_api_route(TOKENS_PATH, told, methods=["GET"])
        app.add_api_route(f"{TOKENS_PATH}/encode", encoded, methods=["POST"])

    async def init_state(self, engine_client: Any, state: Any, args: Any) -> None:  # noqa: ARG002
        self._model_config = state.vllm_config.model_config

    @cached_property
    def _spoken(self) -> tuple[Any, Any]:
        from vllm.tokenizers import cached_tokenizer_from_config

        from fim_lsp.vllm_plugin.grammar import loaded_tokenizer

        config = self._model_config
        tokenizer: Any = cached_tokenizer_from_config(config)
        return loaded_tokenizer(
            tokenizer, config.get_vocab_size(), config.hf_config.to_dict(), str(config.model)
        )

    @cached_property
    def told(self) -> dict[str, object]:
        """The answer to `GET`."""
        tokens, fim_format = self._spoken
        vocabulary = tokens.writable(fim_format)
        texts = [vocabulary.token(token) for token in range(len(vocabulary))]
        return {
            "tokens": [b64encode(text).decode() for text in texts],
            "ends": sorted(vocabulary.eos),
            "begin": list(tokens.begin),
            # Signs bring no text, so this is short.
            "signs": {name: token for name, token in tokens.vocabulary.items() if not texts[token]},
            "format": fim_format.name,
            "likeliest": likeliest(self._model_config),
        }

    def encode(self, text: str) -> list[int]:
        found: list[int] = self._encode(text)
        return found

    @cached_property
    def _encode(self) -> Any:
        tokens, fim_format = self._spoken
        return tokens.encoder(fim_format)


def likeliest(model_config: Any) -> int:
    """The number of tokens whose probabilities vLLM tells: `--max-logprobs`, where -1 means all."""
    most: int = model_config.max_logprobs
    return most if most >= 0 else int(model_config.get_vocab_size())
