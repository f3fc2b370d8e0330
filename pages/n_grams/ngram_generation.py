"""Text from n-grams: tokens drawn one by one, each draw with the distribution it was drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.n_grams.ngram import draw_figure
from core.figures.n_grams.ngram_worked import worked
from core.lesson.break_it import consequence
from core.lesson.choices.ngram_choice import (
    ORDER_AT_MOST,
    SMOOTHINGS,
    ChosenSmoothing,
    choose_counts,
    choose_order,
    choose_smoothing,
    counts_of,
)
from core.lesson.kept_with_text import kept_with_text
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.generation.sampling import Settings, Step, distribution, draw, generate
from core.models.n_grams.circle import first_circle
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.longest_copy import longest_copy
from core.models.n_grams.ngram import NgramModel, discounted_level, kneser_ney
from core.models.n_grams.ngram_text import END, CountedText
from core.models.n_grams.written_text import random_numbers, write
from core.text.reading.documents import Document
from pages.n_grams.parts.take_away import SOURCES, model_cells
from pages.n_grams.parts.typed_tokens import say_unknown, type_tokens

LESSON = Lesson(
    __name__,
    title="Text from n-grams",
    question="How does a model of counts write?",
    icon="🎲",
)
ROWS_AT_MOST = 200
HEIGHT = 310  # pixels, of the text and of the picture beside it
TOLD = (  # what the tour says, where something is written
    *("after", "can", "u", "token", "p", "copied", "length", "circle", "measure", "whole", "broken"),
)
DRAWN_AT_MOST, ASKED_AT_MOST = 12, 5  # tokens beside the one that was drawn


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

    def step(self, model: NgramModel, tokens: Sequence[int], place: int) -> Step:
        """Return the step that wrote the token at a place, with the model's own distribution and its random number."""
        logits = model.log_probabilities([*self.prompt, *tokens[:place]])
        u = random_numbers(self.seed, self.length)[place]
        return Step(tokens[place], distribution(logits, Settings()), float(u))


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
        with stage:
            place = LESSON.step([f"token {i} is drawn" for i in range(1, length + 1)])
            step = request.step(model, tokens, place)
            left, right = st.columns([2, 5])
            context = [*request.prompt, *tokens[:place]]
            about = f"{context}_{order}_{smoothing.name}_{seed}_{greedy}"
            revealed = ask_drawn(counted, step, about)
            predicting = LESSON.value("predict")
            so_far = tokens[: place + revealed] if predicting else tokens
            so_far = counted.text([*request.prompt, *so_far])
            left.code(so_far or " ", language=None, wrap_lines=True, height=HEIGHT)
            if revealed:
                h = counted.counts.look_back(context, order - 1)
                with right:
                    show_draw(counted, step, place + 1, greedy)
                LESSON.says(said_of(counted, h, step, greedy))
                can = int((step.trace.probabilities > 0).sum())
                LESSON.tell(
                    after=f"After “{counted.write(h)}”" if h else "Whatever came before,",
                    can="1 token" if can == 1 else f"{can:,} tokens",
                    u=f"{step.u:.3f}",
                    token=counted.name(step.token),
                    p=f"{step.trace.probabilities[step.token]:.3g}",
                    copied=copied,
                    length=sum(token != counted.vocabulary[END] for token in tokens),
                )
        if greedy and not predicting:
            show_circles(counted, request, model, tokens)
        if revealed:
            LESSON.every_number("next tokens", next_table, counted, model, context, step)
        if not predicting:
            st.header("From one token to five", anchor=False)
            show_orders(document, counted, way, request)
    else:
        LESSON.tell(**dict.fromkeys(TOLD, "(no next token)"))
        stage.warning(
            "Your text never has the last words of this beginning, so without smoothing there is no next token (0 / 0). "
            "Choose a smoothing, a smaller n, or another beginning."
        )
    writing = (
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
                distribution,
                draw,
                generate,
            ),
            *(write, longest_copy, first_circle),
        ],
        notebook=[*model_cells(counted.unit, smoothing, order), *([writing] if tokens else [])],
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


def ask_drawn(counted: CountedText, step: Step, about: str) -> bool:
    """Ask for the token that is drawn, among the likeliest; return whether it may be shown."""
    drawn = counted.name(step.token)
    likeliest = [counted.name(token) for token in step.trace.order[:ASKED_AT_MOST]]
    return LESSON.ask("Which token comes next?", sorted({*likeliest, drawn}), drawn, about)


def how_drawn(step: Step, greedy: bool) -> str:
    """Say how a step's token was chosen."""
    if not greedy:
        return f"u = {step.u:.3f} falls into"
    p = step.trace.probabilities
    alone = np.isclose(p, p.max(), atol=0).sum() == 1
    return f"{'the likeliest' if alone else 'the first of the likeliest'} is taken,"


def show_draw(counted: CountedText, step: Step, place: int, greedy: bool) -> None:
    """Draw the distribution that step number `place` was drawn from."""
    trace = step.trace
    LESSON.figure(
        "figure",
        draw_figure(step, [counted.name(token) for token in trace.order[:DRAWN_AT_MOST]], not greedy, HEIGHT),
        f"The next-token distribution of step {place}: {how_drawn(step, greedy)} {counted.name(step.token)}",
    )


def said_of(counted: CountedText, h: tuple[int, ...], step: Step, greedy: bool) -> str:
    """Say where the random number fell among the tokens that can come after h."""
    trace = step.trace
    how = how_drawn(step, greedy)
    return (
        (
            f"After “{plain(counted.write(h))}”: {how}"
            if h
            else how.replace("the", "The", 1)
            if greedy
            else how
        )
        + f" “{plain(counted.name(step.token))}”, p = {trace.probabilities[step.token]:.3g}; "
        f"by rank number {trace.rank[step.token]} "
        f"of {int((trace.probabilities > 0).sum()):,} that can come."
    )


def show_circles(counted: CountedText, request: Request, model: NgramModel, tokens: Sequence[int]) -> None:
    """Say where a text without chance goes in circles, and how many different tokens it has against one with chance."""
    circle = first_circle(model, request.prompt, tokens)
    LESSON.tell(
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


@kept_with_text(128, 32, "Writing")
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


def next_table(counted: CountedText, model: NgramModel, context: list[int], step: Step) -> tuple:
    """Return the table of every token that can come next with its probability, and the formula of its cells."""
    tokens = step.trace.order[:ROWS_AT_MOST]
    table = pd.DataFrame(
        {
            "token": [counted.name(token) for token in tokens],
            "p": step.trace.probabilities[tokens],
            "cumulative": step.trace.cumulative[tokens],
            "drawn": tokens == step.token,
        }
    )

    def formula(row: int, column: str) -> str | None:
        return worked(counted, model, context, tokens[row]) if column == "p" else None

    return table, formula
