"""Inside a transformer block: what the story shows beat by beat, and the lab that opens any number of a forward pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.machine import bare, share_bar
from core.figures.self_attention.heads import names_of
from core.figures.transformers.matrices import PARTS, shape_said
from core.figures.transformers.opened_view import LabelledReading, closed_view, opened_view, stage_said
from core.figures.transformers.place import placed
from core.figures.worked import dot_product, number
from core.lesson.cache import shared_lru_cache
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import choose_read_text, vocabulary_named
from core.lesson.chosen_text import TYPED
from core.lesson.every_number import Formula
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.self_attention.attention import attend, from_masked
from core.models.self_attention.attentive_models import BACK, AttentiveModel, attentive_model
from core.models.self_attention.gpt import GPT
from core.models.transformers.opened_gpt import (
    OpenedGPT,
    open_add,
    open_attention,
    open_block,
    open_embedding,
    open_feed_forward,
    open_gpt,
    open_norm,
    open_output,
    without_part,
)
from core.words.numbers import percent, signed
from pages.transformers.shared import WORDS as SUBJECT
from pages.transformers.transformer_block import LESSON, SENTENCE
from pages.transformers.transformer_block.figures import (
    ATTENTION,
    FEED_FORWARD,
    KEY,
    TOKEN,
    added_figure,
    draw_attention,
    draw_block,
    draw_embedding,
    draw_feed_forward,
    draw_output,
    draw_whole,
    next_bars,
    part_ids,
)

WORDS = LESSON.words
NAME, LAYERS = BACK[0], 4
MOST_LAYERS = 6  # of the models of the lab
BLOCK, HEAD, FROM = (
    2,
    2,
    9,
)  # the block that the story enters, its head, and the token that the head attends to
QUIET = f"{ATTENTION}.1"  # the part that adds the shortest vector
READ_AT_MOST = 14  # tokens of a sentence typed in the story
TOKENS_AT_MOST = 64  # in the lab
POSITIONS, NOTHING = "positions", "nothing"
TOP = 5  # tokens of the output that are drawn

MODEL = Choice("model", BACK[0], BACK, {"GPT, byte pairs": BACK[0], "GPT, characters": BACK[1]})
WAS = {
    f"block {k}'s {kind.replace('_', '-')}": f"{kind}.{k}"
    for k in range(1, 9)
    for kind in (ATTENTION, FEED_FORWARD)
}
WHICH = Choice(
    "which", f"{FEED_FORWARD}.1", (*part_ids(MOST_LAYERS), POSITIONS), {**WAS, "the place vectors": POSITIONS}
)
OFF = Switch("off")
OWN_LINE, LEFT_OUT = Text("line", SENTENCE, 120), Choice("left_out", NOTHING, (NOTHING, *part_ids(LAYERS)))
LAB = (MODEL, Text("typed", SENTENCE), OFF, WHICH, Text("at", ""))


def say(key: str, **values: object) -> str:
    """Return a label of the lesson, or of its subject."""
    return (WORDS if WORDS.has(key) else SUBJECT).label(key, **values)


# The story: what each beat shows.


class Read(NamedTuple):
    """A sentence, opened: its tokens, everything that is computed, and the next token's probabilities (V,)."""

    tokens: list[str]
    opened: OpenedGPT
    p: np.ndarray
    cut: bool


@lru_cache(maxsize=64)
def read_line(line: str, left_out: str = NOTHING) -> Read:
    """Return a sentence as the story's GPT reads it, without one part if one is named."""
    torch.set_num_threads(1)
    model = attentive_model(NAME)
    read = model.read(" ".join(line.split()), READ_AT_MOST)
    if len(read.ids) <= len(model.before):
        read = model.read(SENTENCE, READ_AT_MOST)
    opened = open_gpt(network_of(NAME, left_out), read.ids)
    return Read(list(read.tokens), opened, probabilities(opened)[-1], bool(read.cut))


def name_of(index: int) -> str:
    """Return a token of the vocabulary as the story shows it."""
    return bare(str(attentive_model(NAME).vocabulary[index]))


