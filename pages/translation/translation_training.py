"""Train a translator: on dates, on the course's sentences or on pairs of one's own, and watch where it looks."""

import streamlit as st

from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.training_job import training_job
from core.lesson.try_this import try_this
from core.models.translation.fit_translation import Fit, fit_translation, loss_of
from core.models.translation.kept_translator import to_safetensors
from pages.translation.parts.broken_translator import choose_break
from pages.translation.parts.decoder_steps import step_table
from pages.translation.parts.pair_source import OWN, choose_pairs
from pages.translation.parts.translation_pictures import translation_training as card_picture
from pages.translation.parts.translator_choice import FRENCH
from pages.translation.parts.translator_training import (
    Attempt,
    choose_settings,
    choose_watched,
    notebook_cells,
    pairs_table,
    show_broken,
    show_material,
    show_result,
    show_translation,
    training_table,
    typed_translation,
    watch,
)

LESSON = Lesson(
    __name__,
    title="Train a translator",
    question="How does a model find out where to look, when nobody tells it?",
    icon="🏋️",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"L = -\frac{1}{n} \sum_t \ln p(y_t \mid y_1 \dots y_{t-1},\, x)",
        "$x$: the input, word by word. $y_t$: the right output word at step $t$; the words before it are given as they "
        "should be, whatever the model would have written (**teacher forcing**). $n$: all output words of a batch. Every "
        "number of the model moves a little against the gradient of $L$ (Adam). Nothing in $L$ says where to look.",
    )
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        top, middle, bottom = (st.container() for _ in range(3))
    seed = bottom.number_input("Seed", 0, 9999, 1, key=f"{LESSON}_seed", bind="query-params")
    with top:
        material = choose_pairs(LESSON, seed)
    if material is None:
        picture.info("The training waits for a file with pairs.")
        st.stop()
    with middle:
        watched = choose_watched(LESSON, material)
        settings = choose_settings(LESSON, seed, material)
    with bottom:
        broken = choose_break(LESSON)

    attempt = Attempt(material, watched, settings)
    with picture:
        bench = training_job(
            LESSON,
            fit_translation,
            (material.pairs, list(watched), *vars(settings).values()),
            attempt,
            lambda reports: watch(LESSON, material.task.unit, reports),
        )
        if bench.result is None:
            show_material(LESSON, material)
        else:
            attempt = bench.settings
            show_result(LESSON, bench.result, attempt)
    st.markdown(
        "At first every input gets about the same weight, and the output is babble. The loss falls quickly while the model "
        "learns which words are frequent; the **alignment** appears later, and with it the right words."
    )
    revealed = False
    if bench.result is not None:
        translator = bench.result.translator()
        st.header("Translate with it", anchor=False)
        made = typed_translation(LESSON, attempt, translator)
        inputs = [f"{s + 1} {word}" for s, word in enumerate(made.inputs)]
        revealed = predict_first(
            LESSON,
            f"Which input {attempt.material.task.unit} does it look at most when it writes its first output?",
            inputs,
            inputs[int(made.weights[0].argmax())],
            f"{bench.number}_{' '.join(made.inputs)}",
        )
        if revealed:
            show_translation(LESSON, attempt, made)
        if broken:
            show_broken(attempt, translator, broken)
    elif broken:
        st.info("Train first: the break is measured on the model that you have trained.")

    if revealed:
        step_table(LESSON, made)
        training_table(LESSON, bench.result.snapshots)
    pairs_table(LESSON, material)
    code_that_ran(fit_translation, Fit.epoch, loss_of)
    files = {}
    if bench.result is not None:
        files["Weights (safetensors)"] = ("translator.safetensors", lambda: to_safetensors(bench.result))
    take_away(LESSON, notebook_cells(attempt), files)
    try_this(
        LESSON,
        [
            ("The dot score on dates: does the alignment appear sooner or later?", {"score": "dot"}),
            ("English and French: where do adjective and noun cross?", {"on": FRENCH}),
            ("Your own pairs: two columns of anything, words or characters", {"on": OWN}),
        ],
        [
            "Dzmitry Bahdanau, Kyunghyun Cho and Yoshua Bengio (2015), Neural machine translation by jointly learning to "
            "align and translate.",
            "Minh-Thang Luong, Hieu Pham and Christopher Manning (2015), Effective approaches to attention-based neural "
            "machine translation.",
            "Ronald Williams and David Zipser (1989), A learning algorithm for continually running fully recurrent neural "
            "networks (teacher forcing).",
        ],
    )
