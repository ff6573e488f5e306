"""Functions: headers of functions and classes that were changed, and what follows at their calls.

In Python:

    signatures.py       headers that were changed
    calls.py            their calls
    adapted_calls.py    the new calls
    awaits.py           calls of functions that are asynchronous now
    properties.py       methods that became properties, or the other way round
    fields.py           the fields of classes of data
    overrides.py        methods that stand for one another
    kept_parameters.py  constructors that keep what they take
    returned_rows.py    places that take a returned row apart
    annotations.py      annotations, one function after the other

In the other languages:

    headers.py          headers that were changed
    placed_calls.py     their new calls, where arguments go by their place
    turned_functions.py functions that are asynchronous or getters now
    returned_errors.py  functions that also return an error
    implementations.py  methods that stand for those of an interface

Behind the door:

    call_arguments.py   what calls give
"""
