"""The command line as a whole: it answers at once, lists its commands, and fails as documented."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from fim_lsp.cli import COMMANDS, main
from fim_lsp.system.programs import executable
from fim_lsp.terminal import duration
from quotient import available_languages
from tests.house.own_files import INSTALLED

FIM_LSP = Path(sysconfig.get_path("scripts"), executable("fim-lsp"))
# The modules that would slow down the start if they were imported.
HEAVY = ("pygls", "lsprotocol", "lark", "quotient", "numpy", "torch", "transformers", "asyncio")


def fim_lsp(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(FIM_LSP), *arguments]
    return subprocess.run(command, cwd=INSTALLED, capture_output=True, text=True, check=False)


def test_help_takes_less_than_300_ms() -> None:
    """The time is the processor's, the least of several runs, so other programs do not matter."""
    resource = pytest.importorskip("resource", reason="Windows does not count what children have used")

    def seconds() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert fim_lsp("--help").returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return float(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    assert any(seconds() < 0.3 for _ in range(7))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_nothing_heavy_is_imported_at_start(arguments: list[str]) -> None:
    script = f"""
import json, sys
from fim_lsp.cli import main
try:
    main({arguments!r})
except SystemExit:
    pass
print(json.dumps(sorted(set(sys.modules) & {set(HEAVY)!r})), file=sys.stderr)
"""
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert json.loads(answer.stderr) == []


def test_importing_the_package_imports_nothing_else() -> None:
    script = f"import sys, fim_lsp; print(set(sys.modules) & {set(HEAVY)!r})"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert answer.stdout == "set()\n"


def test_help_names_every_command() -> None:
    lines = fim_lsp("--help").stdout.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("    ")] == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: fim-lsp {command}")


def test_without_a_command_the_help_is_shown_and_the_code_is_2() -> None:
    answer = fim_lsp()
    assert answer.returncode == 2
    assert answer.stdout.startswith("usage: fim-lsp")


def test_version() -> None:
    assert fim_lsp("--version").stdout.split()[0] == "fim-lsp"


def test_the_module_is_the_same_command_line() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "fim_lsp", "--help"], capture_output=True, text=True, check=True
    )
    assert answer.stdout == fim_lsp("--help").stdout


def test_modules_of_the_folder_it_runs_in_are_not_taken_for_ours(tmp_path: Path) -> None:
    for name in ("argparse", "lsprotocol", "quotient"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
    (tmp_path / "a.py").write_text("print(1)\n")
    answer = subprocess.run(
        [sys.executable, "-m", "fim_lsp", "check", "a.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr


def test_a_reader_that_leaves_early_gets_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("print(1)\n")
    running = subprocess.Popen(
        # The output on 1,000 files is larger than a pipe's buffer.
        [FIM_LSP, "check", "--json", *["a.py"] * 1_000],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    with running.stderr as stderr:
        complaints = stderr.read()
    assert "Traceback" not in complaints
    assert "Exception" not in complaints
    running.wait()


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("check {file} >&-", 0, "1 checked, 0 with a fault\n"),
        ("check {file} >&- 2>&-", 0, ""),
        ("check - <&-", 0, "1 checked, 0 with a fault\n"),
        ("complete --model none {file}:1:1 >&-", 0, ""),
        ("models >/dev/full", 2, "fim-lsp models: output: No space left on device\n"),
        ("check {file}:1:1 >/dev/full", 2, "fim-lsp check: output: No space left on device\n"),
        (
            "serve --log-file {folder}/no/log",
            2,
            "fim-lsp serve: {folder}/no/log: No such file or directory\n",
        ),
        ("fit {folder}:1:1 <&-", 2, "fim-lsp fit: {folder} is a folder, not a file\n"),
        ("edits {folder} --since {file}", 2, "fim-lsp edits: {folder} is a folder, not a file\n"),
        ("serve --tcp 4000", 2, "unrecognized arguments: --tcp 4000\n"),
        ("serve >&-", 2, "fim-lsp serve: stdout is closed, but the server answers there\n"),
        pytest.param(
            *(
                "replay stack-randspan --modes truth --limit 1 --cases {folder}",
                2,
                "{folder}: Is a directory\n",
            ),
            marks=pytest.mark.long,
        ),
        ("replay stack-randspan --modes truth --limit 1 --out {file}", 2, "{file} is a file; a run is kept"),
    ],
)
def test_what_the_system_refuses_is_said_in_a_line(line: str, code: int, said: str, tmp_path: Path) -> None:
    names = {"folder": str(tmp_path), "file": str(tmp_path / "a.py")}
    (tmp_path / "a.py").write_text("x = 1\n")
    if "/dev/full" in line and not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    answer = subprocess.run(
        f"'{FIM_LSP}' {line.format(**names)}", shell=True, capture_output=True, text=True, check=False
    )
    assert answer.returncode == code, answer.stderr
    if said:
        assert said.format(**names) in answer.stderr
    assert "Traceback" not in answer.stderr
    assert "Exception" not in answer.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]


@pytest.mark.parametrize("where", ["add_arguments", "run"])
def test_ctrl_c_ends_a_command_quietly_while_it_loads_and_while_it_runs(
    where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"fim_lsp.commands.models.{where}", interrupted)
    assert main(["models"]) == 130
    assert capsys.readouterr().err == "\n"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "0 ns"),
        (8.12e-7, "812 ns"),
        (4.2e-6, "4.2 us"),
        (0.0131, "13.1 ms"),
        (2.0, "2 s"),
        (75.0, "75 s"),
    ],
)
def test_times_are_said_to_three_digits(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("words", "guess"),
    [
        (["chek", "a.py"], "there is no command 'chek'; did you mean check?"),
        (["fim_lsp"], "did you mean fim-lsp check fim_lsp?"),
        (["check", "--jsno", "a.py"], "unrecognized arguments: --jsno; did you mean --json?"),
        (["complete", "--scope", "statment", "a.py:1:1"], "; did you mean statement?"),
        (["check", "--language", "pyhton", "a.py"], "; did you mean python?"),
        (["xyzzy"], "there is no command 'xyzzy'\n"),
    ],
)
def test_a_word_that_is_none_is_guessed(words: list[str], guess: str) -> None:
    answer = fim_lsp(*words)
    assert answer.returncode == 2
    assert guess in answer.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["check", "fim_lsp/cli.py"],
        ["complete", "--model", "none", "fim_lsp/cli.py:1:1"],
        ["languages"],
        ["models"],
        ["doctor"],
        ["bench", "--runs", "1", "fim_lsp/__main__.py"],
    ],
)
def test_whatever_prints_json_prints_one_object(words: list[str]) -> None:
    answer = fim_lsp(*words, "--json")
    assert isinstance(json.loads(answer.stdout), dict), answer.stderr


def test_languages_are_those_that_there_are_grammars_for() -> None:
    listed = json.loads(fim_lsp("languages", "--json").stdout)["languages"]
    known = available_languages()
    assert {language["name"]: language["versions"] for language in listed} == {
        name: versions for name, versions in known.items() if name != "calculator"
    }
    lines = fim_lsp("languages").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [language["name"] for language in listed]
    # The table has columns: all titles begin at the same one.
    places = zip(lines, listed, strict=True)
    assert len({line.index(f"  {language['title']}") for line, language in places}) == 1
