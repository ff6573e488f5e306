"""The similarity of two lines: one minus the Levenshtein distance over the longer one's length."""

from __future__ import annotations


def edit_similarity(one: str, other: str) -> float:
    longest = max(len(one), len(other))
    return 1.0 if longest == 0 else 1.0 - levenshtein(one, other) / longest


def levenshtein(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, character in enumerate(one, 1):
        diagonal, row[0] = row[0], i
        for j, against in enumerate(other, 1):
            substituted = diagonal + (character != against)
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, substituted)
    return row[-1]
