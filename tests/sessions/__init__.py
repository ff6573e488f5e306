"""Editing sessions, replayed against the server over real stdio.

client.py    JSON-RPC without a library: every answer is counted, every latency measured
editor.py    an editor: its own texts, its own computation of positions, what it shows
script.py    a programmer's actions: a function is deleted and written again, with all usual mistakes
large.py     a programmer's keys in one file of more than 5,000 lines
play.py      plays a script and checks every answer against the promises
report.py    latencies and memory as tables
__main__.py  python -m tests.sessions --keystrokes 2000, or --minutes 30 --rate 10
"""
