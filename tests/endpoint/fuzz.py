"""`python -m tests.endpoint.fuzz --requests N`: hostile requests, each of which gets one answer.

Valid requests are damaged: framing, headers, hosts, origins, tokens, bodies, and clients that disconnect or
send half. A caller without a token, or one that a web page sent, never passes the gate. Afterwards no thread
is left, and the endpoint still serves.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from fim_lsp.endpoint.about import ABOUT, OLLAMA_MODEL, ollama_model
from fim_lsp.endpoint.dialects import DIALECTS, AnswerText, EndpointRequest
from fim_lsp.endpoint.gate import Gate
from fim_lsp.endpoint.writers import FoundPart

TOKEN = "t" * 32
# The timeout is far above any expected time, because a busy machine may need it.
SECONDS = 120.0
NOTHING_IN_TIME = b"nothing in time"
HEADERS = (
    "Host",
    "Authorization",
    "Content-Type",
    "Content-Length",
    "Origin",
    "Transfer-Encoding",
    "Expect",
    "X",
)
VALUES = (
    b"", b"0", b"-1", b"99999999999", b"chunked", b"evil.example", b"null", b"Bearer x", b"text/plain",
    b"a\r\nb: c", b"\xff\xfe", b"a" * 9000, b"100-continue", b"127.0.0.1", b"\0",
)  # fmt: skip
BODIES = (
    b"", b"{", b"[]", b"null", b'"a"', b"[" * 5000, b'{"prompt": 1}',
    b'{"prompt": "x = ", "suffix": "\\ud800"}',
    b'{"n": 1e999}', b'{"prompt": "<|fim_prefix|><|fim_suffix|><|fim_middle|>"}', b"\xff", b'{"stop": [[]]}',
    b'{"input_prefix": "x = ", "input_extra": [{"text": "\\ud800", "filename": "\\u0000"}, {}]}',
)  # fmt: skip


class Echo:
    """A writer that returns nothing and counts its calls."""

    name = "echo"

    def __init__(self) -> None:
        self.n_asked = 0

    def texts(
        self,
        path: str,  # noqa: ARG002
        asked: EndpointRequest,  # noqa: ARG002
        part: FoundPart,
        is_wanted: Callable[[], bool],  # noqa: ARG002
    ) -> list[AnswerText]:
        self.n_asked += 1
        part()
        return [AnswerText("")]

    def about_model(self, path: str, body: Mapping[str, Any]) -> object:  # noqa: ARG002
        self.n_asked += 1
        return ollama_model()

    def prepare(self, is_wanted: Callable[[], bool]) -> None:
        pass

    def prepare_next(self) -> None:
        pass

    def close(self) -> None:
        pass


def request(random: Random, port: int) -> tuple[bytes, bool]:
    """A request, and whether it may pass."""
    body = random.choice(BODIES) if random.random() < 0.5 else json.dumps({"prompt": "x = "}).encode()
    headers = {
        "Host": f"127.0.0.1:{port}".encode(),
        "Authorization": f"Bearer {TOKEN}".encode(),
        "Content-Type": b"application/json",
        "Content-Length": str(len(body)).encode(),
    }
    right = {name: headers[name] for name in ("Host", "Authorization")}
    for _ in range(random.choice((0, 1, 1, 2))):
        headers[random.choice(HEADERS)] = random.choice(VALUES)
    if random.random() < 0.2:
        del headers[random.choice(list(headers))]
    is_right = all(headers.get(name) == value for name, value in right.items())
    may_enter = is_right and "Origin" not in headers
    method = random.choice((b"POST", b"POST", b"POST", b"GET", b"PUT", b"post", b"\x16\x03"))
    path = random.choice((*DIALECTS, *ABOUT, OLLAMA_MODEL, "/", "/" + "a" * 2000, "//infill", "/infill?a=b"))
    version = random.choice((b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.1", b"HTTP/1.0", b"HTTP/3", b""))
    head = b"\r\n".join(
        [
            b" ".join((method, path.encode(), version)),
            *(name.encode() + b": " + headers[name] for name in headers),
        ]
    )
    whole = head + b"\r\n\r\n" + body
    match random.randrange(8):
        case 0:
            return whole[: random.randint(0, len(whole))], may_enter
        case 1:
            place = random.randrange(len(whole))
            # One changed byte may also repair a damaged header.
            return whole[:place] + bytes([random.randrange(256)]) + whole[place + 1 :], True
        case 2:
            return whole + whole, may_enter
        case _:
            return whole, may_enter


def answer_to(port: int, content: bytes, random: Random) -> bytes | None:
    """The whole answer; None for a client that does not wait."""
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
        connection.sendall(content)
        if random.random() < 0.05:
            return None
        connection.shutdown(socket.SHUT_WR)
        parts = []
        try:
            while part := connection.recv(1 << 16):
                parts.append(part)
        except TimeoutError:
            return NOTHING_IN_TIME
    return b"".join(parts)


def problem_of(answer: bytes, content: bytes, may_enter: bool) -> str | None:
    """The error in an answer."""
    if answer == NOTHING_IN_TIME:
        return "no answer in time"
    n_answers = answer.count(b"HTTP/1.1 ") - answer.count(b"HTTP/1.1 100 ")
    if n_answers > 1:
        return "more than one answer"
    if n_answers == 0 and b"\r\n\r\n" in content:
        is_cut = content.endswith(b"\r\n\r\n") or b"Content-Length" in content
        return None if is_cut else "no answer"
    if not may_enter and b"HTTP/1.1 200 " in answer:
        return "somebody came in"
    return "an origin was let in" if b"Access-Control" in answer else None


def fuzz(n_requests: int, seed: str) -> tuple[Counter[bytes], list[str]]:
    """Sends `n_requests` requests; returns the number of each kind of answer, and the errors."""
    random, writer = Random(seed), Echo()
    statuses: Counter[bytes] = Counter()
    problems = []
    before = set(threading.enumerate())
    with Gate(writer, token=TOKEN) as gate:
        thread = threading.Thread(target=gate.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        for _ in range(n_requests):
            content, may_enter = request(random, gate.server_port)
            answer = answer_to(gate.server_port, content, random)
            if answer is None:
                continue
            statuses[answer[9:12]] += 1
            problem = problem_of(answer, content, may_enter)
            if problem is not None:
                problems.append(f"{problem}: {content[:300]!r} -> {answer[:100]!r}")
        right = b'{"prompt": "x = "}'
        head = f"POST /infill HTTP/1.1\r\nHost: 127.0.0.1:{gate.server_port}\r\n"
        head += f"Authorization: Bearer {TOKEN}\r\n"
        ends = f"Content-Type: application/json\r\nContent-Length: {len(right)}\r\n\r\n"
        last = answer_to(gate.server_port, (head + ends).encode() + right, Random(1))
        if last is None or not last.startswith(b"HTTP/1.1 200 "):
            problems.append("it serves no more")
        gate.shutdown()
        thread.join()
    # Visits and their deadlines end soon, but not at once on a busy machine.
    for thread in set(threading.enumerate()) - before:
        thread.join(30)
    left = set(threading.enumerate()) - before
    if left:
        problems.append(f"{len(left)} threads are left: {sorted(thread.name for thread in left)}")
    return statuses, problems


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.endpoint.fuzz", description="hostile requests")
    parser.add_argument("--requests", type=int, default=2_000)
    parser.add_argument("--seed", default="1", help="names the run")
    chosen = parser.parse_args(arguments)
    statuses, problems = fuzz(chosen.requests, chosen.seed)
    for status, count in sorted(statuses.items()):
        print(f"{count:>9,}  {status.decode('latin-1') or 'no answer to half a request'}")
    for problem in problems[:20]:
        print(f"FAILED: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
