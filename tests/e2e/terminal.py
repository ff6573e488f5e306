"""A program in a terminal with a readable screen: a pseudo-terminal with pyte as its emulator."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyte

from tests.e2e.record import until

N_ROWS, N_COLUMNS = 30, 100


class Screen(pyte.Screen):
    """pyte's screen with answers to programs' questions, because some programs wait for them."""

    def __init__(self, file: int) -> None:
        super().__init__(N_COLUMNS, N_ROWS)
        self.file = file

    def write_process_input(self, data: str) -> None:
        os.write(self.file, data.encode())

    def report_device_status(self, mode: int, private: bool = False) -> None:
        # Questions about colours and the like came later than the terminal that this one imitates.
        if not private:
            super().report_device_status(mode)


class Terminal:
    """A terminal: keys go in as bytes, and the screen comes out as lines. A thread reads what the program
    draws."""

    def __init__(self, file: int) -> None:
        self.file = file
        self.screen = Screen(file)
        self.stream = pyte.ByteStream(self.screen)
        self.lock = threading.Lock()
        self.stopping, self.stop = os.pipe()
        self.drawing = threading.Thread(target=self.draw, daemon=True)
        self.drawing.start()

    def draw(self) -> None:
        while self.stopping not in select.select([self.file, self.stopping], [], [])[0]:
            try:
                written = os.read(self.file, 65536)
            except OSError:
                return
            if not written:
                return
            with self.lock:
                self.stream.feed(written)

    def close(self) -> None:
        """Closes the terminal once no thread reads from it. Otherwise the file's number may soon belong to
        another file, such as the output of the next test's command, and the thread would read from that."""
        os.close(self.stop)
        self.drawing.join()
        os.close(self.stopping)
        os.close(self.file)

    def type(self, keys: str) -> None:
        os.write(self.file, keys.encode())

    def lines(self) -> list[str]:
        with self.lock:
            return [line.rstrip() for line in self.screen.display]

    def wait_for(self, text: str) -> list[str]:
        """The screen, once one of its lines has this text."""
        until(lambda: any(text in line for line in self.lines()), lambda: f"{text!r} on the screen:\n{self}")
        return self.lines()

    def __str__(self) -> str:
        return "\n".join(self.lines()).rstrip()


@contextmanager
def terminal(command: Sequence[str | Path], folder: Path, **environment: str) -> Iterator[Terminal]:
    """Runs a program in a terminal, and ends it afterwards."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", N_ROWS, N_COLUMNS, 0, 0))
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=os.environ | {"TERM": "xterm-256color", "HOME": str(folder)} | environment,
        start_new_session=True,
        # Emacs draws on its session's terminal, and not on its standard output.
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    os.close(theirs)
    opened = Terminal(ours)
    try:
        yield opened
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        opened.close()
