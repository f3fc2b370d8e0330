"""Attention heads: what the story shows beat by beat, and the lab of every head on any sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from core.figures.alignment import attention_view
from core.figures.self_attention.heads import head_grid, masked_weights, names_of
from core.figures.token_label import label_token
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.attention_cell import choose_pinned_cell, choose_place
from core.lesson.choices.transformer_choice import choose_head, choose_read_text
from core.lesson.chosen_text import TYPED
from core.lesson.settings import Choice, Setting, Settings, Slider, Switch, Text
from core.lesson.story import DO, Beat, Part, ask, end, look
from core.lesson.text_source import text_source
from core.models.self_attention.ablation import (
    asked,
    likeness,
    mean_bits,
    without_heads,
    without_queries,
)
from core.models.self_attention.attention import AttentionTrace, attend, causal_mask, from_masked
from core.models.self_attention.attentive_models import (
    BACK,
    BOTH,
    MINILM,
    AttentiveModel,
    ReadText,
    attentive_model,
    attentive_models,
)
from core.models.self_attention.gpt_trace import trace_block
from core.models.self_attention.head_habits import (
    BEFORE,
    FIRST,
    PatternShare,
    equal_tokens,
    every_head,
    followers,
    head_that_most,
    pattern_share,
    token_before,
)
from core.models.self_attention.minilm import installed
from core.models.self_attention.score_parts import ScoreParts, keys_of_text, liked_tokens, score_parts
from core.models.transformers.copier import stored_copier
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from core.text.tokenization.tokens import sentences
from core.words.numbers import signed
from core.words.plain import plain
from pages.self_attention.self_attention import EXAMPLES, LESSON, SENTENCE
from pages.self_attention.self_attention.figures import (
    all_equal,
    count_habits,
    describe_lead,
    draw_habits,
    liked_figure,
    name_habits,
    pair_formulas,
    part_rows,
    product_rows,
    row_table,
    score_parts_figure,
    unknown_row,
    worked_weight,
)
from pages.self_attention.shared.attention_pictures import (
    draw_arrows,
    format_weight,
    value_rows,
    weighed,
    weight_row,
)

WORDS = LESSON.words
LINE = "A horse! a hors"  # the story's: what comes next?
HEADS = {"before": (BACK[1], 0, 4), "same": (BACK[1], 0, 0), "next": ("copier", 1, 1)}  # model, layer, head
CARRIER = (0, 1)  # the copier's head that carries each letter to the one after it
HUES = {"r": "ochre", "s": "blue", "e": "green"}  # of a letter, in all beats
READ_AT_MOST = 20  # tokens of a line typed in the story
PLAY, HELD_OUT, LINES, SHORT, LONG = (
    "hamlet",
    0.9,
    80,
    20,
    80,
)  # what habits are measured on: lines by their length
LAYER_AT_MOST = 128  # tokens; of a longer text one head's weights are enough to send
LIKED = 12  # tokens drawn
LEAST_SHOWN = 0.1  # a weight from which it has an arrow where three heads share a picture
EQUAL = "equal"  # the choice of a question in the lab


class Place(Setting):
    """The place of a token, from 0, as a picture reports it; -1 is the last."""

    def read(self, raw: object, settings) -> int:
        """Return the place.

        >>> Place("at", -1).read("3", {}), Place("at", -1).read("x", {}), Place("at", -1).read(99, {})
        (3, -1, -1)
        """
        try:
            place = int(raw)  # type: ignore[call-overload]
        except (TypeError, ValueError, OverflowError):
            return self.default
        return place if 0 <= place < READ_AT_MOST else self.default


OWN_LINE, OWN_HEAD = Text("line", "To be, or not to", 120), Choice("habit", "same", tuple(HEADS))
AT = Place("at", -1)
WITHOUT = Switch("without")
OLD_MODELS = {
    "GPT, byte pairs": "word_gpt",
    "masked model, byte pairs": BOTH,
    "GPT, characters": "char_gpt",
    "MiniLM, word pieces": MINILM,
}
MODEL = Choice("model", BACK[0], lambda _: attentive_models(), OLD_MODELS)
ALIKE, WHOLE_LAYER = Switch("alike"), Switch("whole_layer")
OPENED = (1, 2)  # the lab's head
LAB = (
    MODEL,
    Text("typed", SENTENCE),
    Slider("layer", OPENED[0] + 1, 1, 12),
    Slider("head", OPENED[1] + 1, 1, 12),
    Slider("step", 9, 1, 512),
    ALIKE,
    WHOLE_LAYER,
)


# The story: what each beat shows.


class Read(NamedTuple):
    """A line as one head reads it: T tokens, their ids, weights (T, T), and the probabilities of the next token."""

    tokens: list[str]
    ids: Tensor
    weights: np.ndarray
    predicted: str
    probability: float
    cut: bool

    @property
    def hues(self) -> dict[int, str]:
        """The hue of each place whose letter has one."""
        return {s: HUES[token] for s, token in enumerate(self.tokens) if token in HUES}


def read_line(line: str, habit: str, without: bool = False) -> Read:
    """Return a line as the story's head of a habit reads it; `without` silences the copier's head that carries letters."""
    name, layer, head = HEADS[habit]
    model = stored_copier() if name == "copier" else attentive_model(name)
    ids = model.encode(" ".join(line.split())).ids or model.encode(OWN_LINE.default).ids
    kept = torch.tensor([*model.before, *ids[: READ_AT_MOST - len(model.before)]])
    with torch.no_grad():
        if name == "copier":
            network = without_heads(model.network, [CARRIER]) if without else model.network
            logits, traces = network(kept[None])
            weights, logits = traces[layer].weights[0, head], logits[0]
        else:
            found = model.trace(kept)
            weights, logits = found.layers[layer].attention.weights[head], found.logits
    p = logits[-1].double().softmax(-1)
    best = int(p.argmax())
    tokens = [label_token(model.vocabulary[i]) for i in kept.tolist()]
    cut = len(ids) > READ_AT_MOST - len(model.before)
    return Read(
        tokens, kept, weights.double().numpy(), label_token(model.vocabulary[best]), float(p[best]), cut
    )


def show_before(settings: Settings) -> Part:
    """Every query of the head that attends to the letter before."""
    read = read_line(settings.line, "before")
    T = len(read.tokens)
    links = [(t, t - 1, float(read.weights[t, t - 1])) for t in range(1, T)]
    data = draw_arrows(read.tokens, read.hues, range(1, T), links)
    least = min(weight for _, _, weight in links)
    values = measure_values("before") | {"heads": count_heads(), "least": least}
    return Part("attention_arrows", data, values, link_lab("before", T))


def show_score(settings: Settings) -> Part:
    """The last query times two keys, number by number: the letter before, and the one before that."""
    read = read_line(settings.line, "before")
    head = trace_head("before", read)
    t = len(read.tokens) - 1
    query = head.query[t].numpy()
    keys = [
        (head.key[s].numpy(), WORDS.label("row.key", name=read.tokens[s]), read.hues.get(s))
        for s in (t - 1, t - 2)
    ]
    data = product_rows(query, keys, WORDS.label("row.query", name=read.tokens[t]))
    scores = [float(query @ key) for key, _, _ in keys]
    values = {
        "d": len(query),
        "from": read.tokens[t],
        "to": [read.tokens[t - 1], read.tokens[t - 2]],
        "scores": [signed(score, 1, "+") for score in scores],
        "weight": format_weight(read.weights[t, t - 1]),
    }
    return Part("vector_rows", data, values, link_lab("before", len(read.tokens)))


def show_reason(settings: Settings) -> Part:
    """The last query's weights' reason: what each key's letter and position add to its score."""
    read = read_line(settings.line, settings.habit)
    t = len(read.tokens) - 1
    chosen = [t - 1] if settings.habit == "before" else equal_places(read, t)
    name, layer, head = HEADS[settings.habit]
    model = attentive_model(name)
    parts = score_parts(model.network, model.trace(read.ids), layer, head, t).parts[:2]
    others = [s for s in range(t + 1) if s not in chosen]
    lead = parts - parts[:, others].mean(1, keepdims=True)
    links = [(t, s, float(read.weights[t, s])) for s in chosen]
    hues = {s: hue for s, hue in read.hues.items() if s in chosen or s == t}
    data = draw_arrows(read.tokens, hues, [t], links, part_rows(lead, chosen, hues))
    values = {
        "from": read.tokens[t],
        "to": read.tokens[chosen[0]],
        "letter": signed(float(lead[0, chosen].mean()), 1, "+"),
        "position": signed(float(lead[1, chosen].mean()), 1, "+"),
    }
    return Part("attention_arrows", data, values, link_lab(settings.habit, len(read.tokens)))


