"""The feed-forward layer: what the story shows of one neuron, and the lab on any neuron, any text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import streamlit as st
import torch

from core.figures.machine import bare, share_bar
from core.figures.self_attention.head_effects import before_after, select_compared_tokens
from core.figures.self_attention.heads import names_of
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.choices.transformer_choice import choose_read_text, vocabulary_named
from core.lesson.chosen_text import TYPED
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.self_attention.ablation import first_runs, mean_bits, total_variation
from core.models.self_attention.attentive_models import BACK, AttentiveModel, attentive_model
from core.models.self_attention.gpt import GPT
from core.models.transformers.key_value_neurons import (
    WHOLE_LAYER,
    Firing,
    firing,
    key,
    most_awake,
    only_neuron,
    pushed,
    stream_before,
    value,
    without_each,
    without_neuron,
)
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from core.words.numbers import percent, signed
from core.words.plain import plain
from pages.transformers.feed_forward import LAYER, LESSON, NEURON, SENTENCE
from pages.transformers.feed_forward.figures import (
    NEURON_HUE,
    PROMOTED,
    counts_figure,
    draw_answer,
    draw_bars,
    draw_helpers,
    draw_key,
    draw_layer,
    draw_off,
    draw_own,
    draw_two,
    draw_value,
    fired_text,
    firing_table,
    helpers_figure,
    histogram_figure,
    neuron_table,
    next_bars,
    pushed_figure,
    pushed_table,
    token_bars,
)

WORDS = LESSON.words
NAME = BACK[0]
AT = (LAYER - 1, NEURON - 1)  # the neuron of the story as core counts it
OTHER = 2  # the token of the sentence that does not fire it
MIXED = 280  # a neuron of the same layer that nobody can describe
PLAY, HELD_OUT = "hamlet", 0.9  # the model was trained on the text before this share
MODALS = ("shall", "will", "must", "should", "would", "can", "could", "might")  # “may” is not there
DRAWN = ("shall", "will", "would", "to", "not", "I", "the", "of")  # of those that are counted
TOP, STRONGEST, SPREAD = 8, 20, 10
READ_AT_MOST = 11  # tokens of a sentence typed in the story, with the start token
TOKENS, MEASURED, BITS = 40, 512, 256  # of the lab: of the sentence, for the histogram, for the bits
BOUNDS = (0.1, 0.25, 0.5)  # between the choices of the lab's question

MODEL = Choice("model", BACK[0], BACK, {"GPT, byte pairs": BACK[0], "GPT, characters": BACK[1]})
OFF = Switch("off")
WHAT = Choice("what", "neuron", ("neuron", "layer"), {"this neuron": "neuron", "the whole layer": "layer"})
LAYERS, NEURONS = Slider("layer", LAYER, 1, 6), Slider("neuron", NEURON, 1, 1024)
OWN_LINE = Text("line", "Will you come, or must I go?", 120)
WHICH = Choice("which", str(NEURON), (str(NEURON), "143", "450", str(MIXED)))
LAB = (MODEL, Text("typed", SENTENCE), OFF, WHAT, LAYERS, NEURONS, Switch("helpers"))


# The story: what each beat shows.


class Read(NamedTuple):
    """A sentence as the story's GPT reads it: its tokens, the layer's neurons, and p of the next token (V,)."""

    tokens: list[str]
    ids: torch.Tensor
    found: Firing
    p: np.ndarray
    cut: bool


def network() -> GPT:
    """Return the story's network."""
    return attentive_model(NAME).network


def name_of(index: int) -> str:
    """Return a token of the vocabulary as the story shows it."""
    return bare(str(attentive_model(NAME).vocabulary[index]))


def say(name: str, **values: object) -> str:
    """Return a label, with the neuron of the story where it names one."""
    of = 4 * network().config.width
    return WORDS.label(name, **{"neuron": NEURON, "layer": LAYER, "n": of, "others": of - 1, **values})


@lru_cache(maxsize=64)
def read_line(line: str) -> Read:
    """Return a sentence as the story's GPT reads it."""
    torch.set_num_threads(1)
    model = attentive_model(NAME)
    read = model.read(" ".join(line.split()), READ_AT_MOST)
    if len(read.ids) <= len(model.before):
        read = model.read(OWN_LINE.default, READ_AT_MOST)
    found = firing(model.network, read.ids, AT[0])
    return Read(list(read.tokens), read.ids, found, predict(model.network, read.ids), bool(read.cut))


