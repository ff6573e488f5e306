"""The operating systems, in one place: what Windows, macOS and Linux do otherwise.

No other module asks which system this is (a test holds it), so a port is read here and tested here: tests
play the calls of systems that they do not run on.

    kind.py       which system this is
    processes.py  trees of processes that end together, and processes that are waited for
    kernel32.py   Windows' calls for that, and those that tell memory and power
    memory.py     what processes hold, what the machine has, what the C library gives back
    addresses.py  one address for one file, whatever program names it
    files.py      files put in place of others, locked, and for this user's eyes alone
    consoles.py   signs that a console or a pipe cannot take
    programs.py   what programs and the folders of an environment are called, where libraries are looked for
    runtime_library.py  C++'s, which Windows has only where a program brought it
    folders.py    where other programs keep what they have fetched
    user_cache.py where what can be worked out again is kept for this user
    power.py      whether a battery is emptied
"""
