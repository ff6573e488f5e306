"""Runtimes: where a model's network is computed.

Decoding knows one thing only, the interface `Runtime` of `runtime.py`. Behind it: `pytorch.py`, for every
model that `transformers` loads and for GPUs (`network.py` and `santacoder.py` get weights there), and
`served/`, for models that run in a server.

Nothing here is imported before a model is loaded, and then only the runtime that computes it.
"""