def show_letter(settings: Settings) -> Part:
    """Another head's query, and when it is revealed, its weights: they are on the equal letters."""
    read = read_line(settings.line, "same")
    t = len(read.tokens) - 1
    equal = equal_places(read, t)
    hues = read.hues
    if settings.revealed:
        links = [(t, s, float(read.weights[t, s])) for s in equal]
        data = draw_arrows(read.tokens, hues, [t], links, [weight_row(read.weights[t], hues)])
    else:
        guesses = [t - 1, *equal, *followers(read.ids)[t].nonzero().flatten().tolist()]
        links = [(t, s, 0.0) for s in guesses]
        data = draw_arrows(read.tokens, hues, [t], links, [unknown_row(t + 1, guesses)], True)
    values = measure_values("same") | {
        "from": read.tokens[t],
        "before": read.tokens[t - 1],
        "taken": float(read_line(settings.line, "before").weights[t, t - 1]),
        "weights": [float(read.weights[t, s]) for s in equal],
        "rest": 1 - float(read.weights[t, equal].sum()),
    }
    link = link_lab("same", len(read.tokens))
    return Part("attention_arrows", data, values, link, ("before", "same", "next"), "same")


def show_average(settings: Settings) -> Part:
    """The head's output: each value times its weight, and their sum."""
    read = read_line(settings.line, "same")
    head = trace_head("same", read)
    t = len(read.tokens) - 1
    equal = equal_places(read, t)
    data = weighed(read.weights[t], head.value.double().numpy(), equal, read.tokens, read.hues)
    values = {
        "share": float(read.weights[t, equal].sum()),
        "from": read.tokens[t],
        "d": head.value.shape[1],
        "others": len(read.tokens) - len(equal),
    }
    return Part("vector_rows", data, values, link_lab("same", len(read.tokens)))


