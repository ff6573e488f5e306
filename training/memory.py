"""`python -m training.memory`: how much a match of the project's memory counts, fitted on the tuning
packages.

Regions that the typist draws are read token by token. At each token the model's prediction, the memory's
matches and the true token are known. The fitted weights make the true tokens most likely: each bucket's
weight is its mean share in the probability of the true token, repeated until it no longer changes
(expectation maximisation). A bucket with few tokens stays near the mean of its source and length.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.memory.project import ProjectMemory
from fim_lsp.memory.weights import FITTED, Weights
from fim_lsp.memory.workspace import Workspace
from fim_lsp.replay.plan import name_of_model
from fim_lsp.replay.progress import CaseProgress
from fim_lsp.replay.typing.drawing import Typing, draw_regions
from fim_lsp.replay.typing.page import uri_of
from fim_lsp.replay.typing.projects import of_folders, of_set
from fim_lsp.runtimes.logits import logsumexp

N_ROUNDS = 60
# The number of additional tokens that a bucket is assumed to have seen with the mean weight.
PRIOR = 20.0


@dataclass(frozen=True, slots=True)
class SeenToken:
    """A true token: its probability by the model, and each match's bucket with the share that it gives to the
    token."""

    model: float
    matches: tuple[tuple[str, float], ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, prog="python -m training.memory")
    parser.add_argument("--on", nargs="+", help="folders, a project each (default: the tuning packages)")
    parser.add_argument("--limit", type=int, default=400, help="regions (%(default)s)")
    parser.add_argument("--model", help="a folder or a name (default: bundled)")
    parser.add_argument("--out", type=Path, default=FITTED)
    arguments = parser.parse_args()
    projects, _ = of_folders(arguments.on) if arguments.on else of_set("tuning")
    typings = [one for one in draw_regions(projects, 1, arguments.limit) if isinstance(one, Typing)]
    model = load_model(arguments.model)
    progress = CaseProgress(sys.stderr, len(typings))
    seen: list[SeenToken] = []
    for project in projects:
        memory = ProjectMemory(model.encode, len(model.vocabulary), Weights())
        texts = ((uri_of(project.name, file.name), file.text) for file in project.files)
        memory.workspace = Workspace.of_texts(texts, model.encode, len(model.vocabulary))
        for typing in typings:
            if typing.project == project.name and typing.region.kind != "prose":
                seen += tokens_seen(model, memory, typing)
                progress.step()
    progress.close()
    weights = fitted(seen)
    before, after = mean_logprob(seen, {}), mean_logprob(seen, weights)
    kept = {
        "model": name_of_model(arguments.model),
        "tokens": len(seen),
        "nats_before": round(-before, 4),
        "nats_after": round(-after, 4),
        "weights": {name: round(weight, 4) for name, weight in sorted(weights.items())},
    }
    arguments.out.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print(f"{len(seen)} tokens: {-before:.4f} nats a token without memory, {-after:.4f} with it")


def tokens_seen(model: Model, memory: ProjectMemory, typing: Typing) -> Iterator[SeenToken]:
    region = typing.region
    left, right = region.text[: region.start], region.text[region.stop :]
    session = DecodingSession(model)
    n_prompt = model.n_positions - 2 * Options().max_tokens
    prompt = session.window.prompt(left, right, n_prompt)
    pending = b"".join(model.token_bytes[token] for token in prompt.pending)
    coming = model.encode(pending.decode(errors="ignore") + region.typed)[: Options().max_tokens]
    rows = session.reader.prompt([*prompt.tokens, *coming], len(coming) + 1, lambda: False)
    recall = memory.recall(uri_of(typing.project, typing.file), left, right, len(pending))
    for place, token in enumerate(coming):
        row = rows[place]
        matches = tuple(
            (found.bucket, found.shares.get(token, 0.0)) for found in recall.recalled_tokens(coming[:place])
        )
        yield SeenToken(float(np.exp(row[token] - logsumexp(row))), matches)


def fitted(seen: Sequence[SeenToken]) -> dict[str, float]:
    names = {name for one in seen for name, _ in one.matches}
    weights = dict.fromkeys(names, 0.3)
    for _ in range(N_ROUNDS):
        credit: dict[str, float] = defaultdict(float)
        count: dict[str, float] = defaultdict(float)
        for one in seen:
            # The last match comes first; the rest of the probability goes to the match before it.
            parts, rest = [], 1.0
            for name, share in reversed(one.matches):
                parts.append((name, rest * weights[name] * share, rest))
                rest *= 1 - weights[name]
            whole = rest * one.model + sum(part for _, part, _ in parts)
            below = whole
            for name, part, _ in parts:
                if below <= 0:
                    break
                # The part of the remaining probability that this match takes.
                credit[name] += part / below * (below / whole)
                count[name] += below / whole
                below -= part
        means = mean_weights(credit, count)
        weights = {
            name: (credit[name] + PRIOR * means[group(name)]) / (count[name] + PRIOR) for name in names
        }
    return weights


def group(name: str) -> str:
    """The source and the length of a bucket, which stand in for it if it has few tokens."""
    return name.rsplit(" ", 2)[0]


def mean_weights(credit: dict[str, float], count: dict[str, float]) -> dict[str, float]:
    taken: dict[str, float] = defaultdict(float)
    counts: dict[str, float] = defaultdict(float)
    for name in count:
        taken[group(name)] += credit[name]
        counts[group(name)] += count[name]
    overall = sum(credit.values()) / max(sum(count.values()), 1e-9)
    return {name: (taken[name] + overall) / (counts[name] + 1) for name in counts}


def mean_logprob(seen: Sequence[SeenToken], weights: dict[str, float]) -> float:
    return float(np.mean([np.log(max(probability(one, weights), 1e-9)) for one in seen]))


def probability(one: SeenToken, weights: dict[str, float]) -> float:
    found = one.model
    for name, share in one.matches:
        weight = weights.get(name, 0.0)
        found = (1 - weight) * found + weight * share
    return found


if __name__ == "__main__":
    main()
