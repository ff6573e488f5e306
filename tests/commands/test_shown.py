"""Offers and printed lines are visible, and each failure of the command line has its exit code."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fim_lsp import cli
from fim_lsp.bounded_files import bounded_bytes
from fim_lsp.cli import main
from fim_lsp.commands import check as checking
from fim_lsp.decoding.models.model import load_model
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.presentable import UNSEEN, UNSEEN_BYTES, is_presentable, is_saying, presentable_text
from fim_lsp.replay.plan import name_of_model, runs
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.wording import offered_text
from fim_lsp.sources import Unreadable, read_source
from fim_lsp.system.user_cache import user_cache
from fim_lsp.terminal import EscapedStream, Palette
from tests.footings import footing_between

WISHES = Wishes(1, 64, 20, True, "", False, None)
ESCAPE = "\x1b[2J\x1b]0;owned\x07"
# Characters that reverse the direction, that terminals obey, and that have no width.
HIDDEN = [
    *map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))),
    *"\x00\x07\x08\x0c\x1b\x7f\x9b\u200b\ufeff",
]
SEEN = ["\t", "\n", "\r\n", " ", "é", "שלום", "中", "👩\u200d💻", "می\u200cخواهم", "\u00a0"]

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")


# --- what is offered -------------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", HIDDEN, ids=ascii)
def test_nothing_is_offered_that_cannot_be_seen(hidden: str) -> None:
    """Such a text may come from a model, a server, memory or a checker."""
    assert not is_presentable(f"'a{hidden}b'")
    assert UNSEEN_BYTES.search(f"'a{hidden}b'".encode())
    left = "x = "
    around = footing_between(left, "\n")
    assert offered_text(f"'user{hidden}'", around, WISHES) is None
    assert offered_text("'user'", around, WISHES) == "'user'"
    # Whole lines in front of it may be right.
    assert offered_text(f"1\ny = 'user{hidden}'", around, WISHES) == "1"


@pytest.mark.parametrize("seen", SEEN, ids=ascii)
def test_what_can_be_seen_is_offered(seen: str) -> None:
    assert is_presentable(f"'a{seen}b'")
    assert not UNSEEN_BYTES.search(f"'a{seen}b'".encode())


def test_what_a_file_has_already_stays_and_is_no_reason_to_offer_it_again() -> None:
    left = "a = 'user\u202e'\nb = "
    around = footing_between(left, "\n")
    assert offered_text("'user\u202e'", around, WISHES) is None
    assert offered_text("a", around, WISHES) == "a"


def test_bytes_and_characters_say_the_same() -> None:
    for number in (*range(0x3000), *range(0xFE00, 0x10000), *range(0xE0000, 0xE0100)):
        if not 0xD800 <= number < 0xE000:
            sign = chr(number)
            assert bool(UNSEEN.search(sign)) == bool(UNSEEN_BYTES.search(sign.encode())), hex(number)


def test_a_model_may_not_write_a_token_that_cannot_be_seen() -> None:
    model = load_model()
    hidden = [token for token, text in enumerate(model.token_bytes) if UNSEEN_BYTES.search(text)]
    assert hidden == []
    # The model still reads such characters.
    assert model.encode("\x0c\x1b\u202e")


@pytest.mark.parametrize(
    ("text", "around", "is_one"),
    [
        ("def elements[rows]" + " " * 56 + "(): pass", "", False),
        ("a = 1" + " " * 20 + "# one", "x = 2" + " " * 30 + "# two\n", True),
        ("a = 1" + " " * 20 + "# one", "x = 2  # two\n", False),
        ("if a:\n" + " " * 40 + "b", "", True),
        ("a        = 1", "", True),
    ],
)
def test_runs_of_blanks_are_bounded_by_what_the_file_has(text: str, around: str, is_one: bool) -> None:
    assert is_presentable(text, around) == is_one


@pytest.mark.parametrize(
    ("text", "is_one"), [("   \\\n", False), ("\\", False), ("\n", False), ("\\ a", True)]
)
def test_blanks_and_a_backslash_say_nothing(text: str, is_one: bool) -> None:
    assert is_saying(text) == is_one


@pytest.mark.parametrize("written", ["      \\", "  \n \\\n", "'a\u202eb'", "x" + " " * 40 + "= 1"])
def test_the_command_line_offers_nothing_that_says_nothing(
    written: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    completion = Completion(written, "eos", 1, 0, -0.1, 0.0)
    monkeypatch.setattr(DecodingSession, "complete", lambda *_arguments, **_more: [completion])
    path = tmp_path / "empty.py"
    path.write_text("")
    assert main(["complete", "--json", "--no-names", f"{path}:1:1"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["completions"] == []
    assert "cannot be seen" in answer["refused"][-1]


# --- what is printed -------------------------------------------------------------------------------------


def test_a_terminal_obeys_only_us() -> None:
    stream = io.StringIO()
    palette = Palette(True)
    print(palette.bad("no"), ESCAPE, "\r\x1b[K", "a\rb\u202e", sep="|", file=EscapedStream(stream))
    assert stream.getvalue() == ("\x1b[31mno\x1b[0m|\\x1b[2J\\x1b]0;owned\\x07|\r\x1b[K|a\\rb\\u202e\n")
    assert presentable_text(ESCAPE) == "\\x1b[2J\\x1b]0;owned\\x07"


@POSIX
def test_names_of_files_and_lines_of_sources_are_printed_as_escapes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = tmp_path / f"a{ESCAPE.replace('/', '')}\u202e.py"
    name.write_text(f"x = '{ESCAPE}'\ny = (\n")
    assert main(["check", str(name)]) == 1
    assert main(["check", str(tmp_path / f"none{ESCAPE}.py")]) == 2
    assert main(["complete", "--model", "none", f"{name}:2:6"]) == 0
    said = capsys.readouterr()
    assert not {"\x1b", "\x07", "\u202e"} & set(said.out + said.err)
    assert "\\x1b[2J" in said.out


# --- exit codes ------------------------------------------------------------------------------------------


def test_a_server_that_fails_while_it_answers_is_code_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from fim_lsp.runtimes.runtime import Unavailable

    def fail(*_arguments: object, **_more: object) -> None:
        raise Unavailable("http://127.0.0.1:1 broke off its answer")

    monkeypatch.setattr(DecodingSession, "complete", fail)
    path = tmp_path / "a.py"
    path.write_text("x = \n")
    assert main(["complete", f"{path}:1:5"]) == 2
    said = capsys.readouterr().err
    assert said == "fim-lsp complete: http://127.0.0.1:1 broke off its answer\n"


@pytest.mark.parametrize("error", [MemoryError(), RecursionError(), RuntimeError("odd"), OSError("full")])
def test_whatever_fails_is_code_2(
    error: Exception, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_arguments: object) -> int:
        raise error

    monkeypatch.setattr(checking, "run", fail)
    assert main(["check", "a.py"]) == 2
    assert "fim-lsp check: " in capsys.readouterr().err
    assert cli.COMMANDS


@POSIX
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_a_link_to_a_device_is_no_source(
    device: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "a.py"
    link.symlink_to(device)
    assert main(["check", str(link)]) == 2
    assert "a device is no source" in capsys.readouterr().err
    with pytest.raises(Unreadable):
        read_source(str(link))


@pytest.mark.skipif(not Path("/proc/kmsg").exists(), reason="this system has no /proc/kmsg")
def test_a_file_that_waits_for_the_kernel_is_not_waited_for(tmp_path: Path) -> None:
    link = tmp_path / "a.py"
    link.symlink_to("/proc/kmsg")
    assert bounded_bytes(link) in (b"", None)
    assert read_source(str(link)).text == ""


# --- causes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--model", "nope"], "nope is neither a folder nor a name such as"),
        (["--model", "a.py"], "a.py is not a model file"),
        (["--model", "./nope"], "./nope is neither a folder"),
    ],
)
def test_what_is_no_model_is_said_to_be_none_and_not_to_need_anything(
    options: list[str],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text("def area(width, height):\n    return width * height\n" * 4)
    assert main(["complete", *options, "a.py:1:5"]) == 2
    assert said in capsys.readouterr().err
    assert main(["replay", "stack-randspan", "--limit", "1", "--data", ".", *options]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "torch" not in told


def test_a_folder_is_no_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", f"{tmp_path}:1:1"]) == 2
    assert "is a folder; name a place in one of its files" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "said"), [("--budget", "-1"), ("--budget", "0"), ("--max-tokens", "-5")])
def test_a_number_that_makes_no_sense_is_named(
    option: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = \n")
    assert main(["complete", option, said, f"{path}:1:5"]) == 2
    assert f"{option} must be" in (told := capsys.readouterr().err)
    assert f"not {said}" in told


def test_the_doctor_does_not_say_that_the_bundled_model_is_another(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["doctor"])
    assert "bundled: fills in the middle, in the format " in capsys.readouterr().out


def test_replays_go_to_the_cache_unless_they_are_told_where(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FIM_LSP_CACHE", str(tmp_path))
    assert runs() == tmp_path / "replays"


def test_a_file_of_weights_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(b"one")
    one = name_of_model(str(path))
    path.write_bytes(b"other")
    assert one.startswith(f"{path} (")
    assert name_of_model(str(path)) != one
    assert name_of_model("http://127.0.0.1:8080") == "http://127.0.0.1:8080"


def test_the_page_names_a_function_where_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text("utf-8")
    assert "`fim_lsp.decoding.models.model.load_model`" in page


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="other systems have other variables")
@pytest.mark.parametrize("named", ["", "cache", "./cache", "~"])
def test_a_cache_folder_that_is_relative_is_none(named: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FIM_LSP_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", named)
    assert user_cache() == Path.home() / ".cache" / "fim-lsp"
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert user_cache() == Path("/elsewhere/fim-lsp")


def test_a_sign_that_the_stream_has_not_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "area.py").write_text("def area(width, height):\n    return \n")
    command = [sys.executable, "-m", "fim_lsp", "complete", "area.py:2:12"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONPATH": str(Path(__file__).parents[2])}
    printed = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True).stdout
    assert b"return <<" in printed
