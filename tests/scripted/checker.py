"""A type checker for tests, over real pipes: `value` has the members `append` and `area`, `wrong` is an
error.

    python checker.py [dies | garbles | is silent | floods | publishes]

By default it answers correctly, and reports errors on request; with `publishes` it reports them by itself.
"""

import json
import re
import sys
from typing import Any

MEMBERS = ("append", "area")


def main() -> None:
    way = " ".join(sys.argv[1:])
    if way == "dies":
        sys.exit(1)
    if way == "garbles":
        sys.stdout.write("Content-Length: many\r\n\r\n")
        sys.stdout.flush()
    texts: dict[str, str] = {}
    is_initialized = False
    while (message := read()) is not None:
        method, number, params = message.get("method"), message.get("id"), message.get("params", {})
        if method == "initialize" and way != "is silent":
            able: dict[str, Any] = {} if way == "publishes" else {"diagnosticProvider": {}}
            write({"id": number, "result": {"capabilities": able}})
            # A server may send requests, too.
            write({"id": 7, "method": "workspace/configuration", "params": {"items": [{}, {}]}})
        elif method == "initialized":
            is_initialized = True
        elif method in ("textDocument/didOpen", "textDocument/didChange"):
            assert is_initialized, "documents come after `initialized`"
            document = params["textDocument"]
            texts[document["uri"]] = document.get("text") or params["contentChanges"][0]["text"]
            found = errors(texts[document["uri"]])
            said = {"uri": document["uri"], "version": document["version"], "diagnostics": found}
            if way == "publishes":
                write({"method": "textDocument/publishDiagnostics", "params": said})
        elif method == "textDocument/diagnostic" and way not in ("is silent", "publishes"):
            text = texts[params["textDocument"]["uri"]]
            write({"id": number, "result": {"kind": "full", "items": errors(text)}})
        elif method == "textDocument/completion":
            lines = texts[params["textDocument"]["uri"]].split("\n")
            before = lines[params["position"]["line"]][: params["position"]["character"]]
            names = MEMBERS if before.endswith("value.") else ()
            write({"id": number, "result": {"items": [{"label": name} for name in names]}})
        elif number is not None and method is not None:
            write({"id": number, "error": {"code": -32601, "message": "unknown"}})
        if way == "floods":
            write({"method": "window/logMessage", "params": {"message": "x" * (64 << 20)}})


def errors(text: str) -> list[dict[str, Any]]:
    """An error for each `wrong`, and for each member of `value` that does not exist."""
    found = []
    for number, line in enumerate(text.split("\n")):
        for name in re.finditer(r"\bwrong\b|\bvalue\.(\w+)", line):
            if name[1] not in MEMBERS:
                place = [{"line": number, "character": column} for column in name.span()]
                where = {"start": place[0], "end": place[1]}
                found.append({"range": where, "severity": 1, "code": "no", "message": f"{name[0]}: no"})
    return found


def read() -> Any:
    length = 0
    while (line := sys.stdin.buffer.readline()) != b"\r\n":
        if not line:
            return None
        length = int(line.partition(b":")[2])
    return json.loads(sys.stdin.buffer.read(length))


def write(message: dict[str, Any]) -> None:
    content = json.dumps({"jsonrpc": "2.0"} | message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
