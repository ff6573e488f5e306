"""The address of a server: `http://127.0.0.1:8080`, with `#name` behind it if it has several models."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from urllib.parse import urlsplit

from fim_lsp.runtimes.folder import ModelError

# The key for a server that requires one. It is never logged or sent anywhere else, and not part of the
# address, since addresses are shown to users.
KEY_VARIABLE = "FIM_LSP_API_KEY"
# The address of the key's server; without one, the key goes to the server of the setting `model`.
PLACE_VARIABLE = "FIM_LSP_API_KEY_FOR"
PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Address:
    scheme: str
    host: str
    port: int
    # The base in front of each path, without a final slash.
    base: str = ""
    # The name of the model; empty if the server chooses.
    model: str = ""
    key: str = field(default="", repr=False)

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        model = f"#{self.model}" if self.model else ""
        return f"{self.scheme}://{host}:{self.port}{self.base}{model}"

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


def is_address(name: str | None) -> bool:
    """Whether the name of a model is a server's address."""
    return name is not None and name.lower().startswith(("http://", "https://"))


def address_of(name: str) -> Address:
    """The address in a model's name. Raises `ModelError`."""
    try:
        parts = urlsplit(name)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ModelError(f"{name} is no server's address: {error}") from error
    if parts.username is not None or parts.password is not None:
        raise ModelError(
            f"a server's address is shown on screen and must not contain a key: set {KEY_VARIABLE} instead"
        )
    if not host or parts.query or parts.scheme not in PORTS:
        raise ModelError(f"{name} is not a server's address, such as http://127.0.0.1:8080")
    base = parts.path.rstrip("/").removesuffix("/v1")
    place = parts.scheme, host, port or PORTS[parts.scheme]
    return Address(*place, base, parts.fragment, key_for(place))


def key_for(place: tuple[str, str, int]) -> str:
    """The key for a server; empty if there is none, or it is for another server."""
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not key.isprintable() or not key.isascii():
        raise ModelError(f"{KEY_VARIABLE} has characters that no server takes in a key")
    meant = os.environ.get(PLACE_VARIABLE, "").strip()
    return key if not meant or place_of(meant) == place else ""


def place_of(meant: str) -> tuple[str, str, int]:
    try:
        parts = urlsplit(meant)
        return parts.scheme, parts.hostname or "", parts.port or PORTS[parts.scheme]
    except (ValueError, KeyError) as error:
        raise ModelError(
            f"{PLACE_VARIABLE} is no server's address, such as https://models.example"
        ) from error
