"""A model that runs in a server: its tokens, its FIM format, its runtime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from fim_lsp.bundled_models import BUNDLED
from fim_lsp.decoding.models.byte_pairs import BytePairTokens
from fim_lsp.decoding.models.model import Model, Progress, spoken_format
from fim_lsp.decoding.models.tokens import unseen
from fim_lsp.fim_formats import FIM_FORMATS, FimFormat, format_named_in, overridden
from fim_lsp.runtimes.folder import ModelError, read_config
from fim_lsp.runtimes.runtime import Unavailable
from fim_lsp.runtimes.served.address import Address, address_of
from fim_lsp.runtimes.served.completions import Completions
from fim_lsp.runtimes.served.finding import ServedModel, find
from fim_lsp.runtimes.served.llama_server import LlamaServer, special, vocabulary
from fim_lsp.runtimes.served.ollama import N_POSITIONS, Ollama
from fim_lsp.runtimes.served.runtime import ServedRuntime
from fim_lsp.runtimes.served.spoken import Spelling, SpokenServer, Teller
from fim_lsp.runtimes.served.vllm import Vllm, tokens_told
from quotient import Vocabulary

# The number of lines whose tokens are cached, since each line costs a request.
N_ENCODED = 256


def served_model(name: str, fim: Mapping[str, object], told: Progress) -> Model:
    """The model behind a server's address. Raises `ModelError`."""
    address = address_of(name)
    told(f"asking {address}", 0.0)
    found = find(address)
    try:
        if found.kind == "llama-server":
            return with_tokens(address, found, dict(fim), told)
        if found.kind == "vllm":
            return with_vllm(address, found, dict(fim), told)
        return with_text(address, found, dict(fim))
    except Unavailable as error:
        raise ModelError(str(error)) from error


def with_tokens(address: Address, found: ServedModel, fim: dict[str, object], told: Progress) -> Model:
    """The model of a llama-server, which is asked for its tokens one by one."""
    assert found.n_tokens is not None
    assert found.n_positions is not None
    signs = {sign for known in FIM_FORMATS for sign in (*known.tokens, *known.ends, *known.files.tokens)}
    signs |= {str(fim[part]) for part in ("prefix", "suffix", "middle") if fim.get(part)}
    ids = {
        sign: token for sign in sorted(signs) if (token := special(address, sign, found.n_tokens)) is not None
    }
    fim_format = spoken_format(found.model, ids, {}, fim)
    told("reading the vocabulary", 0.3)
    texts = vocabulary(address, found.n_tokens)
    ends = sorted({ids[sign] for sign in fim_format.ends if sign in ids})
    if not ends:
        raise ModelError(f"nothing ends the texts of {found.model}: none of its tokens is known to")
    prefix = ids[fim_format.prefix]
    server = LlamaServer(address, found.n_positions, texts, prefix, found.n_slots, found.n_first)
    told("ready", 1.0)
    return of_tokens(address, server, fim_format, texts, ends, ids)


def with_vllm(address: Address, found: ServedModel, fim: dict[str, object], told: Progress) -> Model:
    """The model of a vLLM with our plugin, which reports its tokens."""
    assert found.n_positions is not None
    told("reading the vocabulary", 0.3)
    tokens = tokens_told(address)
    fim_format = spoken_format(found.model, tokens.signs, {}, fim)
    server = Vllm(address, found.model, found.n_positions, tokens, tokens.signs[fim_format.prefix])
    told("ready", 1.0)
    return of_tokens(
        address, server, fim_format, tokens.texts, tokens.ends, tokens.signs, tuple(tokens.begin)
    )


def of_tokens(
    address: Address,
    server: LlamaServer | Vllm,
    fim_format: FimFormat,
    texts: Sequence[bytes],
    ends: Sequence[int],
    signs: Mapping[str, int],
    begin: tuple[int, ...] = (),
) -> Model:
    """The model of a server that reads and writes tokens."""

    @lru_cache(N_ENCODED)
    def encoded(text: str) -> tuple[int, ...]:
        return tuple(server.encode(text))

    return Model(
        name=str(address),
        runtime=ServedRuntime(server),
        vocabulary=Vocabulary(texts, ends, sorted({*signs.values(), *unseen(texts)} - set(ends))),
        encode=lambda text: list(encoded(text)),
        fim_format=fim_format,
        prefix=signs[fim_format.prefix],
        suffix=signs[fim_format.suffix],
        middle=None if fim_format.middle is None else signs[fim_format.middle],
        begin=begin,
        is_elsewhere=not address.is_local,
        file_signs={sign: signs[sign] for sign in fim_format.files.tokens if sign in signs},
        has_remote_tokens=True,
    )


def with_text(address: Address, found: ServedModel, fim: dict[str, object]) -> Model:
    """The model of a server that writes text; its drafts are spelled in the bundled model's tokens."""
    tokens = BytePairTokens.at(BUNDLED, int(read_config(BUNDLED)["vocab_size"]))
    own = replace(
        spoken_format("the bundled tokenizer", tokens.vocabulary, {}, {}), order="prefix-suffix-middle"
    )
    assert own.middle is not None
    vocabulary = tokens.writable(own)
    encode = tokens.encoder(own)
    # The surrounding text may hold tokens that may not be written.
    texts = tokens.read_texts()
    prefix, suffix, middle = (tokens.vocabulary[sign] for sign in (own.prefix, own.suffix, own.middle))
    spelling = Spelling(texts, encode, prefix, suffix, middle, min(vocabulary.eos))
    n_positions, is_text_alone = found.n_positions or N_POSITIONS, not found.has_logprobs
    teller: Teller
    if found.kind == "ollama":
        teller = Ollama(address, found.model, n_positions)
    else:
        teller = Completions(address, found.model, found.has_logprobs, found.is_held)
    server = SpokenServer(teller, spelling, family(found, fim), n_positions, is_text_alone)
    return Model(
        name=str(address),
        runtime=ServedRuntime(server),
        vocabulary=vocabulary,
        encode=encode,
        fim_format=own,
        prefix=spelling.prefix,
        suffix=spelling.suffix,
        middle=spelling.middle,
        begin=(),
        is_elsewhere=not address.is_local,
        is_text_alone=is_text_alone,
    )


def family(found: ServedModel, fim: dict[str, object]) -> FimFormat:
    """The FIM format of a model, by its name alone."""
    named = format_named_in(found.model)
    try:
        known = overridden(named, fim) if fim else named
    except ValueError as error:
        raise ModelError(str(error)) from error
    if known is None:
        families = ", ".join(known.models for known in FIM_FORMATS)
        raise ModelError(
            f"the name {found.model} does not show how this model fills in the middle."
            f" Known families: {families}"
        )
    return known
