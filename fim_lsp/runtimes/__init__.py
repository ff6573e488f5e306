"""Runtimes: where a model's network is computed.

Decoding knows one thing only, the interface `Runtime` of `runtime.py`. Behind it:

    embedded.py  the bundled model, by ONNX Runtime; plain.py by NumPy where there is none
    pytorch.py   every model that `transformers` loads, and GPUs; network.py and santacoder.py get weights
    llama/       GGUF files, by llama.cpp in this process
    served/      models that run in a server; contexts.py is what such a server may be told of a hole

Nothing here is imported before a model is loaded, and then only the runtime that computes it.
"""
