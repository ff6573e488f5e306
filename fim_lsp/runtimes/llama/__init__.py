"""llama.cpp in this process: models in GGUF files, on processors and GPUs.

library.py  llama.cpp itself, from our wheel or from a package, and its complaints
header.py   the functions that are used of it, carried.py our libraries, packaged.py those of packages
gguf.py     a file: its metadata, its tokens, how texts become tokens
cells.py    the memory for tokens that were read, which all texts share
threads.py  how many compute, and fewer while other programs need the processors
runtime.py  the interface that decoding knows
"""
