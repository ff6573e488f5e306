"""Regions that the typist removes from files: every kind, in any file, equal for the same seed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from fim_lsp.replay.case import Excluded
from fim_lsp.replay.typing.drawing import TypedProject, Typing, draw_regions
from fim_lsp.replay.typing.parsing import parsed_module
from fim_lsp.replay.typing.projects import of_folders
from fim_lsp.replay.typing.regions import KINDS, LONGEST, Anatomy, Kind, region_of

TEXT = '''\
"""A module."""

import os  # for what it is for


@decorated
def total(values, größe="äöü"):
    """Adds up.

    The values are numbers.
    """
    result = 0
    for value in values:
        # A comment that goes on for a while.
        result += max(value, größe[value], default)
    if result: return result
    return [result for other in values
            if other]


class Shop(Base):
    name: str = "corner"

    def area(self):
        return self.width * self.height
'''


def region_texts(kind: Kind, text: str = TEXT) -> set[str]:
    anatomy = Anatomy(text)
    return {text[span.start : span.stop] for span in anatomy.spans(kind, Random(0))}


def test_statements_stand_alone_and_headers_end_with_their_colon() -> None:
    found = region_texts("statement")
    assert 'def total(values, größe="äöü"):' in found
    assert "for value in values:" in found
    assert "return [result for other in values\n            if other]" in found
    # A comment follows it, or another statement in its line; a module's docstring is prose.
    assert not any(text.startswith(("import os", "if result", "return result")) for text in found)
    assert not any("A module" in text or "Adds up" in text for text in found)


def test_a_body_has_no_docstring() -> None:
    found = region_texts("body")
    assert "return self.width * self.height" in found
    assert not any("Adds up" in text for text in found)


def test_each_kind_is_a_part_of_the_text() -> None:
    anatomy = Anatomy(TEXT)
    for kind in KINDS:
        region = region_of(anatomy, kind, Random(1), set())
        assert region is not None, kind
        assert 6 <= len(region.typed) <= LONGEST[kind]
        if kind == "broken":
            assert parsed_module(region.text) is None
            assert region.typed in TEXT
        else:
            assert region.text == TEXT


def test_a_half_typed_name_begins_within_a_name() -> None:
    anatomy = Anatomy(TEXT)
    for seed in range(20):
        region = region_of(anatomy, "name", Random(seed), set())
        assert region is not None
        assert TEXT[region.start - 1].isidentifier()
        assert TEXT[region.start].isidentifier()


def test_a_bracket_keeps_its_closer() -> None:
    assert "value, größe[value], default" in region_texts("bracket")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n\n",
        "x",
        "\x00\n",
        "def f(:\n    broken here\n",
        "\ufefflast = 'a form feed'\n\x0cand more = 1\n",
        "a = 1\r\nb = [1,\r\n     2]\r\nlonger_name = 'x'\r",
        "match point:\n    case (0, yy):\n        print(yy, point)\n",
        "if a:\n    pass\nelif bbbbbb:\n    ccccccc()\nelse:\n    @d\n    def eeeeee(): pass\n",
        "(" * 500,
        "try:\n    first()\nexcept* OSError:\n    second()\n",
    ],
)
def test_any_text_has_regions_or_none(text: str) -> None:
    anatomy = Anatomy(text)
    for kind in KINDS:
        for seed in range(3):
            region = region_of(anatomy, kind, Random(seed), set())
            if region is not None:
                assert region.typed
                assert region.text[: region.start] + region.typed + region.text[region.stop :] == region.text


def test_a_file_that_does_not_parse_has_lines() -> None:
    region = region_of(Anatomy("def f(:\n    result = 1\n"), "broken", Random(0), set())
    assert region is not None
    assert region.typed in ("def f(:", "result = 1")
    assert region_of(Anatomy("def f(:\n    result = 1\n"), "body", Random(0), set()) is None


def folder_of(path: Path) -> Path:
    path.mkdir()
    (path / "good.py").write_text(TEXT, encoding="utf-8")
    (path / "latin.py").write_bytes("# coding: latin-1\nprice = 'é'\nlonger = price\n".encode("latin-1"))
    (path / "bytes.py").write_bytes(b"x = '\xff\xfe'\n")
    (path / "hex.py").write_bytes(b"# coding: hex\nx = 1\n")
    (path / "huge.py").write_text("value = 1\n" * 40_000)
    (path / "empty.py").write_text("")
    (path / "broken.py").write_text("def f(:\n    result = 1\n")
    (path / "link.py").symlink_to("nowhere")
    return path


def test_a_folder_of_anything_is_drawn_from(tmp_path: Path) -> None:
    projects, unreadable = of_folders([str(folder_of(tmp_path / "files"))])
    assert sorted(one.name for one in unreadable) == ["bytes.py", "hex.py"]
    found = list(draw_regions(projects, seed=1, limit=1000))
    typings = [one for one in found if isinstance(one, Typing)]
    assert {typing.region.kind for typing in typings} == set(KINDS)
    assert {typing.file for typing in typings} == {"good.py", "latin.py", "broken.py"}
    assert len({typing.id for typing in typings}) == len(typings)
    assert [one.name for one in found if isinstance(one, Excluded)] == ["files/huge.py"]


def test_the_first_regions_do_not_depend_on_how_many_there_are(tmp_path: Path) -> None:
    projects, _ = of_folders([str(folder_of(tmp_path / "files"))])
    many = [one.id for one in draw_regions(projects, seed=1, limit=12) if isinstance(one, Typing)]
    few = [one.id for one in draw_regions(projects, seed=1, limit=5) if isinstance(one, Typing)]
    other = [one.id for one in draw_regions(projects, seed=2, limit=5) if isinstance(one, Typing)]
    assert many[:5] == few != other


def test_two_folders_of_one_name_are_two_projects(tmp_path: Path) -> None:
    for parent in ("a", "b"):
        (tmp_path / parent / "src").mkdir(parents=True)
        (tmp_path / parent / "src" / "x.py").write_text("value = 1\n")
    projects, _ = of_folders([str(tmp_path / "a" / "src"), str(tmp_path / "b" / "src")])
    assert [project.name for project in projects] == ["src", "src~2"]
    assert all(isinstance(project, TypedProject) for project in projects)