def show_whole(settings: Settings) -> Part:
    """The whole machine: a sentence goes in, probabilities of the next token come out."""
    read = read_line(SENTENCE)
    best = int(read.p.argmax())
    data = draw_whole(say, read.tokens, chances(read.p), LAYERS)
    values = {
        "last": bare(read.tokens[-1]),
        "next": name_of(best),
        "p": percent(float(read.p[best]), 0),
        "blocks": LAYERS,
    }
    return Part("machine", data, values)


def show_embedding(settings: Settings) -> Part:
    """The last token's row of the embedding table, the row of its position, and their sum."""
    read = read_line(SENTENCE)
    at, last = read.opened.stages[0]["embedding"], len(read.tokens) - 1
    rows = [each[last].numpy() for each in (at.token, at.position, at.stream)]
    config = attentive_model(NAME).network.config
    shapes = {
        "token": say("shape", rows=f"{config.vocabulary_size:,}", columns=config.width),
        "position": say("shape", rows=f"{config.context:,}", columns=config.width),
    }
    ids = (int(read.opened.ids[last]), last)
    data = draw_embedding(say, read.tokens, ids, shapes, rows)
    values = {"id": ids[0], "t": last, "C": config.width, "V": f"{config.vocabulary_size:,}"}
    return Part("machine", data, values, {"at": f"part.0.embedding.stream.1.{last + 1}.1"})


def show_block(settings: Settings) -> Part:
    """One block: what both parts add to the first numbers of the stream."""
    read = read_line(SENTENCE)
    stage = read.opened.stages[BLOCK]
    vectors = [
        each[-1].numpy()
        for each in (stage["add_1"].stream, stage["add_1"].added, stage["add_2"].added, stage["add_2"].after)
    ]
    x, a, f, after = (signed(float(each[0]), 1) for each in vectors)
    values = {"x": x, "a": a, "f": f, "after": after, "k": BLOCK, "C": len(vectors[0])}
    data = draw_block(say, read.tokens, BLOCK, vectors)
    return Part("machine", data, values, {"at": f"block.{BLOCK}.attention.gathered.1.99.1"})


def show_tokens(settings: Settings) -> Part:
    """Which part can bring information from another token: both closed, then attention with its weights."""
    read = read_line(SENTENCE)
    attention = read.opened.stages[BLOCK][ATTENTION]
    weights = attention.weights[HEAD, -1].numpy()
    if settings.revealed:
        added = attention.gathered[-1].numpy()
        data = draw_attention(say, read.tokens, BLOCK, HEAD + 1, len(attention.weights), weights, added)
    else:
        data = draw_block(say, read.tokens, BLOCK, hues={FROM: KEY})
    values = {
        "from": bare(read.tokens[FROM]),
        "to": bare(read.tokens[-1]),
        "weight": f"{weights[FROM]:.2f}",
        "heads": len(attention.weights),
        "head": HEAD + 1,
        "k": BLOCK,
        "shown": settings.revealed,
    }
    lab = {"at": f"matrix.{BLOCK}.attention.weights.{HEAD + 1}.{len(read.tokens)}.{FROM + 1}"}
    return Part("machine", data, values, lab, (ATTENTION, FEED_FORWARD, "both"), ATTENTION)


def show_feed_forward(settings: Settings) -> Part:
    """The feed-forward network of one block: all neurons at the last token."""
    read = read_line(SENTENCE)
    stage = read.opened.stages[BLOCK]
    inside = stage[FEED_FORWARD]
    neurons = inside.woken[-1].numpy()
    data = draw_feed_forward(
        say, read.tokens, BLOCK, stage["norm_2"].read[-1].numpy(), neurons, inside.written[-1].numpy()
    )
    values = {
        "n": len(neurons),
        "active": int((neurons > 0).sum()),
        "C": inside.written.shape[1],
        "k": BLOCK,
        "last": bare(read.tokens[-1]),
    }
    return Part("machine", data, values, {"at": f"part.{BLOCK}.feed_forward.woken.1.{len(read.tokens)}.1"})


