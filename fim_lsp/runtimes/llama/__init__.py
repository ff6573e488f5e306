"""llama.cpp in this process: models in GGUF files, on processors and GPUs.

library.py  llama.cpp itself, from our wheel or from a package, and its complaints
header.py   its functions that we use; carried.py our libraries; packaged.py those of packages
gguf.py     a file: its metadata, its tokens, the encoding of texts
cells.py    the memory for read tokens, which all texts share
threads.py  the number of threads, fewer while other programs need the processors
runtime.py  the interface for decoding
"""
