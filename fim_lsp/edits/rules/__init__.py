"""Rules: changes that people make at several places, each with a rule of its own.

    sibling_rows.py     rows with the same keys
    object_keys.py      keys of object literals in JavaScript
    literal_types.py    strings that a type lists
    state_hooks.py      the two names of a React state
    text_ends.py        strings that got a new beginning or end
    logged_prints.py    prints that became calls of a logger
    awaited_thens.py    promises that are awaited now
    declaring_words.py  `var` that became `const` or `let`
    parametrized.py     parameters of tests and routes
    command_options.py  the options of commands
    component_props.py  keys that a function of JavaScript takes out of an object
    element_tags.py     the two tags of an element of JSX
    doc_comments.py     parameters and names in the comment in front of a declaration
    given_keywords.py   keywords that the calls of a function are given
    written_keys.py     keys of JavaScript that are written otherwise
    joined_texts.py     texts of JavaScript that have fields now
    named_literals.py   literals that were given a name
    strict_comparisons.py  comparisons of JavaScript that became strict
    turned_flags.py     flags that mean the opposite now
    labels.py           labels of loops
    routes.py           parts of paths, options and listed parameters, each of one function
    event_names.py      names of events that are emitted and listened to
    wrapped_errors.py   errors of Go that are wrapped
    named_wraps.py      errors of Go that say which call they come from
    caught_errors.py    errors that a handler catches, and those that it raises
    container_kinds.py  lists that became sets, and the reverse

Nothing stays behind the door.
"""