def show_output(settings: Settings) -> Part:
    """The last stream times every row of the embedding table: logits, and their softmax."""
    read = read_line(SENTENCE)
    output = read.opened.stages[-1]["output"]
    logits = output.logits[-1].numpy()
    order = np.argsort(-logits, kind="stable")[:TOP].tolist()
    top = float(logits[order[0]])
    logit_bars = [
        share_bar(
            name_of(i), max(0.0, float(logits[i]) / top), signed(float(logits[i]), 1), TOKEN, i == order[0]
        )
        for i in order
    ]
    config = attentive_model(NAME).network.config
    last = read.opened.stages[LAYERS]["add_2"].after[-1].numpy()
    shape = say("shape", rows=f"{config.vocabulary_size:,}", columns=config.width)
    data = draw_output(say, bare(read.tokens[-1]), last, logit_bars, chances(read.p), shape)
    values = {
        "V": f"{config.vocabulary_size:,}",
        "next": name_of(order[0]),
        "second": name_of(order[1]),
        "logit": signed(top, 1),
        "p": percent(float(read.p[order[0]]), 0),
    }
    at = f"cell.{LAYERS + 1}.output.logits.1.{len(read.tokens)}.{order[0] + 1}"
    return Part("machine", data, values, {"at": at})


def show_length(settings: Settings) -> Part:
    """How long a vector each part adds at the last token; then how much of the prediction moves without the part."""
    read = read_line(SENTENCE)
    lengths = dict(zip(part_ids(LAYERS), read.opened.added()[:, :, -1].flatten().tolist(), strict=True))
    moved = {key: share_moved(read.p, read_line(SENTENCE, key).p) for key in lengths}
    notes = {
        key: percent(moved[key], 0) if settings.revealed else f"{length:.0f}"
        for key, length in lengths.items()
    }
    data = draw_whole(
        say,
        read.tokens,
        chances(read.p),
        LAYERS,
        notes,
        "named.moved" if settings.revealed else "named.length",
        now=(QUIET,),
    )
    longest = max(lengths, key=lengths.__getitem__)
    answer = "little" if moved[QUIET] < 0.1 else "some" if moved[QUIET] < 0.5 else "most"
    values = {
        "length": f"{lengths[QUIET]:.0f}",
        "longest": f"{lengths[longest]:.0f}",
        "moved": percent(moved[QUIET], 0),
        "of_longest": percent(moved[longest], 0),
        "last_length": f"{lengths[f'{FEED_FORWARD}.{LAYERS}']:.0f}",
        "last_moved": percent(moved[f"{FEED_FORWARD}.{LAYERS}"], 0),
        "same": f"{similarity(read.opened):.2f}",
        "shown": settings.revealed,
        "last": bare(read.tokens[-1]),
    }
    lab = {"off": True, "which": QUIET}
    return Part("machine", data, values, lab, ("little", "some", "most"), answer)


def show_own(settings: Settings) -> Part:
    """The learner's sentence in the whole machine, with one part left out if one is named."""
    whole, read = read_line(settings.line), read_line(settings.line, settings.left_out)
    off = "" if settings.left_out == NOTHING else settings.left_out
    bars = next_bars(read.p, attentive_model(NAME).vocabulary, before=whole.p if off else None)
    data = draw_whole(say, read.tokens, bars, LAYERS, off=off)
    was, best = int(whole.p.argmax()), int(read.p.argmax())
    moved = share_moved(whole.p, read.p)
    values = {
        "last": bare(read.tokens[-1]),
        "was": name_of(was),
        "next": name_of(best),
        "p": percent(float(read.p[best]), 0),
        "whole": percent(float(whole.p[was]), 0),
        "moved": percent(moved, 0),
        "case": "whole" if not off else "same" if was == best else "other",
        "part": WORDS.label(f"left_out.{settings.left_out}"),
        "cut": read.cut,
        "most": READ_AT_MOST - 1,
    }
    lab = {"typed": settings.line} | ({"off": True, "which": off} if off else {})
    return Part("machine", data, values, lab)


