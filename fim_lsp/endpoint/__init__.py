"""`fim-lsp endpoint`: what other plugins speak, answered with texts that fit.

Plugins ask a server of models on this machine, each in the words of one: llama-server's, OpenAI's or
Ollama's. The endpoint stands in its place. Read in this order: `hole.py` (which hole a request means, and in
which language), `part.py` (the part of a file that a plugin sends of it), `dialects.py` (what is asked and
answered in whose words), `about.py` (what is asked beside texts), `writers.py` (who writes: another server,
whose texts are made to fit), `held_writer.py` (or a model of ours, held while it writes, which reads ahead
between requests: `turns.py`), `preparing.py` (what is ready before the first request) and `gate.py` (who may
ask at all, and how much).
"""
