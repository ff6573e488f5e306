"""The configurations in our documents, which tests take from there."""

import re
from pathlib import Path


def block(page: Path, language: str, first: str) -> str:
    """The only block of this language on a page whose text begins with the given words."""
    pattern = rf"^```{language}\n({re.escape(first)}.*?)^```$"
    [found] = re.findall(pattern, page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


def changed(configuration: str, changes: dict[str, str]) -> str:
    """A configuration in which a value of the document, which has to exist, is replaced by the test's
    value."""
    for documented, tested in changes.items():
        assert documented in configuration, f"{documented} is not in:\n{configuration}"
        configuration = configuration.replace(documented, tested)
    return configuration