@torch.no_grad()
def predict(of: GPT, ids: torch.Tensor) -> np.ndarray:
    """Return p of the token after the last, (V,)."""
    return of(ids[None])[0][0, -1].double().softmax(-1).numpy()


@lru_cache(maxsize=4)
def predict_without(neuron: int) -> np.ndarray:
    """Return p of the token after the story's sentence without a neuron, or the whole layer, everywhere."""
    return predict(without_neuron(network(), AT[0], neuron), read_line(SENTENCE).ids)


@lru_cache(maxsize=1)
def held_out() -> tuple[np.ndarray, np.ndarray]:
    """Return the tokens of the held-out end of Hamlet without case and spaces, (N,), and all activations (N, 4C)."""
    torch.set_num_threads(1)
    model, text = attentive_model(NAME), sample(PLAY).text()
    text, marks = text[int(HELD_OUT * len(text)) :], len(model.before)
    runs = first_runs(model, text, len(text))
    names = [model.vocabulary[i].strip(" ").lower() for ids in runs for i in ids[marks:]]
    return np.array(names), np.concatenate(
        [firing(model.network, ids, AT[0]).activations[marks:].numpy() for ids in runs]
    )


@lru_cache(maxsize=8)
def promoted_by(neuron: int) -> tuple[np.ndarray, list[int]]:
    """Return how much a neuron of the story's layer (from 0) promotes each token, and the best ones in order."""
    promotes = pushed(network(), AT[0], neuron)
    return promotes, np.argsort(-promotes, kind="stable")[:TOP].tolist()


def promoted_bars(neuron: int, n: int = TOP) -> list[dict]:
    """Return the tokens that a neuron's value promotes most, as bars."""
    promotes, order = promoted_by(neuron)
    most = float(promotes[order[0]])
    return [
        share_bar(name_of(i), float(promotes[i]) / most, f"{promotes[i]:.1f}", PROMOTED, False)
        for i in order[:n]
    ]


def show_layer(settings: Settings) -> Part:
    """The layer at the last token: its input, all neurons with the story's framed, what it adds."""
    read = read_line(SENTENCE)
    neurons = read.found.activations[-1].numpy()
    vectors = read.found.read[-1].numpy(), read.found.output[-1].numpy()
    values = {
        "last": bare(read.tokens[-1]),
        "n": len(neurons),
        "active": int((neurons > 0).sum()),
        "neuron": NEURON,
        "layer": LAYER,
    }
    return Part("machine", draw_layer(say, read.tokens, neurons, AT[1], vectors), values)


def show_key(settings: Settings) -> Part:
    """The neuron's key beside the vectors at two tokens: it fits one of them."""
    read = read_line(SENTENCE)
    at = (OTHER, len(read.tokens) - 1)
    sums = tuple(float(read.found.sums[t, AT[1]]) for t in at)
    data = draw_key(
        say,
        tuple(read.tokens[t] for t in at),
        tuple(read.found.read[t].numpy() for t in at),
        key(network(), *AT).detach().numpy(),
        sums,
        tuple(float(read.found.activations[t, AT[1]]) for t in at),
    )
    values = {
        "other": bare(read.tokens[OTHER]),
        "last": bare(read.tokens[-1]),
        "low": signed(sums[0], 1),
        "high": signed(sums[1], 1),
        "neuron": NEURON,
        "C": network().config.width,
    }
    return Part("machine", data, values)


def show_fires(settings: Settings) -> Part:
    """The neuron's activation at each token; then how often it fires at each of several tokens of Hamlet."""
    read, values = read_line(SENTENCE), {"shown": settings.revealed}
    activations = read.found.activations[:, AT[1]].numpy()
    values["a"] = f"{activations[-1]:.1f}"
    if not settings.revealed:
        data = draw_bars(say, say("bars.activations"), token_bars(read.tokens, activations))
        return Part("machine", data, values, {}, ("verb", "be", "short"), "verb")
    names, everything = held_out()
    fires = everything[:, AT[1]] > 0
    verbal = np.isin(names, ("to", *MODALS))
    bars = []
    for name in DRAWN:
        share = float(fires[names == name.lower()].mean())
        kind = name in ("to", *MODALS)
        bars.append(share_bar(name, share, percent(share, 0), NEURON_HUE if kind else "", kind))
    values |= {
        "modal": percent(float(fires[verbal].mean()), 0),
        "rest": percent(float(fires[~verbal].mean()), 0),
        "tokens": f"{len(names):,}",
        "here": percent(float((fires & verbal).sum() / fires.sum()), 0),
        "a_modal": f"{float(everything[fires & verbal, AT[1]].mean()):.1f}",
        "a_rest": f"{float(everything[fires & ~verbal, AT[1]].mean()):.1f}",
        "firings": int(fires.sum()),
        "uses": [(name, int((names == name.lower()).sum())) for name in DRAWN],
        "n_to": int((names == "to").sum()),
        "n_modal": int(np.isin(names, MODALS).sum()),
        "modals": len(MODALS),
        "context": network().config.context,
    }
    return Part(
        "machine", draw_bars(say, say("bars.shares"), bars), values, {}, ("verb", "be", "short"), "verb"
    )


