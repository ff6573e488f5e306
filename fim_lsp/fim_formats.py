"""FIM formats: how code models are asked to fill in: special tokens, their order, and what ends a middle.

A model that was trained for it reads a prompt such as

    <fim_prefix>def area(r): return <fim_suffix> * r ** 2<fim_middle>

and writes what belongs between. The tokenizer's vocabulary says which tokens a model has, and where families
share them, the configuration's model type does. So a model on disk can be recognised without loading it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Literal, get_args

# Added tokens that look like these are signs for the model, whatever the tokenizer's flags say:
# Qwen2.5-Coder's own FIM tokens are flagged as ordinary text. Runs of spaces, which others add, are text.
CONTROL = re.compile(r"[<\[\u2581].*[>\]]", re.DOTALL)

Order = Literal["prefix-suffix-middle", "suffix-prefix-middle", "suffix-middle-prefix"]
"""Which context comes first in the prompt, with P and S for them:

  - prefix-suffix-middle: `<prefix>P<suffix>S<middle>`
  - suffix-prefix-middle: `<suffix>S<prefix>P<middle>`
  - suffix-middle-prefix: `<prefix><suffix>S<middle>P`, the form of suffix-first prompts that models learn
    together with the first one (variant 2 in section 3 of Bavarian et al., *Efficient Training of Language
    Models to Fill in the Middle*). What is typed is added at the end, so nothing before it has to be computed
    again.
"""


FilesPlace = Literal["in front", "in front of a path", "inside"]
"""Where other files stand in the prompt:

  - in front: all of them, and at last the path of the file itself;
  - in front of a path: the same, but that path is the beginning of the prefix;
  - inside: all of it is the beginning of the prefix.
