"""Translation with attention: where the decoder looks for each word that it writes, and every number of a step."""

from dataclasses import replace

import streamlit as st

from core.lesson.choices.attention_cell import take_from_view
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.predict_first import predict_first
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.try_this import try_this
from core.models.translation.seq2seq import Seq2Seq, attention_weights
from core.models.translation.translate import greedy
from pages.translation.parts.attention_picture import (
    gold_of,
    say_verdict,
    sentence_written,
    show_attention,
    translated,
)
from pages.translation.parts.broken_translator import choose_break, show_consequence
from pages.translation.parts.decoder_steps import (
    score_function,
    show_encoder,
    show_step,
    step_table,
    translation_cells,
)
from pages.translation.parts.translation_pictures import translation as card_picture
from pages.translation.parts.translation_quality import show_quality
from pages.translation.parts.translator_choice import (
    DATES,
    DUTCH,
    choose_model,
    choose_sentence,
    choose_task,
    translator_of,
)

LESSON = Lesson(
    __name__,
    title="Translation with attention",
    question="Where does a translator look for each word that it writes?",
    icon="🌉",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"e_{ts} = \operatorname{score}(h_t, \bar h_s) \qquad a_{ts} = \frac{e^{e_{ts}}}{\sum_{s'} e^{e_{ts'}}} \qquad "
        r"c_t = \sum_s a_{ts}\, \bar h_s \qquad \tilde h_t = \tanh(W_c [c_t; h_t]) \qquad "
        r"p(y_t) = \operatorname{softmax}(W_s \tilde h_t)",
        r"$\bar h_s$: the encoder's state at input word $s$. $h_t$: the decoder's state, which has read the word before. "
        r"$e_{ts}$: score; $a_{ts}$: attention weight; $c_t$: context; $\tilde h_t$: attentional state; $y_t$: the word "
        r"written. **dot**: $h_t \cdot \bar h_s$. **general**: $h_t \cdot W_a \bar h_s$. "
        r"**additive**: $v_a \cdot \tanh(W_a h_t + U_a \bar h_s)$.",
    )

    VIEW = f"{LESSON}_view"
    take_from_view(LESSON, VIEW)
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        task = choose_task(LESSON)
        name = choose_model(LESSON, task)
        sentence = choose_sentence(LESSON, task)
        broken = choose_break(LESSON)
    translator = translator_of(name)
    whole = made = translated(translator, sentence.words)
    if broken:
        made = translated(replace(translator, model=broken(translator.model)), sentence.words)
    gold = gold_of(task, sentence, made)

    with picture:
        top = st.container()
        t = stepper(LESSON, [plain(f"writing “{word}”") for word in made.outputs])
        inputs = [f"{s + 1} {word}" for s, word in enumerate(made.input_names)]
        revealed = predict_first(
            LESSON,
            f"The model is about to write “{made.outputs[t]}”. Which input {task.unit} will it look at most?",
            inputs,
            inputs[int(made.weights[t].argmax())],
            f"{name}_{broken and broken.__name__}_{' '.join(sentence.words)}_{t}",
        )
    predicting = st.session_state.get(f"{LESSON}_predict", False)
    rows = t + revealed if predicting else len(made.outputs)
    if broken:
        show_consequence(task, name, broken, sentence_written(task, whole), sentence_written(task, made))
    cell = t, int(made.weights[t].argmax())
    if revealed:
        st.header("One step of the decoder", anchor=False)
        cell = t, show_step(LESSON, made, t)
    with top:
        if not predicting:
            st.text(f"→ {sentence_written(task, made)}")
            say_verdict(task, sentence, made)
        show_attention(LESSON, task, made, gold, rows=rows, cell=cell)

    st.header("What the encoder leaves", anchor=False)
    show_encoder(LESSON, made)
    st.header("How good is this model?", anchor=False)
    show_quality(LESSON, name)
    if revealed:
        step_table(LESSON, made)
    code_that_ran(greedy, Seq2Seq.decode, attention_weights, score_function(translator))
    take_away(
        LESSON,
        translation_cells(name, sentence.words),
    )
    try_this(
        LESSON,
        [
            (
                "White cars, voitures blanches: where do the lines cross?",
                {"text_fr": "the rich queen sold the white cars yesterday ."},
            ),
            (
                "Dutch puts its verb last: which line is longest?",
                {"task": DUTCH, "text_nl": "I think that the small girl gave the old teacher a red flower ."},
            ),
            ("A date: which letters say the month?", {"task": DATES, "step": 6}),
        ],
        [
            "Dzmitry Bahdanau, Kyunghyun Cho and Yoshua Bengio (2015), Neural machine translation by jointly learning to "
            "align and translate.",
            "Minh-Thang Luong, Hieu Pham and Christopher Manning (2015), Effective approaches to attention-based neural "
            "machine translation.",
            "Ilya Sutskever, Oriol Vinyals and Quoc Le (2014), Sequence to sequence learning with neural networks.",
        ],
    )