def show_answer(settings: Settings) -> Part:
    """The whole machine with what runs between its stations: an id, a vector, probabilities."""
    read = read_line(SENTENCE)
    config = attentive_model(NAME).network.config
    best = int(read.p.argmax())
    stations = {
        "ids": say("station.id", id=int(read.opened.ids[-1])),
        "stream": say("station.stream", C=config.width),
        "next": say("station.next", V=f"{config.vocabulary_size:,}"),
    }
    data = draw_whole(say, read.tokens, chances(read.p), LAYERS, stations=stations)
    values = {
        "parts": 2 * LAYERS,
        "blocks": LAYERS,
        "C": config.width,
        "V": f"{config.vocabulary_size:,}",
        "next": name_of(best),
        "p": percent(float(read.p[best]), 0),
    }
    return Part("machine", data, values)


STORY = (
    look("whole", show_whole),
    look("embedding", show_embedding),
    look("block", show_block),
    ask("tokens", show_tokens),
    look("feed_forward", show_feed_forward),
    look("output", show_output),
    ask("length", show_length),
    do("own", show_own, OWN_LINE, LEFT_OUT),
    end("answer", show_answer),
)


def chances(p: np.ndarray) -> list[dict]:
    """Return the bars of the most probable next tokens."""
    return next_bars(p, attentive_model(NAME).vocabulary, TOP)


def share_moved(before: np.ndarray, after: np.ndarray) -> float:
    """Return how much of the probability is on other tokens than before, from 0 to 1.

    >>> share_moved(np.array([0.75, 0.25]), np.array([0.5, 0.5]))
    0.25
    """
    return float(np.abs(before - after).sum() / 2)


def similarity(opened: OpenedGPT) -> float:
    """Return the mean cosine similarity of what block 1's feed-forward network adds at two tokens."""
    added = torch.nn.functional.normalize(opened.stages[1]["add_2"].added, dim=-1)
    cosines, T = added @ added.T, len(added)
    return float((cosines.sum() - cosines.trace()) / (T * (T - 1)))


# The lab.


