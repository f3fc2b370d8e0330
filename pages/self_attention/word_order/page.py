"""Attention and word order: what the story shows beat by beat, and the lab of shuffles of any text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, permutations
from math import factorial, log2

import numpy as np
import pandas as pd
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from core.figures.self_attention.weight_panels import weight_panels
from core.figures.self_attention.word_order import moved_tokens
from core.figures.token_label import label_token
from core.figures.worked import number
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import choose_head, choose_read_text
from core.lesson.every_number import Formula
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.self_attention.ablation import ablated_token_bits, mean_bits, windows
from core.models.self_attention.attentive_models import (
    BACK,
    BOTH,
    AttentiveModel,
    ReadText,
    attentive_model,
    attentive_models,
)
from core.models.self_attention.gpt import GPT
from core.models.self_attention.gpt_trace import trace_gpt
from core.models.self_attention.word_order import STILL, Shuffle, shuffle, shuffle_places, without_positions
from core.text.samples.shelf import sample
from core.words.plain import plain
from pages.self_attention.shared.attention_pictures import format_weight
from pages.self_attention.word_order import LESSON
from pages.self_attention.word_order.figures import (
    cost_bars,
    draw_orders,
    format_share,
    output_strips,
    share_bars,
    sum_rows,
    unknown_bars,
    weight_bars,
)

WORDS = LESSON.words
EXAMPLES = (
    "The man loved the king.",
    "The king saw the man, and the man did not see the king.",
    "The son went after his father.",
)
LINE, SENTENCE, OWN = EXAMPLES
MAN, LOVED, KING = 1, 2, 4  # places of the line's tokens
SWAP = (0, KING, LOVED, 3, MAN, 5)
HUES = {MAN: "pink", LOVED: "green", KING: "ochre"}  # of a token, in all beats
HEAD = (0, 0)  # the layer and the head whose weights are shown
OWN_AT_MOST = 8  # tokens of the learner's sentence that are drawn
PLAY, HELD_OUT, RUNS = (
    "hamlet",
    0.9,
    8,
)  # the text on which positions are measured, where it begins, and windows of it
CHOICES = ("none", "some", "all")

MODEL = Choice(
    "model",
    BOTH,
    lambda _: tuple(each for each in (BOTH, *BACK) if each in attentive_models()),
    {"GPT, byte pairs": "word_gpt", "masked model, byte pairs": BOTH, "GPT, characters": "char_gpt"},
)
NO_POSITIONS = Switch("no_positions")
ORDER = Slider("order", factorial(len(SWAP)), 1, factorial(len(SWAP)))
OWN_LINE, OWN_SHUFFLE = Text("line", OWN, 120), Slider("mix", 1, 1, 50)
LAB = (
    MODEL,
    Text("typed", SENTENCE),
    Slider("seed", 1, 0, 9999),
    NO_POSITIONS,
    Slider("layer", 1, 1, 12),
    Slider("head", 1, 1, 12),
)


# The story: what each beat shows.


def show_notices(settings: Settings) -> Part:
    """Two sentences of the same tokens, and how far the trained model's outputs differ."""
    moved = swapped().moved.tolist()
    above = share_bars(WORDS.label("bars.moved"), moved)
    data = draw_swapped(places=True, above=above)
    values = {"moved": format_share(moved[KING]), "n": len(moved), "least": format_share(min(moved))}
    return Part("two_orders", data, values, link_lab())


def show_without(settings: Settings) -> Part:
    """The same without positions: bars to come, then the outputs themselves."""
    found = swapped(without=True)
    if settings.revealed:
        most = float(found.outputs.abs().max())
        strips = [
            output_strips(WORDS.label("strips"), rows.numpy(), most)
            for rows in (found.outputs, found.shuffled_outputs[list(SWAP)])
        ]
        data = draw_swapped(above=strips[0], below=strips[1])
    else:
        data = draw_swapped(above=unknown_bars(WORDS.label("bars.unknown"), len(SWAP)))
    n, moved = len(SWAP), len(SWAP) - found.still
    answer = CHOICES[(moved > 0) + (moved == n)]
    values = {"n": n, "moved": moved, "shown": settings.revealed}
    return Part("two_orders", data, values, link_lab() | {"no_positions": True}, CHOICES, answer)


def show_weights(settings: Settings) -> Part:
    """One query's attention weights without positions, in both orders."""
    rows = weights_of_query()
    most = float(max(row.max() for row in rows))
    title = WORDS.label("bars.weight")
    data = draw_swapped(
        framed=(LOVED,), above=weight_bars(title, rows[0], most), below=weight_bars(title, rows[1], most)
    )
    king = [format_weight(row[t]) for row, t in zip(rows, (KING, SWAP.index(KING)), strict=True)]
    man = format_weight(rows[0][MAN])
    values = {"king": king[0], "again": king[1], "man": man, "layer": HEAD[0] + 1, "head": HEAD[1] + 1}
    return Part("two_orders", data, values, link_lab() | {"no_positions": True})


