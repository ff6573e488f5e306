"""The project's memory: look-ups against brute force, the effect of edits, and texts that are never
remembered."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from fim_lsp.context.secrets import is_secret
from fim_lsp.memory.index import LONGEST, Index
from fim_lsp.memory.pieces import TokenizedPieces
from fim_lsp.memory.project import ProjectMemory
from fim_lsp.memory.weights import Weights, bucket, shipped_weights
from fim_lsp.memory.workspace import Scan, Workspace
from fim_lsp.server.worker.folder_reading import admission_in
from fim_lsp.server.worker.messages import Folders

VOCABULARY = 256


def encode(text: str) -> list[int]:
    """One token per byte."""
    return list(text.encode())


def texts_of(*texts: str) -> list[np.ndarray[tuple[int], np.dtype[np.int32]]]:
    return [np.array(encode(text), np.int32) for text in texts]


def brute_force(texts: list[list[int]], context: list[int]) -> tuple[int, Counter[int]]:
    """The length of the longest end of the context that occurs in a text with a token behind it, and those
    tokens."""
    for length in range(min(len(context), LONGEST), 0, -1):
        end = context[-length:]
        found = Counter(
            text[place]
            for text in texts
            for place in range(length, len(text))
            if text[place - length : place] == end
        )
        if found:
            return length, found
    return 0, Counter()


@pytest.mark.parametrize("n_vocabulary", [3, 200, 50_000, 151_936])
def test_look_ups_agree_with_brute_force(n_vocabulary: int) -> None:
    random = Random(n_vocabulary)
    few = min(n_vocabulary, 4)
    highest = n_vocabulary - 1
    for _ in range(60):
        texts = [
            [random.choice([*range(few), highest]) for _ in range(random.randint(0, 40))] for _ in range(4)
        ]
        index = Index.of([np.array(text, np.int32) for text in texts], n_vocabulary)
        for _ in range(20):
            context = [random.choice([*range(few), highest]) for _ in range(random.randint(0, 30))]
            length, following = brute_force(texts, context)
            matches = index.matches(context)
            if matches is None:
                assert length == 0
                continue
            assert matches.length == length
            assert Counter(index.following(matches.places).tolist()) == following


def test_a_match_does_not_reach_into_another_text() -> None:
    index = Index.of(texts_of("abc", "def"), VOCABULARY)
    matches = index.matches(encode("abcde"))
    assert matches is not None
    assert matches.length == 2
    assert index.following(matches.places).tolist() == encode("f")


def test_what_goes_on_is_followed_as_far_as_most_agree() -> None:
    index = Index.of(texts_of("abcdeX", "abcdfY", "abcdf", "abq"), VOCABULARY)
    matches = index.matches(encode("a"))
    assert matches is not None
    assert bytes(index.going_on(matches.places, 9)) == b"bcdf", "behind it there is a text's end"
    assert bytes(index.going_on(matches.places, 2)) == b"bc"
    assert index.going_on(matches.places[:0], 9) == []


def remembering(*files: tuple[str, str]) -> ProjectMemory:
    project = ProjectMemory(encode, VOCABULARY, Weights())
    project.workspace = Workspace.of_texts(files, encode, VOCABULARY)
    return project


def likeliest(project: ProjectMemory, left: str, right: str = "", uri: str = "file:///a.py") -> str:
    """The text that memory alone would write at a place, up to the end of the line."""
    recall = project.recall(uri, left, right, 0)
    written: list[int] = []
    while len(written) < 40:
        row = recall.mixed_row(np.zeros(VOCABULARY, np.float32), written)
        token = int(row.argmax())
        if row[token] == row.min() or token == ord("\n"):
            break
        written.append(token)
    return bytes(written).decode()


def test_what_followed_here_before_follows_again() -> None:
    text = "first = Reader(path, mode)\n"
    assert likeliest(remembering(), text + "second = Reader(", "\n") == "path, mode)"
    # The earlier text may stand below the place, or in another file.
    assert likeliest(remembering(), "second = Reader(", "\n" + text) == "path, mode)"
    assert likeliest(remembering(("file:///b.py", text)), "second = Reader(", "\n") == "path, mode)"


def test_the_line_at_the_cursor_is_not_remembered() -> None:
    assert likeliest(remembering(), "abcdefgh abcd", " abcdxyz\n") == ""


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_make_no_difference(line_end: str) -> None:
    """A line with one kind of line end is found in a document with another kind."""
    text = "table.configure(depth=3)\ntable.freeze()\n"
    found = []
    for remembered, typed in (
        (text, text),
        (text.replace("\n", line_end), text),
        (text, text.replace("\n", line_end)),
    ):
        project = ProjectMemory(encode, VOCABULARY, shipped_weights())
        project.workspace = Workspace.of_texts([("file:///a.py", remembered)], encode, VOCABULARY)
        begun = typed[: typed.index("table.freeze")]
        project.prepare("file:///b.py", begun)
        recall = project.recall("file:///b.py", begun, "", 0)
        found.append([(one.source, one.length, one.shares) for one in recall.recalled_tokens([])])
    assert found[0]
    assert found[0] == found[1] == found[2]


def test_an_edit_in_another_line_is_followed_at_once() -> None:
    project = remembering()
    assert likeliest(project, "value = 1\nval", "\n") == "ue = 1"
    assert likeliest(project, "valid = 2\nval", "\n") == "id = 2"


def test_a_document_that_was_prepared_need_not_be_read_at_its_first_key() -> None:
    read: list[str] = []

    def noted(text: str) -> list[int]:
        read.append(text)
        return encode(text)

    project = ProjectMemory(noted, VOCABULARY, Weights())
    project.prepare("file:///a.py", "value = 1\nother = 2\nlast = 3\n")
    assert likeliest(project, "value = 1\nother = 2\nval", "\nlast = 3\n") == "ue = 1"
    assert read.count("\nlast = 3") == 1


def test_an_open_file_is_remembered_as_it_is_open() -> None:
    project = remembering(("file:///a.py", "value = 1\n"), ("file:///b.py", "other\n"))
    assert likeliest(project, "val", "\n") == ""
    assert likeliest(project, "val", "\n", uri="file:///c.py") == ""
    project.forget("file:///a.py")
    assert likeliest(project, "val", "\n", uri="file:///c.py") == "ue = 1"


def test_a_mixed_row_is_still_a_distribution() -> None:
    project = remembering(("file:///b.py", "total = 1\ntotal = 2\ntotals\n"))
    recall = project.recall("file:///a.py", "to", "", 0)
    row = np.random.default_rng(0).normal(size=VOCABULARY).astype(np.float32)
    row[7] = -np.inf
    mixed = recall.mixed_row(row, [])
    assert np.exp(mixed.astype(np.float64)).sum() == pytest.approx(1, abs=1e-4)
    before = row.astype(np.float64) - np.log(np.exp(row.astype(np.float64)).sum())
    assert mixed[ord("t")] > before[ord("t")]
    assert mixed[ord("x")] < before[ord("x")]
    assert mixed[7] == -np.inf
    assert recall.last.length == 2
    assert recall.last.shares == {ord("t"): 1.0}


def test_what_a_better_model_is_sure_of_stays_and_what_it_is_not_memory_may_say() -> None:
    text = "data = json\n" * 6
    for probability, expected in ((0.9, b"."), (0.5, b"."), (0.2, b"\n")):
        project = ProjectMemory(encode, VOCABULARY, replace(shipped_weights(), yields=True))
        recall = project.recall("file:///a.py", text + "data = json", "\n" + text, 0)
        row = np.full(VOCABULARY, np.log((1 - probability) / (VOCABULARY - 1)), np.float32)
        row[ord(".")] = np.log(probability)
        assert bytes([int(recall.mixed_row(row, []).argmax())]) == expected
        # Memory is not sure of anything, whatever the network predicts.
        assert recall.sure([]) is None


def test_what_memory_is_sure_of_is_the_likeliest_whatever_a_network_says() -> None:
    texts = ("total = Reader(path, mode)\n" * 5, "total = 1\ntotals = 2\n", "other = Reader(path, name)\n")
    project = remembering(*((f"file:///{number}.py", text) for number, text in enumerate(texts)))
    project.weights = shipped_weights()
    random = np.random.default_rng(0)
    n_sure = 0
    for left in ("to", "total", "total = ", "x = Reader(pa", "x = Reader(path, ", "unheard of"):
        recall = project.recall("file:///a.py", left, "", 0)
        sure = recall.sure([])
        # A network with random logits, and then for each token one that is certain of that token.
        for certain in (None, *range(VOCABULARY)):
            row = random.normal(size=VOCABULARY).astype(np.float32)
            if certain is not None:
                row[certain] = 1000.0
            mixed = recall.mixed_row(row, [])
            if sure is not None:
                token, logprob = sure
                assert int(mixed.argmax()) == token
                assert mixed[token] >= logprob - 1e-4
        n_sure += sure is not None
    assert 2 <= n_sure <= 5


def test_the_weights_that_are_shipped_are_shares_and_grow_with_the_length() -> None:
    weights = shipped_weights()
    assert weights.of_buckets
    assert all(0 <= weight <= 1 for weight in weights.of_buckets.values())
    short, long = bucket("file", 1, 1, 1.0), bucket("file", 9, 1, 1.0)
    assert weights.of(short) < weights.of(long)


@pytest.mark.parametrize("length", [4, 6, 9, 14])
def test_what_stands_in_this_file_behind_four_tokens_is_drafted(length: int) -> None:
    """Each missing draft costs a step of the network, and a wrong one is never written."""
    project = ProjectMemory(encode, VOCABULARY, shipped_weights())
    context = "abcdefghijklmn"[:length]
    recall = project.recall("file:///a.py", f"-{context} = 1\n+{context}", "\n", 0)
    [*_, longest] = recall.recalled_tokens([])
    assert longest.length == length
    assert bytes(recall.draft([], 4)) == b" = 1"


SECRETS = pytest.mark.parametrize(
    "line",
    [
        'key = "AKIAIOSFODNN7EXAMPLE"',
        'password = "hunter22"',
        'DATABASE = "postgres://admin:hunter22@db.internal:5432/shop"',
        'headers = {"Authorization": "Bearer abcdefghijklmnop"}',
        'hook = "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"',
        'x = "npm_abcdefghijklmnopqrstuvwxyz0123456789"',
        '    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",',
        "config['api_key'] = 'abcdef123'",
        'DB_PASSWORD: str = "letmein!"',
        'token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"',
        '    "4b825dc642cb6eb9a060e54bf8d69288fbee4904",',
        'salt = "x9Kq2LmZ8RtY4VbN7WcJ3HdG"',
        "-----BEGIN RSA PRIVATE KEY-----",
        'connect(password="s3cr3t-one")',
        'client.login("admin", "hunter22")',
        "session.auth = HTTPBasicAuth('admin', 'hunter22')",
        'authenticate(request, "admin", b"hunter22")',
        'jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30"',
    ],
)


@SECRETS
def test_a_secret_is_offered_nowhere(line: str) -> None:
    """It is offered neither in its own file nor in another one, wherever the user begins to type in it."""
    text = f"first = 1\n{line}\nlast = 2\n"
    project = remembering(("file:///settings.py", text))
    for length in range(1, len(line)):
        begun = line[:length]
        for left, uri in ((begun, "file:///other.py"), (f"{text}{begun}", "file:///settings.py")):
            written = begun + likeliest(project, left, "\n", uri=uri)
            assert line not in written
    # The text beside the secret is remembered.
    assert likeliest(project, "las", "\n", uri="file:///other.py") == "t = 2"


def test_what_is_excluded_is_not_remembered(tmp_path: Path) -> None:
    for name in ("good.py", "secrets.py", "private/keys.py", "ignored.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"value_of_{Path(name).stem} = 1\n")
    (tmp_path / ".gitignore").write_text("ignored.py\n")
    folders = Folders((str(tmp_path),), ("secrets.py", "private/"))
    workspace = Scan(encode, VOCABULARY, admission_in(folders)).workspace([str(tmp_path)])
    assert workspace is not None
    assert [uri.rpartition("/")[2] for uri in workspace.uris] == ["good.py"]
    project = ProjectMemory(encode, VOCABULARY, Weights())
    project.workspace = workspace
    assert likeliest(project, "value_of_", "\n") == "good = 1"


@SECRETS
def test_a_line_that_may_hold_a_secret_is_not_remembered(line: str) -> None:
    assert is_secret(line)
    assert TokenizedPieces().tokens(f"a = 1\n{line}\nb = 2\n", encode).tolist() == encode("a = 1\nb = 2\n")


@pytest.mark.parametrize(
    "line",
    [
        "from fim_lsp.server.worker.messages import Complete",
        "def test_a_connection_that_was_closed_is_opened_again(self):",
        "self.http_request_timeout_in_seconds = 300",
        "token = self.tokens[index]",
        "password = getpass()",
        'path = "/usr/local/share/applications/mimeapps"',
        "==================================================",
        "MAX_NUMBER_OF_CONNECTIONS_PER_HOST = 100",
        'login(request, "admin")',
        "authenticate(user, password)",
    ],
)
def test_code_is_remembered(line: str) -> None:
    assert not is_secret(line)


def test_a_workspace_is_read_but_for_what_is_excluded(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("value = 1\n")
    (tmp_path / "bad.py").write_text("secret value\n")
    (tmp_path / "bytes.py").write_bytes(b"x = '\xff\xfe'\n")
    (tmp_path / "huge.py").write_text("x = 1\n" * 60_000)
    scan = Scan(encode, VOCABULARY, lambda uri: not uri.endswith("/bad.py"))
    workspace = scan.workspace([str(tmp_path)])
    assert workspace is not None
    assert [uri.rpartition("/")[2] for uri in workspace.uris] == ["good.py"]
    # The first call finds no change, the second one finds some.
    assert scan.workspace([str(tmp_path)]) is None
    (tmp_path / "more.py").write_text("other = 2\n")
    workspace = scan.workspace([str(tmp_path)])
    assert workspace is not None
    assert len(workspace.uris) == 2
    scan.stop()
    assert scan.workspace([str(tmp_path)]) is None


def test_what_is_remembered_is_bounded() -> None:
    random = Random(0)
    line = "".join(random.choice("abcdefgh ()=.,") for _ in range(100))
    texts = ((f"file:///{number}.py", f"{line}\n" * 2000) for number in range(40))
    project = ProjectMemory(encode, VOCABULARY, Weights())
    project.workspace = Workspace.of_texts(texts, encode, VOCABULARY)
    for number in range(8):
        project.recall(f"file:///open{number}.py", f"{line}\n" * 5000, "", 0)
    assert project.n_bytes < 64 << 20


def two_projects(tmp_path: Path, second_imports: str) -> tuple[ProjectMemory, str]:
    """A workspace with two folders, and the URI of a new file in the second one."""
    for name, text in (
        ("one/shop/orders.py", "value = store.freeze_everything()\n" * 3),
        ("one/tests/test_orders.py", "import shop\n"),
        ("two/desk/main.py", f"{second_imports}\nvalue = 1\n"),
        ("two/tests/test_main.py", "import desk\nfrom tests import shared\n"),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    folders = [str(tmp_path / "one"), str(tmp_path / "two")]
    workspace = Scan(encode, VOCABULARY, lambda _uri: True).workspace(folders)
    assert workspace is not None
    project = ProjectMemory(encode, VOCABULARY, shipped_weights())
    project.workspace = workspace
    return project, (tmp_path / "two" / "desk" / "new.py").as_uri()


@pytest.mark.parametrize(
    ("second_imports", "is_remembered"),
    [
        ("", False),
        ("import os", False),
        ("from tests import shared", False),
        ("from shop import orders", True),
    ],
)
def test_what_is_remembered_of_one_folder_is_not_offered_in_another_that_has_nothing_to_do_with_it(
    tmp_path: Path, second_imports: str, is_remembered: bool
) -> None:
    project, uri = two_projects(tmp_path, second_imports)
    left = "value = store.freeze_"
    assert bool(project.recall(uri, left, "\n", 0).draft([], 5)) == is_remembered
    own = uri.replace("/two/desk/", "/one/shop/")
    assert bytes(project.recall(own, left, "\n", 0).draft([], 5)) == b"every"
    # An open file of the other folder counts as little as a closed one.
    found = project.recall(uri, left, "\n", 0).sources
    assert ("open" in [source.name for source in found]) == is_remembered
    # A document outside all folders belongs to no project.
    assert project.recall("untitled:Untitled-1", left, "\n", 0).draft([], 5)
