"""A JetBrains IDE with its plugin LSP4IJ as a server sees it: lsp4j, which the plugin uses, and the plugin's
behaviour around it.

Ide.java  runs in a JVM: reads steps from stdin, and prints the result of each on stdout
ide.py    starts it, and has a function for each step
pom.xml   the dependency on lsp4j; `tests/e2e/lsp4j` fetches it
"""
