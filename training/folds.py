"""Cross-validation by owner: the judge of a row has seen neither the row nor another one of its project."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt


def folds(owners: npt.NDArray[np.str_], n_folds: int) -> Iterator[npt.NDArray[np.bool_]]:
    """The rows that are left out, fold by fold. A fold of no rows, or of all, is skipped."""
    names = sorted(set(owners.tolist()))
    for fold in range(n_folds):
        is_left_out = np.isin(owners, names[fold::n_folds])
        if is_left_out.any() and not is_left_out.all():
            yield is_left_out
