"""A model: a network, its tokens, and how it is asked to fill in the middle.

    model.py      a model, loaded by its name, from a folder, a file or a server
    tokens.py     from text to tokens exactly, and which tokens may be written
    hub.py        what the hub keeps on this machine
    served.py     a model behind a server

Behind the door:

    byte_pairs.py tokens of a vocabulary and its merges, without a library
    gguf.py       a model in a GGUF file
    pytorch.py    a model that PyTorch computes
"""
