"""The other process: the grammar engine and the model, which may be slow and may crash.

__main__.py    the process: its pipes, its threads, its end
messages.py    what the two processes tell each other
channel.py     how a message becomes bytes and back
waiting.py     messages that wait, and whose turn it is
memory.py      how much the process holds, and what it gives back
desk.py        one message after another; what is kept between them
hole.py        where text is to come, and what it begins with
loading.py     models on their way
kept_texts.py  the documents as they were sent
texts.py       one of them, as the engine and tree-sitter keep it
code_lines.py  its lines, and what each of them is
ladder.py      the largest part of a broken file that a completion can be held to
repair/        ... and what of it is set aside for that: a package with one door
syntax.py      tree-sitter: where a file is broken, and what a completion would add to that
folder_reading.py  the folders around the documents, read on a thread of its own
telling.py     what a model is told of the project, worked out on a thread of its own
fitting.py     from a model's text to one that is offered
indentation.py the file's own way to indent
completers.py  who writes: the model, or nobody yet
calls.py       what is wrong with calls of what the file defines
definitions.py ... and with definitions: what is defined twice, keywords that nobody takes
missing_import.py  the one import with which an offer is right
choosing.py    which of the texts that were written are offered, and how much of each
manners.py     what is not offered while somebody types, although it fits
tracing.py     why an offer is what it is, in words
closing.py     what closes brackets and quotes that are open
"""