def show_next(settings: Settings) -> Part:
    """A head of the copier: it attends to the letter that followed the same letter before."""
    read = read_line(settings.line, "next", settings.without)
    whole = read_line(settings.line, "next")
    t = len(read.tokens) - 1
    s = int(followers(read.ids)[t].nonzero()[0])
    seen = [(t, k, float(read.weights[t, k])) for k in range(t + 1) if read.weights[t, k] >= 0.02]
    total = WORDS.label("sum.predicts", token=read.predicted, p=read.probability)
    data = draw_arrows(read.tokens, read.hues, [t], seen, [weight_row(read.weights[t], read.hues)], sum=total)
    values = measure_values("next") | {
        "from": read.tokens[t],
        "to": read.tokens[s],
        "whole": float(whole.weights[t, s]),
        "weight": float(read.weights[t, s]),
        "predicted": whole.predicted,
        "probability": whole.probability,
        "silenced": read_line(settings.line, "next", True).weights[t, s],
        "without": settings.without,
    }
    return Part("attention_arrows", data, values, link_lab("same", len(read.tokens)))


def show_heads(settings: Settings) -> Part:
    """All heads of the GPT of characters, by how much weight they put on the letter before and on the same letter."""
    before, equal = (measure(habit).heads.numpy() for habit in ("before", "same"))
    heads = attentive_model(BACK[1]).network.config.heads
    named = {
        HEADS[habit][1] * heads + HEADS[habit][2]: WORDS.label(f"point.{habit}")
        for habit in ("before", "same")
    }
    names = {"x": WORDS.label("axis.before"), "y": WORDS.label("axis.same")}
    figure = draw_habits(before, equal, named, names)
    half = int(((before < 0.5) & (equal < 0.5)).sum())
    values = measure_values("before") | {"heads": len(before), "neither": half}
    return Part("figure", {"figure": figure.to_dict()}, values, link_lab("before", len(LINE) + 1))


