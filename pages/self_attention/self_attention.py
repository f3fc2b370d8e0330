"""Inside the heads: where every head of a trained model looks on the learner's sentence, down to one weight's numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.alignment import attention_view
from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.sampling import shown
from core.figures.self_attention.head_effects import what_it_cost
from core.figures.self_attention.heads import (
    all_alike,
    grid_figure,
    habits_said,
    head_grid,
    masked_weights,
    names_of,
    pair_figure,
    pair_formulas,
    row_table,
    values_figure,
    where_it_looks,
    worked_weight,
)
from core.figures.self_attention.why_there import liked_figure, score_parts_figure, why
from core.figures.worked import signed
from core.lesson.break_it import consequence, written
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.attention_cell import choose_place, pin
from core.lesson.choices.transformer_choice import (
    LABELS,
    choose_attentive_model,
    choose_head,
    choose_read_text,
)
from core.lesson.chosen_text import TYPED
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.self_attention.ablation import asked, likeness, mean_bits, without_queries
from core.models.self_attention.attention import AttentionTrace, attend, causal_mask, from_masked
from core.models.self_attention.attentive_models import BACK, AttentiveModel, ReadText, attentive_model
from core.models.self_attention.gpt_trace import trace_block
from core.models.self_attention.head_habits import BEFORE, FIRST, every_head, head_that_most
from core.models.self_attention.score_parts import ScoreParts, keys_of_text, liked_tokens, score_parts
from core.text.reading.documents import Document

LESSON = Lesson(
    __name__,
    title="Inside the heads",
    question="Where does each token of your sentence look, and why there?",
    icon="eye",
)
SENTENCE = "In the beginning God made the heaven and the earth."
ALIKE = "at all that it may see alike"
LAYER_AT_MOST = 128  # tokens; of a longer text one head's weights are enough to send
LIKED = 12  # tokens drawn


def picture() -> Figure:
    """All heads of the GPT of byte pairs on one sentence."""
    model = attentive_model(BACK[0])
    trace = model.trace(model.read(SENTENCE).ids)
    return small(grid_figure([layer.attention for layer in trace.layers]))


def page() -> None:
    """One head's weights, all heads, why this key, one weight's product, what is handed on."""
    LESSON.open(
        r"q_t = W_q x_t \quad k_s = W_k x_s \quad v_s = W_v x_s \qquad "
        r"w_{ts} = \operatorname{softmax}_s\!\left(\frac{q_t \cdot k_s}{\sqrt{d}} + \text{mask}_{ts}\right) \qquad "
        r"\text{output}_t = \sum_s w_{ts}\, v_s",
        "$x_t$: what the model knows at token $t$. Each head makes three short vectors of it: a query $q$ (what token $t$ "
        "looks for), a key $k$ (what a token offers) and a value $v$ (what it hands on), each of $d$ numbers. "
        "$w_{ts}$: how much token $t$ takes from token $s$. The mask hides later tokens in a model that writes.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = choose_attentive_model(LESSON, notes)
        read = choose_read_text(LESSON, notes, document, model, SENTENCE)
        layer, head = choose_head(LESSON, model, head_that_most(BACK[0], BEFORE, SENTENCE))
        broken = LESSON.break_it(
            "alike",
            "Break it: this head looks everywhere alike",
            "Its queries are set to nought: all scores are 0, and every weight in a row is the same.",
        )
        with (more := LESSON.more()):
            whole_layer = LESSON.toggle("whole_layer", "All heads of the layer")
    t = s = 0
    if not len(read.ids):
        st.info("There is no token to look at yet. Type a sentence.")
    else:
        ids, names = tuple(read.ids.tolist()), names_of(read.tokens)
        whole = opened_heads(model.name, ids, layer, head)
        opened = opened_heads(model.name, ids, layer, head, broken=True) if broken else whole
        with stage:
            top = st.container()
            t = LESSON.step([plain(f"“{name}” looks") for name in names], start=9)
            weights = opened.head.weights[t].numpy()
            with more:
                place = choose_place(LESSON, "input", "Key (to)", names, "the heaviest")
            question = f"In layer {layer + 1}, head {head + 1}, at which token does “{names[t]}” (token {t + 1}) look most?"
            about = f"{hash(ids)}_{model.name}_{layer}_{head}_{t}_{broken}"
            may_show = LESSON.ask(question, *choices_and_answer(weights, names, t), about)
        if may_show:
            s = int(np.argmax(weights)) if place is None else place
            with top:
                show_heads(model, opened, (layer, head), read, (t, s), whole_layer)
                LESSON.caption(plain(where_it_looks(weights, names, t)))
                LESSON.set_values(
                    token=names[t], key=names[s], w=f"{weights[s]:.1%}", heads=len(opened.habits)
                )
            if broken:
                show_consequence(whole, opened, len(ids))

            st.header("All heads at once", anchor=False)
            st.markdown(
                f"A row is a layer, a column a head. {habits_said(opened.habits)} Click a head to open it above."
            )
            LESSON.view("head_grid", opened.grid, name="grid", on={"head": open_head})

            st.header("Why there? What a key's score is made of", anchor=False)
            if model.predicts:
                show_parts(model.name, ids, (layer, head), (t, s), names, broken)
            else:
                st.markdown(
                    "MiniLM norms the stream after each layer, so that a key is no plain sum of token, place and "
                    "earlier layers. Choose a GPT or the masked model to take a score apart."
                )
            show_liked(model, document, (layer, head), opened.head.query[t].numpy(), names[t])

            st.header("One weight: a query times a key", anchor=False)
            formulas = pair_formulas(opened.head, t, s)
            LESSON.set_values(d=opened.head.query.shape[1], score=written(opened.head.scores[t, s], ".4g"))
            for column, formula in zip(st.columns([5, 3, 5][: len(formulas)]), formulas, strict=True):
                column.latex(formula)
            LESSON.figure(
                "pair",
                pair_figure(opened.head.query[t].numpy(), opened.head.key[s].numpy(), names[t], names[s]),
                f"The query of {names[t]} times the key of {names[s]}, dimension by dimension",
            )

            st.header("What the head hands on: values, weighed", anchor=False)
            st.markdown("Each row is a value times its weight. The last row is their sum: the head's output.")
            LESSON.figure(
                "values",
                values_figure(weights, opened.head.value.numpy(), names),
                f"The value vectors that {names[t]} takes, each times its weight, and their sum",
            )
            worked = partial(worked_weight, opened.head, t)
            LESSON.every_number("one query", lambda: (row_table(opened.head, t, names), worked))
            LESSON.every_number("all heads", lambda: opened.habits)
    LESSON.closing(
        code=[trace_block, attend, from_masked, causal_mask, score_parts, liked_tokens, without_queries],
        notebook=cells(model, read, layer, head, t, s),
        plot=(
            "from core.figures.self_attention.heads import grid_figure\n\n"
            "draw(grid_figure([layer.attention for layer in trace.layers]))"
        ),
        try_this=prompts(),
        sources=[
            "Ashish Vaswani et al. (2017), Attention Is All You Need.",
            "Jesse Vig (2019), A Multiscale Visualization of Attention in the Transformer Model (BertViz).",
            "Kevin Clark, Urvashi Khandelwal, Omer Levy and Christopher Manning (2019), What Does BERT Look At?",
            "Nelson Elhage et al. (2021), A Mathematical Framework for Transformer Circuits.",
            "Guangxuan Xiao et al. (2024), Efficient Streaming Language Models with Attention Sinks.",
        ],
    )


@dataclass(frozen=True)
class OpenedHeads:
    """The payload of the grid, one head's trace, its layer's weights by name, every head's habits.

    `bits` is the model's mean bits a token on the text, None where it predicts nothing; `vector` the mean of the
    last stream, (C,), which is how an encoder sums a text up.
    """

    grid: dict
    head: AttentionTrace
    layer: dict[str, np.ndarray]
    habits: pd.DataFrame
    bits: float | None
    vector: np.ndarray


@cached(48, 12, "The model reads", shared=no_typed_words)
def opened_heads(name: str, ids: tuple[int, ...], layer: int, head: int, broken: bool = False) -> OpenedHeads:
    """Return a model's heads on a text of ids, with (layer, head) whole; `broken`: it looks everywhere alike."""
    torch.set_num_threads(1)
    model, text = asked(attentive_model(name), (layer, head), broken), torch.tensor(ids)
    trace = model.trace(text)
    layers = [each.attention for each in trace.layers]
    whole = masked_weights(layers[layer]) if len(ids) <= LAYER_AT_MOST else []
    return OpenedHeads(
        head_grid(layers, (layer, head)),
        AttentionTrace(**{part: tensor[head].clone() for part, tensor in vars(layers[layer]).items()}),
        {f"head {h}": weights for h, weights in enumerate(whole, start=1)},
        pd.DataFrame(every_head([layer.weights for layer in layers])),
        mean_bits(model, [text]) if model.predicts else None,
        trace.final.mean(0).numpy(),
    )


