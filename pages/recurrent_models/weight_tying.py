"""Weight tying and size: what a window costs, what a shared matrix saves, and one row doing two jobs."""

import streamlit as st

from core.lesson.break_it import break_it
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.parameter_counts import counts_by_window, parameter_count
from core.models.recurrent_models.weight_tying import (
    bits_with,
    bits_without_row,
    recurrent_parameters,
    without_row,
)
from core.models.recurrent_models.weighted_sum import GATES
from pages.recurrent_models.parts.parameter_growth import show_measured, show_sizes, size_table, sizes
from pages.recurrent_models.parts.recurrent_pictures import weight_tying as card_picture
from pages.recurrent_models.parts.recurrent_reading import choose_reading
from pages.recurrent_models.parts.tied_row import choose_token, show_jobs, show_row

LESSON = Lesson(
    __name__,
    title="Weight tying and size",
    question="How many numbers must a language model learn?",
    icon="🪢",
)
VOCABULARIES = {"63 characters": 63, "1,000 words": 1000, "10,000 words": 10_000, "50,000 words": 50_000}


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"x_t = E_{k} \qquad z_k = h_t \cdot E_{k} + b_k \qquad\qquad "
        r"\underset{\text{recurrent, tied}}{V H + g\,(2 H^2 + 2 H) + V} \qquad "
        r"\underset{\text{feed-forward}}{n\, C\,(M + V) + \dots}",
        "$E$: the embedding, one row of $H$ numbers for each of $V$ tokens. $x_t$: the row of the token just read. $z_k$: "
        "the logit of token $k$. **Tied**: both use the same $E$. $g$: gates with their proposal (RNN 1, GRU 3, LSTM 4). "
        "$n$: the window of a feed-forward model with $C$ numbers an embedding and $M$ hidden units.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        sentence = choose_reading(LESSON, document, "My lord, I will not go to Rom")
        vocabulary_size = VOCABULARIES[
            st.selectbox("Vocabulary V", list(VOCABULARIES), key=f"{LESSON}_vocabulary", bind="query-params")
        ]
        width = st.slider(
            "Hidden units H", 16, 1024, 160, step=16, key=f"{LESSON}_width", bind="query-params"
        )
        gone = break_it(
            LESSON,
            "gone",
            "Break it: set one row to 0",
            "The row is taken from reading, from writing, and from both.",
        )

    cell = sentence.cell
    counts = sizes(vocabulary_size, width, cell)
    saved = {
        f"{vocabulary_size:,} · {width} = {vocabulary_size * width:,}": "V H",
        f"{width} · {width} = {width * width:,}": "H H",
        f"{vocabulary_size:,} + {width} = {vocabulary_size + width:,}": "V + H",
    }
    with picture:
        if predict_first(
            LESSON,
            f"V = {vocabulary_size:,}, H = {width}: how many numbers does tying save?",
            list(saved),
            next(iter(saved)),
            f"{vocabulary_size}_{width}",
        ):
            show_sizes(LESSON, cell, counts)

    st.header("What they reach", anchor=False)
    show_measured()
    st.header("One row, two jobs", anchor=False)
    token = choose_token(LESSON, sentence)
    show_row(LESSON, sentence, token)
    if gone:
        show_jobs(LESSON, sentence, document, token)

    size_table(LESSON, counts, vocabulary_size, width, len(GATES[cell.lower()]))
    code_that_ran(
        *(recurrent_parameters, parameter_count, counts_by_window),
        *(without_row, bits_with, bits_without_row),
    )
    take_away(
        LESSON,
        [
            *sentence.cells,
            "from core.models.recurrent_models.weight_tying import bits_without_row, recurrent_parameters\n\n"
            "print(recurrent_parameters(network.config), recurrent_parameters(network.config, tied=False))",
            f"{{name: bits.mean() for name, bits in bits_without_row(network, ids, token={token}).items()}}",
        ],
    )
    try_this(
        LESSON,
        [
            ("50,000 words: what share of the model is the second matrix?", {"vocabulary": "50,000 words"}),
            ("An LSTM of 320 units: at which window do the lines cross?", {"cell": "LSTM", "width": 320}),
            ("Take the row of the space away", {"gone": True, "token": "␣"}),
        ],
        [
            "Yoshua Bengio, Réjean Ducharme, Pascal Vincent and Christian Jauvin (2003), A neural probabilistic language "
            "model.",
            "Ofir Press and Lior Wolf (2017), Using the output embedding to improve language models.",
            "Hakan Inan, Khashayar Khosravi and Richard Socher (2017), Tying word vectors and word classifiers.",
        ],
    )
