"""One module per subcommand of `fim-lsp`: reads its arguments, calls a pure function, prints."""
