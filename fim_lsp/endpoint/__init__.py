"""`fim-lsp endpoint`: an HTTP server that other plugins use instead of their own, with texts that fit.

Plugins speak the API of llama-server, OpenAI or Ollama to a model server on this machine; the endpoint stands
in for it. Read in this order: `hole.py` (a request's hole and language), `part.py` (the part of the file that
a plugin sends), `dialects.py` (requests and answers of the three APIs), `about.py` (requests for anything but
texts), `writers.py` (another server writes, and its texts are made to fit), `held_writer.py` (our own model
writes, constrained by the engine), `turns.py` (requests and reading ahead take turns), `preparing.py` (what
is loaded before the first request), `workers.py` (threads that wait for connections), `request_reader.py` (a
request, read strictly) and `gate.py` (access, limits and answers).
"""
