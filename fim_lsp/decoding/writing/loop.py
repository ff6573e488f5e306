"""The decoding loop: read, look for an end, choose, advance.

It is the paper's loop (section VII B of Melcer et al., *Constrained Decoding for Fill-in-the-Middle Code
Language Models*): it takes the most probable of 50 candidates that the engine accepts, ends a text only where
the file parses, and at the limit takes the best earlier place to end. It differs where the paper's loop
fails: if none of the 50 fits, all others are tried; it never forces an end that does not fit; and the engine
connects a text that finds no end.
"""

from __future__ import annotations

import math
from dataclasses import replace

from fim_lsp.decoding.choices.choice import Choice, End, Leaving, Token, Turn, WrongBeginning, WrongName
from fim_lsp.decoding.choices.chooser import Chooser
from fim_lsp.decoding.choices.spelling import PendingSpelling
from fim_lsp.decoding.endings.ends import Ends
from fim_lsp.decoding.endings.steering import Steering
from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.prompts.lookahead import Lookahead
from fim_lsp.decoding.texts.completion import StoppedBy
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.texts.marks import Mark
from fim_lsp.decoding.texts.step import DecodedToken
from fim_lsp.decoding.texts.written import Written
from fim_lsp.decoding.writing.generation import Generation
from fim_lsp.memory.recall import NOTHING
from fim_lsp.runtimes.logits import logsumexp
from fim_lsp.runtimes.runtime import GivenUp, Row

# A token of a higher log-probability hardly gains by keys that agree with it.
SURE = math.log(0.9)
# How often a text is cut back to a wrong name or beginning; after that the next best token is taken.
MOST_BACK = 6


def write(
    generation: Generation, hypothesis: Hypothesis, lookahead: Lookahead, chooser: Chooser
) -> Written | None:
    """Writes one completion; None if no text that fits comes of it."""
    context = generation.context(hypothesis, chooser.fence)
    ends = Ends.of(context)
    steering = Steering.of(hypothesis, generation.options, generation.model, generation.deadline)
    # A copy of the start, in case the whole text is cut back.
    start = hypothesis.fork()
    n_back, spelling = 0, PendingSpelling()
    while True:
        # 1. May another token follow, by cancellation, time and room?
        if generation.request.is_cancelled():
            return ends.cut_short(hypothesis, "cancelled")
        if (stopped_by := limit(generation, hypothesis, steering)) is not None:
            return ends.finishing_end(hypothesis, steering, stopped_by)

        # 2. What does the model expect? On a GPU the network computes while the engine makes a mask, if one
        # is needed. Only a remote row is waited for. A long reading, or a row that is waited for, is given up
        # when the request is over, and its text so far is examined.
        steering.look(hypothesis)
        try:
            lookahead.read()
        except GivenUp:
            continue
        is_member = context.may_end(hypothesis)
        allowed = chooser.prepared_mask(hypothesis)
        generation.frontier.move(chooser, hypothesis)
        try:
            own_row = lookahead.row(bool(hypothesis.pending))  # (vocabulary,)
        except GivenUp:
            continue
        row = remembered_row(generation, lookahead, own_row)

        # 3. Does the model's row show that the text ends here?
        if is_member:
            ends.note(hypothesis, row)
            if steering.is_connecting and hypothesis.text and ends.is_whole(hypothesis, row):
                return ends.forced_end(hypothesis)
        if (reached := ends.reached_end(hypothesis, row, chooser)) is not None:
            return reached
        if (answered := ends.answered_end(hypothesis, row, chooser)) is not None:
            return answered
        if (stranded := ends.stranded_end(hypothesis, row)) is not None:
            return stranded
        if (outer := ends.outer_end(hypothesis, row)) is not None:
            return outer

        # 4. What comes next?
        may_go_back, may_relax = n_back < MOST_BACK, not lookahead.is_partial
        may_split = not context.takes_lines
        turn = Turn(hypothesis, row, is_member, allowed, may_go_back, may_relax, may_split)
        pending = hypothesis.pending
        try:
            choice = choose(generation, steering, chooser, lookahead, turn)
        except GivenUp:
            continue
        match choice:
            case Token() if pending and spelling.is_worse_with(choice) and may_go_back:
                assert spelling.first is not None
                chooser.lessons.forbid(b"", [spelling.first])
                hypothesis, spelling = start.fork(), PendingSpelling()
                lookahead.go_back(0)
                n_back += 1
            case Token(token, row):
                # 5. The choice is added, with the text that must follow it.
                ends.note_line(hypothesis, token, row)
                take_up(generation, hypothesis, choice, pending, own_row)
                lookahead.write(token)
                if (repeated := ends.end_before_repetition(hypothesis, steering)) is not None:
                    return repeated
                write_forced(generation, hypothesis, lookahead)
            case End():
                repeated = ends.end_before_repetition(hypothesis, steering, is_end=True)
                return repeated or ends.model_end(hypothesis, steering, is_member)
            case Leaving() as leaving:
                return ends.leaving_end(hypothesis, steering, leaving)
            case WrongName(place=place) | WrongBeginning(place=place):
                if isinstance(choice, WrongName) and ends.lacks_blanks(hypothesis, row):
                    place = 0
                hypothesis = text_before(place, hypothesis, start, lookahead, chooser)
                steering.go_back(hypothesis)
                n_back += 1
            case None:
                return ends.finishing_end(hypothesis, steering, "limit")