def show_own(settings: Settings) -> Part:
    """The learner's own line under one of the three heads; a press on a token makes it the query."""
    read = read_line(settings.line, settings.habit)
    t = settings.at if 0 <= settings.at < len(read.tokens) else len(read.tokens) - 1
    row = read.weights[t]
    hues = {t: "blue"} | {int(s): "ochre" for s in np.flatnonzero(row >= 0.1) if s != t}
    links = [(t, s, float(row[s])) for s in range(t + 1) if row[s] >= 0.02]
    data = draw_arrows(read.tokens, hues, [t], links, [weight_row(row, hues)], pick=True)
    s = int(row.argmax())
    values = {
        "from": read.tokens[t],
        "to": read.tokens[s],
        "itself": s == t,
        "weight": float(row[s]),
        "n": len(read.tokens) - 1,
        "cut": read.cut,
    }
    lab = link_lab(settings.habit, t + 1, settings.line)
    return Part("attention_arrows", data, values, lab)


def show_three(settings: Settings) -> Part:
    """One query and three heads: the letter before, the same letter, and what followed it last time."""
    t = len(read_line(settings.line, "before").tokens) - 1
    links, rows, to = [], [], []
    for habit in HEADS:
        read = read_line(settings.line, habit)
        row = read.weights[t]
        links += [(t, s, float(row[s])) for s in range(t + 1) if row[s] >= LEAST_SHOWN]
        rows.append(weight_row(row, read.hues, WORDS.label(f"reason.{habit}")))
        to.append(read.tokens[int(row[:t].argmax())])
    data = draw_arrows(read.tokens, read.hues, [t], links, rows)
    values = {"from": read.tokens[t], "to": to}
    return Part("attention_arrows", data, values, link_lab("same", t + 1))


def take_place(value: object) -> dict[str, str]:
    """Choose the query that was pressed in the picture."""
    return {"at": AT.write(AT.read(value, {}))}


STORY = (
    look("before", show_before, line=LINE),
    look("score", show_score, line=LINE),
    look("where", show_reason, line=LINE, habit="before"),
    ask("letter", show_letter, line=LINE),
    look("what", show_reason, line=LINE, habit="same"),
    look("average", show_average, line=LINE),
    look("next", show_next, WITHOUT, line=LINE),
    look("heads", show_heads),
    Beat("own", DO, show_own, (OWN_LINE, OWN_HEAD), {}, (AT,), {"pick": take_place}),
    end("answer", show_three, line=LINE),
)


def equal_places(read: Read, t: int) -> list[int]:
    """Return the places up to t of the token that is at t."""
    return [s for s in range(t + 1) if read.ids[s] == read.ids[t]]


def trace_head(habit: str, read: Read) -> AttentionTrace:
    """Return a head of the GPT of characters on a line, step by step."""
    name, layer, head = HEADS[habit]
    found = attentive_model(name).trace(read.ids).layers[layer].attention
    return AttentionTrace(**{part: tensor[head] for part, tensor in vars(found).items()})


def count_heads() -> int:
    """Return how many heads the GPT of characters has."""
    config = attentive_model(BACK[1]).network.config
    return config.layers * config.heads


def link_lab(habit: str, step: int, line: str = LINE) -> dict:
    """Return the lab's settings that show the story's head on its line; the copier is not in the lab."""
    name, layer, head = HEADS[habit if habit != "next" else "same"]
    return {"model": name, "typed": line, "layer": layer + 1, "head": head + 1, "step": step}


@cache
def held_out_lines() -> tuple[str, ...]:
    """Return lines near the end of a play, most of which the GPT of characters was not trained on."""
    text = sample(PLAY).read().text
    found = [" ".join(each.split()) for each in sentences(text[int(HELD_OUT * len(text)) :])]
    return tuple(each for each in found if SHORT <= len(each) <= LONG)[:LINES]


@cache
def measure(habit: str) -> PatternShare:
    """Return how much weight the heads of a habit's model put on its pattern, over the held-out lines.

    Of the copier it is the heads of its last layer, (H,); else all heads, layer by layer, (L H,).
    """
    pattern = {"before": token_before, "same": equal_tokens, "next": followers}[habit]
    return pattern_share(pattern, [weights_on(each, habit == "next") for each in held_out_lines()])


