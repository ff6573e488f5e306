"""Repeating: what was done once or more, where else it may be done, and how probable that is.

    rows.py              the replacements of a line, together
    conversions.py       nodes that were replaced by an equal of another form
    substitutions.py     symbols that replaced others
    candidates.py        where else the old symbols stand
    parameter_types.py   the types of parameters, which are their own
    moved_words.py       what is not done by half
    judge.py             the probability of a replacement at a place
    templates.py         the common part of two changed places, and third places that are like those
    whole_lines.py       lines that came or went at several places

Behind the door:

    conversion_rules.py  the rules of conversions, such as `os.path` to `pathlib`
    call_rules.py        those of calls
"""
