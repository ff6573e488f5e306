"""Files of the hub: fetched with progress, continued behind a cut, checked against their checksum."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fim_lsp import fetching
from fim_lsp.catalogue import FREE, PUBLISHED, Published
from fim_lsp.cli import main
from fim_lsp.fetching import CHECKSUM, COMMIT, FetchError, RequestedFile, fetch_file, wanted_named
from fim_lsp.system.kind import is_windows
from tests import fake_hub
from tests.fake_hub import Hub, checksum

BODY = bytes(range(256)) * 4000
FILE = RequestedFile("some/model", "model-q8_0.gguf", "main", checksum(BODY))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    found = Hub("some/model", {"model-q8_0.gguf": BODY})
    found.held.set()
    with fake_hub.serving(found) as address:
        for name in [name for name in os.environ if "proxy" in name.lower()]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("HF_ENDPOINT", address)
        monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
        yield found


def fetch(file: RequestedFile = FILE) -> tuple[Path, list[tuple[int, int]]]:
    told: list[tuple[int, int]] = []
    return fetch_file(
        file, lambda n_here, n_bytes: told.append((n_here, n_bytes)), lambda _seconds: None
    ), told


@pytest.mark.usefixtures("hub")
def test_a_file_comes_with_progress_and_lies_as_the_hubs_client_lays_it(tmp_path: Path) -> None:
    path, told = fetch()
    assert path.read_bytes() == BODY
    assert told[0] == (0, len(BODY))
    assert told[-1] == (len(BODY), len(BODY))
    assert told == sorted(told)
    folder = tmp_path / "hub" / "models--some--model"
    assert path == folder / "snapshots" / fake_hub.COMMIT / FILE.file
    # On systems without links, the file itself lies there.
    if not is_windows():
        assert path.resolve() == folder / "blobs" / checksum(BODY)
    assert (folder / "refs" / "main").read_text() == fake_hub.COMMIT
    from huggingface_hub import try_to_load_from_cache

    assert try_to_load_from_cache("some/model", FILE.file, cache_dir=tmp_path / "hub") == str(path)


def refused(*_arguments: object) -> None:
    raise PermissionError


@pytest.mark.usefixtures("hub")
@pytest.mark.parametrize("linked", [refused, lambda *_: None])
def test_where_links_lead_nowhere_the_file_itself_has_the_name(
    linked: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows refuses links to most users, and some replacements make links that nothing can follow."""
    monkeypatch.setattr(Path, "symlink_to", linked)
    path, _ = fetch()
    assert path.read_bytes() == BODY
    assert not path.is_symlink()


def test_what_is_here_is_not_fetched_again(hub: Hub) -> None:
    path, _ = fetch()
    hub.asked_from.clear()
    assert fetch() == (path, [])
    assert not hub.asked_from


def test_behind_a_cut_it_goes_on_where_it_was(hub: Hub) -> None:
    hub.cuts += [300_000, 700_000]
    path, _ = fetch()
    assert path.read_bytes() == BODY
    first, second, third = hub.asked_from
    assert first == 0
    assert 200_000 < second <= 300_000 + fake_hub.CHUNK
    assert 600_000 < third <= 700_000 + fake_hub.CHUNK


def test_a_download_that_ended_goes_on_the_next_time(hub: Hub) -> None:
    hub.cuts += [300_000, *[0] * fetching.MAX_CUTS]
    with pytest.raises(FetchError, match="Begin again: it goes on there"):
        fetch()
    hub.cuts.clear()
    hub.asked_from.clear()
    path, told = fetch()
    assert path.read_bytes() == BODY
    assert hub.asked_from == [told[0][0]]
    assert told[0][0] > 0


def test_another_file_than_the_one_that_was_looked_at_is_refused(hub: Hub) -> None:
    hub.files["model-q8_0.gguf"] = BODY + b"!"
    with pytest.raises(FetchError, match=r"another model-q8_0\.gguf than the one that was looked at"):
        fetch()


@pytest.mark.usefixtures("hub")
def test_what_comes_damaged_is_thrown_away(tmp_path: Path) -> None:
    blobs = tmp_path / "hub" / "models--some--model" / "blobs"
    blobs.mkdir(parents=True)
    (blobs / f"{checksum(BODY)}.incomplete").write_bytes(b"#" * 1000)
    with pytest.raises(FetchError, match="thrown away"):
        fetch()
    assert [path.name for path in blobs.iterdir() if path.suffix != ".lock"] == []
    assert fetch()[0].read_bytes() == BODY


