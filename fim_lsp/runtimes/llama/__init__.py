"""llama.cpp in this process: models in GGUF files, on processors and GPUs.

library.py  llama.cpp itself, from our wheel or from a package, and what it says when something is wrong
header.py   what is used of its functions, carried.py our libraries, packaged.py those of packages
gguf.py     a file: what it says of itself, its tokens, how texts become tokens
cells.py    the memory for what has been read, which all texts share
threads.py  how many compute, and fewer while other programs need the processors
runtime.py  the interface that decoding knows
"""