def open_head(chosen: dict) -> None:
    """Open the head that was clicked in the grid."""
    for name in ("layer", "head"):
        LESSON.set_state(name, int(chosen[name]) + 1)


def choices_and_answer(weights: np.ndarray, names: Sequence[str], t: int) -> tuple[list[str], str]:
    """Return the tokens that query t might look at most, and which it is."""
    heaviest, likely = np.argsort(-weights, kind="stable")[:4].tolist(), [s for s in (0, t - 1, t) if s >= 0]
    label = [f"{s + 1} {name}" for s, name in enumerate(names)]
    choices = [*(label[s] for s in sorted({*likely, *heaviest})), ALIKE]
    return choices, ALIKE if all_alike(weights) else label[heaviest[0]]


def show_heads(
    model: AttentiveModel,
    opened: OpenedHeads,
    place: tuple[int, int],
    read: ReadText,
    cell: tuple[int, int],
    whole_layer: bool,
) -> None:
    """Draw one head, or its whole layer where the text is short enough, as a heatmap linked to lines."""
    layer, head = place[0] + 1, place[1] + 1
    tokens = [shown(token) for token in read.tokens]
    whole_layer = whole_layer and bool(opened.layer)
    heads = opened.layer if whole_layer else {f"layer {layer}, head {head}": masked_weights(opened.head)}
    file = f"{model.name}_layer{layer}" + ("" if whole_layer else f"_head{head}")
    data = attention_view(heads, tokens, tokens, (), "query", "key", cell, file=file)
    LESSON.view("attention", data, on={"cell": partial(pin, LESSON)})
    if whole_layer:
        st.caption(f"Shades and numbers are means over the heads switched on; below, head {head} alone.")
    if not opened.layer:
        st.caption(f"A text of more than {LAYER_AT_MOST} tokens is drawn one head at a time.")


