"""Text from n-grams: tokens drawn one by one, each draw with the distribution it was drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.frame import frame
from core.figures.n_grams.ngram import draw_figure, draw_picture
from core.figures.n_grams.ngram_worked import worked
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.choices.ngram_choice import (
    ORDER_AT_MOST,
    SMOOTHINGS,
    ChosenSmoothing,
    choose_counts,
    choose_order,
    choose_smoothing,
    counts_of,
)
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.predict_first import Question
from core.lesson.text_source import text_source
from core.models.generation.sampling import Settings, generate
from core.models.n_grams.circle import first_circle
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.longest_copy import longest_copy
from core.models.n_grams.ngram import NgramModel, discounted_level, kneser_ney
from core.models.n_grams.ngram_text import END, CountedText
from core.models.n_grams.written_text import Drawn, random_numbers, write, writing
from core.text.reading.documents import Document
from pages.n_grams.shared.take_away import SOURCES, model_cells
from pages.n_grams.shared.typed_tokens import say_unknown, type_tokens

LESSON = Lesson(
    __name__,
    title="Text from n-grams",
    question="How does a model of counts write?",
    icon="dices",
)
TOLD_AT = 2  # the draw that the tour tells of: later ones of a short text often have one token to choose from
TOLD = (  # what the tour says, where something is written
    *("after", "first", "can", "u", "token", "p", "copied", "length", "circle", "measure", "whole", "broken"),
)
CHOICES_AT_MOST = 5  # tokens beside the one that was drawn
ASKED = 5  # tokens that are guessed


def picture() -> Figure:
    """What may follow "the king", and where a random number fell."""
    counted = few_sentences()
    prompt = counted.encode("the king", end=False)
    step = next(generate(kneser_ney(counted.counts, 3, 0.75), prompt, 1, Settings(), seed=1))
    return small(draw_figure(step, [counted.name(token) for token in step.trace.order[:6]]))


@dataclass(frozen=True)
class Request:
    """What is to be written, by whichever model: after which tokens, how many, always the likeliest or not, the seed."""

    prompt: Sequence[int]
    length: int
    greedy: bool
    seed: int

    def tokens(self, model: NgramModel) -> list[int]:
        """Return the tokens that a model writes; none after an unseen context."""
        return write(model, self.prompt, self.length, self.seed, self.greedy)

    def drawn(self, model: NgramModel) -> list[Drawn]:
        """Return the same tokens, each with what it was drawn from."""
        return list(writing(model, self.prompt, self.length, self.seed, self.greedy))


def page() -> None:
    """A text as it is drawn token by token; what it copies; the same from one token of context to five."""
    LESSON.open(
        r"w_i \sim p(\,\cdot \mid w_{i-n+1} \dots w_{i-1}):\qquad "
        r"w_i = \text{the first } w \text{ with } \sum_{w' \,\le\, w} p(w' \mid h) > u, \qquad u \sim U[0, 1)",
        "$h$: the context, the $n-1$ tokens before. The tokens are laid end to end, the likeliest first, each as long as "
        "its probability; the random number $u$ falls into one of them. The seed decides every $u$.",
    )
    controls, stage = LESSON.stage()
    remarks = st.container()
    with controls:
        document = text_source("hamlet")
        counted = choose_counts(LESSON, document, remarks)
        typed = type_tokens(LESSON, counted, "prompt", "Begin with", at_most=300)
        order = choose_order(LESSON, 3)
        smoothing = choose_smoothing(LESSON, "none")
        length = LESSON.slider("length", "How many tokens", 5, 100, 30, width=180)
        greedy = LESSON.break_it(
            "greedy", "Break it: always the likeliest", "No chance any more: u is always 0."
        )
        with LESSON.more():
            seed = LESSON.number("seed", "Seed", 0, 9999, 1)
    with remarks:
        say_unknown(counted, typed, "read")

    request = Request(tuple(counted.encode(typed, end=False)), length, greedy, seed)
    way = counted.unit, smoothing.name, tuple(smoothing.arguments.items())
    tokens, copied = text_of(document, *way, order, request)
    if tokens:
        model = smoothing.fit(counted.counts, order)
        about = f"{request.prompt}_{order}_{smoothing.name}_{seed}_{greedy}_{document.digest[:16]}"
        drawn = drawn_from(document, *way, order, request)
        with stage:
            reached = LESSON.ask_in_turn(len(tokens), partial(question_of, counted, drawn, about))
            revealed = reached == len(tokens)
            frames, shared = draw_frames(counted, request, drawn[:reached], order)
            LESSON.steps(frames, len(tokens), shared=shared)
        if revealed:
            tell_draws(counted, request, drawn, order)
            LESSON.set_values(copied=copied, length=sum(token != counted.vocabulary[END] for token in tokens))
        if greedy and revealed:
            show_circles(counted, request, model, tokens)
        if revealed:
            LESSON.every_number("next tokens", next_table, counted, model, request, drawn)
            st.header("From one token to five", anchor=False)
            show_orders(document, counted, way, request)
    else:
        LESSON.set_values(**dict.fromkeys(TOLD, "(no next token)"))
        stage.warning(
            "Your text never has the last words of this beginning, so without smoothing there is no next token (0 / 0). "
            "Choose a smoothing, a smaller n, or another beginning."
        )
    wrote = (
        "from core.models.generation.sampling import Settings, generate\n\n"
        f"prompt = counted.encode({typed!r}, end=False)\n"
        f"steps = generate(model, prompt, {length}, Settings(temperature={0.0 if greedy else 1.0}), seed={seed})\n"
        "print(counted.text(step.token for step in steps))"
    )
    LESSON.closing(
        code=[
            *(
                SMOOTHINGS[smoothing.name].fit,
                discounted_level,
                NgramModel.scores,
            ),
            *(writing, random_numbers, longest_copy, first_circle),
        ],
        notebook=[*model_cells(counted.unit, smoothing, order), *([wrote] if tokens else [])],
        plot=(
            "from core.figures.n_grams.ngram import draw_figure\n\n"
            "first = next(generate(model, prompt, 1, Settings(), seed=1))\n"
            "draw(draw_figure(first, [counted.name(token) for token in first.trace.order[:12]]))"
        ),
        try_this=[
            ("Unigrams: words as often as in your text, in no order at all", {"n": 1}),
            (
                "Characters, n = 5: are there words in it that nobody wrote?",
                {"unit": "characters", "n": 5, "length": 100},
            ),
            ("Always the likeliest: where does it begin to repeat itself?", {"greedy": True, "n": 2}),
        ],
        sources=SOURCES,
    )


@cached(32, 8, "Writing", shared=is_sample)
def drawn_from(
    document: Document, unit: str, smoothing: str, arguments: tuple, n: int, request: Request
) -> list[Drawn]:
    """Return what the model of order n draws, token by token."""
    return request.drawn(ChosenSmoothing(smoothing, dict(arguments)).fit(counts_of(document, unit).counts, n))


def question_of(counted: CountedText, drawn: Sequence[Drawn], about: str, place: int) -> Question | None:
    """Return what is asked before one of the first tokens: which it is, among the likeliest."""
    if place >= ASKED:
        return None
    step = drawn[place]
    answer = counted.name(step.token)
    likeliest = [counted.name(token) for token in step.likeliest[:CHOICES_AT_MOST]]
    so_far = "first" if not place else f"after “{counted.name(drawn[place - 1].token)}”"
    question = f"Which token comes {so_far}, as token {place + 1}?"
    return Question(question, sorted({*likeliest, answer}), answer, f"{about}_{place}")


def draw_frames(
    counted: CountedText, request: Request, drawn: Sequence[Drawn], order: int
) -> tuple[list[dict], dict]:
    """Return a step for each drawn token, and what they share: the names of tokens and the text."""
    number, frames, context = {}, [], list(request.prompt)
    before = whole = counted.text(context)
    pieces = []
    for place, step in enumerate(drawn, start=1):
        h = counted.counts.look_back(context, order - 1)
        said = said_of(counted, h, step, request.greedy)
        picture = draw_picture(step, number, not request.greedy) | {"place": place - 1}
        alt = f"What token {place} was drawn from"
        frames.append(frame(f"token {place} is drawn", picture, alt, said))
        context.append(step.token)
        longer = counted.text(context)
        pieces.append(longer.removeprefix(whole))
        whole = longer
    return frames, {"names": [counted.name(token) for token in number], "before": before, "pieces": pieces}


def tell_draws(counted: CountedText, request: Request, drawn: Sequence[Drawn], order: int) -> None:
    """Keep for the tour how many tokens can come first, and how token TOLD_AT was drawn."""
    place = min(TOLD_AT, len(drawn)) - 1
    step, tokens = drawn[place], [each.token for each in drawn[:place]]
    h = counted.counts.look_back([*request.prompt, *tokens], order - 1)
    first, here = (several(each.possible) for each in (drawn[0], step))
    LESSON.set_values(
        after=f"After “{counted.write(h)}”" if h else "Whatever came before,",
        first=first,
        can=here,
        u=f"{step.u:.3f}",
        token=counted.name(step.token),
        p=f"{step.chance:.3g}",
    )


def several(n: int) -> str:
    """Return so many tokens in words."""
    return "1 token" if n == 1 else f"{n:,} tokens"


def how_drawn(step: Drawn, greedy: bool) -> str:
    """Say how a step's token was chosen."""
    if not greedy:
        return f"u = {step.u:.3f} falls into"
    alone = np.isclose(step.p, step.p[0], atol=0).sum() == 1
    return f"{'the likeliest' if alone else 'the first of the likeliest'} is taken,"


