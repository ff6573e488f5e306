"""A setting is declared once: other texts about it are generated from the declaration, and are up to date."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fim_lsp.cli import main
from fim_lsp.server.declaration import Declaration, DeclaredSetting, SettingsPage, declared_settings
from fim_lsp.server.settings import Settings
from release.facts import ROOT
from release.settings import ENGLISH, GERMAN, MANIFEST, NAMES, PAGE, with_settings, with_table, written

SHOWN = [setting for setting in declared_settings(Settings) if setting.declaration.in_vscode]


@pytest.mark.parametrize("name", [PAGE, MANIFEST, ENGLISH, GERMAN, NAMES])
def test_what_is_made_of_the_declarations_is_up_to_date(name: str) -> None:
    assert written(ROOT)[name] == (ROOT / name).read_text(encoding="utf-8"), "run `make settings`"


def test_the_page_has_a_row_for_each_setting(tmp_path: Path) -> None:
    for name in (PAGE, MANIFEST, ENGLISH, GERMAN):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    page = (tmp_path / PAGE).read_text(encoding="utf-8")
    row = "| `maxLines` | `20` | the most lines of an offer |\n"
    assert row in page
    (tmp_path / PAGE).write_text(page.replace(row, ""), encoding="utf-8")
    assert row in written(tmp_path)[PAGE]


def test_a_page_without_its_table_is_refused() -> None:
    with pytest.raises(ValueError, match="0 tables of settings"):
        with_table("# Settings\n", "")


def manifest() -> dict[str, Any]:
    made: dict[str, Any] = json.loads((ROOT / MANIFEST).read_text(encoding="utf-8"))
    return made


def completions(of: dict[str, Any]) -> dict[str, dict[str, Any]]:
    made: dict[str, dict[str, Any]] = of["contributes"]["configuration"][0]["properties"]
    return made


def restricted(of: dict[str, Any]) -> list[str]:
    made: list[str] = of["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    return made


def test_a_new_setting_stands_where_it_is_declared_and_is_restricted() -> None:
    new = DeclaredSetting(
        "how_blue", 3, Declaration("how blue it is", "How blue it is.", at_least=1, at_most=9)
    )
    at = next(index for index, setting in enumerate(SHOWN) if setting.name == "maxLines")
    made = with_settings(manifest(), [*SHOWN[:at], new, *SHOWN[at:]])
    names = list(completions(made))
    assert names[names.index("fim-lsp.maxLines") - 1] == "fim-lsp.howBlue"
    assert completions(made)["fim-lsp.howBlue"] == {
        "order": names.index("fim-lsp.howBlue") + 1,
        "type": "integer",
        "default": 3,
        "scope": "language-overridable",
        "markdownDescription": "%setting.howBlue%",
        "minimum": 1,
        "maximum": 9,
    }
    assert "fim-lsp.howBlue" in restricted(made)
    harmless = DeclaredSetting("how_blue", 3, Declaration("how blue it is", "How blue.", is_harmless=True))
    assert "fim-lsp.howBlue" not in restricted(with_settings(manifest(), [*SHOWN, harmless]))


def test_a_setting_that_is_no_longer_shown_goes_and_the_extension_s_own_stay_behind_their_neighbours() -> (
    None
):
    made = with_settings(manifest(), [setting for setting in SHOWN if setting.name != "maxLines"])
    assert "fim-lsp.maxLines" not in completions(made)
    assert "fim-lsp.maxLines" not in restricted(made)
    names = list(completions(made))
    assert names[names.index("fim-lsp.closePartialAccepts") - 1] == "fim-lsp.alternatives"
    assert [about["order"] for about in completions(made).values()] == list(range(1, len(names) + 1))
    assert "fim-lsp.python" in restricted(made)


def test_settings_of_the_editor_alone_are_no_settings_of_the_extension() -> None:
    unknown = {setting.name for setting in declared_settings(Settings)} - {setting.name for setting in SHOWN}
    assert unknown == {"popupCompletion"}
    assert {setting.declaration.group for setting in SHOWN} == set(SettingsPage)


def test_the_command_line_lists_all_settings(capsys: pytest.CaptureFixture[str]) -> None:
    declared = list(declared_settings(Settings))
    assert main(["settings"]) == 0
    printed = capsys.readouterr().out
    names = [line.split(" = ")[0] for line in printed.splitlines() if not line.startswith(" ")]
    assert names == [setting.name for setting in declared]
    assert ".md" not in printed
    assert main(["settings", "--json"]) == 0
    listed = {one.pop("name"): one for one in json.loads(capsys.readouterr().out)["settings"]}
    assert listed["maxLines"] == {
        "default": 20,
        "meaning": "the most lines of an offer",
        "at_least": 1,
        "at_most": 1000,
    }
    assert listed["eagerness"]["among"] == ["quiet", "balanced", "eager"]
    assert "at_least" not in listed["eagerness"]
