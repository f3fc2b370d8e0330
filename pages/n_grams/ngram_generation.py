"""Text from n-grams: tokens drawn one by one, each draw with the distribution it was drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

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
)
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.generation.sampling import Settings, Step, distribution, draw, generate
from core.models.n_grams.circle import first_circle
from core.models.n_grams.few_sentences import few_sentences
from core.models.n_grams.longest_copy import longest_copy
from core.models.n_grams.ngram import NgramModel, discounted_level, kneser_ney
from core.models.n_grams.ngram_text import END, CountedText
from pages.n_grams.parts.take_away import SOURCES, model_cells
from pages.n_grams.parts.typed_tokens import say_unknown, type_tokens

LESSON = Lesson(
    __name__,
    title="Text from n-grams",
    question="How does a model of counts write?",
    icon="🎲",
)
ROWS_AT_MOST = 200
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

    def steps(self, model: NgramModel) -> list[Step]:
        """Return each token that a model writes, with the model's own distribution; none after an unseen context."""
        if not model.scores(self.prompt).any():
            return []
        settings = Settings(temperature=0.0 if self.greedy else 1.0)
        steps = generate(model, self.prompt, self.length, settings, self.seed)
        return [replace(step, trace=distribution(step.trace.logits, Settings())) for step in steps]

    def tokens(self, model: NgramModel) -> list[int]:
        """Return the tokens that a model writes."""
        return [step.token for step in self.steps(model)]


def page() -> None:
    """A text as it is drawn token by token; what it copies; the same from one token of context to five."""
    LESSON.open(
        r"w_i \sim p(\,\cdot \mid w_{i-n+1} \dots w_{i-1}):\qquad "
        r"w_i = \text{the first } w \text{ with } \sum_{w' \,\le\, w} p(w' \mid h) > u, \qquad u \sim U[0, 1)",
        "$h$: the context, the $n-1$ tokens before. The tokens are laid end to end, the likeliest first, each as long as "
        "its probability; the random number $u$ falls into one of them. The seed decides every $u$.",
    )
    document = text_source("hamlet")
    controls, stage = LESSON.stage()
    with controls:
        counted = choose_counts(LESSON, document)
        typed = type_tokens(LESSON, counted, "prompt", "Begin with", at_most=300)
        order = choose_order(LESSON, 3)
        smoothing = choose_smoothing(LESSON, "none")
        length = LESSON.slider("length", "How many tokens", 5, 100, 30)
        seed = LESSON.number("seed", "Seed", 0, 9999, 1)
        greedy = LESSON.break_it(
            "greedy", "Break it: always the likeliest", "No chance any more: u is always 0."
        )
        say_unknown(counted, typed, "read")

    request = Request(counted.encode(typed, end=False), length, greedy, seed)
    model = smoothing.fit(counted.counts, order)
    if steps := request.steps(model):
        with stage:
            written = st.empty()
            place = LESSON.step([f"token {i} is drawn" for i in range(1, length + 1)])
            step, tokens = steps[place], [step.token for step in steps]
            context = [*request.prompt, *tokens[:place]]
            about = f"{context}_{order}_{smoothing.name}_{seed}_{greedy}"
            revealed = ask_drawn(counted, step, about)
            predicting = LESSON.value("predict")
            so_far = tokens[: place + revealed] if predicting else tokens
            written.code(counted.text([*request.prompt, *so_far]) or " ", language=None, wrap_lines=True)
            if revealed:
                show_draw(counted, counted.counts.look_back(context, order - 1), step, place + 1, greedy)
        if greedy and not predicting:
            show_circles(counted, request, model, tokens)
        if revealed:
            next_table(counted, model, context, step)
        if not predicting:
            st.header("From one token to five", anchor=False)
            show_orders(counted, smoothing, request)
    else:
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
            *(longest_copy, first_circle),
        ],
        notebook=[*model_cells(counted.unit, smoothing, order), *([writing] if steps else [])],
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


def show_draw(counted: CountedText, h: tuple[int, ...], step: Step, place: int, greedy: bool) -> None:
    """Draw the distribution after h that step number `place` was drawn from, and say where the random number fell."""
    trace, drawn = step.trace, counted.name(step.token)
    how = "the likeliest is taken," if greedy else f"u = {step.u:.3f} falls into"
    LESSON.figure(
        "figure",
        draw_figure(step, [counted.name(token) for token in trace.order[:DRAWN_AT_MOST]], not greedy, 360),
        f"The next-token distribution of step {place}: {how} {drawn}",
    )
    LESSON.says(
        f"After “{plain(counted.write(h))}”: "
        * bool(h)
        + f"{how} “{plain(drawn)}”, p = {trace.probabilities[step.token]:.3g}; by rank number {trace.rank[step.token]} "
        f"of {int((trace.probabilities > 0).sum()):,} that can come."
    )


def show_circles(counted: CountedText, request: Request, model: NgramModel, tokens: Sequence[int]) -> None:
    """Say where a text without chance goes in circles, and how many different tokens it has against one with chance."""
    circle = first_circle(model, request.prompt, tokens)
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


def show_orders(counted: CountedText, smoothing: ChosenSmoothing, request: Request) -> None:
    """Show the text that every order writes, and how long a run of it stands in a sentence of the learner's text."""
    luck = "always the likeliest" if request.greedy else "the same luck"
    st.markdown(
        f"The same beginning and {luck} at every n, and the longest run of tokens in it that stands word for "
        f"word in one sentence of your text (`{END}` is not counted):"
    )
    end = counted.vocabulary[END]
    for n in range(1, ORDER_AT_MOST + 1):
        tokens = request.tokens(smoothing.fit(counted.counts, n))
        copied = longest_copy(tokens, counted.training, end)[1]
        st.caption(f"n = {n}: longest copy {copied} of {sum(token != end for token in tokens)} tokens")
        st.code(counted.write(tokens) or "no next token (0 / 0)", language=None, wrap_lines=True)


def next_table(counted: CountedText, model: NgramModel, context: list[int], step: Step) -> None:
    """Show every token that can come next with its probability, under "Every number"."""
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

    LESSON.every_number("next tokens", lambda: (table, formula))