def show_value(settings: Settings) -> Part:
    """The neuron's value: added to the stream, and compared with every token's embedding."""
    read, (_, order) = read_line(SENTENCE), promoted_by(AT[1])
    a = float(read.found.activations[-1, AT[1]])
    v = value(network(), *AT).detach().numpy()
    shape = say("shape", rows=f"{network().config.vocabulary_size:,}")
    data = draw_value(say, read.tokens[-1], a, v, promoted_bars(AT[1]), shape)
    first, second, third = (name_of(i) for i in order[:3])
    values = {"first": first, "second": second, "third": third, "top": TOP, "C": len(v)}
    return Part("machine", data, values)


def show_off(settings: Settings) -> Part:
    """The next token's probabilities; then the same without the neuron."""
    read, without = read_line(SENTENCE), predict_without(AT[1])
    p, shown = read.p, settings.revealed
    next_, rival = int(p.argmax()), int((without - p).argmax())
    order = np.argsort(-np.maximum(p, without), kind="stable")[:6].tolist()
    names = attentive_model(NAME).vocabulary
    bars = next_bars(order, without if shown else p, [bare(name) for name in names], p if shown else None)
    data = draw_off(say, read.tokens, bars, ("off" if shown else "", ""), ask=not shown)
    fall = 1 - float(without[next_] / p[next_])
    verb = next(i for i in order if i != next_ and i in promoted_by(AT[1])[1])
    values = {
        "shown": shown,
        "neuron": NEURON,
        "next": name_of(next_),
        "p": percent(float(p[next_]), 0),
        "without": percent(float(without[next_]), 0),
        "rival": name_of(rival),
        "at": order.index(rival),
        "rival_p": percent(float(p[rival]), 0),
        "rival_without": percent(float(without[rival]), 0),
        "verb": name_of(verb),
        "verb_at": order.index(verb),
        "verb_p": percent(float(p[verb]), 0),
        "verb_without": percent(float(without[verb]), 0),
        "V": f"{len(p) - 1:,}",
        "others": 4 * network().config.width - 1,
    }
    answer = "none" if fall > 0.95 else "less" if fall > 1 / 3 else "same"
    return Part("machine", data, values, {"off": True}, ("same", "less", "none"), answer)


@lru_cache(maxsize=1)
def story_gains() -> np.ndarray:
    """Return how much ln p of the predicted token falls without each neuron at the last token, (4C,)."""
    read = read_line(SENTENCE)
    top = int(read.p.argmax())
    return np.log(read.p[top]) - without_each(network(), read.ids, AT[0])[:, top]


def show_helpers(settings: Settings) -> Part:
    """How much each neuron of the layer helps the predicted token."""
    gains, word = story_gains(), name_of(int(read_line(SENTENCE).p.argmax()))
    best = np.argsort(-gains, kind="stable")[:5].tolist()
    more = np.expm1(gains)  # how much more probable the token is with the neuron than without it
    bars = [
        share_bar(
            str(i + 1), float(more[i] / more[best[0]]), f"+{percent(float(more[i]), 0)}", NEURON_HUE, n == 0
        )
        for n, i in enumerate(best)
    ]
    values = {
        "n": len(gains),
        "next": word,
        "neuron": best[0] + 1,
        "gain": percent(float(more[best[0]]), 0),
        "runner": best[1] + 1,
        "runner_gain": percent(float(more[best[1]]), 0),
    }
    labels = {"next": word}
    return Part(
        "machine",
        draw_helpers(lambda name: say(name, **labels), gains, AT[1], bars),
        values,
        {"helpers": True},
    )


