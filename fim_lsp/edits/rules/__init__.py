"""Rules: changes that people make at several places, each with a rule of its own.

    sibling_rows.py     rows with the same keys
    object_keys.py      the keys of literals in JavaScript
    literal_types.py    texts that a type lists
    state_hooks.py      the two names of a state of React's
    text_ends.py        texts that begin or end otherwise
    logged_prints.py    prints that became lines of a log
    awaited_thens.py    promises that are awaited now
    declaring_words.py  `var` that became `const` or `let`
    parametrized.py     the parameters of tests
    command_options.py  the options of commands
    doc_comments.py     parameters and names in the comment in front of a declaration
    given_keywords.py   keywords that the calls of a function are given
    written_keys.py     keys of JavaScript that are written otherwise
    joined_texts.py     texts of JavaScript that have fields now
    named_literals.py   literals that were given a name
    strict_comparisons.py  comparisons of JavaScript that became strict

Nothing stays behind the door.
"""
