"""Text from n-grams: tokens drawn one by one, each draw with the distribution it was drawn from."""

import pandas as pd
import streamlit as st

from core.figures.ngram import draw_figure
from core.figures.ngram_worked import worked_probability
from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.every_number import every_number
from core.lesson.figure import show_figure
from core.lesson.ngram_choice import (
    ORDER_AT_MOST,
    SOURCES,
    choose_order,
    choose_smoothing,
    choose_unit,
    counted_text,
    fit,
    notebook_cells,
)
from core.lesson.opening import open_lesson
from core.lesson.predict_first import predict_first
from core.lesson.stepper import stepper
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.longest_copy import longest_copy
from core.models.ngram_worked import explain
from core.models.sampling import Settings, draw, generate

LESSON = "ngram_generation"
ROWS_AT_MOST = 200
open_lesson(
    LESSON,
    r"w_i \sim p(\,\cdot \mid w_{i-n+1} \dots w_{i-1}):\qquad "
    r"w_i = \text{the first } w \text{ with } \sum_{w' \,\le\, w} p(w' \mid h) > u, \qquad u \sim U[0, 1)",
    "$h$: the context, the $n-1$ tokens before. The tokens are laid end to end, the likeliest first, each as long as "
    "its probability; the random number $u$ falls into one of them. The seed decides every $u$.",
)
document = text_source()
controls, picture = st.columns([1, 3], gap="medium")
with controls:
    unit = choose_unit(LESSON)
    counted = counted_text(document, unit)
    typed = st.text_input(
        "Begin with", key=f"{LESSON}_{unit}_prompt", bind="query-params", live=True, max_chars=300
    )
    order = choose_order(LESSON, 3)
    smoothing, arguments = choose_smoothing(LESSON, "none")
    length = st.slider("Tokens", 5, 100, 30, key=f"{LESSON}_length", bind="query-params")
    seed = st.number_input("Seed", 0, 9999, 1, key=f"{LESSON}_seed", bind="query-params")
    greedy = break_it(
        LESSON, "greedy", "Break it: always the likeliest", "No chance any more: u is always 0."
    )

prompt, unknown = counted.encode(typed, end=False), counted.unknown(typed)
if unknown:
    controls.text(f"Not in your text, so read as <unk>: {', '.join(unknown[:20])}")
model = fit(counted.counts, order, smoothing, arguments)
if not model.scores(prompt).any():
    picture.warning(
        "Your text never has the last words of this beginning, so without smoothing there is no next token (0 / 0). "
        "Choose a smoothing, a smaller n, or another beginning."
    )
    st.stop()
settings = Settings(temperature=0.0 if greedy else 1.0)
steps = list(generate(model, prompt, length, settings, seed))
tokens = [each.token for each in steps]
with picture:
    written = st.empty()
    place = stepper(LESSON, [f"token {i} is drawn" for i in range(1, length + 1)])
    step, context = steps[place], [*prompt, *tokens[:place]]
    trace, h = step.trace, counted.counts.look_back(context, order - 1)
    names = [counted.name(token) for token in trace.order[:12]]
    drawn = counted.name(step.token)
    revealed = predict_first(
        LESSON,
        "Which token comes next?",
        list(dict.fromkeys([*names[:5], drawn])),
        drawn,
        f"{context}_{order}_{smoothing}_{seed}_{greedy}",
    )
    predicting = st.session_state[f"{LESSON}_predict"]
    so_far = tokens[: place + revealed] if predicting else tokens
    written.code(counted.text([*prompt, *so_far]) or " ", language=None, wrap_lines=True)
    if revealed:
        how = "the likeliest is taken" if greedy else f"u = {step.u:.3f} falls into"
        st.text(
            f"After {counted.write(h) or 'anything'}: {how} “{drawn}”, p = {trace.probabilities[step.token]:.3g}; by "
            f"rank number {trace.rank[step.token]} of {int((trace.probabilities > 0).sum()):,} that can come."
        )
        show_figure(
            draw_figure(step, names, not greedy, 360),
            f"{LESSON}_figure",
            f"The next-token distribution of step {place + 1}: {how} {drawn}",
        )
if greedy:
    free = {each.token for each in generate(model, prompt, length, Settings(), seed)}
    st.markdown("Without chance the model runs in circles: after the same context it always says the same.")
    consequence("Different tokens", len(free), len(set(tokens)), "d")

if revealed:
    shown = trace.order[:ROWS_AT_MOST]
    table = pd.DataFrame(
        {
            "token": [counted.name(token) for token in shown],
            "p": trace.probabilities[shown],
            "cumulative": trace.cumulative[shown],
            "drawn": shown == step.token,
        }
    )

    def formula(row: int, column: str) -> str | None:
        """Fill in the probability of a token."""
        if column != "p":
            return None
        return worked_probability(
            explain(model, context, int(shown[row])), counted.name, len(model.vocabulary)
        )

    every_number(LESSON, "next tokens", table, formula)

if not predicting:
    st.header("From one token to five", anchor=False)
    start, copied = longest_copy(tokens, counted.training)
    st.markdown(
        f"The longest run above that stands word for word in your text has **{copied} of {len(tokens)}** tokens. "
        "The larger n, the better the text reads, and the more of it is copied:"
    )
    for n in range(1, ORDER_AT_MOST + 1):
        other = fit(counted.counts, n, smoothing, arguments)
        speaks = other.scores(prompt).any()
        made = [each.token for each in generate(other, prompt, length, settings, seed)] if speaks else []
        st.caption(f"n = {n}: longest copy {longest_copy(made, counted.training)[1]} of {len(made)} tokens")
        st.code(counted.write(made) or "no next token (0 / 0)", language=None, wrap_lines=True)
code_that_ran(draw, generate, longest_copy)
take_away(
    LESSON,
    "Text from n-grams",
    [
        *notebook_cells(f"{unit!r}, order=5", smoothing, order, arguments),
        "from core.models.sampling import Settings, generate\n\n"
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