def show_any(settings: Settings) -> Part:
    """Any order of the line without positions: the outputs go along with their tokens."""
    order = next(islice(permutations(range(len(SWAP))), settings.order - 1, None))
    found = read_line(order, True)
    most = float(found.outputs.abs().max())
    title = WORDS.label("strips")
    above = output_strips(title, found.outputs.numpy(), most)
    below = output_strips(title, found.shuffled_outputs[list(order)].numpy(), most)
    names = (
        WORDS.label("line.first"),
        WORDS.label("line.order", order=settings.order, n=factorial(len(SWAP))),
    )
    data = draw_orders(line_tokens(), order, names, HUES, above=above, below=below)
    values = {"n": len(SWAP), "orders": factorial(len(SWAP)), "moved": len(SWAP) - found.still}
    return Part("two_orders", data, values, link_lab() | {"no_positions": True})


def show_sum(settings: Settings) -> Part:
    """A token's embedding plus that of its position, in both sentences."""
    network, ids = attentive_model(BOTH).network, attentive_model(BOTH).read(LINE).ids
    embedding = network.token_embedding.weight.detach()[ids[KING]]
    positions = network.position_embedding.weight.detach()
    places = (KING, SWAP.index(KING))
    first, second = (embedding + positions[t] for t in places)
    data = sum_rows(
        line_tokens()[KING], embedding.numpy(), {t: positions[t].numpy() for t in places}, HUES[KING]
    )
    far = float((first - second).norm() / first.norm())
    values = {"places": places, "far": format_share(far), "C": len(embedding)}
    return Part("vector_rows", data, values, link_lab())


def show_own(settings: Settings) -> Part:
    """The learner's sentence and a shuffle of it: how far each output moves."""
    model = attentive_model(BOTH)
    read = model.read(settings.line, OWN_AT_MOST)
    if not len(read.ids):
        read = model.read(OWN, OWN_AT_MOST)
    order = shuffle_places(len(read.ids), settings.mix)
    found = read_orders(BOTH, tuple(read.ids.tolist()), tuple(order.tolist()), False)
    moved = found.moved.tolist()
    tokens = [bare(token) for token in read.tokens]
    names = (WORDS.label("line.yours"), WORDS.label("line.shuffled"))
    most = max(range(len(moved)), key=moved.__getitem__)
    data = draw_orders(
        tokens, order.tolist(), names, {}, True, above=share_bars(WORDS.label("bars.moved"), moved)
    )
    case = "one" if len(moved) < 2 else "still" if found.still == len(moved) else "moved"
    values = {
        "case": case,
        "n": len(moved),
        "moved": len(moved) - found.still,
        "most": tokens[most],
        "far": format_share(moved[most]),
        "cut": read.cut > 0,
        "n_most": OWN_AT_MOST,
    }
    return Part("two_orders", data, values, {"typed": settings.line, "seed": settings.mix})


def show_mask(settings: Settings) -> Part:
    """A GPT without positions: which outputs move all the same."""
    model = attentive_model(BACK[0])
    read = model.read(LINE)
    start = len(model.before) or len(read.ids) - len(SWAP)
    order = (*range(start), *(each + start for each in SWAP))
    found = read_orders(BACK[0], tuple(read.ids.tolist()), order, True)
    tokens = [bare(token) for token in read.tokens]
    hues = {place + start: hue for place, hue in HUES.items()}
    names = (WORDS.label("line.first"), WORDS.label("line.swapped"))
    bars = share_bars(WORDS.label("bars.gpt"), found.moved.tolist())
    data = draw_orders(tokens, order, names, hues, above=bars)
    values = {
        "n": len(tokens),
        "moved": len(tokens) - found.still,
        "still": tokens[: found.still],
        "now": KING + start,
        "then": SWAP.index(KING) + start,
    }
    return Part("two_orders", data, values, link_lab() | {"model": BACK[0], "no_positions": True})


def show_worth(settings: Settings) -> Part:
    """What a hidden token costs on held-out text, with positions and without, beside a guess."""
    found, V = measured_bits(), len(attentive_model(BOTH).vocabulary)
    costs = {"with": float(found["with"].mean()), "without": float(found["without"].mean()), "guess": log2(V)}
    data = cost_bars(WORDS.label("bars.cost"), costs, "with")
    values = {name: f"{bits:.1f}" for name, bits in costs.items()} | {
        "n": len(found["with"]),
        "V": V,
        "windows": RUNS,
    }
    return Part("layer_bars", data, {"costs": values})


