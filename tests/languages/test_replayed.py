"""Replays of Go, Java and JSON from any folder, with the language's own parser as the judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fim_lsp.cli import main
from fim_lsp.replay import judges
from tests.laws import javascript, jsx, tsx, typescript
from tests.laws.domains import GO_PROGRAMS, JAVA_PROGRAMS, JSON_PROGRAMS, TOML_PROGRAMS
from tests.thoroughness import n_tries

PROGRAMS = {
    "go": GO_PROGRAMS,
    "java": JAVA_PROGRAMS,
    "json": JSON_PROGRAMS,
    "toml": TOML_PROGRAMS,
    "javascript": javascript.PROGRAMS,
    "javascriptreact": jsx.PROGRAMS,
    "typescript": typescript.PROGRAMS,
    "typescriptreact": tsx.PROGRAMS,
}
ENDS = {
    "go": ".go",
    "java": ".java",
    "json": ".json",
    "toml": ".toml",
    "javascript": ".js",
    "javascriptreact": ".jsx",
    "typescript": ".ts",
    "typescriptreact": ".tsx",
}


def corpus(language: str, folder: Path) -> Path:
    try:
        judges.check(language)
    except judges.NoJudge as why:
        pytest.skip(str(why))
    folder.mkdir()
    for number, text in enumerate(PROGRAMS[language]):
        (folder / f"{number}{ENDS[language]}").write_text(text)
    (folder / f"broken{ENDS[language]}").write_text("(]")
    return folder


@pytest.mark.parametrize("rule", [pytest.param("stack-boundary", marks=pytest.mark.long), "stack-randspan"])
@pytest.mark.parametrize("language", PROGRAMS)
def test_true_middles_are_accepted(
    language: str, rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = corpus(language, tmp_path / "corpus")
    out = tmp_path / "out"
    command = ["replay", rule, "--language", language, "--data", str(folder), "--modes", "truth"]
    assert main([*command, "--cuts", str(n_tries(2, 4)), "--out", str(out)]) == 0
    capsys.readouterr()
    assert f"judged by {judges.NAMES[language]}" in (out / "report.md").read_text()
    rows = [json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines()]
    cases = [row for row in rows if "modes" in row]
    assert len(cases) > len(PROGRAMS[language])
    assert all(row["modes"]["truth"]["parses"] for row in cases)
    assert not any(row["modes"]["truth"]["error"] for row in cases)


def test_what_the_server_offers_is_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, out = corpus("go", tmp_path / "corpus"), tmp_path / "out"
    command = ["replay", "stack-randspan", "--language", "go", "--data", str(folder), "--through-lsp"]
    assert main([*command, "--model", "none", "--cuts", "3", "--limit", "30", "--out", str(out)]) == 0
    capsys.readouterr()
    rows = [json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines()]
    served = [row["modes"]["served"] for row in rows if "modes" in row]
    assert len(served) == 30
    assert not any(outcome["error"] for outcome in served)
    # The offer closes the open brackets, and the file then parses.
    offered = [outcome for outcome in served if outcome["text"]]
    assert offered
    assert all(outcome["parses"] for outcome in offered)


def test_what_a_replay_of_another_language_needs_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    go = ["replay", "stack-randspan", "--language", "go", "--out", str(tmp_path / "out")]
    assert main([*go, "--modes", "truth"]) == 2
    assert "--data names a folder" in capsys.readouterr().err
    toml = ["replay", "stack-randspan", "--language", "toml", "--out", str(tmp_path / "out")]
    assert main([*toml, "--data", str(corpus("toml", tmp_path / "settings"))]) == 2
    assert "the bundled model does not write TOML" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert main([*go, "--modes", "truth", "--data", str(tmp_path / "empty")]) == 2
    assert "there are no Go files in" in capsys.readouterr().err


def test_a_missing_toolchain_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judges, "process", judges.process.__wrapped__)
    monkeypatch.setattr(judges, "GO_PLACES", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    go = ["replay", "stack-randspan", "--language", "go", "--data", str(tmp_path), "--modes", "truth"]
    assert main([*go, "--out", str(tmp_path / "out")]) == 2
    assert "the judge of Go is go/parser, and there is no Go" in capsys.readouterr().err