def lab() -> None:
    """The model at five levels of zoom; what each part adds; one part left out; how many numbers there are."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = attentive_model(LESSON.draw(MODEL))
        read = choose_read_text(LESSON, notes, document, model, SENTENCE, TOKENS_AT_MOST)
        broken = LESSON.draw(OFF)
        with LESSON.options():
            parts = part_ids(model.network.config.layers)
            left_out = LESSON.draw(replace(WHICH, ids=(*parts, POSITIONS)))
    ids, names, tokens_named = tuple(read.ids.tolist()), names_of(read.tokens), vocabulary_named(model.name)
    whole = opened_gpt(model.name, ids)
    opened = opened_gpt(model.name, ids, left_out) if broken else whole
    place = placed(LESSON.get_query("at"), opened)
    t, before = place.token, probabilities(whole)
    network = network_of(model.name, left_out if broken else NOTHING)
    reading = LabelledReading(network, opened, names, tokens_named, before if broken else None)
    lengths = opened.added().numpy()
    p = probabilities(opened)[t]
    notes.caption(WORDS.markdown("caption.model"))
    with stage:
        last = lengths[:, :, -1].ravel()
        labels = [WORDS.label(f"which.{each}") for each in parts]
        about = f"{model.name}_{hash(ids)}_{left_out if broken else ''}"
        asked = WORDS.label("question", token=names[-1])
        revealed = LESSON.ask(asked, labels, labels[int(last.argmax())], about)
        data = opened_view(reading, place) if revealed else closed_view(reading, placed("", opened))
        LESSON.view("opened_model", data, on={"go": go})
        if revealed:
            LESSON.say("says.model", describe_lengths(lengths[:, :, t], p, tokens_named, names[t], t))
    if broken:
        show_consequence(before[t], p, tokens_named, left_out, names[t])
    if revealed:
        show_folds(reading, lengths, t)
    if counts := LESSON.fold("counts"):
        with counts:
            show_counts(model, reading)
    LESSON.close_lab(
        code=[
            *(open_gpt, open_embedding, open_block, open_norm, open_attention, attend, from_masked),
            *(open_feed_forward, open_add, open_output, without_part),
        ],
        parameters={
            "name": model.name,
            "text": read.prompt.text,
            "most": len(read.ids),
            "t": t,
            "stage": 0 if left_out == POSITIONS else int(left_out.rpartition(".")[2]),
            "part": left_out.partition(".")[0],
        },
        prompts=prompts(),
    )


def prompts() -> Mapping[str, Mapping[str, object]]:
    """Return what to try in the lab, each with the sentence and the model that it is about."""
    here = {"source": TYPED, "typed": SENTENCE, "model": BACK[0]}
    return {
        "neuron": {**here, "at": "cell.4.feed_forward.widened.1.11.100"},
        "weights": {**here, "at": f"matrix.{BLOCK}.attention.weights.{HEAD + 1}.11.1"},
        "positions": {**here, "off": True, "which": POSITIONS},
    }


def go(place: Mapping[str, object]) -> None:
    """Go to the place that was chosen in the picture; `placed` brings whatever came inside the reading."""
    level = ("model", "block", "part", "matrix", "cell")[int(place["level"])]
    counted = (int(place[name]) + 1 for name in ("head", "token", "number"))
    LESSON.set_query(
        "at", ".".join(map(str, (level, place["stage"], place["part"], place["matrix"], *counted)))
    )


@shared_lru_cache(12)
def network_of(name: str, left_out: str) -> GPT:
    """Return a model's network without the part of an id; all sessions share it."""
    network = attentive_model(name).network
    if left_out == NOTHING:
        return network
    kind, _, block = left_out.partition(".")
    return without_part(network, int(block or 0), kind)


@cached(16, 6, shared=no_typed_words)
def opened_gpt(name: str, ids: tuple[int, ...], left_out: str = NOTHING) -> OpenedGPT:
    """Return a model's reading, opened, without one part if one is named."""
    torch.set_num_threads(1)
    return open_gpt(network_of(name, left_out), torch.tensor(ids))


def probabilities(opened: OpenedGPT) -> np.ndarray:
    """Return the next token's probabilities after each token, (T, V)."""
    return opened.stages[-1]["output"].probabilities.numpy()


def describe_lengths(lengths: np.ndarray, p: np.ndarray, named: np.ndarray, token: str, t: int) -> dict:
    """Return what the words may say of the lengths (L, 2) at a token, and of the next token."""
    flat, parts = lengths.ravel(), part_ids(len(lengths))
    most, least, top = int(flat.argmax()), int(flat.argmin()), int(p.argmax())
    return {
        "token": token,
        "place": t + 1,
        "longest": WORDS.label(f"which.{parts[most]}"),
        "length": f"{flat[most]:,.2f}",
        "shortest": WORDS.label(f"which.{parts[least]}"),
        "least": f"{flat[least]:,.2f}" if flat[least] else "",
        "V": f"{len(p):,}",
        "next": str(named[top]),
        "p": percent(float(p[top])),
    }


def show_consequence(
    before: np.ndarray, after: np.ndarray, named: np.ndarray, left_out: str, token: str
) -> None:
    """Show what leaving a part out does to the prediction after a token."""
    was, now = int(before.argmax()), int(after.argmax())
    form = ".1%" if after[was] > 0.0005 else ".2g"  # not 0.0% for what is a little more than 0
    st.markdown(WORDS.markdown("measure", next=str(named[was]), token=token))
    LESSON.compare("chance", float(before[was]), float(after[was]), form, more_is_better=None)
    moved = share_moved(before, after)
    values = {
        "case": "nothing" if moved < 1e-6 else "same" if was == now else "other",
        "part": WORDS.label(f"which.{left_out}"),
        "moved": percent(moved),
        "was": str(named[was]),
        "next": str(named[now]),
        "then": percent(float(before[was])),
        "still": percent(float(after[was])),
        "p": percent(float(after[now])),
    }
    st.markdown(WORDS.markdown("says.moved", **values))


