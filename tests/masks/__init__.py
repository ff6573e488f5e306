"""The law of masks: a mask allows a token if and only if the token can be read.

`states` makes real holes and places in them, `vocabularies` gives the tokens, `law` compares masks with
brute force. `python -m tests.masks --help` runs the law for as long as one likes.
"""
