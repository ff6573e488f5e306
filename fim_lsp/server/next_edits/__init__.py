"""Next edits in the server: the edits that come after a change, for an editor that asks, off the typing path.

They are worked out in a process of their own, which yields to all others: a completion never waits for an
edit. An answer is for one text: once that changes, it is gone.

    baseline.py     a document before the user changed it
    messages.py     the questions to the process, and its answers
    working_out.py  the next edits; which of several hold all at once
    __main__.py     the process
    process.py      the process as seen from the server
    asking.py       requests and refusals, and the edits that are not shown
    requests.py     LSP's parameters as plain values, and edits as LSP's results
    features.py     which LSP method calls what
"""
