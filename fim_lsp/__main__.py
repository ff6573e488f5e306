"""`python -m fim_lsp`: the same command line as `fim-lsp`, for when its script is not on PATH."""

from fim_lsp.cli import main

raise SystemExit(main())
