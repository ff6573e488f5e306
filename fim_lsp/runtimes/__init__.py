"""Runtimes compute a model's network.

Decoding knows only the interface `Runtime` of `runtime.py`. Behind it:

    embedded.py  the bundled model, by ONNX Runtime; plain.py by NumPy, if that is missing
    pytorch.py   every model that `transformers` loads, and GPUs; network.py and santacoder.py load weights
    llama/       GGUF files, by llama.cpp in this process
    served/      models that run in a server; contexts.py has a hole's contexts for such a server

Nothing here is imported before a model is loaded, and then only the runtime that computes it.
"""