def show_consequence(whole: OpenedHeads, broken: OpenedHeads, tokens: int) -> None:
    """Show what a head that looks everywhere alike does to the model on this text, and say which way it went."""
    if whole.bits is None:
        alike = likeness(whole.vector, broken.vector)
        consequence("Cosine of the text's vector with the whole model's", 1.0, alike, ".4f")
        return
    consequence("Bits per token of this text", whole.bits, broken.bits, ".3f", more_is_better=False)
    st.markdown(what_it_cost(broken.bits - whole.bits, tokens, "what this head chooses"))


@cached(80, 20, shared=no_typed_words)
def parts_of(name: str, ids: tuple[int, ...], layer: int, head: int, query: int, broken: bool) -> ScoreParts:
    """Return one query's scores, taken apart."""
    model = asked(attentive_model(name), (layer, head), broken)
    return score_parts(model.network, model.trace(torch.tensor(ids)), layer, head, query)


def show_parts(
    name: str,
    ids: tuple[int, ...],
    place: tuple[int, int],
    cell: tuple[int, int],
    names: Sequence[str],
    broken: bool,
) -> None:
    """Draw every key's score as what its parts add, and say which part sets the chosen key apart."""
    (t, s), last = cell, cell[0] + 1 if attentive_model(name).causal else len(ids)
    parts, seen = parts_of(name, ids, *place, t, broken), range(last)
    st.markdown(
        "A key is made of what the layer reads there: the token's own embedding, that of its place, and what the layers "
        "before have added. The score is a sum of those parts (and of one more that is the same for every key)."
    )
    figure = score_parts_figure(parts, names, seen, s if s < last else t)
    LESSON.figure("parts", figure, f"The scores that the query of {names[t]} gives each key, by part")
    st.markdown(why(parts, s, seen, names))


