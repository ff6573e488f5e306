"""Next edits in the server: what comes next after a change, for an editor that asks, off the typing path.

They are worked out in a process of their own, which yields to all others: a completion never waits for an
edit. An answer is for one text: once that changes, it is gone.

    baseline.py     what a document was before the user changed it
    messages.py     what the process is asked, and what it answers
    working_out.py  what comes next; which of several edits hold all at once
    __main__.py     the process
    process.py      the process as seen from the server
    asking.py       who asks, what was refused, what is not shown
    requests.py     LSP's parameters as plain values, and edits as LSP's results
    features.py     which LSP method calls what
"""
