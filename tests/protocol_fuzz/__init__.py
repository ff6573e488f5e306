"""A fuzzer of the protocol over real stdio: framing, JSON, order, ids, positions.

    python -m tests.protocol_fuzz --messages 100000 --seed 1

Each request has to be answered exactly once, whatever comes around it; no session may hang, and nothing of
the server may be left when it has ended. `messages.py` makes what is sent, `oracle.py` says how often it is
to be answered, from JSON-RPC's words alone, and `session.py` holds the server to that.
"""