def said_of(counted: CountedText, h: tuple[int, ...], step: Drawn, greedy: bool) -> str:
    """Say where the random number fell among the tokens that can come after h."""
    how = how_drawn(step, greedy)
    if h:
        how = f"After “{counted.write(h)}”: {how}"
    elif greedy:
        how = how.replace("the", "The", 1)
    return (
        f"{how} “{counted.name(step.token)}”, p = {step.chance:.3g}; by rank number {step.rank} of "
        f"{step.possible:,} that can come."
    )


def show_circles(counted: CountedText, request: Request, model: NgramModel, tokens: Sequence[int]) -> None:
    """Say where a text without chance goes in circles, and how many different tokens it has against one with chance."""
    circle = first_circle(model, request.prompt, tokens)
    LESSON.set_values(
        circle=f"Token {circle[1] + 1} follows the same context as token {circle[0] + 1}: from there on it repeats itself."
        if circle
        else "Among these tokens no context has come back yet."
    )
    st.markdown("Without chance the same token always follows the same context.")
    if circle:
        first, again = circle
        around = plain(counted.write(tokens[first:again]))
        st.markdown(
            f"Token {again + 1} is written after the same context as token {first + 1}: from there on “{around}” comes "
            "round and round."
        )
    else:
        st.markdown(f"Among these {len(tokens)} tokens no context has come back yet: no circle is closed.")
    drawn = replace(request, greedy=False).tokens(model)
    consequence("Different tokens", len(set(drawn)), len(set(tokens)), "d")


