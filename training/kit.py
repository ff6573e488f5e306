"""The kit for a machine with a GPU, PyTorch and transformers, but no network: text and code travel there in
one archive, and weights come back in parts.

    python -m training pack                     here: -> target/training/kit/
    bash KIT/piece 9 OUT                        there: trains for so many minutes, puts the parts into OUT
    bash KIT/piece 9 OUT decay                  there, in the end: the rate falls
    python -m training take OUT                 here: joins the parts -> target/training/gpu/
    python -m training export --work target/training/gpu

A piece continues from the previous one if its folder still exists, and otherwise from the weights that were
taken last, which the next kit contains.
"""

from __future__ import annotations

import hashlib
import io
import json
import lzma
import shutil
import tarfile
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from training.collect import TrainingDocument, read_documents
from training.folder import BRANCH, BRANCH_LOSSES, CHECKPOINT, DOCUMENTS, LOSSES, TOKENIZER
from training.progress import Progress

HERE = Path(__file__).parent
ARCHIVE, PIECE, MANIFEST = "kit.tar.xz", "piece", "parts.json"
# The folder of results that come back. Their model has another shape than the training here.
TAKEN = "gpu"
MAX_BYTES = 48_000_000
PART_BYTES = 15_000_000
# Most repetitions of text are further apart than xz's usual window of 8 MB.
MOST_WINDOW = 1 << 28


def pack(work: Path, folder: Path, progress: Progress, max_bytes: int = MAX_BYTES) -> Path:
    """Writes the archive with as many documents as fit, the same share of each package."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / ARCHIVE
    documents = read_documents(work / DOCUMENTS)
    share = 1.0
    while True:
        taken = documents[: max(1, int(share * len(documents)))]
        write_archive(archive, work, taken, progress)
        n_bytes = archive.stat().st_size
        if n_bytes <= max_bytes:
            break
        if len(taken) == 1:
            raise ValueError(f"the kit cannot be smaller than {n_bytes / 1e6:.1f} MB")
        # Documents are in the order of their hashes, so the first ones are a fair sample of all.
        share *= 0.98 * max_bytes / n_bytes
    (folder / PIECE).write_text((HERE / "piece.sh").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / PIECE).chmod(0o755)
    progress.done(f"{archive}: {len(taken)} of {len(documents)} files, {n_bytes / 1e6:.1f} MB")
    return archive


def write_archive(
    archive: Path, work: Path, documents: Iterable[TrainingDocument], progress: Progress
) -> None:
    # The files that training needs; the others need the engine.
    files = {f"training/{source.name}": source for source in sorted(HERE.glob("*.py"))}
    files |= {"training/held-out.txt": HERE / "held-out.txt", TOKENIZER: work / TOKENIZER}
    if (work / TAKEN / CHECKPOINT).exists():
        files |= {name: work / TAKEN / name for name in (CHECKPOINT, LOSSES)}
    text = "".join(json.dumps(asdict(document)) + "\n" for document in documents).encode()
    filters = filters_for(len(text) + sum(path.stat().st_size for path in files.values()))
    with (
        lzma.open(archive, "wb", format=lzma.FORMAT_XZ, filters=filters) as packed,
        tarfile.open(fileobj=packed, mode="w") as tar,
    ):
        for name, path in files.items():
            tar.add(path, name)
        progress.show(0.1, "text")
        add_bytes(tar, DOCUMENTS, text)


def filters_for(n_bytes: int) -> list[dict[str, int]]:
    """A window as wide as the content, because a wider one only costs memory."""
    window = min(MOST_WINDOW, max(1 << 16, 1 << n_bytes.bit_length()))
    return [{"id": lzma.FILTER_LZMA2, "preset": 6, "dict_size": window}]


def add_bytes(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    tar.addfile(entry, io.BytesIO(content))


def travelling(checkpoint: Path, *, averaged: bool = False) -> bytes:
    """A checkpoint's weights in half precision, without the optimizers' state, which is six times as
    large."""
    held: dict[str, Any] = torch.load(checkpoint, map_location="cpu", weights_only=True)
    weights = {**held["model"], **(held["state"]["average"] if averaged else {})}
    light = {
        "config": held["config"],
        "model": {name: weight.half() for name, weight in weights.items()},
        "state": {**held["state"], "average": {}},
    }
    buffer = io.BytesIO()
    torch.save(light, buffer)
    return buffer.getvalue()


def write_parts(work: Path, out: Path, part_bytes: int = PART_BYTES) -> list[Path]:
    """Writes the weights at the end of a piece, in files of at most so many bytes, and the losses."""
    out.mkdir(parents=True, exist_ok=True)
    is_branch = (work / BRANCH).exists()
    content = travelling(work / (BRANCH if is_branch else CHECKPOINT), averaged=not is_branch)
    starts = range(0, len(content), part_bytes)
    parts = [out / f"part.{index:02}" for index in range(len(starts))]
    for part, start in zip(parts, starts, strict=True):
        part.write_bytes(content[start : start + part_bytes])
    manifest = {"parts": len(parts), "sha256": hashlib.sha256(content).hexdigest(), "is_branch": is_branch}
    logs = [work / LOSSES, work / BRANCH_LOSSES]
    manifest["losses"] = "".join(log.read_text(encoding="utf-8") for log in logs if log.exists())
    (out / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    return [*parts, out / MANIFEST]


def take(folder: Path, work: Path) -> Path:
    """Joins the parts to a branch or a training, in a folder that can be exported."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        parts = [folder / f"part.{index:02}" for index in range(manifest["parts"])]
        content = b"".join(part.read_bytes() for part in parts)
    except FileNotFoundError as error:
        raise ValueError(f"a part of the weights is missing: {error.filename}") from error
    if hashlib.sha256(content).hexdigest() != manifest["sha256"]:
        raise ValueError(f"the parts in {folder} are not those that were written: the checksum differs")
    taken = work / TAKEN
    taken.mkdir(parents=True, exist_ok=True)
    checkpoint = taken / (BRANCH if manifest["is_branch"] else CHECKPOINT)
    checkpoint.write_bytes(content)
    (taken / LOSSES).write_text(manifest["losses"], encoding="utf-8")
    shutil.copyfile(work / TOKENIZER, taken / TOKENIZER)
    return checkpoint
