"""Plays a script against the server, and checks every answer against the promises.

- Each request is answered exactly once, with a list or with -32800.
- With an offered text, a file that parses still parses. If some text makes the file parse, the offered one
  does. If none does, the offered one adds no ERROR or MISSING node to tree-sitter's tree.
- The server's text equals the editor's: saving sends it, and the log would report a difference.
"""

from __future__ import annotations

import ast
import asyncio
import random
import re
import sys
import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import tree_sitter
import tree_sitter_python

from quotient import Language, NoCompletion
from tests.sessions.client import CANCELLED, PATIENCE, Answer, Client
from tests.sessions.editor import Buffer, Editor, Item
from tests.sessions.script import PAIRS, Source, Stroke, functions, strokes

VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))


class Broken(AssertionError):
    """A promise was broken; the message says which, where and with which text."""


@dataclass
class Played:
    """The results of a session so far."""

    n_keystrokes: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    # Seconds from a request to its answer, by the kind of request.
    latencies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


@dataclass
class Player:
    """One programmer with one editor."""

    client: Client
    editor: Editor
    generator: random.Random
    # Keystrokes per second, or None for as fast as answers come.
    rate: float | None = None
    played: Played = field(default_factory=Played)
    _pending: list[asyncio.Future[Answer]] = field(default_factory=list)
    _shown: list[Item] = field(default_factory=list)
    # The line that breaks the file elsewhere for one request, and its place.
    _broken_line: tuple[int, str] | None = None
    _next_at: float = 0.0

    async def play(self, sources: list[Source], n_keystrokes: int) -> Played:
        """Rewrites functions, file after file, until `n_keystrokes` keys were pressed."""
        buffers = [self.editor.open(f"file:///session/{source.name}", source.text) for source in sources]
        originals = {buffer.uri: source.text for buffer, source in zip(buffers, sources, strict=True)}
        while self.played.n_keystrokes < n_keystrokes:
            for buffer in list(self.editor.buffers.values()):
                if self.played.n_keystrokes < n_keystrokes:
                    await self.rewrite(buffer, originals[buffer.uri], n_keystrokes)
        await self.settle()
        await self.check_books()
        return self.played

    async def rewrite(self, buffer: Buffer, original: str, n_keystrokes: int) -> None:
        """Deletes a function's body and writes it again."""
        start, stop = self.generator.choice(functions(original))
        self.editor.edit(buffer, (0, len(buffer.text), original))
        buffer.undo.clear()
        self.editor.edit(buffer, (start, stop, ""))
        for stroke in strokes(original[start:stop], self.generator):
            if self.played.n_keystrokes >= n_keystrokes:
                return
            buffer = self.editor.buffers[buffer.uri]
            await self.press(buffer, stroke)

    async def press(self, buffer: Buffer, stroke: Stroke) -> None:
        self.played.n_keystrokes += 1
        self.played.counts[stroke.kind] += 1
        await self.pace()
        await self.aside(buffer, stroke)
        buffer = self.editor.buffers[buffer.uri]
        was_shown = [
            item for item in self._shown if item.text.startswith(stroke.text) and item.text != stroke.text
        ]
        self.write(buffer, stroke.text)
        match stroke.kind:
            case "burst":
                self.ask(buffer)
            case "cancel":
                number, future = self.ask(buffer)
                self.client.cancel(number)
                await self.settled(future)
            case _:
                kind = "typing through an offer" if was_shown else "worked out"
                await self.check(buffer, kind)
                if stroke.kind == "accept":
                    await self.accept(buffer)

    def write(self, buffer: Buffer, text: str) -> None:
        """Writes as editors do: openers bring closers, and existing closers are typed over."""
        following = buffer.text[buffer.cursor : buffer.cursor + len(text)]
        if text in PAIRS.values() and following == text:
            buffer.cursor += 1
        elif text in "([{" and (not following or following in ")]} \r\n"):
            self.editor.type(buffer, text + PAIRS[text])
            buffer.cursor -= 1
        else:
            self.editor.type(buffer, text)

    async def aside(self, buffer: Buffer, stroke: Stroke) -> None:
        """Plays the acts between two keystrokes. Afterwards text and cursor are the same as before."""
        text, cursor = buffer.text, buffer.cursor
        anywhere = self.generator.randrange(len(text) + 1)
        # There is no cursor between CR and LF.
        anywhere -= text[anywhere - 1 : anywhere + 1] == "\r\n"
        match stroke.kind:
            case "move":
                buffer.cursor = anywhere
                await self.check(buffer, "worked out")
            case "paste":
                self.editor.edit(buffer, (anywhere, anywhere, text[:300]))
                await self.check(buffer, "worked out")
                self.editor.undo(buffer)
            case "undo":
                self.editor.undo(buffer)
                await self.check(buffer, "worked out")
                self.editor.edit(buffer, (0, len(buffer.text), text))
            case "typo":
                self.editor.type(buffer, self.generator.choice(")]:=x 'é😀"))
                await self.check(buffer, "worked out")
                self.editor.edit(buffer, (cursor, buffer.cursor, ""))
            case "break":
                at = text.find("\n", anywhere) + 1 or text.find("\r", anywhere) + 1
                line = self.generator.choice(["x = = 1\n", "foo(\n", "def (:\n", ")\n"])
                self.editor.edit(buffer, (at, at, line))
                buffer.cursor = cursor if cursor < at else cursor + len(buffer.text) - len(text)
                self._broken_line = (at, line)
                await self.check(buffer, "in a broken file")
                self._broken_line = None
                self.editor.undo(buffer)
            case "save":
                self.editor.save(buffer)
            case "reopen":
                await self.settle()
                self.editor.close(buffer)
                buffer = self.editor.open(buffer.uri, text)
        buffer.cursor = cursor

    async def accept(self, buffer: Buffer) -> None:
        """Accepts an offer, checks what comes next, and undoes both."""
        if not self._shown:
            return
        text, cursor = buffer.text, buffer.cursor
        self.editor.accept(buffer, self._shown[0])
        self.played.counts["accepted"] += 1
        await self.check(buffer, "after an accept")
        self.editor.edit(buffer, (0, len(buffer.text), text))
        buffer.cursor = cursor

    # --- asking and checking -----------------------------------------------------------------------------

    def ask(self, buffer: Buffer) -> tuple[int, asyncio.Future[Answer]]:
        number, future = self.client.ask("textDocument/inlineCompletion", self.editor.inline_params(buffer))
        self._pending.append(future)
        self._shown = []
        return number, future

    async def check(self, buffer: Buffer, kind: str) -> None:
        """Requests an offer, waits, and checks it against the promises."""
        _, future = self.ask(buffer)
        answer = await asyncio.wait_for(future, PATIENCE)
        self._pending = [one for one in self._pending if not one.done()]
        if answer.error is not None:
            raise Broken(f"a request that nothing overtook was answered with {answer.error}")
        self.played.latencies[kind].append(answer.seconds)
        self._shown = self.editor.items(buffer, answer)
        self.played.counts["offered"] += bool(self._shown)
        for item in self._shown:
            self.check_offer(buffer, item)

    def check_offer(self, buffer: Buffer, item: Item) -> None:
        after = item.applied(buffer.text)
        where = f"{buffer.uri} at {buffer.cursor}: {item.text!r}"
        if is_completable(buffer.text, item):
            if not parses(after):
                raise Broken(f"the file does not parse with what was offered: {where}")
            self.played.counts["file parses with it"] += 1
        elif n_faults(after) > n_faults(buffer.text) and not self.parses_without_line(buffer, after):
            raise Broken(f"what was offered adds errors: {where}")
        else:
            self.played.counts["broken file, not worse"] += 1

    def parses_without_line(self, buffer: Buffer, after: str) -> bool:
        """Whether the file with an offer parses without the line that broke it.

        An open string hides the faults behind it, so closing it may add some.
        """
        if self._broken_line is None:
            return False
        at, line = self._broken_line
        at += len(after) - len(buffer.text) if buffer.cursor < at else 0
        return after[at:].startswith(line) and parses(after[:at] + after[at + len(line) :])

    async def settled(self, future: asyncio.Future[Answer]) -> None:
        answer = await asyncio.wait_for(future, PATIENCE)
        if answer.error is not None and answer.error["code"] != CANCELLED:
            raise Broken(f"a cancelled request was answered with {answer.error}")
        self.played.counts["-32800" if answer.error else "answered before the cancel"] += 1

    async def settle(self) -> None:
        """Waits for the answers to bursts of requests."""
        for future in self._pending:
            await self.settled(future)
        self._pending = []

    async def check_books(self) -> None:
        """Checks that every request had exactly one answer, and that saving found no difference."""
        for buffer in self.editor.buffers.values():
            self.editor.save(buffer)
        log = await self.client.command("fim-lsp.serverLog")
        faults = [line for line in log["lines"] if "out of step" in line or "ERROR" in line]
        if faults:
            raise Broken(f"the server's log says {faults[-1]}")
        wrong = {
            number: self.client.n_answers[number]
            for number in range(1, self.client.n_requests + 1)
            if self.client.n_answers[number] != 1
        }
        if wrong:
            raise Broken(f"requests that were not answered exactly once: {wrong}")

    async def pace(self) -> None:
        if self.rate is not None:
            clock = asyncio.get_running_loop().time
            self._next_at = max(self._next_at + 1 / self.rate, clock())
            await asyncio.sleep(self._next_at - clock())


def parses(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text.encode())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


def is_completable(text: str, item: Item) -> bool:
    """Whether some text at the item's place makes the file parse."""
    try:
        Language.load("python", VERSION).recognizer(text[: item.start], text[item.stop :])
    except NoCompletion:
        return False
    return True


def n_faults(text: str) -> int:
    """The number of ERROR and MISSING nodes of tree-sitter. A lone CR ends a line, which tree-sitter does not
    know."""
    lines = re.sub(r"\r(?!\n)", "\n", text)
    waiting, count = [PARSER.parse(lines.encode()).root_node], 0
    while waiting:
        node = waiting.pop()
        count += node.is_error or node.is_missing
        if node.has_error:
            waiting.extend(node.children)
    return count
