"""llama.cpp in this process: models in GGUF files, on processors and GPUs.

library.py  llama.cpp itself, by a package that brings it along, and what it says when something is wrong
gguf.py     a file: what it says of itself, its tokens, how texts become tokens
cells.py    the memory for what has been read, which all texts share
runtime.py  the interface that decoding knows
"""
