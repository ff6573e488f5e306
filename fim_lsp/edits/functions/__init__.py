"""Functions: changed headers of functions and classes, and their calls.

In Python:

    signatures.py       changed headers
    calls.py            their calls
    adapted_calls.py    the calls, written for the new headers
    awaits.py           calls of functions that are asynchronous now
    properties.py       methods that became properties, or the reverse
    fields.py           the fields of data classes
    overrides.py        methods that override a changed one
    overloads.py        overloads of a changed function
    handed_keywords.py  keywords for a function that is handed on with them
    kept_parameters.py  constructors that store their parameters
    returned_rows.py    places that unpack a returned tuple
    annotations.py      annotations, one function after the other

In the other languages:

    headers.py          changed headers
    placed_calls.py     their calls, with positional arguments, written for the new headers
    told_apart.py       calls whose arguments tell that they are for the old header
    turned_functions.py functions that are asynchronous or getters now
    returned_errors.py  functions that also return an error
    implementations.py  methods that implement those of an interface
    namesakes.py        calls and methods that only have the name of a changed one
    brackets.py         brackets behind the name of a turned method, of what is another one

Behind the door:

    call_arguments.py   the arguments of a call
    grouped_parameters.py  parameters that are taken out of one object now
"""