def limit(generation: Generation, hypothesis: Hypothesis, steering: Steering) -> StoppedBy | None:
    """The reason to write no more, whatever the model expects."""
    options = generation.options
    if steering.is_out_of_time:
        return "budget"
    if hypothesis.n_tokens >= options.max_tokens:
        return "limit"
    if options.least_logprob is not None and hypothesis.logprob < options.least_logprob:
        return "unlikely"
    return None


def remembered_row(generation: Generation, lookahead: Lookahead, row: Row) -> Row:
    """The network's row combined with the project's memory, unless the row comes from memory."""
    return (
        row
        if generation.recall is None or lookahead.is_presumed
        else generation.recall.mixed_row(row, lookahead.written)
    )


def choose(
    generation: Generation, steering: Steering, chooser: Chooser, lookahead: Lookahead, turn: Turn
) -> Choice | None:
    """Makes the choice; if none of a partial row's tokens fits, from a row with more tokens."""
    while True:
        choice = steering.choose(turn, chooser) if steering.is_connecting else chooser.choose(turn)
        if choice is not None or turn.may_relax or steering.has_tried_enough(turn):
            return choice
        wider = lookahead.wider(generation.frontier.wanted_tokens)
        if wider is None:
            turn = replace(turn, may_relax=True)
        else:
            turn = replace(turn, row=remembered_row(generation, lookahead, wider))


def take_up(
    generation: Generation, hypothesis: Hypothesis, chosen: Token, pending: bytes, own_row: Row
) -> None:
    """Adds the chosen token; `own_row` is the network's own row."""
    token, row = chosen.token, chosen.row
    marked = token_mark(generation, hypothesis, pending, token, row, own_row)
    # How improbable the typed text is says nothing about what follows.
    advance(hypothesis, token, marked.logprob, generation)
    hypothesis.marks.append(marked)
    if generation.request.on_step is not None:
        rank, logprob = int((row > row[token]).sum()), float(row[token]) - logsumexp(row)
        text = generation.model.token_bytes[token]
        step = DecodedToken(
            token, text, rank, logprob, chosen.refusals, hypothesis.is_member, marked.overruled
        )
        generation.request.on_step(step)


def text_before(
    wrong: int, hypothesis: Hypothesis, start: Hypothesis, lookahead: Lookahead, chooser: Chooser
) -> Hypothesis:
    """The text in front of the token of a wrong name or beginning, which is then forbidden there.

    The refusal comes at the end of the name, where the next best token would only make something else of it:
    `foo(bad=`, because `bad` is there, is worse than another name.
    """
    assert start.recognizer is not None
    index = max(index for index, place in enumerate(hypothesis.places) if place.n_bytes <= wrong)
    n_dropped = len(hypothesis.places) - index
    first = lookahead.written[-n_dropped]
    if n_bytes := hypothesis.places[index].n_bytes:
        before = hypothesis.rewound(start.recognizer, n_bytes)
        lookahead.go_back(len(lookahead.written) - n_dropped)
    else:
        before = start.fork()
        lookahead.go_back(0)
    chooser.lessons.forbid(before.text, [first])
    return before