def weights_on(line: str, copier: bool) -> tuple[Tensor, Tensor]:
    """Return the ids of a line and the weights of its model's heads, (H, T, T)."""
    model = stored_copier() if copier else attentive_model(BACK[1])
    ids = torch.tensor([*model.before, *model.encode(line).ids])
    with torch.no_grad():
        if copier:
            return ids, model.network(ids[None])[1][HEADS["next"][1]].weights[0]
        return ids, torch.cat([layer.attention.weights for layer in model.trace(ids).layers])


def measure_values(habit: str) -> dict:
    """Return what the words may say of a habit: its head's mean share, the chance level, and what was measured."""
    found = measure(habit)
    _, layer, head = HEADS[habit]
    heads = attentive_model(BACK[1]).network.config.heads
    at = head if habit == "next" else layer * heads + head
    return {
        "share": float(found.heads[at]),
        "chance": found.chance,
        "queries": found.queries,
        "lines": len(held_out_lines()),
    }


# The lab: every head of every model, on any sentence.


def lab() -> None:
    """One head's weights, all heads, why this key, one weight's product, what is passed on."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = choose_model(notes)
        read = choose_read_text(LESSON, notes, document, model, SENTENCE)
        layer, head = choose_head(LESSON, model, OPENED)
        with (more := LESSON.options()):
            whole_layer = LESSON.draw(WHOLE_LAYER)
            broken = LESSON.toggle(ALIKE.name, WORDS.label("uniform"), help=WORDS.label("uniform.help"))
    t = s = 0
    if not len(read.ids):
        st.info(WORDS.markdown("note.empty"))
    else:
        ids, names = tuple(read.ids.tolist()), names_of(read.tokens)
        whole = opened_heads(model.name, ids, layer, head)
        opened = opened_heads(model.name, ids, layer, head, broken=True) if broken else whole
        with stage:
            top = st.container()
            t = LESSON.step([WORDS.markdown("step.query", name=name) for name in names], start=9)
            weights = opened.head.weights[t].numpy()
            with more:
                place = choose_place(
                    LESSON, "input", WORDS.label("input"), names, WORDS.label("input.largest")
                )
            question = WORDS.label("question", layer=layer + 1, head=head + 1, name=names[t], place=t + 1)
            about = f"{hash(ids)}_{model.name}_{layer}_{head}_{t}_{broken}"
            may_show = LESSON.ask(question, *choices_and_answer(weights, names, t), about)
        if may_show:
            s = int(np.argmax(weights)) if place is None else place
            with top:
                show_weights(model, opened, (layer, head), read, (t, s), whole_layer)
                LESSON.say("says.largest", describe_largest(weights, names, t))
            if broken:
                show_consequence(whole, opened, len(ids))
            show_sections(model, document, opened, (layer, head), (t, s), ids, names, broken)
            worked = partial(worked_weight, opened.head, t)
            LESSON.every_number(
                WORDS.label("table.query"), lambda: (row_table(opened.head, t, names), worked)
            )
            LESSON.every_number(WORDS.label("table.heads"), name_habits, opened.habits)
    LESSON.close_lab(
        code=[
            trace_block,
            attend,
            from_masked,
            causal_mask,
            score_parts,
            liked_tokens,
            without_queries,
            pattern_share,
        ],
        parameters={
            "name": model.name,
            "text": read.prompt.text,
            "most": len(read.ids),
            "layer": layer,
            "head": head,
            "t": t,
            "s": s,
        },
        prompts=prompts(),
    )


def choose_model(notes) -> AttentiveModel:
    """Draw the choice of a model; its description goes to the container `notes`."""
    model = attentive_model(LESSON.draw(MODEL))
    config = model.network.config
    with notes:
        values = {"layers": config.layers, "heads": config.heads, "causal": model.causal}
        st.caption(WORDS.markdown("about.model", **values) + " " + plain(model.about))
        if installed() is None:
            st.caption(WORDS.markdown("about.minilm"))
    return model


def show_sections(
    model: AttentiveModel,
    document: Document,
    opened: OpenedHeads,
    place: tuple[int, int],
    cell: tuple[int, int],
    ids: tuple[int, ...],
    names: Sequence[str],
    broken: bool,
) -> None:
    """Draw the sections below the picture, each once it is opened."""
    t, s = cell
    if box := LESSON.fold("grid"):
        with box:
            st.markdown(WORDS.markdown("says.habits", **count_habits(opened.habits)))
            LESSON.view("head_grid", opened.grid, name="heads", on={"head": open_head})
    if box := LESSON.fold("parts"):
        with box:
            if model.predicts:
                show_parts(model.name, ids, place, cell, names, broken)
            else:
                st.markdown(WORDS.markdown("note.minilm"))
            show_liked(model, document, place, opened.head.query[t].numpy(), names[t])
    if box := LESSON.fold("pair"):
        with box:
            formulas = pair_formulas(opened.head, t, s)
            for column, formula in zip(st.columns([5, 3, 5][: len(formulas)]), formulas, strict=True):
                column.latex(formula)
            query, key = opened.head.query[t].numpy(), opened.head.key[s].numpy()
            rows = product_rows(
                query,
                [(key, WORDS.label("row.key", name=names[s]), "ochre")],
                WORDS.label("row.query", name=names[t]),
            )
            LESSON.view("vector_rows", rows, name="pair_rows")
            st.caption(WORDS.markdown("caption.vector_rows"))
    if box := LESSON.fold("values"):
        with box:
            rows = value_rows(opened.head.weights[t].numpy(), opened.head.value.numpy(), names, {})
            LESSON.view("vector_rows", rows, name="value_rows")
            st.caption(WORDS.markdown("caption.values"))


@dataclass(frozen=True)
class OpenedHeads:
    """The payload of the grid, one head's trace, its layer's weights by name, every head's habits.

    `bits` is the model's mean bits per token on the text, None where it predicts nothing; `vector` the mean of the
    last stream, (C,), which is how an encoder sums a text up.
    """

    grid: dict
    head: AttentionTrace
    layer: dict[str, np.ndarray]
    habits: pd.DataFrame
    bits: float | None
    vector: np.ndarray


@cached(48, 12, shared=no_typed_words)
def opened_heads(name: str, ids: tuple[int, ...], layer: int, head: int, broken: bool = False) -> OpenedHeads:
    """Return a model's heads on a text of ids, with (layer, head) opened; `broken`: its attention is uniform."""
    torch.set_num_threads(1)
    model, text = asked(attentive_model(name), (layer, head), broken), torch.tensor(ids)
    trace = model.trace(text)
    layers = [each.attention for each in trace.layers]
    whole = masked_weights(layers[layer]) if len(ids) <= LAYER_AT_MOST else []
    return OpenedHeads(
        head_grid(layers, (layer, head)),
        AttentionTrace(**{part: tensor[head].clone() for part, tensor in vars(layers[layer]).items()}),
        {WORDS.label("head.name", head=h): weights for h, weights in enumerate(whole, start=1)},
        pd.DataFrame(every_head([layer.weights for layer in layers])),
        mean_bits(model, [text]) if model.predicts else None,
        trace.final.mean(0).numpy(),
    )


