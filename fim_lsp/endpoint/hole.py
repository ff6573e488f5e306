"""The hole of a request, from FIM tokens of any family in its prompt or from its fields; and its language.

A field names the language, or the name of the file does, in front of the text or in its first line. Otherwise
the first language that parses is taken (`part.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.known_languages import KNOWN, KnownLanguage, UnknownLanguage, language_named

# A file's name in a prompt: behind a token of the model's family, or in a comment that begins the text.
FILE_NAME = re.compile(r"(?:<\|file_sep\|>|<file_sep>|<filename>|<\|file_separator\|>)([^\n<]*)\n?")
COMMENTED_NAME = re.compile(
    r"\A\s*(#|//)[ \t]*(?:(?i:path|file|filename):[ \t]*)?([\w./\\-]+\.\w+)[ \t]*(?:\r?\n|\r)"
)
# So minuet-ai.nvim names the language.
COMMENTED_LANGUAGE = re.compile(r"\A\s*(#|//|--)[ \t]*language:[ \t]*(\w+)[ \t]*(?:\r?\n|\r)")
# Prefix, suffix and middle of families that we do not run: GLM's, which Zed can prompt.
OTHER_FAMILIES = (("<|code_prefix|>", "<|code_suffix|>", "<|code_middle|>"),)
OTHER_NAMES = {
    "js": "javascript",
    "ts": "typescript",
    "tsx": "typescriptreact",
    "jsx": "javascriptreact",
    "py": "python",
}


@dataclass(frozen=True, slots=True)
class SentFile:
    """Another file, or a piece of one, that a client sends along."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class AskedHole:
    """The contexts of the requested text; `file` is the file's name and `language` the name of its language,
    if they are known.

    `others` are the files sent along, the most recently viewed last.
    """

    left: str
    right: str
    file: str = ""
    others: tuple[SentFile, ...] = ()
    language: str = ""


def hole_of_prompt(prompt: str) -> AskedHole:
    """The hole of a prompt with FIM tokens. A prompt without them has an empty right context."""
    families = [(one.prefix, one.suffix, one.middle or "") for one in FIM_FORMATS]
    whole = [*families, *OTHER_FAMILIES]
    # A client may leave the middle token to the server.
    for tokens in (*whole, *((prefix, suffix, "") for prefix, suffix, _ in whole)):
        signs = [sign(prompt, token) for token in tokens]
        if all(token in prompt for token in signs if token):
            prefix, suffix, middle = signs
            return parted_prompt(prompt, prefix, suffix, middle, is_spaced=tokens[0].startswith("\u2581"))
    return without_files(prompt, "", "")


def sign(prompt: str, token: str) -> str:
    """A token as it is spelled in a prompt. Users leave out SentencePiece's sign for a blank, and type
    DeepSeek's wide bars and low blocks as ASCII bars and underscores."""
    narrow = token.replace("\uff5c", "|")
    spelled = (token, token.removeprefix("\u2581"), narrow, narrow.replace("\u2581", "_"))
    return next((one for one in spelled if one in prompt), token)


def parted_prompt(prompt: str, prefix: str, suffix: str, middle: str, *, is_spaced: bool) -> AskedHole:
    """The contexts between three tokens, in any order. Some families, as Code Llama, put spaces around the
    tokens."""
    body, begun = prompt, ""
    if middle:
        body, _, begun = prompt.rpartition(middle)
    first = min(body.find(prefix), body.find(suffix))
    front, body = body[:first], body[first:]
    if body.startswith(prefix):
        left, _, right = body.removeprefix(prefix).partition(suffix)
    else:
        right, _, left = body.removeprefix(suffix).partition(prefix)
    if is_spaced:
        left, right = left.removeprefix(" ").removesuffix(" "), right.removesuffix(" ")
    return without_files(left + begun, right, front)


def without_files(left: str, right: str, front: str) -> AskedHole:
    """A hole without the other files at the beginning of its prompt; they are kept apart.

    The last name in the prompt is that of the hole's file, unless a text stands between it and the prefix.
    """
    files = [*files_of(front), *files_of(left)]
    signs = [*FILE_NAME.finditer(left)]
    own = left[signs[-1].end() :] if signs else left
    has_own = bool(signs) or bool(files and not files[-1].text.strip())
    name, others = (files[-1].name, files[:-1]) if has_own else ("", files)
    return hole_between(own, right, tuple(one for one in others if one.text.strip()), name)


def files_of(text: str) -> list[SentFile]:
    """The files that a text holds behind the file tokens of any family."""
    signs = [*FILE_NAME.finditer(text)]
    ends = [*(sign.start() for sign in signs), len(text)][1:]
    return [SentFile(sign[1].strip(), text[sign.end() : end]) for sign, end in zip(signs, ends, strict=True)]


def hole_between(left: str, right: str, others: tuple[SentFile, ...] = (), name: str = "") -> AskedHole:
    """A hole whose first line may name its file or its language in a comment.

    Clients also write that line where the language has no such comment, as in JSON: there it is left off.
    """
    named, spoken = COMMENTED_NAME.match(left), COMMENTED_LANGUAGE.match(left)
    if named is not None:
        name = name or named[2]
        known_language = language_of_name(named[2])
    else:
        known_language = None if spoken is None else language_spoken(spoken[2])
    found = named or spoken
    if found is not None and known_language is not None and known_language.line_comment != found[1]:
        left = left[found.end() :]
    is_spoken = spoken is not None and known_language is not None
    return AskedHole(left, right, name, others, known_language.name if known_language and is_spoken else "")


def language_said(body: Mapping[str, object], hole: AskedHole) -> KnownLanguage | None:
    """The language that a request names, in a field or by the file's name; None if it names none."""
    for field in ("language", "languageId", "lang"):
        value = body.get(field)
        if isinstance(value, str) and (known_language := language_spoken(value)):
            return known_language
    for field in ("filename", "file", "path", "filepath"):
        value = body.get(field)
        if isinstance(value, str) and (known_language := language_of_name(value)):
            return known_language
    return language_of_name(hole.file) or language_spoken(hole.language)


def language_spoken(name: str) -> KnownLanguage | None:
    """The language that has a name in editors."""
    try:
        return language_named(OTHER_NAMES.get(name.lower(), name.lower()))
    except UnknownLanguage:
        return None


def language_of_name(name: str) -> KnownLanguage | None:
    """The language of a file's extension. A name that a client sends is never looked up on this disk."""
    extension = "." + name.rpartition(".")[2].lower() if "." in name else ""
    return next((known_language for known_language in KNOWN if extension in known_language.extensions), None)
