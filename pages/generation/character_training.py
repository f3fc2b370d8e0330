"""Train a character model on the learner's own text, replay how it learnt, and hold it against counting."""

import streamlit as st

from core.lesson.break_it import break_it
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.take_away import take_away
from core.lesson.text_source import notebook_text, text_source
from core.lesson.training_job import training_job
from core.lesson.try_this import try_this
from core.models.fit_language_model import next_token_loss
from core.models.generation.fit_characters import (
    CharacterTraining,
    fit_characters,
    measured_loss,
    ngram_losses,
)
from pages.generation.parts.character_settings import character_settings, watch_characters
from pages.generation.parts.generation_pictures import character_training as card_picture
from pages.generation.parts.trained_characters import (
    baselines,
    guessed,
    losses_table,
    show_baselines,
    show_replay,
    show_shuffled,
    to_train_on,
)

LESSON = Lesson(
    __name__,
    title="Train on your characters",
    question="What does a network learn of your text, and in what order?",
    icon="🏋️",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\theta \leftarrow \theta - \eta\, \nabla_\theta L, \qquad "
        r"L = -\frac{1}{BT} \sum_{b=1}^{B} \sum_{t=1}^{T} \ln p_\theta(y_{b,t} \mid x_{b,1} \dots x_{b,t})",
        "$B$ windows of $T$ characters are drawn from the first nine tenths of the text; $y$ is $x$ one to the right; "
        "$\\theta$: all weights; $\\eta$: the rate. The last tenth is **held out**: no step ever reads it. Matrices inside "
        "the network take steps by Muon, all else by Adam.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        config = character_settings(LESSON)
        broken = break_it(
            LESSON,
            "shuffled",
            "Break it: shuffle the characters",
            "The text keeps its letters and their numbers, and loses their order.",
        )
        given = to_train_on(document, config, broken)

    with picture:
        bench = training_job(LESSON, fit_characters, (given.text, config), given, watch_characters)
        ngrams = baselines(bench.settings or given)
        if bench.result is not None:
            show_replay(LESSON, bench, ngrams)
            st.markdown(
                "Play it, and look for the order: how frequent each letter is, where words begin and end, short words, "
                "then longer ones and the shape of lines. Meaning is not among what so small a network learns."
            )
        st.header("Against counting", anchor=False)
        st.markdown(
            "The n-grams were counted on the same nine tenths, and all are measured on the first 4,000 characters of the "
            "last tenth. The network has to be better than this to have learnt more than short runs of characters."
        )
        revealed = guessed(LESSON, ngrams, bench)
        if ngrams:
            show_baselines(LESSON, ngrams, bench, revealed)

    if broken:
        show_shuffled(baselines(to_train_on(document, config, False)), baselines(given))
    losses_table(LESSON, ngrams, bench, revealed)
    code_that_ran(fit_characters, CharacterTraining, next_token_loss, measured_loss, ngram_losses)
    files = {}
    if bench.result is not None:
        files["Weights (safetensors)"] = ("characters.safetensors", bench.result.safetensors)
    take_away(
        LESSON,
        [
            "from core.models.generation.fit_characters import CharacterConfig, fit_characters, load_characters, ngram_losses\n"
            f"{notebook_text()}",
            f"fit = fit_characters(lambda progress: print(progress.step, progress.held_out_loss), text, {config!r})\n"
            "print(fit.snapshots[-1].sample)",
            "ngram_losses(text, range(1, 7))",
            '# model = load_characters("characters.safetensors")  # the weights that you took away',
        ],
        files,
    )
    try_this(
        LESSON,
        [
            (
                "A feed-forward network that sees four characters: what can it spell?",
                {"network": "feed-forward", "window": 4},
            ),
            (
                "A GPT that sees 64: does it pass the n-grams, and after how many steps?",
                {"network": "GPT", "window": 64, "steps": 1600},
            ),
            ("Shuffle the text first: what is left to learn?", {"shuffled": True, "steps": 100}),
        ],
        [
            "Jeffrey Elman (1990), Finding structure in time: a network learns words from a stream of letters.",
            "Ilya Sutskever, James Martens and Geoffrey Hinton (2011), Generating text with recurrent neural networks.",
            "Keller Jordan et al. (2024), Muon: an optimizer for hidden layers in neural networks.",
        ],
    )
