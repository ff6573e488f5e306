"""Continue's autocomplete in Node: the package that its authors publish, without its editor.

`continue.mjs` calls it as an editor does. Compiled parts that are not in the npm packages are left out: the
database of its cache, and the embedding of a project.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.plugins.servers import TOKEN

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ESBUILD = ROOT / "vscode-client" / "node_modules" / ".bin" / "esbuild"
DRIVER, PARSER = "driver.cjs", "tree-sitter.wasm"
LEFT_OUT = ("*.node", "vectordb", "onnxruntime-node", "@lancedb/*", "sharp", "@xenova/transformers", "canvas")
# The models' prompts, as users write them into `autocompleteOptions.template`.
TEMPLATES = {
    "bundled": "<fim-suffix>{{{suffix}}}<fim-prefix>{{{prefix}}}<fim-middle>",
    "qwen": "<|fim_prefix|>{{{prefix}}}<|fim_suffix|>{{{suffix}}}<|fim_middle|>",
}


@dataclass(slots=True)
class Typist:
    """A process with Continue in it. It returns texts, and the typist accepts them."""

    process: subprocess.Popen[str]
    folder: Path
    place: dict[str, str]
    shown: str | None = None
    asks_later: bool = False

    def open(self, name: str, left: str, right: str) -> None:
        self.place = {"path": str(self.folder / name), "left": left, "keys": "", "right": right}

    def type(self, keys: str) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.place["keys"] = keys
        self.process.stdin.write(json.dumps(self.place) + "\n")
        self.process.stdin.flush()
        while not (line := self.process.stdout.readline()).startswith('{"text"'):
            assert line, "Continue has ended"
        self.shown = json.loads(line)["text"]

    def text(self) -> str:
        return self.place["left"] + self.place["keys"] + self.place["right"]

    def accepted(self) -> str | None:
        if not self.shown:
            return None
        return self.place["left"] + self.place["keys"] + self.shown + self.place["right"]


def build(source: Path) -> None:
    """Bundles the caller and its dependencies into one file."""
    stand_in = HERE / "no_database.mjs"
    command = [str(ESBUILD), str(HERE / "continue.mjs"), "--bundle", "--platform=node", "--format=cjs"]
    command += [f"--outfile={source / DRIVER}", "--log-level=error"]
    command += [f"--alias:{name}={stand_in}" for name in ("sqlite", "sqlite3")]
    command += [f"--external:{name}" for name in LEFT_OUT]
    environment = {"NODE_PATH": str(source / "node_modules"), "PATH": "/usr/bin:/bin"}
    subprocess.run(command, check=True, env=environment, cwd=ROOT)
    shutil.copy(source / "node_modules" / "web-tree-sitter" / PARSER, source / PARSER)


@contextmanager
def typist(source: Path, folder: Path, address: str, family: str) -> Iterator[Typist]:
    """Continue, with an address."""
    build(source)
    command = ["node", str(source / DRIVER), address, TOKEN, TEMPLATES[family], str(folder)]
    with (folder / "continue.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=source, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        )
    try:
        yield Typist(process, folder, {})
    finally:
        # The process ends at the end of its input.
        process.communicate(timeout=30)
