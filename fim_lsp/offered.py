"""The models that are offered first: those that people have already, and else the best of the list.

One function from what was found to what is shown, so that command line and editors say the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fim_lsp.catalogue import Published, models, published_model
from fim_lsp.gguf_files import GgufFile, gguf_files
from fim_lsp.machine import Estimate, Machine, best, estimate, estimate_of, measure_machine, order
from fim_lsp.needs import Needs, needs_of_file

# Bytes for a parameter, about, where only a file's size is known: between four bits and eight.
BYTES_A_PARAMETER = 0.8


@dataclass(frozen=True, slots=True)
class Here:
    """A file of this machine."""

    file: GgufFile
    needs: Needs
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class ToBeHad:
    """A file of the list."""

    model: Published
    needs: Needs
    estimate: Estimate
    # The path on this machine; None where it has to be fetched.
    path: str | None


@dataclass(frozen=True, slots=True)
class Shelf:
    """Each list has the best for this machine first."""

    here: tuple[Here, ...]
    to_be_had: tuple[ToBeHad, ...]
    # The offer to a user who has the bundled model; at most one of both.
    offered_here: Here | None
    offered: ToBeHad | None


def shelf(folders: Iterable[Path] = (), machine: Machine | None = None) -> Shelf:
    machine = machine or measure_machine()
    here = sorted(
        (
            Here(file, needs_of_file(file.n_bytes, file.licence), expected_estimate(file, machine))
            for file in gguf_files(folders)
        ),
        key=lambda found: (found.file.fim_format is None, not found.estimate.is_quick, -found.file.n_bytes),
    )
    paths = {found.file.published: found.file.path for found in reversed(here) if found.file.published}
    to_be_had = [
        ToBeHad(
            model,
            needs_of_file(model.n_bytes, model.licence),
            estimate_of(model, machine),
            paths.get(model.name),
        )
        for model in order(models(), machine)
    ]
    usable = [found for found in here if found.file.fim_format and found.estimate.is_quick]
    first = best(models(), machine)
    offered = next((found for found in to_be_had if not usable and found.model == first), None)
    return Shelf(tuple(here), tuple(to_be_had), usable[0] if usable else None, offered)


def expected_estimate(file: GgufFile, machine: Machine) -> Estimate:
    known = published_model(file.published or "")
    if known is not None:
        return estimate_of(known, machine)
    return estimate(round(file.n_bytes / BYTES_A_PARAMETER), file.n_bytes, file.n_bytes, machine)
