"""The feed-forward layer: one neuron's key and value, the text that wakes it, and the prediction without it."""

from __future__ import annotations

import numpy as np
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.head_effects import before_after, likeliest, what_it_cost
from core.figures.self_attention.heads import names_of
from core.figures.transformers.feed_forward import (
    awake_text,
    counts_figure,
    helpers_figure,
    histogram_figure,
    neuron_table,
    pushed_figure,
    pushed_table,
    said_of_counts,
    said_of_helpers,
    said_of_neuron,
    said_of_pushes,
    waking_table,
)
from core.figures.worked import percent
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.transformer_choice import GPTS, choose_read_text, vocabulary_named
from core.lesson.chosen_text import TYPED
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.self_attention.ablation import first_runs, mean_bits, total_variation
from core.models.self_attention.attentive_models import AttentiveModel, ReadText, attentive_model
from core.models.transformers.key_value_neurons import (
    WHOLE_LAYER,
    Firing,
    firing,
    most_awake,
    pushed,
    stream_before,
    without_each,
    without_neuron,
)
from core.text.reading.documents import Document

LESSON = Lesson(
    __name__,
    title="The feed-forward layer",
    question="What wakes a neuron, and what does it say then?",
    icon="zap",
)
SENTENCE = "And it came about that when the people of Israel went out of the land of"
LAYER, NEURON = 2, 465  # where the lesson opens, counted from 1
TOKENS = 40  # of the sentence
MEASURED, BITS = 512, 256  # tokens of the learner's text: for the histogram, for the bits
THIS, ALL = "this neuron", "the whole layer"
SHARES = ["under a tenth", "a tenth to a quarter", "a quarter to a half", "a half or more"]


def picture() -> Figure:
    """A sentence, coloured by how far each token wakes a neuron."""
    model = attentive_model("word_gpt")
    read = model.read("when the people of Israel went out of the land of")
    activations = firing(model.network, read.ids, LAYER - 1).activations[:, NEURON - 1].numpy()
    return small(awake_text(activations, names_of(read.tokens), len(read.ids) - 1))


