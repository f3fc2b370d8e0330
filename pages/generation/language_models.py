"""One table of all language models: bits a character on the same held-out text, and on the learner's own."""

import streamlit as st

from core.lesson.break_it import break_it
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.language_model import bits_per_character
from core.models.neural_language_model import NeuralLanguageModel
from core.models.stored_language_models import CountedLanguageModel
from pages.generation.parts.character_text import choose_characters
from pages.generation.parts.generation_pictures import language_models as card_picture
from pages.generation.parts.model_comparison import (
    PIECE,
    about_text,
    compare,
    quality_table,
    show_comparison,
    show_surprise,
    show_torn,
)
from pages.recurrent_models.weight_tying import LESSON as WEIGHT_TYING

LESSON = Lesson(
    __name__,
    title="The language models compared",
    question="Which kind of model foresees the next character best?",
    icon="🏆",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"\text{bits a character} = -\frac{1}{n} \sum_{i=1}^{n} \log_2 p(c_i \mid c_1 \dots c_{i-1})"
        r" \qquad \text{perplexity} = 2^{\,\text{bits}}",
        "$c_1 \\dots c_n$: the characters of a text that no model was trained on. A model that needs 2 bits is on average "
        "as unsure as among $2^2 = 4$ equally likely characters. One nat is $1 / \\ln 2 \\approx 1.443$ bits.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        characters = st.slider(
            "Characters to read",
            100,
            4000,
            600,
            step=100,
            key=f"{LESSON}_characters",
            bind="query-params",
            help="How much of the beginning of your text every model reads.",
        )
        prompt = choose_characters(LESSON, document, characters)
        broken = break_it(
            LESSON,
            "torn",
            f"Break it: tear the text into pieces of {PIECE}",
            "Each piece is then read as if nothing stood before it.",
        )

    found = compare(prompt)
    own = {label: found.own[label] for label in found.cards}
    best = min(own, key=own.get)
    with picture:
        revealed = predict_first(
            LESSON, "Which model foresees your text best?", sorted(own), best, f"{hash(prompt.text)}"
        )
        if revealed:
            show_comparison(LESSON, found)
    st.caption(plain(about_text(found.cards)))
    st.markdown(
        "All character models share one vocabulary and one held-out text, so their bits may be compared. **Your text** is "
        "another matter: where it is unlike a play of 1600, all of them do worse. If it *is* one of Shakespeare's plays, "
        "they have read nine tenths of it in training, and look better than they are."
    )
    if found.other:
        st.markdown(
            f"**{', '.join(found.other)}** is kept apart: it reads pieces of words, and was trained and measured on other "
            "text. Only on your text is it asked the same question: the bits of all its tokens, divided by the number of "
            "characters. It has a bar there, and no colours below: its surprise belongs to pieces, not to characters."
        )
    if broken:
        show_torn(found, best, prompt.ids)
        st.info(
            f"With at most {PIECE - 1} characters of context, even the best model here knows little more than letters."
        )
    if revealed:
        st.header("Where is each model surprised?", anchor=False)
        st.markdown(
            "The stronger the colour, the more bits the character cost. Point at a character, or go along the text with "
            "the arrow keys, and ask every model. Look at the beginnings of words, and at their ends."
        )
        show_surprise(LESSON, found)
    size = WEIGHT_TYING
    st.page_link(
        size.streamlit_page,
        label=f"Why some have more parameters than others: **{size.title}**",
        icon=size.icon,
    )
    if revealed:
        quality_table(LESSON, found)
    code_that_ran(bits_per_character, NeuralLanguageModel, CountedLanguageModel)
    take_away(
        LESSON,
        [
            "from core.models.language_model import bits_per_character\n"
            "from core.models.stored_language_models import BITS, character_models, encode, stored_language_model\n\n"
            "for card in character_models():\n    print(card.model, card.quality['parameters'], card.quality[BITS])",
            f"text = {prompt.text!r}",
            "for card in character_models():\n    model = stored_language_model(card.model)\n"
            "    ln_p = model.token_log_probabilities(encode(card.model, text).ids)\n"
            "    print(card.model, bits_per_character(ln_p, len(text)))",
        ],
    )
    try_this(
        LESSON,
        [
            ("A line that everybody knows: which models know it too?", {"source": "typed"}),
            ("Nonsense: how many bits does “zzzzqqqq” cost?", {"source": "typed", "typed": "zzzzqqqqxxxx"}),
            ("Tear the text apart: what is left of the best model?", {"torn": True}),
        ],
        [
            "Claude E. Shannon (1951), Prediction and entropy of printed English: people need about one bit a letter.",
            "Andrej Karpathy, Justin Johnson and Fei-Fei Li (2016), Visualizing and understanding recurrent networks.",
            "The corpus, settings and measures of each model stand in assets/models/<model>/card.json.",
        ],
    )