def advance(hypothesis: Hypothesis, token: int, logprob: float | None, generation: Generation) -> None:
    """Adds a token to a text."""
    text = generation.model.token_bytes[token]
    added = text[len(hypothesis.pending) :]
    hypothesis.append(text, logprob)
    recognizer = hypothesis.recognizer if generation.options.constraint == "checked" else None
    if recognizer is not None and not recognizer.advance(added):
        # The recognizer was not asked before, and a text that it refuses will never fit.
        hypothesis.recognizer = None
    if generation.request.on_partial is not None and added:
        generation.request.on_partial(hypothesis.text.decode(errors="ignore"))


def token_mark(
    generation: Generation, hypothesis: Hypothesis, pending: bytes, token: int, row: Row, own_row: Row
) -> Mark:
    """The mark of a token that is chosen from a row, behind the text or to spell its pending end. The
    network's own row is another one if memory was mixed into it."""
    recalled = NOTHING if generation.recall is None else generation.recall.last
    is_mixed = own_row is not row
    rivals = spelling_rivals(generation.model, pending, token)
    if rivals:
        among, own_among = row[rivals], own_row[rivals]
        sum_, own_sum = logsumexp(among), logsumexp(own_among)
    else:
        among, own_among, sum_ = row, own_row, logsumexp(row)
        own_sum = recalled.own_sum if is_mixed else sum_
    favourite = token
    if is_mixed:
        best = int(own_among.argmax())
        favourite = rivals[best] if rivals else best
    # Memory overruled the model only if the network alone would have preferred its favourite.
    is_overruled = row[token] > row[favourite] and own_row[token] < own_row[favourite]
    text = generation.model.token_bytes[token]
    n_added = max(0, len(text) - len(hypothesis.pending))
    top = float(among.max()) - sum_
    return Mark(
        len(hypothesis.text) + n_added,
        float(row[token]) - sum_,
        float(own_row[token]) - own_sum,
        top,
        recalled.shares.get(token, 0.0),
        recalled.length,
        recalled.count,
        favourite if is_overruled else None,
        agreeing_shares(generation.model, text, n_added, row, (sum_, top))
        if generation.request.is_kept and float(row[token]) - sum_ < SURE
        else (),
    )


def agreeing_shares(
    model: Model, text: bytes, n_added: int, row: Row, of_all: tuple[float, float]
) -> tuple[tuple[float, float], ...]:
    """For each beginning of a token's last `n_added` bytes, the log-probabilities of all tokens that agree
    with it, and of the likeliest of them. Blanks that nothing follows tell nothing: `of_all` has the sum of
    the row, and its best log-probability."""
    whole, top = of_all
    found = []
    for length in range(len(text) - n_added + 1, len(text)):
        agreeing = row[model.agreeing_tokens(text[:length])] if text[:length].strip() else row[:0]
        known = logsumexp(agreeing)
        found.append((known - whole, float(agreeing.max()) - whole) if known > -math.inf else (0.0, top))
    return tuple(found)


def spelling_rivals(model: Model, pending: bytes, token: int) -> list[int]:
    """All tokens that can spell a pending text, if the chosen one does; none if the text stayed as it is,
    since no token spells it."""
    tokens = model.beginnings_of(pending) + model.longer_tokens(pending) if pending else []
    return tokens if token in tokens else []


def write_forced(generation: Generation, hypothesis: Hypothesis, lookahead: Lookahead) -> None:
    """Writes the text that must follow, without asking the network, which reads it later with the next
    tokens."""
    if generation.options.constraint != "constrained" or hypothesis.pending or hypothesis.recognizer is None:
        return
    forced = hypothesis.recognizer.forced_text(generation.model.vocabulary).encode(errors="surrogateescape")
    for token in generation.model.spelling_tokens(forced) if forced else ():
        if not hypothesis.recognizer.advance(generation.model.token_bytes[token]):
            # The grammar allows only this text, and the law of names refuses it.
            return
        advance(hypothesis, token, None, generation)
        hypothesis.marks.append(Mark(len(hypothesis.text), None, None, None))
        lookahead.write(token)
        if generation.request.on_step is not None:
            generation.request.on_step(
                DecodedToken(token, generation.model.token_bytes[token], None, None, (), hypothesis.is_member)
            )