def show_answer(settings: Settings) -> Part:
    """Both readings of the two sentences: with positions above, without below."""
    kept, lost = swapped(), swapped(without=True)
    below = lost.moved[list(SWAP)].tolist()
    data = draw_swapped(
        above=share_bars(WORDS.label("bars.with"), kept.moved.tolist()),
        below=share_bars(WORDS.label("bars.without"), below),
    )
    n = len(SWAP)
    return Part("two_orders", data, {"n": n, "kept": n - kept.still, "lost": n - lost.still}, link_lab())


STORY = (
    look("notices", show_notices),
    ask("without", show_without),
    look("weights", show_weights),
    do("any", show_any, ORDER),
    look("sum", show_sum),
    do("own", show_own, OWN_LINE, OWN_SHUFFLE),
    look("mask", show_mask),
    look("worth", show_worth),
    end("answer", show_answer),
)


@cache
def line_tokens() -> tuple[str, ...]:
    """Return the story's line as its tokens."""
    return tuple(bare(token) for token in attentive_model(BOTH).read(LINE).tokens)


def bare(token: str) -> str:
    """Return a token as the story shows it, without the space before it."""
    return label_token(token.strip(" ") or token)


def draw_swapped(**more: object) -> dict:
    """Return the data of the line and of the line with two tokens swapped."""
    names = (WORDS.label("line.first"), WORDS.label("line.swapped"))
    return draw_orders(line_tokens(), SWAP, names, HUES, **more)


@lru_cache(maxsize=64)
def read_orders(name: str, ids: tuple[int, ...], order: tuple[int, ...], without: bool) -> Shuffle:
    """Return a text read as it is and in another order, by a model with its positions or without."""
    torch.set_num_threads(1)
    network = placeless(name) if without else attentive_model(name).network
    with torch.no_grad():
        return shuffle(network, torch.tensor(ids), torch.tensor(order), *HEAD)


def read_line(order: tuple[int, ...], without: bool) -> Shuffle:
    """Return the story's line read as it is and in another order by the masked model."""
    return read_orders(BOTH, tuple(attentive_model(BOTH).read(LINE).ids.tolist()), order, without)


def swapped(without: bool = False) -> Shuffle:
    """Return the story's line and the one with two tokens swapped."""
    return read_line(SWAP, without)


def weights_of_query() -> list[np.ndarray]:
    """Return the weights of one query without positions, (T,) in the order of either sentence."""
    ids = attentive_model(BOTH).read(LINE).ids
    layer, head = HEAD
    return [
        trace_gpt(placeless(BOTH), each).layers[layer].attention.weights[head][LOVED].numpy()
        for each in (ids, ids[list(SWAP)])
    ]


@cache
def measured_bits() -> dict[str, np.ndarray]:
    """Return what each hidden token of the held-out text costs, in bits, `with` positions and `without`."""
    torch.set_num_threads(1)
    model, text = attentive_model(BOTH), sample(PLAY).read().text
    runs = windows(model, text[int(HELD_OUT * len(text)) :], RUNS)
    networks = {"with": model.network, "without": placeless(BOTH)}
    return {
        name: np.concatenate([ablated_token_bits(model, ids, network) for ids in runs])
        for name, network in networks.items()
    }


def link_lab() -> dict[str, object]:
    """Return the lab's settings that read the story's line."""
    return {"typed": LINE}


# The lab.


def lab() -> None:
    """How far each output moves after a shuffle; one head's weights; what positions are worth."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = choose_model(notes)
        read = choose_read_text(LESSON, notes, document, model, SENTENCE)
        seed = LESSON.number("seed", WORDS.label("seed"), 0, 9999, 1, width=120)
        broken = LESSON.draw(NO_POSITIONS)
        with LESSON.options():
            layer, head = choose_head(LESSON, model)
    if len(read.ids) <= len(model.before) + len(model.after) + 1:
        st.info(WORDS.label("note.short"))
    else:
        order = shuffle_places(len(read.ids), seed, len(model.before))
        found = readings(model.name, tuple(read.ids.tolist()), seed, layer, head)
        used = found.without if broken else found.kept
        about = f"{hash(tuple(read.ids.tolist()))}_{model.name}_{seed}_{broken}"
        labels = [WORDS.label(f"share.{each}") for each in CHOICES]
        with stage:
            answer = labels[(used.still < len(used.moved)) + (used.still == 0)]
            if revealed := LESSON.ask(WORDS.label("question"), labels, answer, about):
                show_moved(used, read.tokens, broken, found.without if model.causal else None)
                LESSON.every_number(WORDS.label("table.outputs"), output_table, used, read.tokens, order)
            words = " ".join(label_token(read.tokens[place]) for place in order)
            st.text(WORDS.label("says.order", words=words))
        if revealed:
            show_folds(used, read, found, (layer, head), broken)
    LESSON.close_lab(
        code=[shuffle, shuffle_places, without_positions, Shuffle, trace_gpt, mean_bits],
        parameters={
            "name": model.name,
            "text": read.prompt.text,
            "seed": seed,
            "layer": layer,
            "head": head,
        },
        prompts={
            "none": {"no_positions": True, "seed": 7},
            "mask": {"model": BACK[0], "no_positions": True},
            "least": {"model": BOTH, "seed": 4, "no_positions": False},
        },
    )


def choose_model(notes: DeltaGenerator) -> AttentiveModel:
    """Draw the choice of a model that predicts; its description goes to the container `notes`."""
    model = attentive_model(LESSON.draw(MODEL))
    config = model.network.config
    values = {"layers": config.layers, "heads": config.heads, "causal": model.causal}
    notes.caption(WORDS.markdown("about.model", **values) + " " + plain(model.about))
    return model


@lru_cache(maxsize=4)
def placeless(name: str) -> GPT:
    """Return a model's network with all positions 0; all sessions share it."""
    return without_positions(attentive_model(name).network)


