"""Which hole a request means: FIM tokens of every family in its prompt, or its fields; and its language.

The language is said by a field, by the name of the file in front of the text or in its first line, or by what
parses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.known_languages import KNOWN, KnownLanguage, UnknownLanguage, language_named

# The name of a file as families of models are told it: behind a token, or in a comment that begins the text.
FILE_NAME = re.compile(r"(?:<\|file_sep\|>|<file_sep>|<filename>|<\|file_separator\|>)([^\n<]*)\n?")
COMMENTED_NAME = re.compile(
    r"\A\s*(?:#|//)[ \t]*(?:(?i:path|file|filename):[ \t]*)?([\w./\\-]+\.\w+)[ \t]*\r?\n"
)
# Prefix, suffix and middle of models that none of ours runs: GLM's, which Zed knows how to ask.
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
    """A file, or a piece of one, that is sent along."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class AskedHole:
    """What stands left and right of the text that is asked for; `file` is the file's name, if it is told.

    Of the files that are sent along, the last ones were looked at last.
    """

    left: str
    right: str
    file: str = ""
    others: tuple[SentFile, ...] = ()


def hole_of_prompt(prompt: str) -> AskedHole:
    """The hole that a prompt with FIM tokens means; behind one without, nothing stands."""
    families = [(one.prefix, one.suffix, one.middle or "") for one in FIM_FORMATS]
    whole = [*families, *OTHER_FAMILIES]
    # The middle's may be left to the server.
    for tokens in (*whole, *((prefix, suffix, "") for prefix, suffix, _ in whole)):
        signs = [sign(prompt, token) for token in tokens]
        if all(token in prompt for token in signs if token):
            prefix, suffix, middle = signs
            return parted_prompt(prompt, prefix, suffix, middle, is_spaced=tokens[0].startswith("\u2581"))
    return without_files(prompt, "", "")


def sign(prompt: str, token: str) -> str:
    """A token as it is spelled in a prompt. People leave out the sign of SentencePiece for a blank, and write
    DeepSeek's wide bars and low blocks as those that keyboards have."""
    narrow = token.replace("\uff5c", "|")
    spelled = (token, token.removeprefix("\u2581"), narrow, narrow.replace("\u2581", "_"))
    return next((one for one in spelled if one in prompt), token)


def parted_prompt(prompt: str, prefix: str, suffix: str, middle: str, *, is_spaced: bool) -> AskedHole:
    """The contexts between three tokens, in whichever order they come. Some are written with spaces around
    them, as Code Llama's."""
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
    """The text behind the other files that a prompt begins with, those, and the name of its own file.

    The last name is the file's own; where a text stands behind it in front of the prefix, it is another
    one's.
    """
    files = [*files_of(front), *files_of(left)]
    signs = [*FILE_NAME.finditer(left)]
    own = left[signs[-1].end() :] if signs else left
    has_own = bool(signs) or bool(files and not files[-1].text.strip())
    name, others = (files[-1].name, files[:-1]) if has_own else ("", files)
    return AskedHole(
        own, right, name or commented_name(own), tuple(one for one in others if one.text.strip())
    )


def files_of(text: str) -> list[SentFile]:
    """The files that stand in a text behind the signs of models."""
    signs = [*FILE_NAME.finditer(text)]
    ends = [*(sign.start() for sign in signs), len(text)][1:]
    return [SentFile(sign[1].strip(), text[sign.end() : end]) for sign, end in zip(signs, ends, strict=True)]


def commented_name(text: str) -> str:
    found = COMMENTED_NAME.match(text)
    return "" if found is None else found[1]


def language_said(body: Mapping[str, object], hole: AskedHole) -> KnownLanguage | None:
    """The language that a request names, by a field or by the name of the file; None if it names none."""
    for field in ("language", "languageId", "lang"):
        value = body.get(field)
        if isinstance(value, str):
            try:
                return language_named(OTHER_NAMES.get(value.lower(), value))
            except UnknownLanguage:
                continue
    for field in ("filename", "file", "path", "filepath"):
        value = body.get(field)
        if isinstance(value, str) and (known_language := language_of_name(value)):
            return known_language
    return language_of_name(hole.file)


def language_of_name(name: str) -> KnownLanguage | None:
    """By the extension alone: a name that a client sends is not looked for on this disk."""
    extension = "." + name.rpartition(".")[2].lower() if "." in name else ""
    return next((known_language for known_language in KNOWN if extension in known_language.extensions), None)
