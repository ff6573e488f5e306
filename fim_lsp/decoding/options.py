"""Options of decoding: one frozen value with a default for every field."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal, get_args

from fim_lsp.positions import last_line

Scope = Literal["statement", "block", "bracket", "free"]
Strategy = Literal["greedy", "sample", "beam"]
Constraint = Literal["none", "checked", "constrained"]


@dataclass(frozen=True, slots=True)
class Options:
    """Options of decoding. Raises `ValueError` for invalid values.

    `scope` is the region that a completion does not leave, unless the right context requires it:
      - `statement`: the statement at the cursor, with the blocks inside it;
      - `block`: the innermost bracket and block around the cursor (the default);
      - `bracket`: the innermost bracket alone; blocks may end;
      - `free`: nothing but the grammar.
    """

    max_tokens: int = 64
    # A text with a lower log-probability is abandoned, since hardly any of it would be right.
    least_logprob: float | None = None
    # Seconds for the whole request, all `n` completions together; None for no deadline.
    budget_s: float | None = None
    n: int = 1
    scope: Scope = "block"
    # False: the completion has no line break, unless nothing else fits or a block's header needs its body.
    multi_line: bool = True
    strategy: Strategy = "greedy"
    temperature: float = 0.8
    top_p: float = 0.95
    # The paper tries 50 candidates; with `sample` it also limits the draw.
    top_k: int = 50
    n_beams: int = 4
    seed: int = 0
    # `checked` is the paper's baseline: unconstrained, but ending only where the file parses.
    constraint: Constraint = "constrained"
    # Whether to turn to the cheapest way to connect while the budget still allows it.
    steer: bool = True
    # Whether names in `__all__` must be bound in the file, if names are checked.
    exports: bool = True
    # Further names: a package's modules.
    modules: frozenset[str] = frozenset()
    # Whether a text is written again if it binds none of the unbound names that the lines behind it use.
    binds: bool = True
    # Whether to draft from repetitions; this changes the speed, not the text.
    drafts: bool = True
    # The most tokens of both sides together in a prompt.
    context_tokens: int = 2048

    @property
    def is_plain(self) -> bool:
        """Whether this is the paper's plain loop, with which ours is compared."""
        return self.scope == "free" and not self.steer

    def __post_init__(self) -> None:
        for name in ("max_tokens", "n", "top_k", "n_beams", "context_tokens"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        # Written so that NaN is refused.
        if self.budget_s is not None and not self.budget_s >= 0:
            raise ValueError(f"budget_s must be at least 0, not {self.budget_s}")
        if not 0 <= self.temperature < inf:
            raise ValueError(f"temperature must be at least 0 and finite, not {self.temperature}")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p must be above 0 and at most 1, not {self.top_p}")
        for name, known in (("scope", Scope), ("strategy", Strategy), ("constraint", Constraint)):
            if getattr(self, name) not in get_args(known):
                raise ValueError(
                    f"{name} must be one of {', '.join(get_args(known))}, not {getattr(self, name)!r}"
                )


def usual_scope(left: str) -> Scope:
    """The scope where none is named: inside a line that has begun, the statement, else the block."""
    return "statement" if last_line(left).strip() else "block"
