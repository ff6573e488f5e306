"""Fill-in-the-middle completions that leave the file parsing.

This package is the part that users meet: the command line, the language server, decoding and replay. The
exact grammar engine underneath is in `lexer` and `quotient`. Nothing is imported here, so that importing the
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

__all__ = ["complete"]


def __getattr__(name: str) -> object:
    """`fim_lsp.complete`, imported when it is first asked for."""
    if name == "complete":
        from fim_lsp.decoding.complete import complete

        return complete
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
