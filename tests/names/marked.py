"""Files in which the text of a hole stands between `[[` and `]]`, and the faults of that text."""

from __future__ import annotations

from fim_lsp.declared.beside import FileLocation
from fim_lsp.declared.laws import LAWS, FilePart, NameFault
from fim_lsp.document.syntax import parser
from fim_lsp.known_languages import language_named


def faults_of(language: str, marked: str) -> list[NameFault]:
    """The faults of the text by the laws of its language."""
    known_language = language_named(language)
    before, _, rest = marked.partition("[[")
    text, _, behind = rest.partition("]]")
    content = (before + text + behind).encode()
    root = parser(known_language).parse(content).root_node
    first = len(before.encode())
    part = FilePart(root, content, first, first + len(text.encode()), FileLocation.of(""))
    return LAWS[known_language.family](part)
