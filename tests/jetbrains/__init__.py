"""An IDE of JetBrains as its plugin LSP4IJ makes it look to a server: lsp4j, which the plugin speaks with,
and what the plugin does around it.

Ide.java  runs in a JVM: takes steps on stdin, and says on stdout what came of each
ide.py    starts it, and has a word for each step
pom.xml   where lsp4j comes from; `tests/e2e/lsp4j` fetches it
"""
