"""The memory of the project: the texts that followed this context before, in the file and in the workspace.

Half of the typed text stands nearby already, and no model that was trained elsewhere can know it. The texts
are kept as tokens of the model's vocabulary; the tokens in front of the cursor are looked up in them, as far
back as they agree, and the followers there are mixed into the model's logits, by how long and how sure the
match is. This is prediction by partial matching with the model below its lowest order; cf. Cleary and Witten,
*Data Compression Using Adaptive Coding and Partial String Matching* (1984), and Liu et al., *Infini-gram*
(2024).

Reading order: `index.py` (tokens, found by what stands in front of them; without secrets, as
`fim_lsp/context/secrets.py` tells them),
`project.py` (which texts, and how they follow edits; of which folders, says `fim_lsp/context/kinship.py`),
`recall.py` (one request's look-ups, mixed into rows).

Where no model writes, memory does alone: `words.py` (words and signs as tokens), `expectation.py` (what comes
next), `alone.py` (texts of that, within what the engine lets through), `family.py` (what is remembered of
languages that belong together).

`workspace.py` reads a folder's files, and `folder_context.py` does so for a command, which asks once.
"""
