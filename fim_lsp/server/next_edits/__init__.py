"""Next edits in the server: the edits that follow from a change, computed off the typing path.

A separate process finds them, and yields to all others: a completion never waits for an edit. An answer is
for one text, and a change of the text drops it.

    baseline.py     a document before the user changed it
    messages.py     the questions to the process, and its answers
    working_out.py  the next edits; which of several hold together
    __main__.py     the process
    process.py      the process as seen from the server
    asked_model.py  edits that a model in the worker writes
    asking.py       requests and refusals, and which edits are shown
    requests.py     converts LSP's parameters to plain values, and edits to LSP's results
    features.py     which LSP method calls what
"""
