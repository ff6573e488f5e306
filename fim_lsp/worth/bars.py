"""The bar of an offer: the probability of being useful that it needs, by what wrote it and what it saves."""

from __future__ import annotations

from fim_lsp.bundled_models import is_bundled, is_model_of_braces
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.worth.judge import Judged

# The judge was fitted on the bundled model for Python, and overrates the other one: in the tuning packages,
# 62% of its 1,025 offers at a bar of 0.4 were useful, and 71% of 566 at 0.6.
MORE_IN_BRACES = 0.2
# A text of memory, or of a model that is not in the box, that saves ten keys has to be as sure as the setting
# says; one that saves less by up to 0.2 surer. A text of memory that saves more may be by as much less sure.
# For models in Python that is left out: in 28 regions of the tuning packages, beside the bundled model, it
# saved 58.6% of the keys in place of 59.4%, with 71.8% useful in place of 70.5%.
MORE_FOR_NO_KEY, LESS_A_KEY, MOST_KEYS = 0.2, 0.02, 20
# In these languages it has to be surer by so much if a better model than those in the box writes where memory
# offers nothing. In 76 regions of the tuning packages 58 of the 76 offers of memory were that sure: 86% of
# them were useful in place of 74%, and 92% of the accepted characters came from them. The other languages
# were not measured.
MORE_BEFORE_BETTER = {"go": 0.2, "javascript": 0.2, "javascriptreact": 0.2}
# A beginning that two models write alike is wanted far more often than the judge of either one knows: it need
# only be so many times as sure. In 35 regions of the tuning packages nothing was offered at 16 places where
# both wrote the same four characters or more, and 15 of these beginnings were right.
SHARE_OF_AGREED = 0.25


def bar_for(model: str, known_language: KnownLanguage, bar: float, judged: Judged) -> float:
    """The bar for a model's offer in a language, if the setting is `bar`."""
    if not bar:
        return bar
    if is_model_of_braces(model, known_language):
        return bar + MORE_IN_BRACES
    is_flat = is_bundled(model) or known_language is PYTHON
    return bar if is_flat else max(bar, bar_by_worth(judged, bar))


def bar_by_worth(judged: Judged, bar: float) -> float:
    """The bar for an offer by the keys that it saves, if the setting is `bar`."""
    return bar + MORE_FOR_NO_KEY - LESS_A_KEY * min(judged.worth, MOST_KEYS)


def bar_of_remembered(judged: Judged, bar: float, before_better: KnownLanguage | None = None) -> float:
    """The bar for a text of memory, where a setting asks for `bar`; `before_better`: the language, if a
    better model than those in the box writes where memory offers nothing."""
    if not bar:
        return bar
    more = 0.0 if before_better is None else MORE_BEFORE_BETTER.get(before_better.name, 0.0)
    return bar_by_worth(judged, bar) + more


def bar_of_agreed(bar: float) -> float:
    """The bar for what two models write alike, if it is `bar` for one."""
    return SHARE_OF_AGREED * bar
