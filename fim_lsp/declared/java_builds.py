"""Builds of Java projects: the project around a folder, and whether a module's build writes sources itself.

What a plugin writes from a schema (`openapi-generator`, `protobuf-maven-plugin`) lies nowhere before a build.
"""

from __future__ import annotations

import re
from pathlib import Path

from fim_lsp.declared.beside import FileLocation, source

BUILDS = ("pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts")
# How far up a build's files are looked for.
MOST_FOLDERS = 8
# The words of a build that writes sources of Java.
GENERATING = re.compile(
    rb"generate(?:d|-test)?-sources|codegen|openapi.generator|protobuf-(?:maven|gradle)-plugin|protoc\b"
    rb"|com\.google\.protobuf['\"]\)?\s+version|templating-maven|antlr[34]?-maven|['\" ]antlr['\"]"
    rb"|avro-maven|gradle-avro|jaxb|xjc|wsdl2java|thrift-maven|jooq-codegen|javacc"
)


def writes_sources(root: Path, place: FileLocation) -> bool:
    """Whether the build of a source root's module writes sources itself."""
    for around in root.parents[:MOST_FOLDERS]:
        contents = [source(around / name, place) for name in BUILDS]
        if any(content is not None for content in contents):
            return any(GENERATING.search(content or b"") for content in contents)
    return False


def project_of(folder: Path) -> Path | None:
    """The outermost folder around one that has a build's file, inside one repository."""
    found = None
    for around in folder.parents[:MOST_FOLDERS]:
        if any((around / name).is_file() for name in BUILDS):
            found = around
        if (around / ".git").exists():
            break
    return found
