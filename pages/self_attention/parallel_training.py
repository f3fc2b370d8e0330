"""Training in parallel: one sequence is many examples, as long as none of them can see its answer."""

import streamlit as st
import torch

from core.figures.generation.sampling import shown
from core.figures.self_attention.parallel_training import (
    examples_payload,
    examples_table,
    worked_example,
    worked_mean,
)
from core.lesson.break_it import break_it
from core.lesson.browser_view import browser_view
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.predict_first import predict_first
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.text_source import notebook_text, text_source
from core.lesson.try_this import try_this
from core.models.fit_language_model import next_token_loss, shifted
from core.models.self_attention.fit_peeking import both, learner
from core.models.self_attention.parallel_training import in_one_pass, one_by_one
from core.models.self_attention.peeking import NO_MASK, NO_SHIFT, PeekingAttention, peeking
from core.models.stored_language_models import stored_language_model
from pages.self_attention.parts.attention_pictures import parallel_training as card_picture
from pages.self_attention.parts.passes import compare_passes
from pages.self_attention.parts.peeking_bench import choose_peek, peeking_bench
from pages.self_attention.parts.score_matrix import GPTS, HEAD_AT_MOST, read_sentence

LESSON = Lesson(
    __name__,
    title="Training in parallel",
    question="How does one pass over a text train on every one of its tokens?",
    icon="⏩",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    torch.set_num_threads(1)  # short windows: more threads would only wait for one another
    LESSON.open(
        r"L = -\frac{1}{T} \sum_{t=1}^{T} \ln p(y_t \mid x_1 \dots x_t), \qquad y_t = x_{t+1}",
        "$x$: a window of $T$ tokens. $y$: the same window, one further: the **targets**. Each $t$ is an example: "
        "a prefix and the token that comes next. $L$: the loss of the window, in nats a token.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        name = GPTS[st.selectbox("Model", list(GPTS), key=f"{LESSON}_model", bind="query-params")]
        model = stored_language_model(name)
        ids = torch.tensor(read_sentence(LESSON, document, name, HEAD_AT_MOST))
        broken = break_it(
            LESSON, "broken", "Break it: take the mask away", "Every row then sees every token of x."
        )
        st.markdown(
            ":blue[x]: what the model sees. :orange[y]: what it is to predict, one further. p(y) is the model's."
        )
    network = peeking(model.network, NO_MASK).requires_grad_(False) if broken else model.network
    tokens, T = [shown(model.vocabulary[i]) for i in ids], len(ids) - 1
    together, alone = in_one_pass(network, ids), one_by_one(network, ids)
    losses = together.losses.tolist()
    with picture:
        choices = [str(n) for n in sorted({1, T, T + 1, T * (T + 1) // 2})]
        question = (
            f"The model reads these {T + 1} tokens in one pass. How many predictions does it learn from?"
        )
        if predict_first(LESSON, question, choices, str(T), f"{name}_{T}"):
            place = st.container()
            examples = [plain(f"{tokens[t]} is followed by {tokens[t + 1]}") for t in range(T)]
            t = stepper(LESSON, examples, "example")
            with place:
                browser_view("examples", examples_payload(tokens, losses, t, broken), f"{LESSON}_examples")
            st.latex(worked_example(tokens, losses[t], t, broken))
            st.latex(worked_mean(losses, t + 1))

    compare_passes(ids, model.network, network, together, alone)

    st.header("What if it could peek while it learns?", anchor=False)
    st.markdown(
        "Two small GPTs start from the same weights and read the same windows of your text. One has the right mask. The "
        "other makes a mistake that shows it its answers. Watch its training loss, and then what it can do by itself."
    )
    settings, training = st.columns([1, 3], gap="medium")
    with settings:
        config = choose_peek(LESSON)
    with training:
        peeking_bench(LESSON, document, config)

    every_number(
        LESSON,
        "the examples",
        examples_table(tokens, losses, alone.losses.tolist()),
        lambda row, column: worked_example(tokens, losses[row], row, broken) if "p" in column[:4] else None,
    )
    code_that_ran(shifted, next_token_loss, in_one_pass, one_by_one, PeekingAttention, both, learner)
    take_away(
        LESSON,
        [
            "import torch\n\nfrom core.models.stored_language_models import stored_language_model\n\n"
            f"model = stored_language_model({name!r})\nids = torch.tensor({ids.tolist()})",
            "from core.models.self_attention.parallel_training import in_one_pass, one_by_one\n\n"
            "in_one_pass(model.network, ids).losses, one_by_one(model.network, ids).losses",
            f"from core.models.self_attention.fit_peeking import PeekConfig, fit_peeking\n{notebook_text()}\n"
            f"fit_peeking(print, text, {config!r})",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "A well-known line, character by character",
                {"model": "GPT, characters", "sentence": "To be, or not"},
            ),
            ("Without the mask: do the two ways still agree?", {"broken": True}),
            ("A common bug: y is x, not shifted. How far does the training loss fall?", {"way": NO_SHIFT}),
        ],
        [
            "Ashish Vaswani et al. (2017), Attention is all you need, section 3.1: masking keeps a prediction from "
            "depending on later outputs.",
            "Ronald Williams and David Zipser (1989), A learning algorithm for continually running fully recurrent neural "
            "networks: teacher forcing.",
        ],
    )
