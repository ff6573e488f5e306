"""The tokens of a language model, and a cache of their meaning to a language's lexer."""

import contextlib
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from quotient import _native
from quotient.language import Language
from quotient.token_spelling import spelled_tokens


class Vocabulary(_native.Vocabulary):
    """The tokens of a model, by their ids.

    >>> from quotient import Language
    >>> vocabulary = Vocabulary([b"x", b" = ", b"1", b"]", b"</s>"], eos=4)
    >>> recognizer = Language.load("python").recognizer()
    >>> recognizer.advance_token(vocabulary, 0)
    True
    >>> [f"{int(word):05b}" for word in recognizer.mask(vocabulary)]
    ['10111']

    Token 3, `]`, is not allowed; token 4 is, since `x` is a whole program.
    """

    def __new__(
        cls,
        tokens: Sequence[bytes],
        eos: int | Iterable[int] | None = None,
        special: Iterable[int] = (),
    ) -> "Vocabulary":
        """The vocabulary of `tokens`: their bytes, by their ids.

        `eos` are the tokens that end a sequence: their bits say whether the text may end. Tokens in `special`
        are never allowed, nor are tokens without bytes. Raises `ValueError` for ids out of range.
        """
        ends = [] if eos is None else [eos] if isinstance(eos, int) else list(eos)
        return super().__new__(cls, list(tokens), ends, list(special))

    @classmethod
    def from_tokenizer(
        cls, tokenizer: object, n_tokens: int | None = None, at_start: bool = False
    ) -> "Vocabulary":
        """The vocabulary of a Hugging Face tokenizer, of the `transformers` or the `tokenizers` kind.

        A token stands for the bytes that it adds behind other text: `▁x` of SentencePiece for a space and an
        x. Such a tokenizer drops the space at the very beginning of a text. `at_start` gives the vocabulary
        of first tokens, for a text without a prompt in front; there a token that is only that space is not
        allowed. `n_tokens` is the number of a model's logits, if that is more than the tokenizer's tokens;
        tokens beyond are never allowed. Raises `TypeError` for other objects and `ValueError` for tokenizers
        whose tokens have no definite bytes, such as WordPiece.
        """
        spelled = spelled_tokens(tokenizer)
        tokens = spelled.tokens
        if n_tokens is not None and n_tokens < len(tokens):
            raise ValueError(f"the tokenizer has {len(tokens)} tokens, more than {n_tokens}")
        if at_start and spelled.drops_space:
            tokens = [token.removeprefix(b" ") for token in tokens]
        tokens = tokens + [b""] * ((n_tokens or len(tokens)) - len(tokens))
        return cls(tokens, spelled.ends, spelled.special)

    def prepare(self, language: Language, cache: Path) -> bool:
        """Computes the tokens' meaning to the lexer of a language before the first mask.

        Otherwise it is computed on demand, with some milliseconds for each state of the lexer. The directory
        `cache` keeps the result for the next time; the method returns True if it was found there. A file
        there is named by its content, written atomically, and ignored if it is damaged; a directory without
        write permission is no error.
        """
        native = language._native
        path = cache / f"{self.fingerprint}-{native.fingerprint}.masks"
        try:
            if self.add_tables(native, path.read_bytes()):
                return True
        except OSError:
            pass
        self.prepare_tables(native)
        with contextlib.suppress(OSError):
            _write_whole(path, self.tables(native))
        return False


def _write_whole(path: Path, content: bytes) -> None:
    """Writes a file atomically, even if another process writes it at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