@dataclass(frozen=True)
class Readings:
    """A text and its shuffle, read with positions and without, and the bits per token of the text for both."""

    kept: Shuffle
    without: Shuffle
    bits: float
    bits_without: float


@cached(48, 12, shared=no_typed_words)
def readings(name: str, ids: tuple[int, ...], seed: int, layer: int, head: int) -> Readings:
    """Return a text and its shuffle as a model reads both."""
    torch.set_num_threads(1)
    model, text = attentive_model(name), torch.tensor(ids)
    order = shuffle_places(len(ids), seed, len(model.before))
    return Readings(
        shuffle(model.network, text, order, layer, head),
        shuffle(placeless(name), text, order, layer, head),
        mean_bits(model, [text]),
        mean_bits(model, [text], placeless(name)),
    )


def show_moved(used: Shuffle, tokens: Sequence[str], broken: bool, without: Shuffle | None) -> None:
    """Draw how far each output moved; `without` is what a causal model reads without positions."""
    moved = used.moved.numpy()
    figure = moved_tokens(np.where(moved < STILL, 0.0, moved), tokens, WORDS.label("axis.moved"))
    LESSON.figure("moved", figure, WORDS.label("alt.moved"), wide=True)
    LESSON.say("says.moved", describe_moved(used, broken))
    if without and without.still < len(without.moved):
        st.markdown(WORDS.markdown("says.mask", moved=len(without.moved) - without.still))


def describe_moved(used: Shuffle, broken: bool) -> Mapping[str, object]:
    """Return what the words may say of how far the outputs moved."""
    n = len(used.moved)
    return {
        "broken": broken,
        "still": used.still,
        "n": n,
        "all": used.still == n,
        "most": f"{used.moved.max().item():.1%}",
    }


def show_folds(used: Shuffle, read: ReadText, found: Readings, place: tuple[int, int], broken: bool) -> None:
    """Draw the folded sections: one head's weights in both orders, and what positions are worth."""
    if weights := LESSON.fold("heads"):
        with weights:
            panels = {
                WORDS.label("panel.first"): used.weights.numpy(),
                WORDS.label("panel.shuffled"): used.shuffled_weights.numpy(),
            }
            layer, head = place[0] + 1, place[1] + 1
            figure = weight_panels(panels, read.tokens, height=390)
            LESSON.figure("heads_figure", figure, WORDS.label("alt.heads", layer=layer, head=head), wide=True)
            most = max(float(each.max()) for each in panels.values())
            st.caption(WORDS.markdown("caption.heads", most=f"{most:.2f}", layer=layer, head=head))
    if worth := LESSON.fold("worth"):
        with worth:
            st.markdown(WORDS.markdown("worth.intro"))
            LESSON.compare("bits", found.bits, found.bits_without, more_is_better=False)
            if found.bits_without <= found.bits:
                st.markdown(WORDS.markdown("worth.no_worse", n=len(read.ids)))


def output_table(used: Shuffle, tokens: Sequence[str], order: Tensor) -> tuple[pd.DataFrame, Formula]:
    """Return every token's output before and after the shuffle, with the formula of a cell."""
    moved = used.moved.numpy()
    length, distance, share = (WORDS.label(f"table.{each}") for each in ("length", "distance", "moved"))
    table = pd.DataFrame(
        {
            WORDS.label("table.token"): [label_token(token) for token in tokens],
            WORDS.label("table.place"): range(len(moved)),
            WORDS.label("table.shuffled"): order.argsort().numpy(),
            length: used.outputs.norm(dim=1).numpy(),
            distance: used.distances.numpy(),
            share: moved,
        }
    )

    def worked(row: int, column: str) -> str | None:
        if column != share:
            return None
        return (
            rf"\frac{{{number(table[distance][row])}}}{{{number(table[length][row])}}} = {number(moved[row])}"
        )

    return table, worked
