"""Editing sessions, replayed against the server over real stdio.

client.py    JSON-RPC with nothing between: every answer is counted, every latency taken
editor.py    an editor: its own texts, its own arithmetic of positions, what it shows
script.py    what a programmer does: a function is deleted and written again, with all that goes wrong
large.py     what a programmer's keys do to one file of more than 5,000 lines
play.py      plays a script and holds every answer against the promises
report.py    latencies and memory as tables
__main__.py  python -m tests.sessions --keystrokes 2000, or --minutes 30 --rate 10
"""