def show_folds(reading: LabelledReading, lengths: np.ndarray, t: int) -> None:
    """Draw the folded section of what each part adds at a token."""
    LESSON.every_number("vectors", added_table, lengths, reading.names)
    LESSON.every_number("next", next_token_table, reading, t)
    if added := LESSON.fold("added"):
        with added:
            blocks = [SUBJECT.label("box.block", k=k + 1) for k in range(len(lengths))]
            st.markdown(
                WORDS.markdown("added.intro", blocks=len(lengths), token=reading.names[t], place=t + 1)
            )
            names = {kind: SUBJECT.label(f"box.{kind}") for kind in (ATTENTION, FEED_FORWARD)}
            figure = added_figure(lengths[:, :, t], names, WORDS.label("axis.length"), blocks)
            LESSON.figure("added_figure", figure, WORDS.label("alt.added", place=t + 1))


def show_counts(model: AttentiveModel, reading: LabelledReading) -> None:
    """Say how many numbers one reading makes and how many the model has learned."""
    rows = matrices_of(reading)
    values = {
        "T": len(reading.names),
        "matrices": len(rows),
        "made": sum(row["numbers"] for row in rows),
        "learned": sum(parameter.numel() for parameter in model.network.parameters()),
    }
    st.markdown(WORDS.markdown("says.counts", **values))
    table = pd.DataFrame(rows).rename(columns={each: WORDS.label(f"table.{each}") for each in rows[0]})
    LESSON.every_number("matrices", lambda: table)


def matrices_of(reading: LabelledReading) -> list[dict]:
    """Return each matrix of the reading with its shape and how many numbers it has."""
    return [
        {
            "stage": stage_said(reading, stage),
            "part": PARTS[name].title,
            "matrix": matrix.title,
            "shape": shape_said(matrix.shape, reading.sizes),
            "numbers": getattr(part, matrix.name).numel(),
        }
        for stage, parts in enumerate(reading.opened.stages)
        for name, part in parts.items()
        for matrix in PARTS[name].matrices
        if not (
            matrix.name in ("stream", "added") and name.startswith("add_")
        )  # counted where they were made
    ]


def added_table(lengths: np.ndarray, names: list[str]) -> pd.DataFrame:
    """Return the length of what each part adds, a line per token."""
    flat = lengths.reshape(-1, lengths.shape[-1])
    parts = [WORDS.label(f"which.{each}") for each in part_ids(len(lengths))]
    return pd.DataFrame({WORDS.label("table.token"): names, **dict(zip(parts, flat, strict=True))})


def next_token_table(reading: LabelledReading, t: int) -> tuple[pd.DataFrame, Formula]:
    """Return the vocabulary with logit and probability after token t, the most probable first, and their formulas."""
    output, named = reading.opened.stages[-1]["output"], reading.vocabulary
    n, E = (
        reading.opened.stages[-1]["norm"].read[t].numpy(),
        reading.model.token_embedding.weight.detach().numpy(),
    )
    logits, e, p = (each[t].numpy() for each in (output.logits, output.exponentials, output.probabilities))
    order = np.argsort(-p, kind="stable")
    total, greatest = float(e.sum()), float(logits.max())

    def formula(row: int, column: str) -> str | None:
        i = order[row]
        forms = {
            "e^": rf"e^{{{number(logits[i])} - ({number(greatest)})}} = {number(e[i])}",
            "p": rf"\frac{{{number(e[i])}}}{{{number(total)}}} = {number(p[i])}",
            "logit": rf"n \cdot E_{{{i}}} = {dot_product(n, E[i])}",
        }
        return forms.get(column)

    table = {WORDS.label("table.token"): named[order], "logit": logits[order], "e^": e[order], "p": p[order]}
    return pd.DataFrame(table), formula
