"""A recognizer that counts the seconds spent in it: what the constraint costs, without the model."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from quotient import Recognizer


class Clocked:
    """Stands for a recognizer. What it gives back that is a recognizer runs on the same clock."""

    def __init__(self, recognizer: Recognizer, clock: list[float] | None = None) -> None:
        self._recognizer = recognizer
        self._clock = [0.0] if clock is None else clock

    @property
    def seconds(self) -> float:
        return self._clock[0]

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._recognizer, name)
        if not callable(method):
            return method

        def called(*arguments: Any, **named: Any) -> Any:
            start = perf_counter()
            try:
                result = method(*arguments, **named)
            finally:
                self._clock[0] += perf_counter() - start
            return Clocked(result, self._clock) if isinstance(result, Recognizer) else result

        # The function is kept, so that the next look-up does not come here.
        self.__dict__[name] = called
        return called
