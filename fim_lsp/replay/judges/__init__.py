"""The real parsers of Go, Java, JavaScript and TypeScript, each a small program of its toolchain that is kept
alive and asked text by text. Those of JSON, made strict, and of TOML are Python's own.

Nothing is downloaded: a toolchain that this machine does not have makes `NoJudge`, which says how to get it.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from fim_lsp.other_programs import environment_without_keys
from fim_lsp.system.programs import executable

if sys.version_info >= (3, 11):
    import tomllib

# The versions that the grammars are of; older parsers differ.
GO = (1, 26)
JAVA = 25
NODE = 20
ACORN = "8.19.0"
ACORN_JSX = "5.3.2"
# The last release that has a parser in JavaScript.
TYPESCRIPT = "6.0.3"
SOURCES = Path(__file__).parent
# Java's quick compiler alone: what the other one takes it does not save in thousands of texts.
QUICK_START = "-XX:TieredStopAtLevel=1"
HOMES = (
    Path("/usr/lib/jvm"),
    Path("/Library/Java/JavaVirtualMachines"),
    Path(r"C:\Program Files\Java"),
    Path(r"C:\Program Files\Eclipse Adoptium"),
)
GO_PLACES = ("/usr/local/go/bin/go", "/usr/lib/go/bin/go", r"C:\Program Files\Go\bin\go.exe")
VERSION = re.compile(r'"(\d+)')
RELEASE = re.compile(r'(?m)^JAVA_VERSION="(\d+)')
PLACE_IN_TOML = re.compile(r"at line (\d+)")
# The folder where this repository keeps what its client is made with.
CLIENT = SOURCES.parents[2] / "vscode-client" / "node_modules"
GO_VERSION = re.compile(r"go(\d+)\.(\d+)")
# The fault of a text that a judge dies of.
DIED = "beyond the judge: it died of this text"
# The seconds after which a judge that has not answered is ended; its start takes a few on a busy machine.
MOST_SECONDS = 120.0
# The environment of a judge: neither the user's folder nor another toolchain changes its answers.
ALONE = environment_without_keys() | {"GOFLAGS": "", "GOTOOLCHAIN": "local", "GOWORK": "off"}


class NoJudge(ValueError):
    """A language's parser is not on this machine; the message says what would get it."""


