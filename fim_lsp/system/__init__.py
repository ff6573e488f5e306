"""The operating systems, in one place: all differences between Windows, macOS and Linux.

No other module asks which system this is (a test checks that), so a port is read and tested here: tests play
the calls of systems that they do not run on.

    kind.py       which system this is
    processes.py  trees of processes that end together, and processes that are waited for
    kernel32.py   Windows' calls for that, and those that tell memory and power
    memory.py     the memory of processes and of the machine, and what the C library gives back
    addresses.py  one address for one file, whatever program names it
    files.py      files put in place of others, locked, and for this user's eyes alone
    consoles.py   signs that a console or a pipe cannot take
    programs.py   names of programs and of an environment's folders, places of libraries
    runtime_library.py  C++'s, which Windows has only where a program brought it
    folders.py    where other programs keep what they have fetched
    user_cache.py where what can be worked out again is kept for this user
    power.py      whether a battery is emptied
"""
