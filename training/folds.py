"""Cross-validation by owner: who is judged has not been seen, nor anything of the same project."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt


def folds(owners: npt.NDArray[np.str_], n_folds: int) -> Iterator[npt.NDArray[np.bool_]]:
    """The rows that are left out, a fold at a time; a fold that would leave out all or none is no fold."""
    names = sorted(set(owners.tolist()))
    for fold in range(n_folds):
        is_left_out = np.isin(owners, names[fold::n_folds])
        if is_left_out.any() and not is_left_out.all():
            yield is_left_out
