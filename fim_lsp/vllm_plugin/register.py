"""The places in which the plugin changes vLLM. Each process of vLLM calls `register`, some of them twice.

Two changes are needed: where vLLM checks a request, and where it makes its grammar. The third one is only
quicker, and only on processors (`striking.py`); a vLLM that is built differently keeps its own way.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import wraps
from types import ModuleType
from typing import Any

from fim_lsp.runtimes.contexts import MARK, HoleContexts

# The attribute that a changed place is known by.
CHANGED = "_is_changed_by_fim_lsp"
# The function that applies masks to logits, and the modules that have it by name already.
APPLY = "apply_grammar_bitmask"
APPLYING = ("vllm.v1.structured_output.utils", "vllm.v1.worker.gpu_model_runner")
TAKEN = ("scheduler_output", "grammar_output", "input_batch", "logits")


def register() -> None:
    """Has vLLM make our grammars. Raises `RuntimeError` for a vLLM that is built otherwise."""
    from vllm.sampling_params import SamplingParams
    from vllm.v1.structured_output import StructuredOutputManager

    change(SamplingParams, "_validate_structured_outputs", checking)
    change(StructuredOutputManager, "_create_grammar", making)
    change_applying()


def change_applying() -> None:
    """Has masks applied by rows, on a processor."""
    import vllm.v1.structured_output.utils  # noqa: F401  # it is looked up by its name
    from vllm.platforms import current_platform

    if not current_platform.is_cpu():
        return
    from fim_lsp.vllm_plugin.striking import striking

    for module in filter(None, map(sys.modules.get, APPLYING)):
        original = getattr(module, APPLY, None)
        if original is not None and tuple(inspect.signature(original).parameters) == TAKEN:
            change(module, APPLY, striking)


def change(
    owner: type | ModuleType, name: str, changed: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> None:
    original = getattr(owner, name, None)
    if original is None:
        from vllm import __version__

        raise RuntimeError(f"fim-lsp does not know vLLM {__version__}: it has no {owner.__name__}.{name}")
    if not hasattr(original, CHANGED):
        replaced = wraps(original)(changed(original))
        setattr(replaced, CHANGED, True)
        setattr(owner, name, replaced)


def checking(original: Callable[..., Any]) -> Callable[..., Any]:
    """The check of a request: a grammar of ours is read, and left to no other backend."""

    def checked(params: Any, model_config: Any, config: Any, tokenizer: Any) -> None:
        wanted = params.structured_outputs
        # A network that writes all tokens at once is held to no grammar; vLLM from 0.33 on says so.
        is_at_once = getattr(model_config, "is_diffusion", False)
        if not is_ours(wanted) or config is None or is_at_once:
            original(params, model_config, config, tokenizer)
            return
        from vllm.exceptions import VLLMValidationError

        if tokenizer is None:
            raise VLLMValidationError(
                "grammars of fim-lsp need a tokenizer, which skip_tokenizer_init leaves out"
            )
        try:
            HoleContexts.of_spec(wanted.grammar)
        except ValueError as error:
            raise VLLMValidationError(str(error)) from error
        # vLLM makes one backend, which hands out the memory for masks; the first request may choose it.
        wanted._backend_was_auto = config.backend == "auto"
        wanted._backend = "xgrammar" if wanted._backend_was_auto else config.backend
        wanted.__post_init__()

    return checked


def making(original: Callable[..., Any]) -> Callable[..., Any]:
    """The making of a grammar from what a request says."""

    def made(manager: Any, request: Any) -> Any:
        wanted = request.structured_output_request.params
        if not is_ours(wanted):
            return original(manager, request)
        return grammars_of(manager).grammar(wanted.grammar)

    return made


def grammars_of(manager: Any) -> Any:
    """The grammars of a vLLM, made when the first one is wanted."""
    from fim_lsp.vllm_plugin.grammar import Grammars

    # Two threads may come at once; the second one's are as good.
    found = manager.__dict__.get("_fim_lsp_grammars")
    if found is None:
        found = Grammars.of(manager.vllm_config.model_config, manager.tokenizer)
        found = manager.__dict__.setdefault("_fim_lsp_grammars", found)
    return found


def is_ours(wanted: Any) -> bool:
    grammar = None if wanted is None else wanted.grammar
    return isinstance(grammar, str) and grammar.startswith(MARK)
