"""Text from n-grams: tokens drawn one by one, each draw with the distribution it was drawn from."""

import streamlit as st

from core.lesson.break_it import break_it
from core.lesson.choices.ngram_choice import choose_counts, choose_order, choose_smoothing
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.generation.sampling import Settings, draw, generate
from core.models.n_grams.longest_copy import longest_copy
from pages.n_grams.parts.ngram_draws import (
    Request,
    next_table,
    predict_drawn,
    show_circles,
    show_draw,
    show_orders,
)
from pages.n_grams.parts.ngram_input import say_unknown, type_tokens
from pages.n_grams.parts.ngram_take_away import SOURCES, model_cells
from pages.n_grams.parts.pictures import ngram_generation as card_picture

LESSON = Lesson(
    __name__,
    title="Text from n-grams",
    question="How does a model of counts write?",
    icon="🎲",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"w_i \sim p(\,\cdot \mid w_{i-n+1} \dots w_{i-1}):\qquad "
        r"w_i = \text{the first } w \text{ with } \sum_{w' \,\le\, w} p(w' \mid h) > u, \qquad u \sim U[0, 1)",
        "$h$: the context, the $n-1$ tokens before. The tokens are laid end to end, the likeliest first, each as long as "
        "its probability; the random number $u$ falls into one of them. The seed decides every $u$.",
    )
    document = text_source("hamlet")
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        counted = choose_counts(LESSON, document)
        typed = type_tokens(LESSON, counted, "prompt", "Begin with", at_most=300)
        order = choose_order(LESSON, 3)
        smoothing = choose_smoothing(LESSON, "none")
        length = st.slider("Tokens", 5, 100, 30, key=f"{LESSON}_length", bind="query-params")
        seed = st.number_input("Seed", 0, 9999, 1, key=f"{LESSON}_seed", bind="query-params")
        greedy = break_it(
            LESSON, "greedy", "Break it: always the likeliest", "No chance any more: u is always 0."
        )
        say_unknown(counted, typed, "read")

    prompt = counted.encode(typed, end=False)
    model = smoothing.fit(counted.counts, order)
    if not model.scores(prompt).any():
        picture.warning(
            "Your text never has the last words of this beginning, so without smoothing there is no next token (0 / 0). "
            "Choose a smoothing, a smaller n, or another beginning."
        )
        st.stop()
    settings = Settings(temperature=0.0 if greedy else 1.0)
    request = Request(prompt, length, settings, seed)
    steps = request.steps(model)
    tokens = [step.token for step in steps]
    with picture:
        written = st.empty()
        place = stepper(LESSON, [f"token {i} is drawn" for i in range(1, length + 1)])
        step, context = steps[place], [*prompt, *tokens[:place]]
        about = f"{context}_{order}_{smoothing.name}_{seed}_{greedy}"
        revealed = predict_drawn(LESSON, counted, step, about)
        predicting = st.session_state[f"{LESSON}_predict"]
        so_far = tokens[: place + revealed] if predicting else tokens
        written.code(counted.text([*prompt, *so_far]) or " ", language=None, wrap_lines=True)
        if revealed:
            h = counted.counts.look_back(context, order - 1)
            show_draw(LESSON, counted, h, step, place + 1, greedy)
    if greedy:
        show_circles(request, model, tokens)
    if revealed:
        next_table(LESSON, counted, model, context, step)
    if not predicting:
        st.header("From one token to five", anchor=False)
        st.markdown(
            "The longest run above that stands word for word in your text has "
            f"**{longest_copy(tokens, counted.training)[1]} of {len(tokens)}** tokens. "
            "The larger n, the better the text reads, and the more of it is copied:"
        )
        show_orders(counted, smoothing, request)
    code_that_ran(draw, generate, longest_copy)
    take_away(
        LESSON,
        [
            *model_cells(counted.unit, smoothing, order),
            "from core.models.generation.sampling import Settings, generate\n\n"
            f"prompt = counted.encode({typed!r}, end=False)\n"
            f"steps = generate(model, prompt, {length}, Settings(temperature={settings.temperature}), seed={seed})\n"
            "print(counted.text(step.token for step in steps))",
        ],
    )
    try_this(
        LESSON,
        [
            ("Unigrams: words as often as in your text, in no order at all", {"n": 1}),
            ("Characters, n = 5: words that nobody wrote", {"unit": "characters", "n": 5, "length": 100}),
            ("Always the likeliest: where does it begin to repeat itself?", {"greedy": True, "n": 3}),
        ],
        SOURCES,
    )
