"""Subcommands of `fim-lsp`, one module each: it reads arguments, calls a pure function, prints."""