"""


@dataclass(frozen=True, slots=True)
class SeveralFiles:
    """The format of prompts with several files: the text in front of each path, as a model was taught."""

    # A special token, or the beginning of a line.
    file: str
    place: FilesPlace
    is_token: bool = True
    # The token in front of the repository's name, where there is one, and what stands behind the name.
    repository: str | None = None
    behind_repository: str = ""
    # Whether the other files are comments: the model was not taught that they are files.
    is_commented: bool = False
    between: str = ""

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(sign for sign in (self.repository, self.file if self.is_token else None) if sign)


# The format for models that know one file alone: any reader takes it for comments, too.
COMMENTS = SeveralFiles("# ", "inside", is_token=False, is_commented=True)
# The format that the bundled model was trained with (`training/samples.py`).
PATHS = SeveralFiles("# ", "inside", is_token=False)


@dataclass(frozen=True, slots=True)
class FimFormat:
    """The special tokens of one way to ask."""

    name: str
    prefix: str
    suffix: str
    # The sign in front of the middle; None where it simply follows the second context.
    middle: str | None
    order: Order
    models: str
    # Parts of the names of published models, as letters and digits: `Qwen2.5-Coder-1.5B-Q8_0.gguf`,
    # `qwen2.5-coder:1.5b`.
    name_parts: tuple[str, ...] = ()
    # Tokens that end a middle, beside the end of the sequence that tokenizer and configuration name.
    ends: tuple[str, ...] = ()
    # The model types of these models; empty where the tokens alone tell.
    model_types: tuple[str, ...] = ()
    # A token that tells these models from others with the same tokens.
    mark: str | None = None
    # A setting that these models' configurations do not turn on, and those of others with the same tokens do.
    without: str | None = None
    # The format that tells several files apart; by default they are comments.
    files: SeveralFiles = COMMENTS
    # Whether blanks at the cursor are written again, like half a word: for models to which a prefix and what
    # follows it are one text, which has its blanks where words begin.
    heals_blanks: bool = False

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(token for token in (self.prefix, self.suffix, self.middle) if token is not None)

    def is_spoken_by(
        self,
        vocabulary: Collection[str],
        model_type: str | None = None,
        config: Mapping[str, object] | None = None,
    ) -> bool:
        return (
            all(token in vocabulary for token in self.tokens)
            and not (self.without and config and config.get(self.without))
            and (self.mark is None or self.mark in vocabulary)
            and (not self.model_types or model_type is None or model_type in self.model_types)
        )


# Formats with more requirements come before those with equal tokens and fewer. Where two orders were trained
# for, the one is taken that lets a prompt grow at its end; where only one is documented, that one.
FIM_FORMATS = (
    # Both orders (Ben Allal et al., *SantaCoder: don't reach for the stars!*).
    FimFormat(
        "santacoder",
        "<fim-prefix>",
        "<fim-suffix>",
        "<fim-middle>",
        "suffix-middle-prefix",
        "SantaCoder",
        ("santacoder",),
        ends=("<|endoftext|>", "<fim-pad>"),
        # The bundled model was taught so (`training/samples.py`), wherever it runs.
        heals_blanks=True,
    ),
    # Suffix first (*Mellum: Production-Grade in-IDE Contextual Code Completion*, arXiv 2510.05788, and the
    # model card). Granite Code's llamas have the same tokens, with biases in their feed-forward layers.
    FimFormat(
        "mellum",
        "<fim_prefix>",
        "<fim_suffix>",
        "<fim_middle>",
        "suffix-prefix-middle",
        "Mellum",
        ("mellum",),
        ends=("<|endoftext|>", "<fim_pad>", "<filename>"),
        model_types=("llama",),
        mark="<filename>",
        without="mlp_bias",
        files=SeveralFiles("<filename>", "in front"),
    ),
    # Both orders (Li et al., *StarCoder: may the source be with you!*; Mishra et al., *Granite Code Models*).
    FimFormat(
        "starcoder",
        "<fim_prefix>",
        "<fim_suffix>",
        "<fim_middle>",
        "suffix-middle-prefix",
        "StarCoder, Granite Code 20B and 34B",
        ("starcoder",),
        ends=("<|endoftext|>", "<fim_pad>"),
        model_types=("gpt_bigcode",),
    ),
    # The authors document the prefix-first order alone, and that `<file_sep>` ends a file
    # (github.com/bigcode-project/starcoder2, issue 10).
    FimFormat(
        "starcoder2",
        "<fim_prefix>",
        "<fim_suffix>",
        "<fim_middle>",
        "prefix-suffix-middle",
        "StarCoder2",
        ("starcoder2",),
        ends=("<|endoftext|>", "<fim_pad>", "<file_sep>"),
        model_types=("starcoder2",),
        # Section 5.1 of Lozhkov et al., *StarCoder 2 and The Stack v2*.
        files=SeveralFiles("<file_sep>", "in front of a path", repository="<repo_name>"),
    ),
    # The model card of stabilityai/stable-code-3b.
    FimFormat(
        "stablecode",
        "<fim_prefix>",
        "<fim_suffix>",
        "<fim_middle>",
        "prefix-suffix-middle",
        "StableCode",
        ("stablecode",),
        ends=("<|endoftext|>", "<fim_pad>"),
        model_types=("stablelm", "stablelm_epoch", "gpt_neox"),
    ),
    # Llamas with StarCoder's tokenizer; `mlp_bias` is on in their configurations.
    FimFormat(
        "granite",
        "<fim_prefix>",
        "<fim_suffix>",
        "<fim_middle>",
        "prefix-suffix-middle",
        "Granite Code 3B and 8B, and others with these tokens",
        ("granite",),
        ends=("<|endoftext|>", "<fim_pad>"),
    ),
    # ai.google.dev/gemma/docs/codegemma/prompt-structure.
    FimFormat(
        "codegemma",
        "<|fim_prefix|>",
        "<|fim_suffix|>",
        "<|fim_middle|>",
        "prefix-suffix-middle",
        "CodeGemma",
        ("codegemma",),
        ends=("<eos>", "<|file_separator|>"),
        model_types=("gemma",),
    ),
    # The README of Qwen2.5-Coder, section 3; the same tokens are to be taken for ends.
    FimFormat(
        "qwen",
        "<|fim_prefix|>",
        "<|fim_suffix|>",
        "<|fim_middle|>",
        "prefix-suffix-middle",
        "Qwen2.5-Coder",
        ("qwen25coder", "qwen3coder"),
        ends=("<|endoftext|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>", "<|im_end|>"),
        # Section 4 of the README, with the middle as in Hui et al., *Qwen2.5-Coder Technical Report*.
        files=SeveralFiles("<|file_sep|>", "in front", repository="<|repo_name|>", behind_repository="\n"),
    ),
    # The README of DeepSeek-Coder, "Code Insertion".
    FimFormat(
        "deepseek",
        "<\uff5cfim\u2581begin\uff5c>",
        "<\uff5cfim\u2581hole\uff5c>",
        "<\uff5cfim\u2581end\uff5c>",
        "prefix-suffix-middle",
        "DeepSeek-Coder",
        ("deepseekcoder",),
        ends=("<\uff5cend\u2581of\u2581sentence\uff5c>",),
    ),
    # Rozière et al., *Code Llama*; `<EOT>` ends a middle.
    FimFormat(
        "codellama",
        "\u2581<PRE>",
        "\u2581<SUF>",
        "\u2581<MID>",
        "prefix-suffix-middle",
        "Code Llama",
        ("codellama",),
        ends=("\u2581<EOT>", "</s>"),
    ),
    # Suffix first (section 2.2.6 of *Seed-Coder: Let the Code Model Curate Data for Itself*, 2025).
    FimFormat(
        "seedcoder",
        "<[fim-prefix]>",
        "<[fim-suffix]>",
        "<[fim-middle]>",
        "suffix-prefix-middle",
        "Seed-Coder",
        ("seedcoder",),
        ends=("<[end\u2581of\u2581sentence]>",),
    ),
    # `<s>[SUFFIX]S[PREFIX]P`: `encode_fim` of mistral-common, which makes the prompts of the published model.
    FimFormat(
        "codestral",
        "[PREFIX]",
        "[SUFFIX]",
        None,
        "suffix-prefix-middle",
        "Codestral",
        ("codestral",),
        ends=("</s>",),
        # The format is not published; this is how Continue asks it, by its makers' advice.
        files=SeveralFiles("+++++ ", "inside", is_token=False, between="\n"),
    ),
)


# The names that transformers has for architectures which GGUF files call otherwise.
GGUF_MODEL_TYPES = {"starcoder": "gpt_bigcode", "gptneox": "gpt_neox"}


def fim_format(
    vocabulary: Collection[str], model_type: str | None = None, config: Mapping[str, object] | None = None
) -> FimFormat | None:
    """The format that a tokenizer with these tokens speaks; None for a model that cannot fill in.

    Without a model type, it is the first family that has these tokens. A configuration may have a format of
    its own, under `fim` and in the words of the setting. It goes before the family's format; one that cannot
    be understood is ignored.
    """
    known = (known for known in FIM_FORMATS if known.is_spoken_by(vocabulary, model_type, config))
    found, override = next(known, None), (config or {}).get("fim")
    if not isinstance(override, dict):
        return found
    try:
        overriding = overridden(found, override)
    except ValueError:
        return found
    return overriding if all(token in vocabulary for token in overriding.tokens) else found


def format_named_in(model_name: str) -> FimFormat | None:
    """The format of a model of which nothing is known but its name: the longest name that is in it."""
    plain = "".join(letter for letter in model_name.lower() if letter.isalnum())
    found = [(len(part), one) for one in FIM_FORMATS for part in one.name_parts if part in plain]
    return max(found, key=itemgetter(0), default=(0, None))[1]


def overridden(detected: FimFormat | None, settings: dict[str, object]) -> FimFormat:
    """A format as the user's settings describe it, over the detected one where there is one.

    `format` names a known one to start from; `prefix`, `suffix`, `middle`, `order` and `ends` replace its
    parts. Raises `ValueError` with a sentence for the user.
    """
    base = detected
    if (name := settings.get("format")) is not None:
        base = next((known for known in FIM_FORMATS if known.name == name), None)
        if base is None:
            known_names = ", ".join(known.name for known in FIM_FORMATS)
            raise ValueError(f"no FIM format is called {name!r}; there are {known_names}")
    if unknown := settings.keys() - {"format", "prefix", "suffix", "middle", "order", "ends"}:
        raise ValueError(f"a FIM format has no {', '.join(sorted(unknown))}")
    if base is None:
        if not {"prefix", "suffix", "order"} <= settings.keys():
            raise ValueError("a FIM format needs at least prefix, suffix and order")
        base = FimFormat("custom", "", "", None, "prefix-suffix-middle", "as the settings say")
    if "prefix" in settings:
        base = replace(base, prefix=text("prefix", settings["prefix"]))
    if "suffix" in settings:
        base = replace(base, suffix=text("suffix", settings["suffix"]))
    if "middle" in settings:
        middle = settings["middle"]
        base = replace(base, middle=None if middle is None else text("middle", middle))
    if "order" in settings:
        base = replace(base, order=order(settings["order"]))
    if "ends" in settings:
        base = replace(base, ends=ends(settings["ends"]))
    return base


def text(name: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"the FIM format's {name} must be a token, not {value!r}")
    return value


def order(value: object) -> Order:
    for known in get_args(Order):
        if value == known:
            found: Order = known
            return found
    raise ValueError(f"the FIM format's order must be one of {', '.join(get_args(Order))}, not {value!r}")


def ends(value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"the FIM format's ends must be a list of tokens, not {value!r}")
    return tuple(text("ends", end) for end in value)
