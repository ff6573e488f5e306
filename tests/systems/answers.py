"""`python -m tests.systems.answers FILE 500`: writes the answers at 500 places, as JSON.

An answer says whether a text fits, whether the file parses as it is, a shortest text, the masks along it as a
checksum, and the bundled model's text (in other languages than Python: the engine's text).
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import fim_lsp
from fim_lsp.decoding.complete import loaded_model
from fim_lsp.decoding.options import Options
from quotient import Language, NoCompletion, Recognizer, TooCostly, Vocabulary
from tests.systems.questions import Question, questions

# Long enough for a statement.
OPTIONS = Options(max_tokens=24)


def masks(recognizer: Recognizer, text: str, vocabulary: Vocabulary) -> Iterator[bytes]:
    """The mask in front of each character of a text, and behind it."""
    yield recognizer.mask(vocabulary).tobytes()
    for sign in text[:8]:
        recognizer.advance(sign)
        yield recognizer.mask(vocabulary).tobytes()


def answered(question: Question, vocabulary: Vocabulary) -> dict[str, object]:
    language = Language.load(question.language)
    try:
        recognizer = language.recognizer(question.left, question.right)
        witness = recognizer.witness()
    except NoCompletion as refusal:
        return {"refused": f"{refusal.offset}: {refusal}"}
    is_member = recognizer.is_member()
    digest = hashlib.sha256()
    for mask in masks(recognizer, witness, vocabulary):
        digest.update(mask)
    return {
        "member": is_member,
        "witness": witness,
        "masks": digest.hexdigest(),
        "offers": offers(question),
    }


def offers(question: Question) -> list[str]:
    text = question.left + question.right
    try:
        found = fim_lsp.complete(text, len(question.left), language=question.language, options=OPTIONS)
    except (NoCompletion, TooCostly) as refusal:
        return [f"none: {refusal}"]
    return [one.text for one in found]


def main() -> None:
    path, count = Path(sys.argv[1]), int(sys.argv[2])
    model = loaded_model(None)
    answers = [
        {"language": one.language, "name": one.name, "at": len(one.left)} | answered(one, model.vocabulary)
        for one in questions(count)
    ]
    path.write_text(
        json.dumps({"runtime": model.runtime.name, "answers": answers}, indent=0), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
