"""A mask against brute force: a recognizer at the place reads each token by itself."""

from typing import Protocol

from quotient import Recognizer, Vocabulary


class _Words(Protocol):
    def __getitem__(self, index: int, /) -> int: ...


def is_allowed(mask: _Words, index: int) -> bool:
    """The bit of a token."""
    return bool(int(mask[index // 32]) >> (index % 32) & 1)


def brute_force(recognizer: Recognizer, vocabulary: Vocabulary) -> set[int]:
    """The tokens that can be read, each of which is tried."""
    ends = set(vocabulary.eos)
    found = set(ends) if recognizer.is_member() else set()
    for index in range(len(vocabulary)):
        token = vocabulary.token(index)
        if token and recognizer.fork().advance(token):
            found.add(index)
    return found


def allowed(mask: _Words, n_tokens: int) -> set[int]:
    """The tokens whose bits are set."""
    return {index for index in range(n_tokens) if is_allowed(mask, index)}


def differences(recognizer: Recognizer, vocabulary: Vocabulary) -> list[tuple[bytes, bool]]:
    """The tokens on which mask and brute force disagree, with the mask's bit."""
    masked = allowed(recognizer.mask(vocabulary).tolist(), len(vocabulary))
    expected = brute_force(recognizer, vocabulary)
    return [(vocabulary.token(index), index in masked) for index in sorted(masked ^ expected)]
