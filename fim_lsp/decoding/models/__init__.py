"""Models: a network, its tokens, and its format for filling in the middle.

    model.py      a model, loaded by its name, from a folder, a file or a server
    runtime_wishes.py  what is to compute a model
    tokens.py     exact tokens of a text, and the tokens that may be written
    hub.py        models of the hub in this machine's cache
    served.py     a model behind a server
    gguf.py       a model in a GGUF file

Behind the door:

    byte_pairs.py tokens of a vocabulary and its merges, without a library
    pytorch.py    a model that PyTorch computes
"""
