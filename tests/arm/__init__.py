"""Linux on ARM, tested on a machine of another kind: QEMU's user mode, Debian's Python for ARM, our wheel.

setting_up.py  Python and the wheels, all from registries
answers.py     masks, answers and offers, written down to be compared with this machine's
__main__.py    the command
"""
