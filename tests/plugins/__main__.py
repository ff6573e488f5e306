"""`python -m tests.plugins`: each plugin types at 200 places, for the table of docs/plugins.md.

Plugins that are not in the folder (`tests/plugins/fetch` gets them) or cannot run here are reported. The
model is the bundled one, or the user's GGUF file. Each place's outcome is written into a file at once, and
the same command continues a stopped run; `--fresh` begins anew. The exit code is 1 if a text that the
endpoint sent does not parse.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from tests.e2e.llama import SERVER, WHY_NO_SERVER
from tests.plugins import in_neovim, in_node, in_vscode
from tests.plugins.places import LONGEST, Place, places
from tests.plugins.played import HEAD, Played, Typist, can_be_filled, play, row
from tests.plugins.rows import place_key, save_row, saved_rows
from tests.plugins.servers import ENDPOINT, servers

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "target" / "plugins"
ROWS = ROOT / "target" / "plugin-rows"
BAR_WIDTH = 30
# The prompt of each model in Lua, for the plugins that need it in their settings.
PROMPTS = {
    "bundled": "'<fim-suffix>' .. after .. '<fim-prefix>' .. before .. '<fim-middle>'",
    "qwen": "'<|fim_prefix|>' .. before .. '<|fim_suffix|>' .. after .. '<|fim_middle|>'",
}

# The plugin's folder, a folder to work in, the server's address, and the model's family.
Opener = Callable[[Path, Path, str, str], AbstractContextManager[Typist]]


def in_vim(plugin: str) -> Opener:
    return lambda source, folder, address, family: in_neovim.typist(
        plugin, source, folder, address, PROMPTS[family]
    )


PLUGINS: dict[str, Opener] = {
    **{name: in_vim(name) for name in in_neovim.SHOWN},
    "llama.vscode": lambda source, folder, address, _: in_vscode.typist(source, folder, address),
    "continue": in_node.typist,
}


def sources() -> list[str]:
    """Short files of Python's own library and of this project, which every machine has."""
    library = Path(sysconfig.get_path("stdlib"))
    paths = [*sorted(library.glob("*.py")), *sorted((ROOT / "fim_lsp").rglob("*.py"))]
    return [path.read_text(encoding="utf-8", errors="replace") for path in paths]


def version_of(source: Path) -> str:
    """The commit of a plugin, or its version."""
    git = subprocess.run(
        ["git", "-C", str(source), "log", "-1", "--format=%h of %cs"],
        capture_output=True,
        text=True,
        check=False,
    )
    if (source / ".git").exists() and git.returncode == 0:
        return git.stdout.strip()
    return str(json.loads((source / "package.json").read_text(encoding="utf-8"))["version"])


def why_not(plugin: str, folder: Path) -> str | None:
    """The reason why a plugin cannot run here, if there is one."""
    if not SERVER.exists():
        return WHY_NO_SERVER
    if not (folder / plugin).is_dir():
        return f"it is not in {folder}: tests/plugins/fetch gets it where it can be had"
    if plugin in in_neovim.SHOWN and in_neovim.NEOVIM is None:
        return "there is no Neovim"
    if plugin == "llama.vscode" and not in_vscode.READY.exists():
        return "tests/e2e/setup gets VS Code where it can be had"
    if plugin == "continue" and not in_node.ESBUILD.exists():
        return "`make setup` has what Continue is bundled with"
    return None


def played(
    plugin: str, folder: Path, wanted: Sequence[Place], gguf: Path | None, rows: Path | None = None
) -> Played:
    """A plugin's results at places: those in a file of rows, and the missing ones, which it plays and
    adds."""
    family = "bundled" if gguf is None else "qwen"
    model = family if gguf is None else gguf.name
    version = version_of(folder / plugin)
    keys = [place_key(plugin, version, model, place) for place in wanted]
    known = {} if rows is None else saved_rows(rows)
    missing = [(number, key) for number, key in enumerate(keys) if key not in known]
    if missing:
        with tempfile.TemporaryDirectory() as name, servers(Path(name), gguf) as recorder:
            scratch = Path(name)
            with PLUGINS[plugin](folder / plugin, scratch, recorder.address, family) as typist:
                for number, key in shown_progress(plugin, len(wanted), missing):
                    known[key] = play(typist, recorder, key, number, wanted[number])
                    if rows is not None:
                        save_row(rows, known[key])
    return Played([known[key] for key in keys])


def shown_progress(plugin: str, count: int, missing: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The missing places, with a progress bar on a terminal, and a line now and then elsewhere."""
    start, n_before = time.monotonic(), count - len(missing)
    for n_played, place in enumerate(missing):
        yield place
        n_done = n_before + n_played + 1
        left = (time.monotonic() - start) / (n_played + 1) * (count - n_done)
        told = f"{plugin} {n_done} of {count} places, {left / 60:.0f} minutes left"
        if sys.stderr.isatty():
            bar = "#" * (BAR_WIDTH * n_done // count)
            print(f"\r\x1b[K[{bar:{BAR_WIDTH}}] {told}", end="", file=sys.stderr, flush=True)
        elif n_done % 20 == 0 or n_done == count:
            print(told, file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.plugins", description=__doc__.split("\n")[0])
    parser.add_argument("--plugin", choices=PLUGINS, action="append", help="(default: all)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the plugins lie (%(default)s)")
    parser.add_argument("--places", type=int, default=200)
    parser.add_argument("--longest", type=int, default=LONGEST, help="of a file, in characters (%(default)s)")
    parser.add_argument("--gguf", type=Path, help="a model (default: the bundled one)")
    parser.add_argument("--seed", default="1", help="names the run")
    parser.add_argument(
        "--rows", type=Path, default=ROWS, help="a folder for all that was sent (%(default)s)"
    )
    parser.add_argument("--fresh", action="store_true", help="leaves out what is in that folder already")
    chosen = parser.parse_args(arguments)
    wanted = places(sources(), chosen.places, chosen.seed, chosen.longest)
    print(HEAD, flush=True)
    n_broken = 0
    for plugin in chosen.plugin or PLUGINS:
        if (why := why_not(plugin, chosen.folder)) is not None:
            print(f"{plugin}: {why}", file=sys.stderr)
            continue
        rows = chosen.rows / f"{plugin}.jsonl"
        if chosen.fresh:
            rows.unlink(missing_ok=True)
        found = played(plugin, chosen.folder, wanted, chosen.gguf, rows)
        # Each plugin's result is printed at once, because the whole run takes long.
        print(row(plugin, version_of(chosen.folder / plugin), found), flush=True)
        broken = [(one, text) for one, text in found.broken(ENDPOINT) if can_be_filled(one)]
        for exchange, text in broken:
            print(f"{plugin}: does not parse: {exchange.hole!r} with {text!r}", file=sys.stderr)
        for exchange in found.refused:
            print(f"{plugin}: refused: {exchange.body!r}: {exchange.content!r}", file=sys.stderr)
        n_broken += len(broken) + len(found.refused)
    return 1 if n_broken else 0


if __name__ == "__main__":
    sys.exit(main())
