"""Sampling: one set of logits, and what temperature, top-k and top-p make of it."""

import numpy as np
import streamlit as st

from core.figures.generation.sampling import sampling_payload, shown
from core.lesson.break_it import break_it
from core.lesson.browser_view import browser_view
from core.lesson.choices.language_model_choice import choose_language_model, choose_prompt, next_logits
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.generation.sampling import Settings, distribution, draw, sample, scale, softmax, top_k, top_p
from pages.generation.parts.continuations import every_model, five_settings, written
from pages.generation.parts.generation_pictures import sampling as card_picture
from pages.generation.parts.sampling_settings import FIVE, exact_settings, take_from_view
from pages.generation.parts.sampling_table import sampling_table, without_renormalising

LESSON = Lesson(
    __name__,
    title="Sampling the next token",
    question="What do temperature, top-k and top-p do to a model's next token?",
    icon="🌡️",
)
PLACES, LENGTH = 40, 90


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"p_i = \frac{e^{z_i / T}}{\sum_{j \in \text{kept}} e^{z_j / T}}\ \ (i \text{ kept, else } 0),"
        r"\qquad \text{the token drawn: the first with } \sum_{j \text{ as likely or likelier}} p_j > u",
        "$z_i$: the logit, the model's score of token $i$; $T$: the temperature; **top-k** keeps the $k$ likeliest tokens; "
        "**top-p** the fewest, likeliest first, whose mass reaches $p$ (of the mass that top-k has left); $u$: a random "
        "number from 0 to 1, which the seed decides.",
    )
    document = text_source()
    take_from_view(LESSON, f"{LESSON}_view")
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        chosen = choose_language_model(LESSON, document)
        prompt = choose_prompt(LESSON, document, chosen, "My lord, I will not ")
        seed = st.number_input("Seed", 0, 9999, 1, key=f"{LESSON}_seed", bind="query-params")
        settings = exact_settings(LESSON, len(chosen.names), Settings(temperature=0.8, top_p=0.7))
        broken = break_it(
            LESSON,
            "broken",
            "Break it: cut, but do not renormalise",
            "What is cut is lost instead of shared out.",
        )

    made = written(chosen, document, prompt.ids, LENGTH, settings, seed)
    with picture:
        view = st.container()
        place = stepper(LESSON, [f"the distribution of new token {i}" for i in range(1, PLACES + 1)])
        ids = (*prompt.ids, *made.tokens[:place])
        logits = next_logits(chosen.label, document.digest, ids, chosen.model)
        trace = distribution(logits, settings)
        u = float(np.random.default_rng(seed).random(place + 1)[-1])
        token = draw(trace, u)
    with view:
        likeliest = [shown(chosen.names[i]) for i in trace.order[:5]]
        answer = shown(chosen.names[token])
        about = f"{hash((ids, settings))}_{chosen.label}_{seed}"
        question = f"The tokens lie end to end, the likeliest first. On which one does u = {u:.3f} fall?"
        revealed = predict_first(LESSON, question, list(dict.fromkeys([*likeliest, answer])), answer, about)
        if revealed:
            payload = sampling_payload(logits, chosen.names, settings, seed, place)
            browser_view("sampling", payload, f"{LESSON}_view", {"settings": None})
    with picture:
        st.caption(
            "The prompt, and all that your settings make of it. Each step opens one token's distribution."
        )
        so_far = made.tokens if revealed else made.tokens[:place]
        st.code(chosen.decode((*prompt.ids, *so_far)) or " ", language=None, wrap_lines=True)

    if broken:
        without_renormalising(trace, seed)

    st.header("Five settings, one prompt, one seed", anchor=False)
    st.markdown(
        "Greedy search always takes the likeliest token, and soon repeats itself. A high temperature makes rare tokens "
        "likely, and spelling or grammar falls apart. In between lie texts that are varied and still make some sense."
    )
    five_settings(LESSON, chosen, document, prompt, LENGTH, seed, FIVE)
    st.header("One prompt, every model", anchor=False)
    every_model(LESSON, document, prompt.text, LENGTH, settings, seed)

    sampling_table(LESSON, trace, settings, chosen.names, seed)
    code_that_ran(distribution, scale, softmax, top_k, top_p, draw, sample)
    take_away(
        LESSON,
        [
            *chosen.cells,
            "from core.models.neural_language_model import read as read_on\n"
            "from core.models.generation.sampling import Settings, distribution, generate\n\n"
            f"prompt, settings = read({prompt.text!r}), {settings!r}\n"
            "trace = distribution(read_on(model, prompt).logits, settings)\n"
            "print(trace.entropy, trace.perplexity, trace.tail_mass)",
            f"steps = generate(model, prompt, {LENGTH}, settings, seed={seed})\n"
            "print(write([step.token for step in steps]))",
        ],
    )
    try_this(
        LESSON,
        [
            ("Greedy: where does the text begin to go in circles?", {"temperature": 0.0, "top_p": 1.0}),
            ("Hot and uncut: the tail takes over", {"temperature": 2.0, "top_p": 1.0}),
            (
                "Hot, but only the five likeliest: does it still spell?",
                {"temperature": 2.0, "top_k": 5, "top_p": 1.0},
            ),
        ],
        [
            "David Ackley, Geoffrey Hinton and Terrence Sejnowski (1985), A learning algorithm for Boltzmann machines.",
            "Angela Fan, Mike Lewis and Yann Dauphin (2018), Hierarchical neural story generation (top-k).",
            "Ari Holtzman et al. (2020), The curious case of neural text degeneration (top-p).",
        ],
    )