def page() -> None:
    """One neuron on the sentence, its value, its activations over the text, the prediction without it, its helpers."""
    LESSON.open(
        r"a_i = \mathrm{gelu}(x \cdot k_i) \qquad \text{feed-forward}(x) = \sum_i a_i v_i \qquad "
        r"\text{pushed}_w = (E_w - \bar E) \cdot v_i",
        "$x$: the stream after the norm. $k_i$: the neuron's key, row $i$ of $W_1$. $v_i$: its value, column $i$ of $W_2$. "
        "$a_i$: its activation; above 0 it is awake. $E_w$: the embedding of token $w$, $\\bar E$ their mean: what $v_i$ "
        "would do to the logits if no layer came after it, the last norm left out.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = attentive_model(GPTS[LESSON.select("model", "Model", list(GPTS), width=165)])
        read = choose_read_text(LESSON, notes, document, model, SENTENCE, TOKENS)
        layer, neuron = choose_neuron(model)
        what = LESSON.select("what", "To switch off", [THIS, ALL], width=160)
        off = LESSON.break_it(
            "off",
            "Break it: switch it off",
            "Its activation is nought at every token; all that follows is computed so.",
        )
    names, vocabulary = names_of(read.tokens), vocabulary_named(model.name)
    found = firing_of(model.name, tuple(read.ids.tolist()), layer)
    activations = found.activations[:, neuron].numpy()
    towards = pushed(model.network, layer, neuron)
    with stage:
        top = st.container()
        t = LESSON.step([plain(f"the token after “{name}” is predicted") for name in names], start=len(names))
        with top:
            left, right = st.columns([3, 2], gap="medium")
            with left:
                shown = 0 * activations if off else activations
                alt = f"The text, each token coloured by how far it wakes neuron {neuron + 1} of layer {layer + 1}"
                LESSON.figure("awake", awake_text(shown, names, t), alt)
            with right:
                alt = f"The tokens that the value of neuron {neuron + 1} pushes towards, and away from"
                LESSON.figure("pushed", pushed_figure(towards, vocabulary), alt)
        said = said_of_neuron(activations, names, layer, neuron)
        LESSON.caption(plain(said + (" Switched off, it adds nothing, and no token is blue." if off else "")))
        st.markdown(plain(said_of_pushes(towards, vocabulary)))
        LESSON.set_values(
            neuron=neuron + 1, size=found.sums.shape[1], pushes=said_of_pushes(towards, vocabulary)
        )
    LESSON.every_number("activations", neuron_table, found, model.network, layer, neuron, names)
    LESSON.every_number("pushed", pushed_table, towards, vocabulary, model.network, layer, neuron)

    st.header("The prediction without it", anchor=False)
    show_prediction(model, document, read, t, (layer, neuron), what if off else "")

    st.header("What wakes it in your text", anchor=False)
    show_waking(model, document, layer, neuron)

    st.header("How many are awake", anchor=False)
    show_counts(found, names, layer, t)

    st.header("Which neuron helps most", anchor=False)
    token = show_helpers(model, read, t, layer, neuron)
    here = {"source": TYPED, "typed": SENTENCE, "model": "GPT, byte pairs", "layer": LAYER, "neuron": NEURON}
    LESSON.closing(
        code=[stream_before, firing, pushed, most_awake, without_neuron, without_each, total_variation],
        notebook=cells(model, read, t, layer, neuron, token),
        plot=(
            "from core.figures.self_attention.heads import names_of\n"
            "from core.figures.transformers.feed_forward import awake_text\n\n"
            f"draw(awake_text(found.activations[:, {neuron}].numpy(), names_of(read.tokens), {t}))"
        ),
        try_this=[
            ("Switch the neuron off: does the prediction notice?", {**here, "off": True}),
            ("Switch the whole layer off", {**here, "what": ALL, "off": True}),
            (
                "A neuron of a model of characters, last layer",
                {"model": "GPT, characters", "layer": 4, "neuron": 1},
            ),
        ],
        sources=[
            "Mor Geva, Roei Schuster, Jonathan Berant and Omer Levy (2021), Transformer Feed-Forward Layers Are Key-Value "
            "Memories.",
            "Mor Geva, Avi Caciularu, Kevin Wang and Yoav Goldberg (2022), Transformer Feed-Forward Layers Build "
            "Predictions by Promoting Concepts in the Vocabulary Space.",
            "Dan Hendrycks and Kevin Gimpel (2016), Gaussian Error Linear Units (GELUs).",
        ],
    )


def choose_neuron(model: AttentiveModel) -> tuple[int, int]:
    """Draw the choice of a layer and one of its neurons and return them counted from 0."""
    config, chosen = model.network.config, []
    for name, last, first in (("layer", config.layers, LAYER), ("neuron", 4 * config.width, NEURON)):
        if LESSON.get_state(name, 1) > last:
            LESSON.set_state(name, last)  # a model with fewer of them
        chosen.append(LESSON.number(name, name.title(), 1, last, min(first, last), width=100) - 1)
    LESSON.set_values(layer=chosen[0] + 1)
    return chosen[0], chosen[1]


@cached(24, 6, shared=no_typed_words)
def firing_of(name: str, ids: tuple[int, ...], layer: int) -> Firing:
    """Return what a layer's neurons do while a model reads."""
    torch.set_num_threads(1)
    return firing(attentive_model(name).network, torch.tensor(ids), layer)


@cached(48, 12, shared=no_typed_words)
def prediction_of(name: str, ids: tuple[int, ...], layer: int, neuron: int | None) -> np.ndarray:
    """Return p of the token after the last, (V,), with a neuron, the whole layer, or None switched off everywhere."""
    network = attentive_model(name).network
    network = network if neuron is None else without_neuron(network, layer, neuron)
    with torch.inference_mode():
        return network(torch.tensor(ids)[None])[0][0, -1].double().softmax(-1).numpy()


@cached(48, 12, "The model reads your text", shared=is_sample)
def bits_of(document: Document, name: str, layer: int, neuron: int | None) -> tuple[float, int]:
    """Return the bits a token on the beginning of a text with something switched off, and how many tokens those are."""
    torch.set_num_threads(1)
    model = attentive_model(name)
    texts = first_runs(model, document.text, BITS)
    network = None if neuron is None else without_neuron(model.network, layer, neuron)
    return mean_bits(model, texts, network), sum(len(ids) - len(model.before) for ids in texts)


def show_prediction(
    model: AttentiveModel, document: Document, read: ReadText, t: int, place: tuple[int, int], off: str
) -> None:
    """Draw the next token's probabilities with everything and with the neuron or the layer switched off."""
    layer, neuron = place
    ids, names = tuple(read.ids[: t + 1].tolist()), vocabulary_named(model.name)
    which = WHOLE_LAYER if off == ALL else neuron
    p, without = prediction_of(model.name, ids, layer, None), prediction_of(model.name, ids, layer, which)
    top = likeliest(p, without)
    drawn = before_after(p[top], without[top], names[top], "p", 300)
    drawn.update_traces({"name": "edited"}, hovertemplate="%{customdata}: %{y:.4f}", name="switched off")
    LESSON.figure(
        "prediction",
        drawn,
        f"The likeliest next tokens with everything, and with {off or THIS} switched off",
    )
    before, after = int(p.argmax()), int(without.argmax())
    moved = percent(float(total_variation(p, without)))
    now = "stays the likeliest" if before == after else f"gives way to “{names[after]}”"
    said = (
        f"With {off or THIS} switched off at every token, {moved} of the probability moves; “{names[before]}” {now} "
        f"({percent(p[before])} → {percent(without[before])})."
    )
    LESSON.caption(plain(said))
    LESSON.set_values(moved=said)
    if off:
        (whole, n), (broken, _) = (
            bits_of(document, model.name, layer, None),
            bits_of(document, model.name, layer, which),
        )
        if not n:
            st.info("Your text has no token to measure on. Choose another text.")
            return
        consequence("Bits per token of your text", whole, broken, ".4f", more_is_better=False)
        same = f"{whole:.4f}" == f"{broken:.4f}"
        st.markdown("To four digits that is the same." if same else what_it_cost(broken - whole, n, off))
        st.caption(f"On {'the only token' if n == 1 else f'the first {n:,} tokens'} of your text.")


@cached(12, 3, "The model reads your text", shared=is_sample)
def text_activations(document: Document, name: str, layer: int) -> list[tuple[list[str], np.ndarray]]:
    """Return the first tokens of a text in runs, each with its tokens' names and activations (T, 4C); marks left out."""
    torch.set_num_threads(1)
    model, named = attentive_model(name), vocabulary_named(name)
    marks = len(model.before)
    return [
        ([named[i] for i in ids[marks:]], firing(model.network, ids, layer).activations[marks:].numpy())
        for ids in first_runs(model, document.text, MEASURED)
        if len(ids) > marks
    ]


def show_waking(model: AttentiveModel, document: Document, layer: int, neuron: int) -> None:
    """Draw the histogram of a neuron's activations over the learner's text, and the tokens that wake it most."""
    runs = text_activations(document, model.name, layer)
    if not runs:
        st.info("Your text has no token that this model reads. Choose another text.")
        LESSON.set_values(woken="Your text has no token that this model reads.")
        return
    mine = [activations[:, neuron] for _, activations in runs]
    together = np.concatenate(mine)
    n, awake = len(together), int((together > 0).sum())
    LESSON.figure(
        "histogram",
        histogram_figure(together),
        f"How often neuron {neuron + 1} of layer {layer + 1} had which activation on the learner's text",
    )
    of = "the only token" if n == 1 else f"the first {n:,} tokens"
    woken = f"Of {of} of your text, {awake:,} wake{'s' if awake == 1 else ''} it ({percent(awake / n)})."
    st.markdown(woken + ("", " It is this:", " These wake it most:")[min(awake, 2)])
    LESSON.set_values(woken=woken)
    if awake:
        wakings = [each for each in most_awake(mine, 10) if each.activation > 0]
        table = waking_table(wakings, [names for names, _ in runs])
        LESSON.table(
            "wakers", table, "The tokens of your text that wake the neuron most, with what stands around them"
        )


def show_counts(found: Firing, names: list[str], layer: int, t: int) -> None:
    """Ask how many neurons are awake at token t, and draw it for all tokens."""
    of, counts = found.sums.shape[1], found.awake
    share = counts[t] / of
    answer = SHARES[sum(share >= bound for bound in (0.1, 0.25, 0.5))]
    about = f"{layer}_{t}_{hash((tuple(names), of))}"
    if not LESSON.ask(f"How many of the {of} neurons are awake at “{names[t]}”?", SHARES, answer, about):
        return
    LESSON.figure(
        "counts",
        counts_figure(counts.tolist(), names, of, t),
        f"How many of the {of} neurons of layer {layer + 1} are awake at each token",
    )
    st.markdown(
        f"At “{plain(names[t])}” it is {counts[t]} of {of}, {percent(share)}. {said_of_counts(counts, of)}"
    )
    LESSON.set_values(counts=said_of_counts(counts, of))


@cached(24, 6, "Switching off each neuron in turn", shared=no_typed_words)
def without_each_of(name: str, ids: tuple[int, ...], layer: int) -> tuple[int, np.ndarray]:
    """Return the likeliest token after the last, and how much each neuron of a layer there adds to its ln p, (4C,)."""
    torch.set_num_threads(1)
    token = int(prediction_of(name, ids, layer, None).argmax())
    with_all = float(np.log(prediction_of(name, ids, layer, None)[token]))
    return token, with_all - without_each(attentive_model(name).network, torch.tensor(ids), layer)[:, token]


def show_helpers(model: AttentiveModel, read: ReadText, t: int, layer: int, neuron: int) -> int:
    """Draw which neurons of the layer help the likeliest next token most; return that token."""
    token, gains = without_each_of(model.name, tuple(read.ids[: t + 1].tolist()), layer)
    named = vocabulary_named(model.name)[token]
    each = f"Each of the {len(gains)} neurons is switched off in turn, at token {t + 1} alone"
    st.markdown(plain(f"{each}, and “{named}” is predicted again."))
    LESSON.figure(
        "helpers",
        helpers_figure(gains, neuron),
        f"The neurons of layer {layer + 1} that help the prediction “{named}” most and those that hinder it most",
    )
    said = said_of_helpers(gains, named)
    LESSON.caption(plain(said))
    LESSON.set_values(helpers=said)
    best = int(gains.argmax())
    LESSON.button(
        "best", f"Look at neuron {best + 1}", LESSON.set_state, "neuron", best + 1, disabled=best == neuron
    )
    return token


def cells(model: AttentiveModel, read: ReadText, t: int, layer: int, neuron: int, token: int) -> list[str]:
    """Return the notebook's cells that compute the same activations and switch the same neuron off."""
    return [
        "from core.models.self_attention.attentive_models import attentive_model\n"
        "from core.models.transformers.key_value_neurons import firing, pushed, without_each, without_neuron\n\n"
        f"model = attentive_model({model.name!r})\n"
        f"read = model.read({read.prompt.text!r}, most={len(read.ids)})\n"
        f"found = firing(model.network, read.ids, layer={layer})\n"
        f"print(found.activations[:, {neuron}], found.awake)",
        f"towards = pushed(model.network, {layer}, {neuron})\n"
        "print([model.vocabulary[i] for i in (-towards).argsort()[:5]])",
        f"ids = read.ids[: {t + 1}]\n"
        f"for network in (model.network, without_neuron(model.network, {layer}, {neuron})):\n"
        "    p = network(ids[None])[0][0, -1].double().softmax(-1)\n"
        f"    print(p[{token}].item(), p.max().item())",
        f"print(without_each(model.network, ids, {layer})[:, {token}])",
    ]
