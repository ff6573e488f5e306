"""The worker process: the grammar engine and the model, which may be slow and may crash.

__main__.py    the process: its pipes, its threads, its end
messages.py    the messages of the two processes to each other
channel.py     how a message becomes bytes and back
waiting.py     waiting messages, and their order
job_loop.py    one message after another; what is kept between them
serving.py     the completers that serve: which of them answers for a document
power.py       whether the machine runs on its battery: then nothing is read ahead
loading.py     loading of models
kept_texts.py  the documents as they were sent (each as in `fim_lsp.document`)
folder_reading.py  the folders around the documents, read on a thread of its own

From a request to an offer, four values in a row, each made of the one before it:

completing.py  the line: one step after the other
site.py        a site: the hole in its document, and the texts on either side
ladder.py      its footing: the largest part of the file that a completion can be held to
offer_request.py  a request for an offer: site, wishes, deadline, cancellation
agreement.py   how far two models write the same text at a place
attempt.py     an attempt: the constraints of one writing, derived from one footing
surroundings.py  ... and the surroundings of the site
project_context.py  the project's context for a model, computed on a thread of its own
calls.py       faults of calls of the file's own definitions
definitions.py ... and of definitions: names defined twice, keywords that nothing takes
completers.py  completers: their interface, and the one without a model
with_model.py  ... the one with a model, its loading, and its state for each document
written_before.py  ... its finished texts, which answer keys that agree with them
from_memory.py ... and the one with memory alone, for languages without a model
two_models.py  a quick model and a better one: which of them answers
last_shown.py  the offer on the screen, which may stay there
pausable_work.py  the better one's writing between the loop's messages
together.py    texts for several holes of one document, each exact given the others
edit_writing.py  next edits that a model writes while nothing else is asked
pace.py        how long an offer of a slow model takes on this machine
tracing.py     why it wrote what it did, in words
choosing.py    which of the texts that were written are offered, and how much of each
wording.py     from a model's text to one that is offered
imported_again.py  ... without the names that the import around it has already
columns.py     ... and, in Go, gofmt's columns
closer_lines.py  ... and the lines of its own that a closing brace has
closed_beginnings.py  a text that its model did not end: its beginnings that closers alone end
offer_filters.py  fitting texts that are not offered while the user types
judging.py     the part of a text that the judge is sure enough of
missing_import.py  the one import with which an offer is right
offer.py       an offer, which is shown for a site
"""
