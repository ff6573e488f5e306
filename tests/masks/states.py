"""Places in real holes: files of the standard library without a part, and texts in the gap.

A text in the gap is a beginning of the true middle, followed by random tokens that a mask allows. So the
places include real ones, and ones that no person would write.
"""

import random
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fim_lsp.replay.judges import NoJudge
from quotient import Language, NoCompletion, Recognizer, Vocabulary
from tests.laws.domains import DOMAINS
from tests.laws.oracle import Verdict
from tests.masks.samples import GO, JAVA, JAVASCRIPT, JSON, JSX, TOML, TSX, TYPESCRIPT

MAX_BYTES = 12_000


@dataclass(frozen=True, slots=True)
class State:
    """A place in a hole: the texts in front of it, in it, and behind it.

    The language is a name, or a name and a version: `python-3.14`.
    """

    language: str
    left: bytes
    typed: bytes
    right: bytes

    def recognizer(self) -> Recognizer:
        """A recognizer at this place."""
        recognizer = loaded(self.language).recognizer(self.left, self.right)
        assert recognizer.advance(self.typed)
        return recognizer


def loaded(language: str) -> Language:
    """The language of a name, with its version if the name has one."""
    name, _, version = language.partition("-")
    return Language.load(name, version or None)


@cache
def python_files() -> list[bytes]:
    """Files of all kinds that CPython accepts."""
    library = Path(sysconfig.get_path("stdlib"))
    paths = [
        *library.glob("*.py"),
        *library.glob("json/*.py"),
        *library.glob("email/*.py"),
        *library.glob("asyncio/*.py"),
    ]
    texts = [path.read_bytes() for path in sorted(paths)]
    return [text for text in texts if 0 < len(text) < 80_000 and b"\x0c" not in text]


def random_states(
    vocabulary: Vocabulary, seed: int, languages: tuple[str, ...] = ("python",)
) -> Iterator[State]:
    """Endless places, the same for the same seed."""
    source = random.Random(seed)
    while True:
        language = source.choice(languages)
        left, middle, right = _hole(source, language)
        try:
            recognizer = loaded(language).recognizer(left, right)
        except NoCompletion:
            # A piece of a file may not be a valid file of its language.
            continue
        n_typed = source.randrange(len(middle) + 1) if source.random() < 0.8 else 0
        typed = middle[:n_typed]
        if not recognizer.advance(typed):
            continue
        for _ in range(source.choice((1, 1, 2, 3, 6))):
            yield State(language, left, typed, right)
            token = _random_token(source, recognizer, vocabulary)
            if token is None:
                break
            assert recognizer.advance(token), (left[-80:], typed, token, right[:80])
            typed += token


def _random_token(source: random.Random, recognizer: Recognizer, vocabulary: Vocabulary) -> bytes | None:
    """One of the tokens that a mask allows."""
    mask = recognizer.mask(vocabulary)
    for _ in range(400):
        index = source.randrange(len(vocabulary))
        if mask[index // 32] >> (index % 32) & 1 and (token := vocabulary.token(index)):
            return token
    return None


def _hole(source: random.Random, language: str) -> tuple[bytes, bytes, bytes]:
    text = _python_text(source) if language.startswith("python") else _text_of(source, language)
    start = source.randrange(len(text) + 1)
    length = source.choice((0, 3, 12, 40, 120, 400))
    stop = min(start + source.randrange(length + 1), len(text))
    right = b"" if source.random() < 0.15 else text[stop:]
    return text[:start], text[start:stop], right


def _text_of(source: random.Random, language: str) -> bytes:
    """A sample, or a real file if this machine has some."""
    samples = {
        "go": GO,
        "java": JAVA,
        "javascript": JAVASCRIPT,
        "javascriptreact": JSX,
        "json": JSON,
        "toml": TOML,
        "typescript": TYPESCRIPT,
        "typescriptreact": TSX,
    }.get(language, [])
    files = real_files(language) if source.random() < 0.5 else ()
    return source.choice(files or [sample.encode() for sample in samples])


@cache
def real_files(language: str) -> tuple[bytes, ...]:
    """Some small files of those that the laws use; none without the language's toolchain."""
    try:
        domain = DOMAINS[language]
        files = [path for _, path, size in domain.files() if 0 < size <= MAX_BYTES]
        texts = [path.read_text("utf-8", errors="replace") for path in files[:: len(files) // 200 + 1]]
        return tuple(text.encode() for text in texts if domain.judge(text) is Verdict.VALID)
    except NoJudge:
        return ()


def _python_text(source: random.Random) -> bytes:
    if source.random() < 0.25:
        return source.choice(_SNIPPETS)
    text = source.choice(python_files())
    if len(text) > MAX_BYTES:
        # The piece lies between two unindented lines, so most pieces are whole statements.
        begin = text.find(b"\n\n\n", source.randrange(len(text) - MAX_BYTES // 2))
        end = text.find(b"\n\n\n", begin + MAX_BYTES // 2)
        text = text[begin + 3 : end + 1]
    change = source.random()
    if change < 0.1:
        return text.replace(b"\n", b"\r\n")
    if change < 0.15:
        return text.replace(b"\n", b"\r")
    if change < 0.25:
        return text.replace(b"    ", b"\t")
    return text or b"\n"


_SNIPPETS = [
    snippet.encode()
    for snippet in (
        "x = f'a{b!r:>{w}}c' + f\"{x:{y}}\" f'''{\n'a'}'''\n",
        "s = '\\N{EM DASH}\\N{em dash}\\x41' '\\u00e9é—'\nt = f'\\N{BULLET}{x}'\n",
        "if x:\n\tif y:\n\t\tpass\n\telse:\n\t    z\n",
        "class A:\n    def f(self, x: int = 1, /, *, y) -> None:\n        # note\n\n        return \\\n  y\n",
        "match x:\n    case [1, *_] if y: pass\n    case {'a': b, **c}:\n        d = (\n  1,\n)\n",
        "print(" + "(" * 198 + "1" + ")" * 199 + "\n",
        "async def f():\n    async with a as b, c: await d\n    return [i async for i in j if not k]\n",
        "try:\n    x = 1if y else 0x1f\nexcept* E as e:\n    raise\nfinally:\n    del x, y\n",
        "数 = 'ünï' # commént\r\nlambda *a, **k: (yield)\r\n",
        "@d\ndef f(): '''doc\n  string''' ; return b'\\x00' rb'\\'\n",
        "with (open(a) as b, c):\n  while 1:\n   for x in y: break\n  else: pass\n",
        "a: int = 1_000.5e-3j; a @= b; a //= c << 2; a = b if c else d or not e\n",
        "x = [\n  1, # one\n\n  2,\n]\nglobal_ = {**a, 'k': v for_ in_}\n",
        "x = f'{f'{f'{1}'}'}' f'{a['b']:{'>'}{10!s}}'\n",
        "x = f\"\"\"{\n    a # note\n    + {'b': [1, 2]}['b'] =}\n\"\"\"\ny = rf'\\{b}{{c}}'\n",
        "",
    )
]
