"""What attention knows of word order: shuffle the words, with positions and without, and compare every output."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import pandas as pd
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.sampling import shown
from core.figures.self_attention.weight_panels import weight_panels
from core.figures.self_attention.word_order import moved_tokens
from core.figures.worked import number
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import choose_attentive_model, choose_head, choose_read_text
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.text_source import text_source
from core.models.self_attention.ablation import mean_bits
from core.models.self_attention.attentive_models import attentive_model
from core.models.self_attention.gpt import GPT
from core.models.self_attention.gpt_trace import trace
from core.models.self_attention.word_order import Shuffle, shuffle, shuffled, without_positions

LESSON = Lesson(
    __name__,
    title="Shuffle the words",
    question="Does attention know in which order the words stand?",
    icon="shuffle",
)
SENTENCE = "The king saw the man, and the man did not see the king."
SHARES = ["none of them", "some of them", "all of them"]


def picture() -> Figure:
    """How far each token's output moves when the GPT reads a sentence's words in another order."""
    model = attentive_model("word_gpt")
    read = model.read("The dog saw the man.")
    moved = shuffle(model.network, read.ids, shuffled(len(read.ids), 1, len(model.before))).moved
    return small(moved_tokens(moved.numpy(), read.tokens))


def page() -> None:
    """A text and its shuffle under one head; how far each output moved; what positions are worth."""
    LESSON.open(
        r"x_t = E\,w_t + p_t \qquad\qquad p_t = 0 \text{ for all } t \;\Rightarrow\; f(\Pi\, w) = \Pi\, f(w)"
        r"\text{ for every shuffle } \Pi",
        "$E\\,w_t$: the embedding of token $t$; $p_t$: the embedding of its position; $f$: the whole network. Scores, "
        "softmax and weighted sums ask what stands there, never where. Without positions (and without a causal mask) "
        "the same words in another order get the same outputs, in that order.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = choose_attentive_model(LESSON, notes, predicting=True, first="word_masked", width=200)
        read = choose_read_text(LESSON, notes, document, model, SENTENCE)
        seed = LESSON.number("seed", "Shuffle number", 0, 9999, 1, width=120)
        broken = LESSON.break_it(
            "no_positions", "Break it: no positions", "Every position's embedding is set to nought."
        )
        with LESSON.more():
            layer, head = choose_head(LESSON, model)
    enough = len(read.ids) > len(model.before) + len(model.after) + 1
    if not enough:
        st.info("A shuffle needs two tokens. Type a sentence.")
    else:
        order = shuffled(len(read.ids), seed, len(model.before))
        found = readings(model.name, tuple(read.ids.tolist()), seed, layer, head)
        used = found["without"] if broken else found["with"]
        with stage:
            about = f"{hash(tuple(read.ids.tolist()))}_{model.name}_{seed}_{broken}"
            question = (
                "Read the shuffled text, then put its outputs back in order. How many of them are as before?"
            )
            if LESSON.ask(question, SHARES, share_still(used), about):
                show_shuffle(used, read.tokens, f"layer {layer + 1}, head {head + 1}", broken)
                LESSON.every_number("outputs", output_table, used, read.tokens, order)
                if model.causal:
                    say_what_the_mask_does(found["without"])
            st.text("Shuffled: " + " ".join(shown(read.tokens[place]) for place in order))
        st.header("What positions are worth", anchor=False)
        st.markdown("The same model on these tokens, with its positions and with all of them set to nought:")
        consequence("Bits per token", found["bits"], found["bits without"], more_is_better=False)
        LESSON.set_values(worth="worse" if found["bits without"] > found["bits"] else "no worse")
        if found["bits without"] <= found["bits"]:
            st.markdown(
                f"On these {len(read.ids)} tokens the model does no worse without its positions. They were of use on the "
                "texts it learnt from; that does not make them useful on every text."
            )
    LESSON.closing(
        code=[shuffle, shuffled, without_positions, Shuffle, trace, mean_bits],
        notebook=[
            "import torch\nfrom core.models.self_attention.attentive_models import attentive_model\n"
            "from core.models.self_attention.word_order import shuffle, shuffled, without_positions\n\n"
            f"model = attentive_model({model.name!r})\nids = model.read({read.prompt.text!r}).ids",
            f"order = shuffled(len(ids), {seed}, {len(model.before)})\n"
            "for network in (model.network, without_positions(model.network)):\n"
            f"    print(shuffle(network, ids, order, {layer}, {head}).moved)",
        ],
        plot=(
            "from core.figures.self_attention.word_order import moved_tokens\n\n"
            "moved = shuffle(model.network, ids, order).moved\n"
            "draw(moved_tokens(moved.numpy(), [model.vocabulary[i] for i in ids]))"
        ),
        try_this=[
            ("No positions: shuffle as often as you like", {"no_positions": True, "seed": 7}),
            (
                "A GPT without positions still knows the order",
                {"model": "GPT, byte pairs", "no_positions": True},
            ),
            (
                "Which outputs move least? See who stands beside them after the shuffle",
                {"model": "masked model, byte pairs", "seed": 4},
            ),
        ],
        sources=[
            "Ashish Vaswani et al. (2017), Attention Is All You Need, section 3.5.",
            "Adi Haviv et al. (2022), Transformer Language Models without Positional Encodings Still Learn Positional "
            "Information.",
        ],
    )


@lru_cache(maxsize=4)
def placeless(name: str) -> GPT:
    """Return a model's network with all positions nought; all sessions share it."""
    return without_positions(attentive_model(name).network)


