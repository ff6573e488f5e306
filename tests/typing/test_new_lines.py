"""`replay typing --since`: the lines in a release that an older one lacks."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from fim_lsp.cli import main
from fim_lsp.commands.replay_typing import lengths
from fim_lsp.replay.corpus import File, NoData
from fim_lsp.replay.journal import ROWS, read_rows
from fim_lsp.replay.typing.drawing import TypedProject, Typing, draw_regions
from fim_lsp.replay.typing.new_lines import OldLines
from fim_lsp.replay.typing.projects import PAIRS, SINCE, digest, of_folders, requirements, since

OLD = "def price(order):\n    amount = order.quantity * order.unit_price\n    return amount\n"
NEW = (
    "def price(order):\n    if order:\n        amount = order.quantity * order.unit_price\n"
    "        discount = order.customer.discount\n    return amount\n"
)


def check(marked: str, expected: bool) -> None:
    """Checks whether the text between two `$` is new since `OLD`."""
    before, region, behind = marked.split("$")
    text = before + region + behind
    found = OldLines.of([File("a.py", OLD)]).is_new(text, len(before), len(before) + len(region))
    assert found is expected


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("x = 1\n$discount = order.customer.discount$\n", True),
        # The whole line counts, and not the typed part of it.
        ("discount = order.$customer.discount$\n", True),
        ("amount = order.quantity * $order.unit_price$\n", False),
        # Another indentation, another line end.
        ("if order:\r\n        $amount = order.quantity * order.unit_price$\r\n", False),
        # Short lines prove nothing, neither alone nor beside others.
        ("$return total$\n", False),
        ("$discount = order.customer.discount\nreturn it$\n", True),
        ("$discount = order.customer.discount\namount = order.quantity * order.unit_price$\n", False),
    ],
)
def test_a_region_is_new_by_its_lines(marked: str, expected: bool) -> None:
    check(marked, expected)


def test_only_what_is_new_is_drawn() -> None:
    old = OldLines.of([File("elsewhere.py", OLD)])
    found = list(draw_regions([TypedProject("shop", (File("a.py", NEW),), old=old)], 0, 10))
    regions = [one.region.typed for one in found if isinstance(one, Typing)]
    assert regions
    line = "discount = order.customer.discount"
    assert all(text in line for text in regions)
    # Another older release is another run.
    assert digest([TypedProject("shop", (), old=old)]) != digest(
        [TypedProject("shop", (), old=OldLines.of([]))]
    )
    assert digest([TypedProject("shop", ())]) != digest([TypedProject("shop", (), old=old)])


def test_only_files_of_some_lengths_are_typed_in() -> None:
    long = "".join(f"number_{number} = {number}\n" for number in range(50))
    project = TypedProject("shop", (File("short.py", OLD), File("long.py", long)))

    def files(lengths: range | None) -> set[str]:
        return {one.file for one in draw_regions([project], 0, 6, lengths) if isinstance(one, Typing)}

    assert files(None) == {"short.py", "long.py"}
    assert files(range(3, 4)) == {"short.py"}
    assert files(range(4, 50)) == set()
    assert files(range(50, 51)) == {"long.py"}


def test_lengths_are_two_numbers() -> None:
    assert lengths("200-2000") == range(200, 2001)
    for wrong in ("200", "2000-200", "a-b", "-5"):
        with pytest.raises(argparse.ArgumentTypeError, match="two numbers"):
            lengths(wrong)


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, str]:
    for name, text in (("new", NEW), ("old", OLD)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "shop.py").write_text(text)
    return str(tmp_path / "new"), str(tmp_path / "old")


def test_the_command_types_what_is_new(
    folders: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new, old = folders
    arguments = ["replay", "typing", "--on", new, "--since", old, "--limit", "2", "--model", "none"]
    out = tmp_path / "run"
    assert main([*arguments, "--no-curve", "--json", "--out", str(out)]) == 0
    assert json.loads(capsys.readouterr().out)["regions"] == 2
    assert all("discount" in row["typed"] for row in read_rows(out, ROWS))


def test_each_folder_has_an_older_one(folders: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    new, old = folders
    with pytest.raises(NoData, match="1 folders are typed in, and 2 older ones named"):
        since(of_folders([new]), [old, old])
    assert main(["replay", "typing", "--since", old]) == 2
    assert "--since goes with --on" in capsys.readouterr().err


def test_the_newest_releases_are_those_that_are_held_out() -> None:
    pairs = [line.split(SINCE) for line in requirements(PAIRS["recent"])]
    assert [new for new, _ in pairs] == requirements("held_out.txt")
    assert all(new.split("==")[0] == old.split("==")[0] and new != old for new, old in pairs)
