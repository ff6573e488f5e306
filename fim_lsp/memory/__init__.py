"""The memory of a project: the texts that followed this context before, in the file and in the workspace.

Half of the typed text stands nearby already, and no model that was trained elsewhere can know it. The texts
are kept as tokens of the model's vocabulary. The tokens in front of the cursor are looked up in them, as far
back as they agree, and the tokens that followed there are mixed into the model's logits, weighted by the
length and the certainty of the match. This is prediction by partial matching with the model below its lowest
order; cf. Cleary and Witten, *Data Compression Using Adaptive Coding and Partial String Matching* (1984), and
Liu et al., *Infini-gram* (2024).

Reading order: `index.py` (tokens, found by the tokens in front of them, without secrets as in
`fim_lsp/context/secrets.py`), `project.py` (the remembered texts, and how they follow edits;
`fim_lsp/context/kinship.py` says of which folders), `recall.py` (one request's look-ups, mixed into rows).

For languages without a model, memory writes alone: `words.py` (words and signs as tokens), `expectation.py`
(the next words), `alone.py` (texts of these words that the engine allows), `family.py` (the memory of related
languages).

`workspace.py` reads a folder's files, and `folder_context.py` does so once for a command.
"""