def show_whole(settings: Settings) -> Part:
    """The predicted token's probability with all neurons, without the story's, with it alone, without the layer."""
    read = read_line(SENTENCE)
    top = int(read.p.argmax())
    alone = predict(only_neuron(network(), *AT), read.ids)
    found = (read.p, predict_without(AT[1]), alone, predict_without(WHOLE_LAYER))
    chances = [float(each[top]) for each in found]
    rows = [say(f"rows.{each}") for each in ("whole", "neuron", "only", "layer")]
    bars = [
        share_bar(name, p / chances[0], percent(p, 0), "ochre", n == 3)
        for n, (name, p) in enumerate(zip(rows, chances, strict=True))
    ]
    data = draw_off(
        lambda name: say("bars.whole" if name == "bars.next" else name, next=name_of(top)),
        read.tokens,
        bars,
        ("off", "off"),
    )
    config = network().config
    p, without, only, silent = (percent(each, 0) for each in chances)
    values = {
        "next": name_of(top),
        "p": p,
        "without": without,
        "only": only,
        "silent": silent,
        "n": 4 * config.width,
        "neuron": NEURON,
        "weights": f"{8 * config.width**2:,}",
        "own": 2 * config.width,
    }
    return Part("machine", data, values, {"off": True, "what": "layer"})


def strongest(neuron: int, n: int = 6) -> dict[str, float]:
    """Return the tokens of held-out Hamlet that fire a neuron (from 0) most, each with its largest activation."""
    names, everything = held_out()
    order, found = np.argsort(-everything[:, neuron], kind="stable"), {}
    for i in order:
        if names[i].strip() and names[i] not in found:
            found[names[i]] = float(everything[i, neuron])
        if len(found) == n:
            break
    return {bare(name): a for name, a in found.items()}


def show_mixed(settings: Settings) -> Part:
    """Two neurons of the layer: one that can be described, one that cannot."""
    names, everything = held_out()
    sides = [
        {
            "name": say("side", neuron=each + 1),
            "fires": strongest(each),
            "promotes": ", ".join(name_of(i) for i in promoted_by(each)[1][:5]),
        }
        for each in (AT[1], MIXED - 1)
    ]
    top = np.argsort(-everything, axis=0)[:STRONGEST]
    wide = sum(len(set(column)) > SPREAD for column in names[top].T)
    of = everything.shape[1]
    values = {
        "neuron": NEURON,
        "mixed": MIXED,
        "many": percent(wide / of, 0),
        "wide": wide,
        "n": of,
        "strongest": STRONGEST,
        "spread": SPREAD,
    }
    return Part("machine", draw_two(say, sides), values, {"neuron": MIXED})


def show_own(settings: Settings) -> Part:
    """The learner's sentence with one neuron's activations, and what the neuron promotes."""
    read, neuron = read_line(settings.line), int(settings.which) - 1
    activations, skip = read.found.activations[:, neuron].numpy(), len(attentive_model(NAME).before)
    mine, (_, order) = activations[skip:], promoted_by(neuron)
    fires, best = int((mine > 0).sum()), int(mine.argmax())
    data = draw_own(
        say,
        say("side", neuron=neuron + 1),
        token_bars(read.tokens, activations, skip),
        promoted_bars(neuron, 6),
    )
    first, second, third = (name_of(i) for i in order[:3])
    values = {
        "which": settings.which,
        "layer": LAYER,
        "fired": fires,
        "T": len(mine),
        "best": bare(read.tokens[skip + best]),
        "a": f"{mine[best]:.1f}",
        "first": first,
        "second": second,
        "third": third,
        "cut": read.cut,
    }
    return Part("machine", data, values, {"typed": settings.line, "neuron": neuron + 1})


def show_answer(settings: Settings) -> Part:
    """The neuron from its key to its value, at the last token of the sentence."""
    read, (_, order) = read_line(SENTENCE), promoted_by(AT[1])
    sums = float(read.found.sums[-1, AT[1]]), float(read.found.activations[-1, AT[1]])
    data = draw_answer(say, read.tokens[-1], sums, promoted_bars(AT[1], 5))
    values = {
        "last": bare(read.tokens[-1]),
        "high": signed(sums[0], 1),
        "first": name_of(order[0]),
        "n": 4 * network().config.width,
    }
    return Part("machine", data, values)


