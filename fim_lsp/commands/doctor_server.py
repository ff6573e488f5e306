"""The report of `fim-lsp doctor --server ADDRESS`: a server's kind and abilities, and where text goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fim_lsp.runtimes.folder import ModelError
from fim_lsp.runtimes.served.address import KEY_VARIABLE, Address, address_of
from fim_lsp.runtimes.served.finding import ServedModel, find

NO_ADDRESS = "no address"
KINDS = {
    "llama-server": "llama-server",
    "ollama": "Ollama",
    "vllm": "vLLM with fim-lsp in it",
    "completions": "a server with /v1/completions",
}


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """`fault` says why it cannot complete, and is None when it can."""

    address: str
    is_local: bool
    is_encrypted: bool
    # Whether a key is sent; never which.
    has_key: bool
    kind: str | None = None
    model: str | None = None
    ability: str | None = None
    n_positions: int | None = None
    n_slots: int | None = None
    # Whether it is sent the whole file, for its grammar.
    is_held: bool = False
    fim_format: str | None = None
    fault: str | None = None


def server(name: str) -> ServerStatus:
    """Asks a server, as is done when a model is loaded."""
    try:
        address = address_of(name)
    except ModelError as error:
        # A text that is no address may be a key in the wrong place, and is not repeated.
        return ServerStatus(NO_ADDRESS, False, False, False, fault=str(error))
    try:
        found = find(address)
    except ModelError as error:
        return described_server(address, None, None, str(error))
    try:
        from fim_lsp.decoding.models.model import load_model

        return described_server(address, found, load_model(name).fim_format.name, None)
    except ModelError as error:
        return described_server(address, found, None, str(error))


def described_server(
    address: Address, found: ServedModel | None, fim_format: str | None, fault: str | None
) -> ServerStatus:
    return ServerStatus(
        str(address),
        address.is_local,
        address.scheme == "https",
        bool(address.key),
        KINDS[found.kind] if found else None,
        found.model if found else None,
        found.ability if found else None,
        found.n_positions if found else None,
        found.n_slots if found else None,
        found.is_held if found else False,
        fim_format,
        fault,
    )


def lines(found: ServerStatus) -> Iterator[str]:
    """The status in sentences, one a line."""
    if found.kind is not None:
        yield f"{found.kind}, model {found.model}; it tells {found.ability}"
        if found.n_positions:
            yield f"reads {found.n_positions} tokens, and keeps {found.n_slots} texts at once"
    if found.fim_format is not None:
        yield f"FIM format {found.fim_format}"
    if found.fault is not None:
        yield found.fault
    if found.kind is None and found.address == NO_ADDRESS:
        return
    yield where(found)
    yield (
        f"a key is sent, from {KEY_VARIABLE}"
        if found.has_key
        else f"no key is sent: {KEY_VARIABLE} has none for this server"
    )


def where(found: ServerStatus) -> str:
    """The sentence that says who reads the text that is sent there."""
    what = "the file that is completed" if found.is_held else "the text around the cursor"
    if found.is_local:
        return f"{what} stays on this machine"
    way = "encrypted" if found.is_encrypted else "NOT encrypted: anyone on the way can read it"
    return f"{what} leaves this machine, {way}"
