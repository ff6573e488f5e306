"""`fim-lsp endpoint`: what other plugins speak, answered with texts that fit.

Plugins ask a server of models on this machine, each in the words of one: llama-server's, OpenAI's or
Ollama's. The endpoint stands in its place. Read in this order: `hole.py` (which hole a request means, and in
which language), `part.py` (the part of a file that a plugin sends of it), `dialects.py` (what is asked and
answered in whose words), `writers.py` (who writes: a model of ours, held while it writes, or another server,
whose texts are made to fit) and `gate.py` (who may ask at all, and how much).
"""