STORY = (
    look("many", show_layer),
    look("key", show_key),
    ask("job", show_fires),
    look("value", show_value),
    ask("silent", show_off),
    look("best", show_helpers),
    look("whole", show_whole),
    look("mixed", show_mixed),
    do("own", show_own, OWN_LINE, WHICH),
    end("answer", show_answer),
)


# The lab.


def lab() -> None:
    """One neuron on a text, its value, the prediction without it, where it fires, how many are active, which one helps."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = attentive_model(LESSON.draw(MODEL))
        read = choose_read_text(LESSON, notes, document, model, SENTENCE, TOKENS)
        layer, neuron = choose_neuron(model)
        off = LESSON.draw(OFF)
        with LESSON.options():
            what = LESSON.draw(WHAT)
    names, vocabulary = names_of(read.tokens), vocabulary_named(model.name)
    found = firing_of(model.name, tuple(read.ids.tolist()), layer)
    activations = found.activations[:, neuron].numpy()
    promotes = pushed(model.network, layer, neuron)
    here = {"neuron": neuron + 1, "layer": layer + 1}
    notes.caption(WORDS.markdown("caption.fired"))
    with stage:
        top = st.container()
        t = LESSON.step([plain(WORDS.label("step.token", name=name)) for name in names], start=len(names))
        with top:
            left, right = st.columns([3, 2], gap="medium")
            with left:
                shown = 0 * activations if off else activations
                fired = fired_text(shown, names, t, WORDS.label("cell.activation", **here))
                LESSON.figure("fired", fired, WORDS.label("alt.fired", **here))
            with right:
                axis = WORDS.label("axis.promotes")
                LESSON.figure(
                    "pushed", pushed_figure(promotes, vocabulary, axis), WORDS.label("alt.pushed", **here)
                )
        LESSON.say("says.neuron", {**here, "off": off, **describe_firing(activations, names)})
        up, down = (quoted(vocabulary[i] for i in order[:3]) for order in both_ends(promotes))
        st.markdown(WORDS.markdown("says.promotes", up=up, down=down))
    columns = {each: WORDS.label(f"table.{each}") for each in COLUMNS}
    LESSON.every_number("activations", neuron_table, found, model.network, layer, neuron, names, columns)
    heads = columns["token"], WORDS.label("table.promotes")
    LESSON.every_number("promoted", pushed_table, promotes, vocabulary, model.network, (layer, neuron), heads)
    ids = tuple(read.ids[: t + 1].tolist())
    switched = WHOLE_LAYER if what == "layer" else neuron
    if off:
        show_cost(model, document, layer, switched)
        show_moved(model, ids, layer, switched)
    if box := LESSON.fold("prediction"):
        with box:
            show_prediction(model, ids, layer, switched)
    if box := LESSON.fold("waking"):
        with box:
            show_firing(model, document, layer, neuron)
    if box := LESSON.fold("counts"):
        with box:
            show_counts(found, names, layer, t)
    if box := LESSON.fold("helpers"):
        with box:
            show_help(model, ids, layer, neuron)
    LESSON.close_lab(
        code=[stream_before, firing, pushed, most_awake, without_neuron, without_each, total_variation],
        parameters={
            "name": model.name,
            "text": read.prompt.text,
            "most": len(read.ids),
            "t": t,
            "layer": layer,
            "neuron": neuron,
        },
        prompts=prompts(),
    )


COLUMNS = ("place", "token", "sum", "activation", "length", "active")


def prompts() -> Mapping[str, Mapping[str, object]]:
    """Return what to try in the lab, each with all that it is about."""
    here = {"source": TYPED, "typed": SENTENCE, "model": BACK[0], "layer": LAYER, "neuron": NEURON}
    said = {**here, "typed": OWN_LINE.default}
    return {
        "off": {**here, "off": True, "what": "neuron", "prediction": True},
        "layer": {**here, "off": True, "what": "layer"},
        "commas": {**said, "neuron": int(WHICH.ids[1])},
        "helpers": {**said, "helpers": True},
    }


def choose_neuron(model: AttentiveModel) -> tuple[int, int]:
    """Draw the choice of a layer and one of its neurons and return them counted from 0."""
    config, chosen = model.network.config, []
    for setting, last in ((LAYERS, config.layers), (NEURONS, 4 * config.width)):
        name = setting.name
        first = min(setting.default, last)
        chosen.append(LESSON.number(name, WORDS.label(f"choose.{name}"), 1, last, first, width=100) - 1)
    return chosen[0], chosen[1]


@cached(24, 6, shared=no_typed_words)
def firing_of(name: str, ids: tuple[int, ...], layer: int) -> Firing:
    """Return what a layer's neurons do while a model reads."""
    torch.set_num_threads(1)
    return firing(attentive_model(name).network, torch.tensor(ids), layer)


