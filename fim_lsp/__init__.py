"""Fill-in-the-middle completions that leave the file parsing.

This package is the part that users meet: the command line, the language server, decoding and replay. The
exact grammar engine underneath is in `quotient`. Nothing is imported here, so that importing the
engine, or asking for `--help`, never drags in an LSP library or a model.

    >>> import fim_lsp
    >>> fim_lsp.complete("print(sum([1, 2))", 15, model="none")[0].text
    ']'
"""

# Type checkers take this name for true. It is not imported: `python -m fim_lsp` comes by here while the
# folder that it runs in can still pass for the standard library (`__main__.py`).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from fim_lsp.decoding.complete import complete as complete
    from fim_lsp.decoding.together import complete_together as complete_together
    from fim_lsp.fitting.fit import Fit as Fit
    from fim_lsp.fitting.fit import fit as fit
    from fim_lsp.fitting.stream import Fitting as Fitting

__all__ = ["Fit", "Fitting", "complete", "complete_together", "fit"]

# The module that a name is imported from when it is first asked for.
MODULES = {
    "complete": "fim_lsp.decoding.complete",
    "complete_together": "fim_lsp.decoding.together",
    "Fit": "fim_lsp.fitting.fit",
    "Fitting": "fim_lsp.fitting.stream",
    "fit": "fim_lsp.fitting.fit",
}


def __getattr__(name: str) -> object:
    """`fim_lsp.complete` and the others, imported when they are first asked for."""
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(MODULES[name]), name)
