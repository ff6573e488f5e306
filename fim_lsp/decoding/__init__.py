"""Decoding: a code model writes into a hole, and the engine ensures that every completion fits.

Reading order, which is also the order in which the rooms may use each other, from the first to the last:

1. `options`: how a completion is to be decoded;
2. `models`: a model, its tokens and its format;
3. `prompts`: the tokens that it is shown, and those that it has read;
4. `texts`: a text in progress, a finished one, and the answer;
5. `choices`: the next token, and the constraints beside the grammar;
6. `endings`: when a text ends, how it is connected and how it is tidied;
7. `writing`: the loop, and the requests to it: begin with `loop.py`;
8. `complete`: completions of one hole, for scripts;
9. `shortest_together`: the shortest texts for several holes of one file;
10. `together`: completions of several holes of one file.

A room's `__init__.py` is its door: it lists what others may use, and what stays behind it.

The network is computed behind `fim_lsp.runtimes.runtime.Runtime`; here its logits are arrays of NumPy.
"""
