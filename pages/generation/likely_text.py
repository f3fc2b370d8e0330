"""The likeliest text: greedy and beam search run in circles and repeat themselves; real text surprises."""

import streamlit as st

from core.figures.generation.degeneration import bits_so_far_figure, likely_or_varied_figure
from core.lesson.break_it import consequence
from core.lesson.choices.language_model_choice import choose_language_model
from core.lesson.code_that_ran import code_that_ran
from core.lesson.figure import show_figure
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.generation.degeneration import distinct, repeated_cycle, written_in_every_way
from pages.generation.parts.broken_context import break_context
from pages.generation.parts.likely_texts import judged, numbers_of_texts, pooled, show_texts, usual, verdict
from pages.generation.parts.passages import choose_passages, measured
from pages.generation.parts.tree_pictures import likely_text as card_picture

LESSON = Lesson(
    __name__,
    title="The likeliest text",
    question="Why does the likeliest text repeat itself?",
    icon="🔁",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\text{bits so far} = -\sum_{i \le n} \log_2 p(y_i \mid y_1 \dots y_{i-1}) \qquad "
        r"\text{distinct-}2 = \frac{\text{different word pairs}}{\text{word pairs}}",
        "A few lines of a real text are given to the model, which goes on in several ways; how the real text goes on is "
        "scored by the same model. A **circle**: from some token to the end the same tokens come again and again, three "
        "times or more.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        chosen = choose_language_model(LESSON, document, first="word_gpt")
        length = st.slider("Tokens to write", 20, 300, 150, 10, key=f"{LESSON}_length", bind="query-params")
        passages = choose_passages(LESSON, chosen, document, length)
        width = st.slider("Width of the beam", 1, 8, 4, key=f"{LESSON}_width", bind="query-params")
        seed = st.number_input("Seed", 0, 9999, 1, key=f"{LESSON}_seed", bind="query-params")
        whole = chosen
        hint = "With so little memory it cannot know that it has said all this before."
        chosen = break_context(LESSON, whole, hint)
    broken = chosen is not whole
    with picture:
        names = list(dict.fromkeys(passage.source for passage in passages))
        shown = (
            st.selectbox("After which passage", names, key=f"{LESSON}_passage")
            if len(names) > 1
            else names[0]
        )
        passage = next(each for each in passages if each.source == shown)
        texts = judged(chosen, passage, measured(chosen, document, passage, length, width, seed))
        likeliest = max(texts, key=lambda each: each.ln_p.mean()).way
        about = f"{chosen.label}_{shown}_{length}_{width}_{seed}_{document.digest}"
        question = "Of which text is the model the least surprised?"
        if not predict_first(LESSON, question, [each.way for each in texts], likeliest, about):
            st.code(whole.decode(passage.prompt), language=None, wrap_lines=True)
            st.stop()
        show_figure(
            bits_so_far_figure(
                {each.way: each.ln_p for each in texts}, {each.way: each.cycle for each in texts}
            ),
            f"{LESSON}_bits",
            "The bits that each text has cost until each of its tokens; a ring where a circle begins",
        )
        st.caption(
            "The flatter a line, the surer the model was of each token, and the less each token told it. A ring: from here "
            "on the text runs in a circle."
        )
    if broken:
        before = judged(whole, passage, measured(whole, document, passage, length, width, seed))
        begins = [
            next((each.cycle.start if each.cycle else length) for each in judging if each.way == "greedy")
            for judging in (before, texts)
        ]
        st.markdown(
            f"Tokens that greedy search writes before its circle begins ({length} where it has none):"
        )
        consequence("Tokens before the circle", *begins, "d")

    st.header("The texts", anchor=False)
    show_texts(chosen.decode(passage.prompt), texts)
    st.header("Likely, or varied?", anchor=False)
    every = [
        each
        for one in passages
        for each in judged(chosen, one, measured(chosen, document, one, length, width, seed))
    ]
    means, varied, circles = pooled(every)
    verdict(means, varied, circles, len(passages))
    show_figure(
        likely_or_varied_figure(means, varied, usual(chosen)),
        f"{LESSON}_varied",
        "Each way to write: how likely a token is, and how many of its word pairs differ",
    )
    st.caption("All passages together.")
    numbers_of_texts(LESSON, every)
    code_that_ran(written_in_every_way, repeated_cycle, distinct)
    take_away(
        LESSON,
        [
            *whole.cells,
            "from core.models.generation.degeneration import repeated_cycle, written_in_every_way\n\n"
            f"prompt = read({whole.decode(passage.prompt)!r})\n"
            f"texts = written_in_every_way(model, prompt, {length}, width={width}, seed={seed})\n"
            "for way, tokens in texts.items():\n    print(way, repeated_cycle(tokens), repr(write(tokens)))",
        ],
    )
    try_this(
        LESSON,
        [
            (
                "An n-gram knows few contexts: greedy search must come back to one",
                {"model": "n-gram, characters", "length": 200},
            ),
            (
                "Byte pairs: which texts run in a circle, and what do they say?",
                {"model": "GPT, byte pairs", "length": 200},
            ),
            ("Your own text: is it still the least likely?", {"source": "your text"}),
        ],
        [
            "Ari Holtzman et al. (2020), The curious case of neural text degeneration.",
            "Jiwei Li et al. (2016), A diversity-promoting objective function for neural conversation models (distinct-n).",
            "Sean Welleck et al. (2020), Neural text generation with unlikelihood training, on repetition.",
        ],
    )
