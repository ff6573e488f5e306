"""The language server: completions that keep up with typing.

Two processes. This one, which the editor starts, keeps texts, settings and answered completions, and never
waits for anything. Its worker keeps the grammar engine and the model; it may be slow and it may crash.

Reading order, from the edge inwards:

    framing.py     where one message ends and the next begins
    pipes.py       the two ends of the conversation, and the end of the process
    protocol.py    JSON-RPC as pygls does it, mended where messages would be lost or never answered
    features.py    which LSP method calls what; registers, and nothing else
    requests.py    LSP's parameters as plain values, and plain answers as LSP's results
    service.py     the service: documents, settings and requests
    commands.py    ... and to the commands that clients offer their users
    workspace_folders.py  the workspace's folders, as the worker is told of them
    accepted_offers.py  the work after an accepted offer
    refusal.py     the reasons that forbid an answer
    answering.py   the way of a request that nothing forbids
    session.py     the session of one document: answers, the request under way, offers
    documents.py   texts, versions, positions; long_text.py those that are too long to be completed
    notebooks.py   cells, and what stands above one; ipython.py what of a cell is no Python
    cache.py       answers by the texts left and right of them
    lookups.py     when the disk around a document is looked up, and what comes of it
    lookup_threads.py  ... on threads: exclusion.py, ignoring.py
    next_edits/    the next edits after a change, worked out in a process of its own
    declaration.py, settings.py, configuration.py, model_setting.py, status.py, counts.py, log.py, editor.py
    worker_client.py  the worker as seen from here: starts it, speaks with it, survives it
    watch.py       says what happens to it
    worker/        the other process
"""
