"""What attention knows of word order: shuffle the words, with positions and without, and compare every output."""

import streamlit as st

from core.figures.generation.sampling import shown
from core.lesson.break_it import break_it, consequence
from core.lesson.code_that_ran import code_that_ran
from core.lesson.lesson import Lesson
from core.lesson.predict_first import predict_first
from core.lesson.take_away import take_away
from core.lesson.text_source import text_source
from core.lesson.try_this import try_this
from core.models.self_attention.gpt import trace
from core.models.self_attention.word_order import shuffle, shuffled, without_positions
from pages.self_attention.parts.attention_pictures import word_order as card_picture
from pages.self_attention.parts.head_choice import choose_attentive_model, choose_head, choose_read_text
from pages.self_attention.parts.shuffled_text import STILL, output_table, readings, show_shuffle

LESSON = Lesson(
    __name__,
    title="Shuffle the words",
    question="Does attention know in which order the words stand?",
    icon="🌀",
)


def picture():
    """Return the picture of the lesson's card."""
    return card_picture()


def page() -> None:
    """Show the lesson."""
    LESSON.open(
        r"x_t = E\,w_t + p_t \qquad\qquad p_t = 0 \text{ for all } t \;\Rightarrow\; f(\Pi\, w) = \Pi\, f(w)"
        r"\text{ for every shuffle } \Pi",
        "$E\\,w_t$: the embedding of token $t$; $p_t$: the embedding of its position; $f$: the whole network. Scores, "
        "softmax and weighted sums ask what stands there, never where. Without positions (and without a causal mask) the "
        "same words in another order get the same outputs, in that order.",
    )
    document = text_source()
    controls, picture = st.columns([1, 3], gap="medium")
    with controls:
        model = choose_attentive_model(LESSON, predicting=True, first="word_masked")
        broken = break_it(
            LESSON, "no_positions", "Break it: no positions", "Every position's embedding is set to nought."
        )
        seed = st.number_input("Shuffle number", 0, 9999, 1, key=f"{LESSON}_seed", bind="query-params")
        layer, head = choose_head(LESSON, model)
        read = choose_read_text(
            LESSON, document, model, "The king saw the man, and the man did not see the king."
        )
    if not len(read.ids):
        st.info("There is no token to shuffle yet. Type a sentence.")
        st.stop()

    order = shuffled(len(read.ids), seed, len(model.before))
    found = readings(model.name, tuple(read.ids.tolist()), seed, layer, head)
    used = found["without"] if broken else found["with"]
    still = int((used.moved < STILL).sum())
    with picture:
        st.text("Shuffled: " + " ".join(shown(read.tokens[place]) for place in order))
        choices = ["none of them", "some of them", "all of them"]
        answer = choices[0] if still == 0 else choices[2] if still == len(used.moved) else choices[1]
        question = (
            "Read the shuffled text, then put its outputs back in order. How many of them are as before?"
        )
        about = f"{hash(tuple(read.ids.tolist()))}_{model.name}_{seed}_{broken}"
        if not predict_first(LESSON, question, choices, answer, about):
            st.stop()
        show_shuffle(LESSON, used, read.tokens, f"layer {layer + 1}, head {head + 1}")

    if model.causal:
        st.markdown(
            "This model looks back only. Even without positions the shuffle moves its outputs: **the causal mask tells the "
            "order by itself**, since it decides who can be seen. Choose the masked model to see nothing change."
        )
    st.header("What positions are worth", anchor=False)
    st.markdown("The same model on these tokens, with its positions and with all of them set to nought:")
    consequence("Bits per token", found["bits"], found["bits without"], more_is_better=False)

    output_table(LESSON, used, read.tokens, order)
    code_that_ran(shuffle, shuffled, without_positions, trace)
    take_away(
        LESSON,
        [
            "import torch\nfrom core.models.self_attention.attentive_models import attentive_model\n"
            "from core.models.self_attention.word_order import shuffle, shuffled, without_positions\n\n"
            f"model = attentive_model({model.name!r})\nids = model.read({read.prompt.text!r}).ids",
            "for network in (model.network, without_positions(model.network)):\n"
            f"    print(shuffle(network, ids, shuffled(len(ids), {seed}, {len(model.before)}), {layer}, {head}).moved)",
        ],
    )
    try_this(
        LESSON,
        [
            ("No positions: shuffle as often as you like", {"no_positions": True, "seed": 7}),
            (
                "A GPT without positions still knows the order",
                {"model": "GPT, byte pairs", "no_positions": True},
            ),
            ("Which outputs move least? See who stands beside them after the shuffle", {"seed": 4}),
        ],
        [
            "Ashish Vaswani et al. (2017), Attention Is All You Need, section 3.5.",
            "Adi Haviv et al. (2022), Transformer Language Models without Positional Encodings Still Learn Positional "
            "Information.",
        ],
    )
