"""`fim-lsp edits`: the next edits, as a diff, as JSON, or made at once, and in a project's other files. A
refusal is one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fim_lsp.cli import main
from fim_lsp.commands.edits import MOST_CHARACTERS

OLD = "def net(gross, rate=1):\n    return gross * rate\n\n\nprint(net(2, rate=3))\n"
NEW = OLD.replace("rate=1", "percent=1")


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "old.py", tmp_path / "prices.py"
    old.write_bytes(OLD.encode())
    new.write_bytes(NEW.encode())
    return old, new


def listed(capsys: pytest.CaptureFixture[str], *arguments: object) -> list[dict[str, Any]]:
    assert main(["edits", *map(str, arguments), "--json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return found


def test_json(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    old, new = pair
    first, second = listed(capsys, new, "--since", old)
    assert {*first} == {"path", "start", "end", "old", "new", "reason", "probability"}
    assert (first["path"], first["old"], first["new"]) == (str(new), "rate", "percent")
    assert NEW[first["start"] : first["end"]] == "rate"
    assert first["reason"] == "the parameter `rate` is called `percent` now"
    assert first["probability"] >= second["probability"] > 0.5


def test_a_diff(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    old, new = pair
    assert main(["edits", str(new), "--since", str(old)]) == 0
    said = capsys.readouterr().out
    assert "-    return gross * rate\n+    return gross * percent\n" in said
    assert "called `percent` now (97%)" in said


def test_one_is_applied_after_the_other(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    old, new = pair
    for _ in range(2):
        assert main(["edits", str(new), "--since", str(old), "--apply"]) == 0
    assert new.read_text(encoding="utf-8") == NEW.replace("* rate", "* percent").replace(
        "rate=3", "percent=3"
    )
    assert main(["edits", str(new), "--since", str(old), "--apply"]) == 1
    assert capsys.readouterr().err.endswith("no edit follows\n")


def test_nothing_comes_next(pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    old, _ = pair
    assert listed(capsys, old, "--since", old) == []


@pytest.mark.parametrize(
    ("encoding", "end"),
    [
        *(("utf-8", end) for end in ("\n", "\r\n", "\r")),
        *(("utf-8-sig", end) for end in ("\n", "\r\n", "\r")),
        # Python finds no encoding in a comment that ends with a CR alone.
        *(("latin-1", end) for end in ("\n", "\r\n")),
    ],
)
def test_encodings_and_line_ends_are_kept(
    tmp_path: Path, encoding: str, end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    head = "# coding: latin-1\n" if encoding == "latin-1" else ""
    text = (head + "def f(ä):\n    return 'ö', ä\n").replace("\n", end)
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_bytes(text.encode(encoding))
    new.write_bytes(text.replace("f(ä)", "f(ü)").encode(encoding))
    [edit] = listed(capsys, new, "--since", old)
    assert text.replace("f(ä)", "f(ü)")[edit["start"] : edit["end"]] == edit["old"] == "ä"
    assert main(["edits", str(new), "--since", str(old), "--apply"]) == 0
    assert new.read_bytes() == text.replace("f(ä)", "f(ü)").replace(", ä", ", ü").encode(encoding)


def test_the_other_files_of_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "__init__.py").write_text("from shop.prices import net\n")
    old, new = tmp_path / "old.py", shop / "prices.py"
    old.write_text("def net(gross):\n    return gross\n")
    new.write_text("def clear(gross):\n    return gross\n")
    (shop / "till.py").write_text("from .prices import net\n\nprint(net(1))\n")
    (shop / "desk.py").write_text(
        "import shop\nfrom shop import net, prices\n\nprint(net(1), prices.net(2))\n"
    )
    (shop / "other.py").write_text("from elsewhere import net\n\nprint(net(1))\n")
    old.replace(tmp_path / "old.txt")
    found = listed(capsys, new, "--since", tmp_path / "old.txt", "--project", tmp_path)
    texts: dict[str, str] = {}
    for edit in found:
        text = Path(edit["path"]).read_bytes().decode()
        assert text[edit["start"] : edit["end"]] == edit["old"]
        texts.setdefault(Path(edit["path"]).name, "")
    assert sorted(texts) == ["__init__.py", "desk.py", "till.py"]


def test_a_call_in_another_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "prices.py"
    old.write_text(OLD)
    new.write_text(NEW.replace("* rate", "* percent").replace("rate=3", "percent=3"))
    till = tmp_path / "till.py"
    till.write_text("import prices\n\nprices.net(1, rate=2)\n")
    [edit] = listed(capsys, new, "--since", old, "--project", tmp_path)
    assert (edit["path"], edit["old"], edit["new"]) == (str(till), "rate", "percent")


def test_a_name_of_the_project_is_imported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "prices.py").write_text("def net(gross):\n    return gross\n")
    (tmp_path / "till.py").write_text("from prices import net\n\nprint(net(1))\n")
    old, new = tmp_path / "old.txt", tmp_path / "desk.py"
    old.write_text("import os\n\nprint(os.sep)\n")
    new.write_text("import os\n\nprint(os.sep, net(2))\n")
    [edit] = listed(capsys, new, "--since", old, "--project", tmp_path)
    assert edit["new"].strip() == "from prices import net"


def test_a_secret_is_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "prices.py"
    old.write_text("def net(a):\n    return a\n")
    new.write_text("def clear(a):\n    return a\n")
    (tmp_path / ".fimignore").write_text("hidden.py\n")
    (tmp_path / "hidden.py").write_text("from prices import net\n")
    assert listed(capsys, new, "--since", old, "--project", tmp_path) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "bad.py: "),
        (b"\x00\x01", "null bytes"),
        (b"x = '\xff'\n", "not readable as source"),
        (b"#" * (MOST_CHARACTERS + 1), "too long"),
    ],
)
@pytest.mark.parametrize("is_new", [True, False])
def test_what_cannot_be_read_is_said(
    content: bytes | None, said: str, is_new: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text("x = 1\n")
    if content is not None:
        bad.write_bytes(content)
    new, old = (bad, good) if is_new else (good, bad)
    assert main(["edits", str(new), "--since", str(old), "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.startswith("fim-lsp edits: ")
    assert len(captured.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-", "--since", "-"], "only one of the two texts"),
        (["-", "--since", "a.py", "--apply"], "not standard input"),
        (["a.xyz", "--since", "a.py"], "no language is known"),
        (["a.py", "--since", "a.py", "--project", "nowhere"], "no such folder"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "a.xyz"):
        (tmp_path / name).write_text("x = 1\n")
    assert main(["edits", *arguments]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--most", "0"], ["--least-probability", "2"], []])
def test_bad_usage(arguments: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["edits", str(tmp_path / "a.py"), *arguments])
    assert ended.value.code == 2


def test_an_imported_name_and_its_uses_change_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new, till = tmp_path / "old.txt", tmp_path / "prices.py", tmp_path / "till.py"
    old.write_text("def net(gross, rate):\n    return gross * rate\n", encoding="utf-8")
    new.write_text("def clear(gross, share):\n    return gross * share\n", encoding="utf-8")
    till.write_text("from prices import net\n\nx = 1\nprint(net(2, rate=3))\n", encoding="utf-8")
    [edit] = listed(capsys, new, "--since", old, "--project", tmp_path)
    text = till.read_bytes().decode()
    assert text[edit["start"] : edit["end"]] == edit["old"]
    after = text[: edit["start"]] + edit["new"] + text[edit["end"] :]
    assert after.splitlines() == ["from prices import clear", "", "x = 1", "print(clear(2, share=3))"]


def test_what_was_done_to_another_file_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three files in which every place was changed speak for the change in a fourth; one without any change
    speaks against it."""
    line = "    log.warn('{0}')\n    work({0})\n"
    body = "def f(log):\n" + "".join(line.format(n) for n in range(2))
    old, new = tmp_path / "old.py", tmp_path / "new.py"
    old.write_text(body + "    return 1\n", encoding="utf-8")
    new.write_text(body + "    return 2\n", encoding="utf-8")
    earlier: list[object] = []
    for name in "abc":
        before, after = tmp_path / f"{name}_old.py", tmp_path / f"{name}.py"
        before.write_text(body, encoding="utf-8")
        after.write_text(body.replace("warn", "warning"), encoding="utf-8")
        earlier += ["--earlier", before, after]
    assert listed(capsys, new, "--since", old) == []
    found = listed(capsys, new, "--since", old, *earlier)
    assert {(one["old"], one["new"]) for one in found} == {("warn", "warning")}
    assert main(["edits", str(new), "--since", str(old), "--earlier", "nowhere.py", str(new)]) == 2
    assert "nowhere.py" in capsys.readouterr().err


def test_what_another_file_defines_follows_where_it_was_changed_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Uses of what was renamed in one file are next edits of another file that is still unchanged."""
    old, prices, till = tmp_path / "old.txt", tmp_path / "prices.py", tmp_path / "till.py"
    old.write_text("def net(gross):\n    return gross\n", encoding="utf-8")
    prices.write_text("def clear(gross):\n    return gross\n", encoding="utf-8")
    till.write_text("from prices import net\n\nx = 1\nprint(net(2))\n", encoding="utf-8")
    asked = till, "--since", till, "--earlier", old, prices
    assert listed(capsys, *asked) == []
    [edit] = listed(capsys, *asked, "--project", tmp_path)
    text = till.read_bytes().decode()
    after = text[: edit["start"]] + edit["new"] + text[edit["end"] :]
    assert after.splitlines() == ["from prices import clear", "", "x = 1", "print(clear(2))"]
