"""The law of masks: a mask allows a token if and only if the token can be read.

`states` makes real holes and places in them, `vocabularies` has the tokens, `law` compares masks with brute
force. `python -m tests.masks` runs the law with any number of places.
"""
