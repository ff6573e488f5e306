"""Real files of the languages other than Python and JavaScript's family: where they lie on this machine.

Those of Go and Java are the sources of their toolchains. Python's are in `sources`.
"""

import os
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from fim_lsp.replay import judges
from tests.laws.sources import File

ROOT = Path(__file__).parents[2]


def utf_8(data: bytes) -> str | None:
    """Return the text, without a byte order mark, as editors hold it."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


@cache
def go_files() -> tuple[File, ...]:
    """Return the Go distribution's own sources and tests. Raises `NoJudge` where there are none."""
    root = go_folder()
    return below(root, root.rglob("*.go"))


def go_folder() -> Path:
    """Return the folder of the Go distribution's sources. Raises `NoJudge` where there is none."""
    return Path(judges.go()).resolve().parents[1] / "src"


@cache
def java_files() -> tuple[File, ...]:
    """Return the JDK's own sources, unpacked once. Raises `NoJudge` where there are none."""
    folder = java_folder()
    return below(folder, folder.rglob("*.java"))


def java_folder() -> Path:
    """Return the folder that the JDK's sources are unpacked in. Raises `NoJudge` where there are none."""
    home = Path(judges.java()).resolve().parents[1]
    version = judges.version_of(home)
    # Debian has them in a package of their own, or beside the JDK.
    beside = home.parent.glob(f"openjdk-{version}/**/src.zip")
    places = (home / "lib" / "src.zip", home / "src.zip", *sorted(beside))
    packed = next((path for path in places if path.exists()), None)
    if packed is None:
        raise judges.NoJudge(f"the sources of the JDK in {home} are not there (lib/src.zip)")
    folder = ROOT / "target" / "corpora" / f"jdk-{version}"
    if not (folder / "unpacked").exists():
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(folder, [name for name in archive.namelist() if name.startswith("java.")])
        (folder / "unpacked").touch()
    return folder


@cache
def json_files() -> tuple[File, ...]:
    """Return the JSON that installed packages carry."""
    roots = [ROOT / "vscode-client" / "node_modules", *{Path(file).parents[1] for file in installed_roots()}]
    return tuple(sorted(entry for root in roots for entry in below(root, root.rglob("*.json"))))


@cache
def toml_files() -> tuple[File, ...]:
    """Return the TOML of this repository, of installed crates and packages, and of `target/corpora`."""
    own = below(ROOT, iter([*ROOT.glob("*.toml"), *ROOT.glob("*/*.toml")]))
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo")) / "registry" / "src"
    roots = [
        cargo,
        ROOT / "target" / "corpora" / "toml",
        *{Path(file).parents[1] for file in installed_roots()},
    ]
    return tuple(sorted({*own, *(entry for root in roots for entry in below(root, root.rglob("*.toml")))}))


def installed_roots() -> Iterator[str]:
    """The packages of this Python: one file of each folder that holds some."""
    import sysconfig

    return iter({f"{sysconfig.get_path(name)}/x/y" for name in ("purelib", "platlib")})


def below(root: Path, paths: Iterator[Path]) -> tuple[File, ...]:
    """Return files in a fixed order."""
    found = [
        (path.relative_to(root).as_posix(), path, path.stat().st_size) for path in paths if path.is_file()
    ]
    return tuple(sorted(found, key=lambda entry: (entry[0], str(entry[1]))))