@cached(48, 12, "The model reads your text", shared=no_typed_words)
def keys_on(name: str, digest: str, layer: int, head: int, _text: str) -> tuple[list[int], np.ndarray]:
    """Return the ids of the first tokens of a text, as many as the model reads at once, and a head's keys there."""
    torch.set_num_threads(1)
    return keys_of_text(attentive_model(name), _text, layer, head)


def show_liked(
    model: AttentiveModel, document: Document, place: tuple[int, int], query: np.ndarray, name: str
) -> None:
    """Draw the tokens of the learner's text whose keys this query scores highest; none for a query of nought."""
    if not query.any():
        st.markdown(
            "**Which tokens does this query like most?** None: it is nought, so it scores every key 0."
        )
        return
    ids, keys = keys_on(model.name, document.digest, *place, document.text)
    if not ids:
        st.info("Your text has no token to compare with. Choose another text.")
        return
    liked = liked_tokens(query, keys, ids)
    names = names_of([model.vocabulary[each.token] for each in liked])
    mean = sum(each.score * each.times for each in liked) / len(ids)
    first = "token" if len(ids) == 1 else f"{len(ids):,} tokens"
    st.markdown(
        f"**Which tokens does this query like most?** The query of “{plain(name)}” against this head's keys on the first "
        f"{first} of your text. Of {len(liked):,} different ones “{plain(names[0])}” scores highest, "
        f"{signed(liked[0].score)} on average; the mean of all is {signed(mean)}. (A key also "
        "holds its place and what the layers before added there.)"
    )
    top = liked[:LIKED]
    figure = liked_figure(names[:LIKED], [each.score - mean for each in top], [each.times for each in top])
    LESSON.figure("liked", figure, f"The tokens that the query of {name} scores highest in your text")


def cells(model: AttentiveModel, read: ReadText, layer: int, head: int, t: int, s: int) -> list[str]:
    """Return the notebook's cells that compute one head's numbers again."""
    return [
        "from core.models.self_attention.attentive_models import attentive_model\n\n"
        f"model = attentive_model({model.name!r})\n"
        f"read = model.read({read.prompt.text!r}, most={len(read.ids)})\n"
        "trace = model.trace(read.ids)",
        f"heads = trace.layers[{layer}].attention  # all heads of the layer, H in front\n"
        f"print(read.tokens)\nprint(heads.weights[{head}, {t}])  # where token {t + 1} looks",
        f"q, k = heads.query[{head}, {t}], heads.key[{head}, {s}]\n"
        "print(q * k, (q * k).sum(), (q * k).sum() / len(q) ** 0.5)\n"
        f"print(heads.weights[{head}, {t}] @ heads.value[{head}])  # the head's output",
    ]


def prompts() -> list[tuple[str, dict[str, object]]]:
    """Return the things to try, each with the sentence, the model and the head that it speaks of."""
    here = {"source": TYPED, "typed": SENTENCE, "model": LABELS[BACK[0]]}
    back, resting = head_that_most(BACK[1], BEFORE, SENTENCE), head_that_most(BACK[0], FIRST, SENTENCE)
    return [
        (
            "The head of the character model that looks most at the letter before",
            {**here, "model": LABELS[BACK[1]], "layer": back[0] + 1, "head": back[1] + 1, "step": 12},
        ),
        (
            "The head that rests most on the first token: is there anything to see there?",
            {**here, "layer": resting[0] + 1, "head": resting[1] + 1, "step": 12},
        ),
        ("All heads of one layer, each in its colour", {**here, "layer": 3, "whole_layer": True}),
    ]
