"""The output of `fim-lsp models` for people."""

from __future__ import annotations

from pathlib import Path

from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.known_languages import titles_with_braces
from fim_lsp.machine import LONGEST_OFFER, Estimate
from fim_lsp.models import LocalModel
from fim_lsp.needs import needs
from fim_lsp.offered import Here, Shelf, ToBeHad


def show(bundled: LocalModel | None, found: list[LocalModel], searched: list[Path], files: Shelf) -> None:
    print("On this machine:")
    for here in files.here:
        print("\n".join(lines_of_file(here, here is files.offered_here)))
    for model in [*([bundled] if bundled else []), *found]:
        print(f"  {model.name}\n      {described_model(model)}\n      {model.path}")
        if model.path_of_braces:
            print(f"      {model.path_of_braces} for {titles_with_braces()}")
    if not found and not files.here:
        print("  no other models found" if bundled else "  no models found")
    print("To fetch, the best for this machine first:")
    for had in files.to_be_had:
        print(line_to_be_had(had, had is files.offered))
    print("Fetch one: fim-lsp models --download NAME")
    print(
        "Searched for models in "
        + ", ".join(f"{folder}{'' if folder.is_dir() else ' (not there)'}" for folder in searched)
    )
    print("FIM formats: " + "; ".join(f"{known.name} ({known.models})" for known in FIM_FORMATS))
    print("Use one: fim-lsp complete --model PATH FILE:LINE:COL")


def lines_of_file(here: Here, is_offered: bool) -> tuple[str, ...]:
    file = here.file
    owner = "in the hub's cache" if file.owner == "hub" else f"of {file.owner}"
    filling = (
        f"FIM format {file.fim_format}" if file.fim_format else "no FIM tokens: cannot fill in the middle"
    )
    facts = [
        size(file.n_bytes),
        file.licence,
        filling,
        owner,
        pace(here.estimate) if file.fim_format else None,
    ]
    star = "* " if is_offered else "  "
    return f"{star}{file.name}", f"      {', '.join(fact for fact in facts if fact)}", f"      {file.path}"


def line_to_be_had(had: ToBeHad, is_offered: bool) -> str:
    model = had.model
    facts = [size(model.n_bytes), f"{model.context // 1024}k tokens", model.licence, pace(had.estimate)]
    here = ["is here"] if had.path else []
    return f"{'* ' if is_offered else '  '}{model.name:22}{', '.join(facts + here)}"


def pace(found: Estimate) -> str:
    """The pace that a model will have here."""
    if not found.has_room:
        return "too large for this machine's memory"
    slow = "" if found.seconds_an_offer <= LONGEST_OFFER else ", slow while typing"
    seconds = max(0.1, found.seconds_an_offer)
    return f"about {seconds:.1f} s per offer ({found.tokens_a_second:.0f} tokens/s){slow}"


def described_model(model: LocalModel) -> str:
    filling = (
        f"FIM format {model.fim_format}" if model.fim_format else "no FIM tokens: cannot fill in the middle"
    )
    licence = needs(model, "torch").licence
    facts = [model.architecture, filling, f"{size(model.n_weight_bytes)} of weights", licence]
    return ", ".join(fact for fact in facts if fact)


def size(n_bytes: int) -> str:
    return f"{n_bytes / 1e9:.2f} GB" if n_bytes >= 1e8 else f"{n_bytes / 1e6:.1f} MB"