@cached(48, 12, "The model reads, and reads the shuffle", shared=no_typed_words)
def readings(name: str, ids: tuple[int, ...], seed: int, layer: int, head: int) -> dict[str, Shuffle | float]:
    """Return a text's shuffle read `with` positions and `without`, and the `bits` a token, `bits without` too."""
    torch.set_num_threads(1)
    model, text = attentive_model(name), torch.tensor(ids)
    order = shuffled(len(ids), seed, len(model.before))
    return {
        "with": shuffle(model.network, text, order, layer, head),
        "without": shuffle(placeless(name), text, order, layer, head),
        "bits": mean_bits(model, [text]),
        "bits without": mean_bits(model, [text], placeless(name)),
    }


def share_still(used: Shuffle) -> str:
    """Return how many outputs are as they were: none, some or all."""
    still = used.still
    return SHARES[0] if still == 0 else SHARES[2] if still == len(used.moved) else SHARES[1]


def show_shuffle(used: Shuffle, tokens: Sequence[str], head: str, broken: bool) -> None:
    """Draw a head's weights on a text and on its shuffle, and how far each output moved."""
    panels = {
        "as it stands": used.weights.numpy(),
        "shuffled, then put back in order": used.shuffled_weights.numpy(),
    }
    alt = f"The weights of {head} on the text and on its shuffle"
    LESSON.figure("heads", weight_panels(panels, tokens, height=390), alt, wide=True)
    bluest = max(float(each.max()) for each in panels.values())
    st.caption(f"Both on one scale: the bluest cell is a weight of {bluest:.2f}.")
    moved = used.moved.numpy()
    LESSON.caption(f"{'Without' if broken else 'With'} positions {how_far_they_moved(used)}")
    knows = "So it matters to the model where its words stand." if used.still < len(moved) else ""
    LESSON.set_values(still=still_said(used), knows=knows or "On this shuffle nothing has moved.")
    LESSON.figure("moved", moved_tokens(moved, tokens), "How far each token's output moved")


def still_said(used: Shuffle) -> str:
    """Return how many outputs are as they were."""
    return f"{used.still} of {len(used.moved)} outputs {'is as it was' if used.still == 1 else 'are as they were'}"


def how_far_they_moved(used: Shuffle) -> str:
    """Return how many outputs are as they were and, unless all are, by how much the farthest moved."""
    said = still_said(used)
    if used.still == len(used.moved):
        return f"{said}."
    return f"{said}; the one that moved most moved by {used.moved.max().item():.1%} of its length."


def say_what_the_mask_does(without: Shuffle) -> None:
    """Say whether a causal model's outputs move even without positions."""
    moved = len(without.moved) - without.still
    if moved:
        st.markdown(
            f"This model looks back only. Even without positions the shuffle moves {moved} of its outputs: **the causal "
            "mask tells the order by itself**, since it decides who can be seen. Choose the masked model to see "
            "nothing change."
        )


def output_table(used: Shuffle, tokens: Sequence[str], order: torch.Tensor) -> tuple[pd.DataFrame, Formula]:
    """Return every token's output before and after the shuffle, with the formula of a cell."""
    moved = used.moved.numpy()
    table = pd.DataFrame(
        {
            "token": [shown(token) for token in tokens],
            "place": range(1, len(moved) + 1),
            "place when shuffled": order.argsort().numpy() + 1,
            "|f(w)|": used.outputs.norm(dim=1).numpy(),
            "|f(w) − f(shuffled)|": used.distances.numpy(),
            "moved": moved,
        }
    )

    def worked(row: int, column: str) -> str | None:
        if column != "moved":
            return None
        length, distance = table["|f(w)|"][row], table["|f(w) − f(shuffled)|"][row]
        return rf"\frac{{{number(distance)}}}{{{number(length)}}} = {number(moved[row])}"

    return table, worked