def open_head(chosen: dict) -> None:
    """Open the head that was clicked in the grid."""
    for name in ("layer", "head"):
        LESSON.set_state(name, int(chosen[name]) + 1)


def choices_and_answer(weights: np.ndarray, names: Sequence[str], t: int) -> tuple[list[str], str]:
    """Return the tokens that query t might attend to most, and which it is."""
    heaviest, likely = np.argsort(-weights, kind="stable")[:4].tolist(), [s for s in (0, t - 1, t) if s >= 0]
    label = [f"{s + 1} {name}" for s, name in enumerate(names)]
    choices = [*(label[s] for s in sorted({*likely, *heaviest})), WORDS.label(f"choice.{EQUAL}")]
    return choices, choices[-1] if all_equal(weights) else label[heaviest[0]]


def describe_largest(weights: np.ndarray, names: Sequence[str], t: int) -> dict:
    """Return what the words may say of a row: which key has the largest weight."""
    s = int(np.argmax(weights))
    return {
        "from": names[t],
        "place": t + 1,
        "to": names[s],
        "at": s + 1,
        "weight": float(weights[s]),
        "itself": s == t,
        "equal": all_equal(weights),
        "seen": int(np.sum(weights > 0)),
    }


def show_weights(
    model: AttentiveModel,
    opened: OpenedHeads,
    place: tuple[int, int],
    read: ReadText,
    cell: tuple[int, int],
    whole_layer: bool,
) -> None:
    """Draw one head, or its whole layer where the text is short enough, as a heatmap linked to lines."""
    layer, head = place[0] + 1, place[1] + 1
    tokens = [label_token(token) for token in read.tokens]
    whole_layer = whole_layer and bool(opened.layer)
    one = {WORDS.label("head.one", layer=layer, head=head): masked_weights(opened.head)}
    heads = opened.layer if whole_layer else one
    file = f"{model.name}_layer{layer}" + ("" if whole_layer else f"_head{head}")
    names = (WORDS.label("axis.from"), WORDS.label("axis.to"))
    data = attention_view(heads, tokens, tokens, (), *names, cell, file=file)
    LESSON.view("attention", data, on={"cell": partial(choose_pinned_cell, LESSON)})
    if whole_layer:
        st.caption(WORDS.markdown("note.layer", head=head))
    if not opened.layer:
        st.caption(WORDS.markdown("note.long", most=LAYER_AT_MOST))