@cached(128, 32, "Writing", shared=is_sample)
def text_of(
    document: Document, unit: str, smoothing: str, arguments: tuple, n: int, request: Request
) -> tuple[list[int], int]:
    """Return what the model of order n writes, and how long a run of it stands in a sentence of the text."""
    counted = counts_of(document, unit)
    tokens = request.tokens(ChosenSmoothing(smoothing, dict(arguments)).fit(counted.counts, n))
    return tokens, longest_copy(tokens, counted.training, counted.vocabulary[END])[1]


def show_orders(document: Document, counted: CountedText, way: tuple, request: Request) -> None:
    """Show the text that every order writes, and how long a run of it stands in a sentence of the learner's text."""
    luck = "always the likeliest" if request.greedy else "the same luck"
    st.markdown(
        f"The same beginning and {luck} at every n, and the longest run of tokens in it that stands word for "
        f"word in one sentence of your text (`{END}` is not counted):"
    )
    end = counted.vocabulary[END]
    for n in range(1, ORDER_AT_MOST + 1):
        tokens, copied = text_of(document, *way, n, request)
        st.caption(f"n = {n}: longest copy {copied} of {sum(token != end for token in tokens)} tokens")
        st.code(counted.write(tokens) or "no next token (0 / 0)", language=None, wrap_lines=True)


def next_table(
    counted: CountedText, model: NgramModel, request: Request, drawn: Sequence[Drawn]
) -> tuple[pd.DataFrame, Formula]:
    """Return the table of the likeliest tokens of each draw with their probabilities, and the formula of its cells."""
    rows, contexts = [], []
    context = list(request.prompt)
    for place, step in enumerate(drawn, start=1):
        listed = list(zip(step.likeliest.tolist(), step.p, np.cumsum(step.p), strict=True))
        if step.rank > len(listed):
            listed.append((step.token, step.chance, step.cumulative))
        for token, p, cumulative in listed:
            rows.append((place, counted.name(token), p, cumulative, token == step.token))
            contexts.append((list(context), token))
        context.append(step.token)
    table = pd.DataFrame(rows, columns=["draw", "token", "p", "cumulative", "drawn"])

    def formula(row: int, column: str) -> str | None:
        return worked(counted, model, *contexts[row]) if column == "p" else None

    return table, formula
