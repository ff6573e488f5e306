"""A fuzzer of the protocol over real stdio: framing, JSON, order, ids, positions.

    python -m tests.protocol_fuzz --messages 100000 --seed 1

Each request has to be answered exactly once, whatever surrounds it; no session may hang, and nothing of the
server may remain when it has ended. `messages.py` makes the messages, `oracle.py` predicts the number of
answers from JSON-RPC's rules alone, and `session.py` compares the server with that.
"""
