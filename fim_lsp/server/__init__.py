"""The language server: completions that keep up with typing.

Three processes. This one, which the editor starts, keeps texts, settings and answered completions, and never
waits for anything. Its worker keeps the grammar engine and the model; it may be slow and it may crash. A
third one (`next_edits/`) works out what comes next after a change.

Reading order, from the edge inwards:

    framing.py     where one message ends and the next begins
    pipes.py       the two ends of the conversation, and the end of the process
    protocol.py    pygls' JSON-RPC, corrected where it would lose messages or never answer them
    features.py    which LSP method calls what; registers, and nothing else
    requests.py    converts LSP's parameters to plain values, and plain answers to LSP's results
    service.py     the service: documents, settings and requests
    commands.py    ... and to the commands that clients offer their users
    workspace_folders.py  the workspace's folders for the worker
    accepted_offers.py  the work after an accepted offer
    refusal.py     the reasons that forbid an answer
    answering.py   from an admissible request to its answer
    session.py     the session of one document: answers, the request under way, offers
    documents.py   texts, versions, positions; long_text.py texts too long to be completed
    notebooks.py   cells, and the text above one; ipython.py a cell's lines that are not Python
    cache.py       answers by the texts left and right of them
    lookups.py     when the disk around a document is read, and the effects
    lookup_threads.py  ... on threads: exclusion.py, ignoring.py
    next_edits/    the next edits after a change, found in a separate process
    declaration.py, settings.py, configuration.py, model_setting.py, status.py, counts.py, log.py, editor.py
    worker_client.py  the worker as seen from here: starts it, speaks with it, survives it
    watch.py       reports what happens to it
    worker/        the other process
"""
