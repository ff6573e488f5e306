"""Repeating: changes that the user made once or more, the other places for them, and their probabilities.

    rows.py              the replacements of a line, joined
    conversions.py       nodes that were written in an equivalent form
    substitutions.py     symbols that replaced others
    candidates.py        the other places of the old symbols
    parameter_types.py   types of parameters and fields, which hold for one name alone
    moved_words.py       words that moved within their lines
    far_places.py        what is known of places in files before they are read
    judge.py             the probability of a replacement at a place
    lone_examples.py     changes that are meant for their place, or for one object
    templates.py         the common part of two changed places, and third places that match
    whole_lines.py       lines that were inserted or removed at several places

Behind the door:

    conversion_rules.py  the rules of conversions, such as `%` to fields
    call_rules.py        the rules for calls, such as `os.path` to `pathlib`
    logging_rules.py     the rule for calls of loggers
"""
