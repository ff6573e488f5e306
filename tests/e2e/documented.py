"""The configuration that our documents tell users to make, so that tests make just that."""

import re
from pathlib import Path


def block(page: Path, language: str, first: str) -> str:
    """The one block of this language on a page whose text begins so."""
    pattern = rf"^```{language}\n({re.escape(first)}.*?)^```$"
    [found] = re.findall(pattern, page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


def changed(configuration: str, changes: dict[str, str]) -> str:
    """A configuration with what a test needs in place of what a user writes, which must be there."""
    for documented, tested in changes.items():
        assert documented in configuration, f"{documented} is not in:\n{configuration}"
        configuration = configuration.replace(documented, tested)
    return configuration