class JudgeProcess:
    """A program that answers each text with one line, and is started again if a text crashes it or it is
    silent for too long."""

    def __init__(self, command: list[str], seconds: float = MOST_SECONDS) -> None:
        self._command = command
        self._seconds = seconds
        self._process = self._started_process()
        atexit.register(self.end)

    def _started_process(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command,
            env=environment_without_keys(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def end(self) -> None:
        """Ends the program, and closes the pipes to it."""
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self._process.wait()

    def fault(self, text: str) -> tuple[int, str] | None:
        """The line of the first fault and what it is; None for a text that parses.

        A few texts crash a judge: Node 20 aborts where V8 finds a fault that ends in front of its beginning,
        as in `e=/ /(e=>{let{}=class{...`. That is a fault of a kind of its own, and so is a text that a judge
        reads for minutes. Raises `NoJudge` if the program cannot be started again.
        """
        answer = self.answer(text) or self.answer(text)
        if answer is None:
            if self.answer("") is None:
                raise NoJudge("the judge has ended unexpectedly")
            return 0, DIED
        line, _, message = answer.rstrip("\r\n").partition("\t")
        return (int(line), message) if line else None

    def answer(self, text: str) -> str | None:
        """The line that answers a text, its end included; None if the program dies, and is started again."""
        content = text.encode("utf-8", "surrogatepass")
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        answer = b""
        ending = threading.Timer(self._seconds, self._process.kill)
        ending.daemon = True
        ending.start()
        # Windows reports a closed pipe as an invalid argument.
        with suppress(OSError):
            self._process.stdin.write(b"%d\n" % len(content) + content)
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        ending.cancel()
        if not answer.endswith(b"\n"):
            self.end()
            self._process = self._started_process()
            return None
        return answer.decode("utf-8", "replace")


def fault(language: str, text: str) -> tuple[int, str] | None:
    """The line of a text's first fault and what it is; None for one that parses."""
    in_python = IN_PYTHON.get(language)
    return in_python(text) if in_python else process(language).fault(text)


def check(language: str) -> None:
    """Raises `NoJudge` where a language's parser is not on this machine."""
    if language in IN_PYTHON:
        IN_PYTHON[language]("")
    else:
        process(language)


# The judges, in the words of a report.
NAMES = {
    "go": "go/parser and the compiler's parser",
    "java": "javac's parser",
    "javascript": "acorn and V8's parser",
    "javascriptreact": "acorn with JSX",
    "json": "Python's json, strict",
    "toml": "Python's tomllib",
    "typescript": "TypeScript's parser",
    "typescriptreact": "TypeScript's parser",
}


@cache
def process(language: str) -> JudgeProcess:
    """The judge of a language that Python cannot read itself. Raises `NoJudge`."""
    return JUDGES[language]()


def go_judge() -> JudgeProcess:
    # The compiler's parser can be imported by the compiler's own packages alone: it is built as one of these.
    place = Path(go()).resolve().parents[1] / "src/cmd/compile/fim_lsp_judge/judge.go"
    replaced = {"Replace": {str(place): str(SOURCES / "judge.go")}}
    return go_program("the judge of Go", "cmd/compile/fim_lsp_judge", replaced)


def go_program(said: str, source: str | Path, replaced: Mapping[str, object] | None = None) -> JudgeProcess:
    """A program of Go, built and running. `replaced` maps files that Go looks for to those that it gets."""
    folder = tempfile.mkdtemp(prefix="fim-lsp-judge-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program, overlay = Path(folder, executable("judge")), Path(folder, "overlay.json")
    overlay.write_text(json.dumps(replaced or {}))
    built = subprocess.run(
        [go(), "build", "-overlay", overlay, "-o", program, source],
        cwd=folder,
        env=ALONE,
        capture_output=True,
        text=True,
        check=False,
    )
    if built.returncode:
        raise NoJudge(f"{said} cannot be built: {built.stderr.strip()}")
    return JudgeProcess([str(program)])


def go() -> str:
    found = next(
        (place for place in (shutil.which("go"), *GO_PLACES) if place and Path(place).exists()), None
    )
    if found is None:
        raise NoJudge("the judge of Go is go/parser, and there is no Go: install it, or put `go` on PATH")
    said = subprocess.run(
        [found, "env", "GOVERSION"], cwd="/", env=ALONE, capture_output=True, text=True, check=False
    )
    version = GO_VERSION.match(said.stdout)
    if version is None or (int(version[1]), int(version[2])) < GO:
        wanted = ".".join(map(str, GO))
        raise NoJudge(f"the judge of Go is that of Go {wanted} or later; {found} is {said.stdout.strip()!r}")
    return found


def java_judge() -> JudgeProcess:
    return JudgeProcess([java(), QUICK_START, "-Xss64m", "-XX:+UseSerialGC", str(SOURCES / "Judge.java")])


def java() -> str:
    """The newest Java with a compiler that is as new as the grammar."""
    found = sorted((version_of(home), str(home)) for home in java_homes())
    if not found or found[-1][0] < JAVA:
        older = f"; there is only {found[-1][0]}" if found else ""
        raise NoJudge(
            f"the judge of Java is javac of JDK {JAVA} or later{older}: install one, or name it in JAVA_HOME"
        )
    return str(Path(found[-1][1], "bin", executable("java")))


def java_homes() -> Iterator[Path]:
    on_path = shutil.which("javac")
    named = [os.environ.get("JAVA_HOME", ""), str(Path(on_path).resolve().parents[1]) if on_path else ""]
    for home in (*map(Path, filter(None, named)), *(home for place in HOMES for home in place.glob("*"))):
        for real in (home, home / "Contents" / "Home"):
            if (real / "bin" / executable("javac")).exists():
                yield real.resolve()


@cache
def version_of(home: Path) -> int:
    """The release of a JDK, as its own file says, or what it says itself."""
    with suppress(OSError, UnicodeDecodeError):
        if found := RELEASE.search((home / "release").read_text(encoding="utf-8")):
            return int(found[1])
    said = subprocess.run(
        [home / "bin" / executable("java"), "-version"],
        env=environment_without_keys(),
        capture_output=True,
        text=True,
        check=False,
    )
    version = VERSION.search(said.stderr)
    return int(version[1]) if version else 0


def javascript_judge() -> JudgeProcess:
    return judge_in_node(package("acorn", ACORN))


def jsx_judge() -> JudgeProcess:
    return judge_in_node(package("acorn", ACORN), package("acorn-jsx", ACORN_JSX))


def judge_in_node(*packages: Path) -> JudgeProcess:
    program = str(SOURCES / "judge.js")
    return JudgeProcess([node(), "--no-warnings", "--experimental-vm-modules", program, *map(str, packages)])


def node() -> str:
    found = shutil.which("node")
    if found is None:
        raise NoJudge("the judge of JavaScript runs in Node, and there is no Node: install it")
    said = subprocess.run(
        [found, "--version"], env=environment_without_keys(), capture_output=True, text=True, check=False
    ).stdout
    if int((re.match(r"v(\d+)", said) or ["", "0"])[1]) < NODE:
        raise NoJudge(f"the judge of JavaScript is that of Node {NODE} or later; {found} is {said.strip()!r}")
    return found


def typescript_judge() -> JudgeProcess:
    return judge_of_typescript("text.ts")


def tsx_judge() -> JudgeProcess:
    return judge_of_typescript("text.tsx")


def judge_of_typescript(file_name: str) -> JudgeProcess:
    # The client is made by a later release, and calls this one by its version.
    folder = package("typescript", TYPESCRIPT, "TypeScript", "typescript-6")
    return JudgeProcess([node(), str(SOURCES / "typescript.js"), str(folder), file_name])


def package(name: str, version: str, language: str = "JavaScript", alias: str | None = None) -> Path:
    """The folder of a package, in this repository or among the global ones of npm."""
    for folder in (CLIENT / (alias or name), *(place / name for place in global_packages())):
        manifest = folder / "package.json"
        if manifest.exists() and json.loads(manifest.read_text(encoding="utf-8"))["version"] == version:
            return manifest.parent
    raise NoJudge(f"the judge of {language} is {name} {version}: npm install -g {name}@{version}")


@cache
def global_packages() -> tuple[Path, ...]:
    """The folder of npm's global packages, if there is one."""
    npm = shutil.which("npm")
    said = (
        subprocess.run(
            [npm, "root", "-g"], env=environment_without_keys(), capture_output=True, text=True, check=False
        )
        if npm
        else None
    )
    return (Path(said.stdout.strip()),) if said else ()


def json_fault(text: str) -> tuple[int, str] | None:
    """The fault of JSON as in RFC 8259: Python's reader, without its constants and its limits on numbers."""

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is not JSON")

    try:
        json.loads(text, parse_constant=refuse, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        return error.lineno, error.msg
    except ValueError as error:
        return 0, str(error)
    return None


def toml_fault(text: str) -> tuple[int, str] | None:
    """The fault of TOML 1.0, without Python's limit on the digits of a number."""
    if sys.version_info < (3, 11):
        raise NoJudge("TOML is judged by Python's tomllib, which is there from 3.11 on")
    try:
        tomllib.loads(text, parse_float=str)
    except tomllib.TOMLDecodeError as error:
        place = PLACE_IN_TOML.search(str(error))
        return int(place[1]) if place else 0, str(error)
    except ValueError as error:
        return None if "integer string conversion" in str(error) else (0, str(error))
    return None


JUDGES: dict[str, Callable[[], JudgeProcess]] = {
    "go": go_judge,
    "java": java_judge,
    "javascript": javascript_judge,
    "javascriptreact": jsx_judge,
    "typescript": typescript_judge,
    "typescriptreact": tsx_judge,
}
IN_PYTHON: dict[str, Callable[[str], tuple[int, str] | None]] = {"json": json_fault, "toml": toml_fault}