@cached(48, 12, shared=no_typed_words)
def prediction_of(name: str, ids: tuple[int, ...], layer: int, neuron: int | None) -> np.ndarray:
    """Return p of the token after the last, (V,), with a neuron, the whole layer, or None switched off everywhere."""
    of = attentive_model(name).network
    return predict(of if neuron is None else without_neuron(of, layer, neuron), torch.tensor(ids))


@cached(48, 12, shared=is_sample)
def bits_of(document: Document, name: str, layer: int, neuron: int | None) -> tuple[float, int]:
    """Return the bits per token on the first part of a text with something switched off, and the number of tokens."""
    torch.set_num_threads(1)
    model = attentive_model(name)
    texts = first_runs(model, document.text, BITS)
    of = None if neuron is None else without_neuron(model.network, layer, neuron)
    return mean_bits(model, texts, of), sum(len(ids) - len(model.before) for ids in texts)


def describe_firing(activations: np.ndarray, names: list[str]) -> dict:
    """Return what the words may say of where a neuron fires in a text."""
    s = int(np.argmax(activations))
    return {
        "n": int((activations > 0).sum()),
        "T": len(names),
        "token": names[s],
        "place": s + 1,
        "a": f"{activations[s]:.2f}",
    }


def both_ends(promotes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the tokens in order, the most promoted first, and the same from the other end."""
    order = np.argsort(-promotes, kind="stable")
    return order, order[::-1]


def quoted(tokens) -> str:
    """Return tokens in quotation marks, as a list."""
    return ", ".join(f"“{token}”" for token in tokens)


def show_cost(model: AttentiveModel, document: Document, layer: int, switched: int) -> None:
    """Show what switching something off costs in bits per token of the text in use."""
    (whole, n), (broken, _) = (
        bits_of(document, model.name, layer, None),
        bits_of(document, model.name, layer, switched),
    )
    if not n:
        st.info(WORDS.label("says.empty"))
        return
    LESSON.compare("bits", whole, broken, ".4f", more_is_better=False)
    more = broken - whole if abs(broken - whole) >= 0.0005 else 0.0
    st.markdown(WORDS.markdown("says.bits", more=more, less=-more, n=n))


def show_moved(model: AttentiveModel, ids: tuple[int, ...], layer: int, switched: int) -> None:
    """Say how much of the next token's probability moves when something is switched off."""
    names = vocabulary_named(model.name)
    p, without = (prediction_of(model.name, ids, layer, each) for each in (None, switched))
    was, now = int(p.argmax()), int(without.argmax())
    values = {
        "what": WORDS.label(f"named.{'layer' if switched == WHOLE_LAYER else 'neuron'}"),
        "moved": percent(float(total_variation(p, without))),
        "same": was == now,
        "was": str(names[was]),
        "now": str(names[now]),
        "before": percent(float(p[was])),
        "after": percent(float(without[was])),
    }
    st.markdown(WORDS.markdown("says.moved", **values))


def show_prediction(model: AttentiveModel, ids: tuple[int, ...], layer: int, switched: int) -> None:
    """Draw the next token's probabilities with everything and with the neuron or the layer switched off."""
    names = vocabulary_named(model.name)
    p, without = (prediction_of(model.name, ids, layer, each) for each in (None, switched))
    top = select_compared_tokens(p, without)
    lines = WORDS.label("lines.whole"), WORDS.label("lines.off")
    drawn = before_after(p[top], without[top], names[top], WORDS.label("axis.p"), 300, lines)
    what = WORDS.label(f"named.{'layer' if switched == WHOLE_LAYER else 'neuron'}")
    LESSON.figure("prediction_figure", drawn, WORDS.label("alt.prediction", what=what))
    show_moved(model, ids, layer, switched)


@cached(12, 3, shared=is_sample)
def text_activations(document: Document, name: str, layer: int) -> list[tuple[list[str], np.ndarray]]:
    """Return the first tokens of a text in runs, each with its tokens' names and activations (T, 4C)."""
    torch.set_num_threads(1)
    model, named = attentive_model(name), vocabulary_named(name)
    marks = len(model.before)
    return [
        ([named[i] for i in ids[marks:]], firing(model.network, ids, layer).activations[marks:].numpy())
        for ids in first_runs(model, document.text, MEASURED)
        if len(ids) > marks
    ]


def show_firing(model: AttentiveModel, document: Document, layer: int, neuron: int) -> None:
    """Draw how large a neuron's activations are in the learner's text, and list the tokens that fire it most."""
    runs = text_activations(document, model.name, layer)
    if not runs:
        st.info(WORDS.label("says.empty"))
        return
    mine = [activations[:, neuron] for _, activations in runs]
    together = np.concatenate(mine)
    T, n = len(together), int((together > 0).sum())
    if n:
        axes = WORDS.label("axis.activation"), WORDS.label("axis.tokens")
        alt = WORDS.label("alt.histogram", neuron=neuron + 1, layer=layer + 1)
        LESSON.figure("histogram", histogram_figure(together, axes), alt)
    st.markdown(WORDS.markdown("says.woken", n=n, T=T, share=percent(n / T)))
    if n:
        most = [each for each in most_awake(mine, 10) if each.activation > 0]
        columns = [WORDS.label(f"table.{each}") for each in ("token", "activation", "context")]
        table = firing_table(most, [names for names, _ in runs], columns)
        LESSON.table("firing", table, WORDS.label("alt.firing"))


def show_counts(found: Firing, names: list[str], layer: int, t: int) -> None:
    """Ask how many neurons are active at token t, and draw it for all tokens."""
    of, counts = found.sums.shape[1], found.awake
    share = counts[t] / of
    choices = [WORDS.label(f"share.{i}") for i in range(len(BOUNDS) + 1)]
    answer = choices[sum(share >= bound for bound in BOUNDS)]
    asked = WORDS.label("question.counts", of=of, token=names[t])
    if not LESSON.ask(asked, choices, answer, f"{layer}_{t}_{hash((tuple(names), of))}"):
        return
    axis = WORDS.label("axis.active", of=of)
    alt = WORDS.label("alt.counts", of=of, layer=layer + 1)
    LESSON.figure("counts_figure", counts_figure(counts.tolist(), names, axis, t), alt)
    values = {
        "token": names[t],
        "n": int(counts[t]),
        "of": of,
        "share": percent(share),
        "T": len(names),
        "mean": percent(float(counts.mean()) / of),
        "least": int(counts.min()),
        "most": int(counts.max()),
    }
    st.markdown(WORDS.markdown("says.counts", **values))


@cached(24, 6, shared=no_typed_words)
def without_each_of(name: str, ids: tuple[int, ...], layer: int) -> tuple[int, np.ndarray]:
    """Return the most probable token after the last, and how much each neuron of a layer adds to its ln p, (4C,)."""
    torch.set_num_threads(1)
    p = prediction_of(name, ids, layer, None)
    token = int(p.argmax())
    without = without_each(attentive_model(name).network, torch.tensor(ids), layer)
    return token, float(np.log(p[token])) - without[:, token]


def show_help(model: AttentiveModel, ids: tuple[int, ...], layer: int, neuron: int) -> None:
    """Draw which neurons of the layer help the most probable next token; a button shows the best of the others."""
    token, gains = without_each_of(model.name, ids, layer)
    named = str(vocabulary_named(model.name)[token])
    st.markdown(WORDS.markdown("says.each", n=len(gains), place=len(ids), token=named))
    axes = WORDS.label("axis.neuron"), WORDS.label("axis.gain")
    alt = WORDS.label("alt.helpers", layer=layer + 1)
    LESSON.figure("helpers_figure", helpers_figure(gains, neuron, axes), alt)
    best = int(gains.argmax())
    values = {
        "neuron": best + 1,
        "best": float(gains[best]),
        "token": named,
        "n": len(gains),
        "helping": int((gains > 0).sum()),
        "hindering": int((gains < 0).sum()),
    }
    st.markdown(WORDS.markdown("says.helpers", **values))
    other = next(int(i) for i in np.argsort(-gains, kind="stable") if i != neuron)
    LESSON.button("best", WORDS.label("show.best", neuron=other + 1), LESSON.set_state, "neuron", other + 1)