@pytest.mark.usefixtures("hub")
def test_two_at_a_time_do_not_write_into_one_file(tmp_path: Path) -> None:
    blobs = tmp_path / "hub" / "models--some--model" / "blobs"
    blobs.mkdir(parents=True)
    lock = blobs / f"{checksum(BODY)}.lock"
    with fetching.hold_download(lock, FILE), pytest.raises(FetchError, match="is being fetched already"):
        fetch()
    assert fetch()[0].read_bytes() == BODY


def test_a_disk_without_room_is_said_before_anything_comes(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "ROOM", 1 << 60)
    with pytest.raises(FetchError, match="has no room: "):
        fetch()
    assert not hub.asked_from


@pytest.mark.usefixtures("hub")
def test_what_the_hub_has_not_and_a_hub_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FetchError, match=r"has no other\.gguf in some/model"):
        fetch(dataclasses.replace(FILE, file="other.gguf"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(FetchError, match=r"http://127\.0\.0\.1:9 cannot be reached: Connection refused"):
        fetch()
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(FetchError, match="HF_HUB_OFFLINE turns downloads off"):
        fetch()


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("owner/repository/file.gguf", True),
        ("owner/repository/folder/file.GGUF", True),
        ("owner/file.gguf", False),
        ("owner/repository/file.bin", False),
        ("owner/../file.gguf", False),
        ("/etc/passwd/a.gguf", False),
        ("http://owner/repository/file.gguf", False),
    ],
)
def test_which_names_are_files_of_the_hub(name: str, is_one: bool) -> None:
    assert (wanted_named(name) is not None) == is_one


def test_the_list_is_whole() -> None:
    assert len({model.name for model in PUBLISHED}) == len(PUBLISHED)
    for model in PUBLISHED:
        assert CHECKSUM.fullmatch(model.sha256)
        assert model.revision == "main" or COMMIT.fullmatch(model.revision)
        assert model.name == model.name.lower()
        assert wanted_named(f"{model.repository}/{model.file}") is not None
        # The size is between three and sixteen bits per parameter.
        assert 0.4 < model.n_bytes / model.n_parameters < 2
    sizes = [model.n_parameters for model in PUBLISHED if model.licence in FREE]
    assert min(sizes) < 500_000_000 < sizes[len(sizes) // 2] < 5_000_000_000 < max(sizes)


def test_docs_say_where_each_was_looked_up() -> None:
    page = Path(__file__).parents[2].joinpath("docs/models.md").read_text(encoding="utf-8")
    for model in PUBLISHED:
        row = next(line for line in page.splitlines() if line.startswith(f"| `{model.name}` |"))
        assert model.licence.partition(",")[0] in row
        assert model.repository in row


def own_list(tmp_path: Path, **other: object) -> str:
    described = dataclasses.asdict(
        Published(
            "mine",
            "Mine",
            "some/model",
            FILE.file,
            "main",
            len(BODY),
            checksum(BODY),
            "MIT",
            10**6,
            512,
            "qwen",
        )
    )
    (tmp_path / "list.json").write_text(json.dumps([described | other]))
    return str(tmp_path / "list.json")


@pytest.mark.usefixtures("hub")
def test_a_list_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FIM_LSP_MODELS", own_list(tmp_path))
    assert main(["models", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [model["name"] for model in answer["published"]] == ["mine"]
    assert answer["offered"] == {"path": None, "name": "mine"}
    assert main(["models", "--download", "mine", "--json"]) == 0
    *progress, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert progress[-1]["percent"] == 100
    assert Path(last["path"]).read_bytes() == BODY
    assert main(["models", "--download", "other"]) == 2
    assert "no model is called other. There are mine;" in capsys.readouterr().err
    for wrong, said in (
        ({"n_bytes": "many"}, "n_bytes is 'many'"),
        ({"colour": 1}, "nothing is called colour"),
    ):
        monkeypatch.setenv("FIM_LSP_MODELS", own_list(tmp_path, **wrong))
        assert main(["models"]) == 2
        assert said in capsys.readouterr().err
    monkeypatch.setenv("FIM_LSP_MODELS", str(tmp_path / "nowhere"))
    assert main(["models", "--download", "mine"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_an_editors_cancel_ends_it_and_it_goes_on_the_next_time(hub: Hub, tmp_path: Path) -> None:
    hub.held.clear()
    environment = os.environ | {"FIM_LSP_MODELS": own_list(tmp_path)}
    command = [sys.executable, "-m", "fim_lsp", "models", "--download", "mine", "--json"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as first:
        assert first.stdout is not None
        while json.loads(first.stdout.readline())["percent"] == 0:
            pass
        first.terminate()
        first.communicate(timeout=60)
    assert first.returncode != 0
    hub.held.set()
    second = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert Path(json.loads(second.stdout.splitlines()[-1])["path"]).read_bytes() == BODY
    assert hub.asked_from[0] == 0
    assert hub.asked_from[1] > 0
