"""Other files in prompts: in each family's training format, within a budget, and not read again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fim_lsp.context.snippet import Context, Snippet
from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.prompts.prompt import N_PENDING, Window
from fim_lsp.decoding.prompts.several_files import context_tokens
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.fim_formats import COMMENTS, FIM_FORMATS, PATHS, SeveralFiles
from fim_lsp.shared import n_shared
from quotient import Language
from tests.models import tiny_model

CONTEXT = Context(
    "shop",
    "shop/cart.py",
    (
        Snippet("shop/recent.py", "x = 1\n", "recent", "", 2.0),
        Snippet("shop/prices.py", "class Prices:\n    net: int\n", "definition", "", 1.0),
    ),
)
LEFT, RIGHT = "cart = ", "\nshow()\n"
FORMATS = {known.name: known for known in FIM_FORMATS}


def model_for(family: str, files: SeveralFiles | None = None) -> Model:
    """A small model with a family's prompt format. Two unused tokens stand for the family's special
    tokens."""
    model = tiny_model(n_positions=1024)
    spoken = FORMATS[family]
    chosen = files or spoken.files
    rare = range(len(model.vocabulary) - len(chosen.tokens), len(model.vocabulary))
    signs = dict(zip(chosen.tokens, rare, strict=True))
    return replace(
        model,
        fim_format=replace(model.fim_format, order=spoken.order, files=chosen),
        file_signs=signs,
    )


def spelled(model: Model, tokens: list[int]) -> str:
    names = {model.prefix: "<P>", model.suffix: "<S>", model.middle: "<M>"}
    names |= {number: sign for sign, number in model.file_signs.items()}
    return b"".join(
        names[token].encode() if token in names else model.token_bytes[token] for token in tokens
    ).decode()


@pytest.mark.parametrize(
    ("family", "expected"),
    [
        (
            "starcoder2",
            (
                "<repo_name>shop<file_sep>shop/prices.py\nclass Prices:\n    net: int\n"
                "<file_sep>shop/recent.py\nx = 1\n<file_sep><P>shop/cart.py\ncart = <S>\nshow()\n<M>"
            ),
        ),
        (
            "qwen",
            (
                "<|repo_name|>shop\n<|file_sep|>shop/prices.py\nclass Prices:\n    net: int\n"
                "<|file_sep|>shop/recent.py\nx = 1\n<|file_sep|>shop/cart.py\n<P>cart = <S>\nshow()\n<M>"
            ),
        ),
        (
            "mellum",
            (
                "<filename>shop/prices.py\nclass Prices:\n    net: int\n"
                "<filename>shop/recent.py\nx = 1\n<filename>shop/cart.py\n<S>\nshow()\n<P>cart = <M>"
            ),
        ),
        (
            "codestral",
            (
                "<S>\nshow()\n<P>+++++ shop/prices.py\nclass Prices:\n    net: int\n\n"
                "+++++ shop/recent.py\nx = 1\n\n+++++ shop/cart.py\ncart = <M>"
            ),
        ),
        (
            "santacoder",
            (
                "<P><S>\nshow()\n<M># shop/prices.py\n# class Prices:\n#     net: int\n"
                "# shop/recent.py\n# x = 1\n# shop/cart.py\ncart = "
            ),
        ),
    ],
)
def test_each_family_is_shown_files_as_it_was_taught(family: str, expected: str) -> None:
    model = model_for(family)
    prompt = Window(model).prompt(LEFT, RIGHT, 600, context_tokens(model, CONTEXT, 200))
    pending = spelled(model, prompt.pending)
    cut = LEFT[: len(LEFT) - len(pending)]
    if model.fim_format.order == "suffix-middle-prefix":
        assert spelled(model, prompt.tokens) + pending == expected
    else:
        # The pending text is repeated behind the middle's token.
        assert spelled(model, prompt.tokens) == expected.replace(f"{LEFT}<", f"{cut}<")


def test_the_bundled_model_is_shown_files_as_in_its_training() -> None:
    model = model_for("santacoder", PATHS)
    told_of = context_tokens(model, CONTEXT, 200)
    text = spelled(model, told_of.above)
    assert text == (
        "# shop/prices.py\nclass Prices:\n    net: int\n# shop/recent.py\nx = 1\n# shop/cart.py\n"
    )


def test_comments_are_those_of_the_language() -> None:
    context = replace(CONTEXT, line_comment="//")
    for files, begin in ((PATHS, ""), (COMMENTS, "// ")):
        model = model_for("santacoder", files)
        text = spelled(model, context_tokens(model, context, 200).above)
        assert text.startswith(f"// shop/prices.py\n{begin}class Prices:\n")
        assert text.endswith("// shop/cart.py\n")


def test_a_model_without_the_tokens_is_shown_comments() -> None:
    assert replace(model_for("qwen"), file_signs={}).files is COMMENTS


def test_a_budget_is_kept_and_what_is_too_long_is_cut() -> None:
    model = model_for("santacoder", PATHS)
    long = Snippet("long.py", "".join(f"def f{n}(): ...\n" for n in range(60)), "definition", "", 3.0)
    for n_tokens in (0, 5, 40, 80, 120):
        found = context_tokens(model, Context("", "own.py", (long, *CONTEXT.snippets)), n_tokens)
        assert found.n_tokens <= max(n_tokens, len(model.encode("# own.py\n")))
    assert found.snippets[0].text.endswith("\n")
    assert 0 < len(found.snippets[0].text) < len(long.text)


def test_nothing_told_is_the_prompt_without() -> None:
    model = model_for("qwen")
    assert context_tokens(model, Context(), 200).n_tokens == 0
    assert Window(model).prompt(LEFT, RIGHT, 600, context_tokens(model, Context(), 200)).tokens == (
        Window(model).prompt(LEFT, RIGHT, 600).tokens
    )


def test_signs_in_a_path_or_in_a_text_are_text() -> None:
    model = model_for("qwen")
    context = Context("", "own.py", (Snippet("a\nb\x00.py", "<|file_sep|>x\n", "open", "", 1.0),))
    found = context_tokens(model, context, 200)
    assert found.front.count(model.file_signs["<|file_sep|>"]) == 2
    assert "a?b?.py\n<|file_sep|>x\n" in spelled(model, found.front)


@pytest.mark.parametrize("family", ["qwen", "starcoder2", "mellum", "santacoder"])
def test_typing_on_reads_nothing_of_what_was_told_again(family: str) -> None:
    model = model_for(family)
    session, known = DecodingSession(model), context_tokens(model, CONTEXT, 200)
    python = Language.load("python", version="3.11")
    left, before = "def area(r):\n    return r", list[int]()
    for typed in ("", " ", "*", " ", "2"):
        left += typed
        session.complete(
            CompletionRequest(left, "\n", python.recognizer(left, "\n"), Options(max_tokens=1), told=known)
        )
        assert not before or n_shared(before, session.sent) >= len(before) - N_PENDING - 1
        before = session.sent
    assert session.told is known


@pytest.mark.parametrize("family", ["qwen", "starcoder2", "mellum", "codestral", "santacoder"])
def test_a_prompt_stays_within_its_room(family: str) -> None:
    model = model_for(family)
    window = Window(model)
    left, right = "x = 1\n" * 400, "y = 2\n" * 400
    for context in (Context(), CONTEXT, Context(), CONTEXT):
        for n_tokens in (150, 400):
            prompt = window.prompt(left, right, n_tokens, context_tokens(model, context, n_tokens // 3))
            assert len(prompt.tokens) + len(prompt.pending) <= n_tokens
