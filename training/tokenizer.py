"""The byte-level BPE tokenizer: SantaCoder's kind, with its special tokens and fewer entries.

Every text can be encoded and decoded exactly, because the 256 bytes are tokens. Digits stand alone, as in
SantaCoder, because a small vocabulary should not spend entries on numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from training.samples import SPECIAL_TOKENS


def train_tokenizer(texts: Iterable[str], n_vocab: int) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=n_vocab - len(SPECIAL_TOKENS),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL_TOKENS])
    return tokenizer


def up_to(texts: Iterable[str], n_bytes: int) -> Iterator[str]:
    """The first texts, up to a total number of bytes."""
    for text in texts:
        if n_bytes <= 0:
            return
        n_bytes -= len(text.encode())
        yield text
