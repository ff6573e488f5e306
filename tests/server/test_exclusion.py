"""Excluded files: secrets by default, the files in ignore files, and our own ignore file, which has
priority."""

from __future__ import annotations

from pathlib import Path

import pytest

from fim_lsp.server.exclusion import exclusion


def is_excluded(path: Path | str, patterns: tuple[str, ...] = (), folders: tuple[Path, ...] = ()) -> bool:
    uri = Path(path).as_uri()
    return exclusion(uri, patterns, tuple(folder.as_uri() for folder in folders)) is not None


@pytest.mark.parametrize(
    "name",
    [
        ".env",
        ".env.local",
        "prod.env",
        ".ENV",
        ".ssh/config",
        ".ssh/keys/id.py",
        "id_rsa",
        "id_ed25519.pub",
        "server.pem",
        "tls.key",
        "vault.kdbx",
        ".netrc",
        ".aws/credentials",
        ".gnupg/x.py",
        ".git/hooks/pre-commit.py",
        "secrets.yaml",
    ],
)
def test_secrets_are_excluded_wherever_they_lie(tmp_path: Path, name: str) -> None:
    assert is_excluded(tmp_path / name)


@pytest.mark.parametrize("name", ["secrets.py", "environment.py", "keys.py", "credentials.py", "ssh/a.py"])
def test_sources_that_merely_sound_like_secrets_are_not(tmp_path: Path, name: str) -> None:
    assert not is_excluded(tmp_path / name)


def test_a_link_to_a_secret_is_one(tmp_path: Path) -> None:
    (tmp_path / "id_rsa").write_text("")
    (tmp_path / "notes.py").symlink_to(tmp_path / "id_rsa")
    assert is_excluded(tmp_path / "notes.py")


@pytest.mark.parametrize(
    "uri",
    [
        "file:///home/me/%2Essh/a.py",
        "vscode-notebook-cell:/home/me/.ssh/a.ipynb#W0sZmlsZQ%3D%3D",
        "vscode-remote://ssh-remote%2Bhost/home/me/.env",
        "git:/home/me/.env?%7B%22ref%22%3A%22HEAD%22%7D",
        "untitled:id_rsa",
        "other://[host/.netrc#x",
    ],
)
def test_secrets_are_excluded_under_any_kind_of_uri(uri: str) -> None:
    assert exclusion(uri, (), ()) is not None


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "no uri",
        "file:",
        "file:///d/a%00b.py",
        "file:///d/%zz%FF.py",
        "file:///d/a%20b%25c%23.py",
        "git:/a.py?.env",
    ],
)
def test_strange_uris_are_judged_without_a_fault(uri: str) -> None:
    assert exclusion(uri, ("*.txt",), ("file:///d",)) is None


def test_a_cell_is_excluded_with_its_notebook(tmp_path: Path) -> None:
    (tmp_path / ".fimignore").write_text("private.ipynb\n")
    cell = (tmp_path / "private.ipynb").as_uri().replace("file://", "vscode-notebook-cell:") + "#W0"
    assert exclusion(cell, (), ()) is not None
    assert exclusion(cell.replace("private", "open"), (), ()) is None


def test_patterns_that_make_no_sense_exclude_nothing_and_spoil_nothing(tmp_path: Path) -> None:
    (tmp_path / ".fimignore").write_text("[z-a]\n!\nmine.py\n")
    assert is_excluded(tmp_path / "mine.py")
    assert is_excluded(tmp_path / "b.txt", ("!", "[z-a]", "*.txt"))
    assert not is_excluded(tmp_path / "a.py", ("!", "[z-a]", "*.txt"))


def test_gitignore_in_the_folder_and_above_up_to_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.py\n")
    repository = tmp_path / "repository"
    (repository / ".git" / "info").mkdir(parents=True)
    (repository / "src").mkdir()
    (repository / ".gitignore").write_text("build/\n/local.py\n*_pb2.py\n")
    (repository / "src" / ".gitignore").write_text("!kept_pb2.py\n")
    (repository / ".git" / "info" / "exclude").write_text("mine.py\n")
    excluded = {
        name: is_excluded(repository / name)
        for name in (
            "local.py",
            "src/local.py",
            "build/a.py",
            "src/build/a.py",
            "src/x_pb2.py",
            "src/kept_pb2.py",
            "src/mine.py",
            "src/a.py",
        )
    }
    assert [name for name, is_so in excluded.items() if is_so] == [
        "local.py",
        "build/a.py",
        "src/build/a.py",
        "src/x_pb2.py",
        "src/mine.py",
    ]


def test_fimignore_has_the_last_word(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("generated.py\n")
    (tmp_path / ".fimignore").write_text("private/\n!generated.py\n")
    assert is_excluded(tmp_path / "private" / "a.py")
    assert not is_excluded(tmp_path / "generated.py")


def test_fimignore_of_the_editor_s_folder_counts_without_a_repository(tmp_path: Path) -> None:
    (tmp_path / ".fimignore").write_text("a.py\n")
    assert is_excluded(tmp_path / "deep" / "a.py", folders=(tmp_path,))
    assert not is_excluded(tmp_path / "deep" / "b.py", folders=(tmp_path,))


def test_the_setting_s_patterns_are_read_from_each_folder(tmp_path: Path) -> None:
    assert is_excluded(tmp_path / "vendor" / "a.py", ("/vendor/",), (tmp_path,))
    assert not is_excluded(tmp_path / "src" / "vendor" / "a.py", ("/vendor/",), (tmp_path,))


def test_what_is_in_no_file_is_not_excluded() -> None:
    assert exclusion("untitled:Untitled-1", ("*",), ()) is None
