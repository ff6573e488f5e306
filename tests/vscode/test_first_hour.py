"""Offers that every tool of this kind makes in a first hour, in the editor with the bundled model: idioms,
which are data, come before the model."""

from __future__ import annotations

import pytest

from fim_lsp.server.status import SENTENCES
from tests.e2e.record import until
from tests.e2e.workbench import Workbench

# The first one also waits for VS Code to start and for the model to be loaded.
pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]

CLASS = "class Store:\n    def __init__(self, orders):\n        "


@pytest.mark.parametrize(
    ("name", "marked", "offered"),
    [
        ("attribute.py", f"{CLASS}self.orders = $0\n", "orders"),
        ("blank.py", f"{CLASS}self.orders =$0\n", " orders"),
        ("main.py", "def main():\n    pass\n\n\nif __name__ ==$0\n    main()\n", ' "__main__":'),
        ("plot.py", "import matplotlib.pyplot as $0\n\nplt.show()\n", "plt"),
    ],
)
def test_what_everybody_writes_there_is_offered(
    vscode: Workbench, name: str, marked: str, offered: str
) -> None:
    editor = vscode.open(name, marked)
    editor.ask()
    assert editor.wait_for_ghost() == offered
    vscode.photograph(f"first-hour-{editor.path.stem}")
    before, after = marked.split("$0")
    editor.accept(before, offered, after)


def test_a_parameter_that_was_just_renamed_is_offered_by_its_new_name(vscode: Workbench) -> None:
    body = (
        "    result = 0\n    for price in prices:\n        result += price\n    return result / len(prices)\n"
    )
    editor = vscode.open("renamed.py", f"def total(prices$0):\n{body}")
    for _ in "prices":
        vscode.keys("Backspace")
    editor.type("costs")
    editor.go_to(3, len("    for price in prices") + 1)
    for _ in "prices":
        vscode.keys("Backspace")
    editor.ask()
    assert editor.wait_for_ghost() == "costs"
    editor.accept(
        "def total(costs):\n    result = 0\n    for price in ", "costs", body.partition("prices")[2]
    )


def test_a_switch_of_models_leaves_no_sentence_about_the_one_before(scripted: Workbench) -> None:
    """The scripted model writes nothing at a place that it does not know."""
    editor = scripted.open("silent.py", "x = 1\ny = $0\n")
    editor.ask()
    said = SENTENCES["model silent"]
    scripted.wait_for_status(said)
    scripted.configure()
    until(lambda: "bundled" in scripted.record.models()[-1:], "the bundled model")
    until(lambda: said not in scripted.status() or None, "the reason to go with its model")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nope", "nope is neither a folder nor a name such as"),
        ("a_program.py", "is not a model file: those end with .gguf"),
        ("empty", "is not a model: it has no config.json; `fim-lsp models` lists what there is"),
        ("http://127.0.0.1:9", "no server listens there; is it started?"),
    ],
)
def test_a_model_that_is_none_is_told_of_by_its_cause(configured: Workbench, name: str, said: str) -> None:
    folder = configured.folder.parent / "models"
    (folder / "empty").mkdir(parents=True, exist_ok=True)
    (folder / "a_program.py").touch()
    model = str(folder / name) if (folder / name).exists() else name
    configured.open("told.py", "x = 1\ny = $0\n")
    configured.configure(model=model)
    configured.wait_for_status(said)
    configured.configure()
    until(lambda: "bundled" in configured.record.models()[-1:], "the bundled model")