def show_consequence(whole: OpenedHeads, broken: OpenedHeads, tokens: int) -> None:
    """Show what uniform attention of this head does to the model on this text, and say which way it went."""
    if whole.bits is None:
        LESSON.compare("vector", 1.0, likeness(whole.vector, broken.vector), ".4f")
        return
    LESSON.compare("bits", whole.bits, broken.bits, ".3f", more_is_better=False)
    more = broken.bits - whole.bits
    st.markdown(WORDS.markdown("says.cost", more=more, n=tokens, same=abs(more) < 0.0005))


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
    st.markdown(WORDS.markdown("fold.parts"))
    figure = score_parts_figure(parts, names, seen, s if s < last else t)
    LESSON.figure("score_parts", figure, WORDS.label("alt.parts", name=names[t]))
    values = describe_lead(parts, s, seen, names[s])
    part = WORDS.label(f"part.{values['most']}") if "most" in values else ""
    st.markdown(WORDS.markdown(f"why.{values['case']}", **values, part=part))


@cached(48, 12, shared=no_typed_words)
def keys_on(name: str, digest: str, layer: int, head: int, _text: str) -> tuple[list[int], np.ndarray]:
    """Return the ids of the first tokens of a text, as many as the model reads at once, and a head's keys there."""
    torch.set_num_threads(1)
    return keys_of_text(attentive_model(name), _text, layer, head)


def show_liked(
    model: AttentiveModel, document: Document, place: tuple[int, int], query: np.ndarray, name: str
) -> None:
    """Draw the tokens of the learner's text whose keys this query scores highest; none for a query of 0."""
    if not query.any():
        st.markdown(WORDS.markdown("liked.zero"))
        return
    ids, keys = keys_on(model.name, document.digest, *place, document.text)
    if not ids:
        st.info(WORDS.markdown("liked.empty"))
        return
    liked = liked_tokens(query, keys, ids)
    names = names_of([model.vocabulary[each.token] for each in liked])
    mean = sum(each.score * each.times for each in liked) / len(ids)
    values = {
        "name": name,
        "n": len(ids),
        "different": len(liked),
        "best": names[0],
        "score": signed(liked[0].score),
        "mean": signed(mean),
    }
    st.markdown(WORDS.markdown("liked.says", **values))
    top = liked[:LIKED]
    figure = liked_figure(names[:LIKED], [each.score - mean for each in top], [each.times for each in top])
    LESSON.figure("liked", figure, WORDS.label("alt.liked", name=name))


def prompts() -> dict[str, dict[str, object]]:
    """Return the things to try, each with the sentence, the model and the head that it speaks of."""
    here = {"source": TYPED, "typed": SENTENCE, "model": BACK[0]}
    back, resting = head_that_most(BACK[1], BEFORE, EXAMPLES[1]), head_that_most(BACK[0], FIRST, EXAMPLES[1])
    return {
        "before": {**here, "model": BACK[1], "layer": back[0] + 1, "head": back[1] + 1, "step": 12},
        "resting": {
            **here,
            "typed": EXAMPLES[1],
            "layer": resting[0] + 1,
            "head": resting[1] + 1,
            "step": 12,
        },
        "layer": {**here, "layer": 3, "whole_layer": True},
    }
