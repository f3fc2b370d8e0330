"""Causal masking: what its story shows beat by beat, and its lab on any scores."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import NamedTuple

import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from core.figures.token_label import label_token
from core.lesson.break_it import format_value
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import TOKENS_AT_MOST, choose_tokens
from core.lesson.chosen_text import text_is_new
from core.lesson.settings import Choice, Setting, Settings, Slider, Switch, Text
from core.lesson.story import DO, Beat, Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.generation.character_split import MEASURED
from core.models.self_attention.attention import (
    AttentionTrace,
    attend,
    causal_mask,
    from_masked,
    influence,
    padding_mask,
    sliding_window_mask,
)
from core.models.self_attention.fit_peeking import PeekConfig, recorded_runs
from core.models.self_attention.parallel_training import in_one_pass
from core.models.self_attention.peeking import SPOILED, TOO_LATE, ZERO, leak, peeking, prediction_influence
from core.models.self_attention.score_matrix import (
    BIDIRECTIONAL,
    BOTH_SIDES,
    CAUSAL,
    CAUSAL_AND_PADDING,
    FILLING,
    MASKS,
    PADDING,
    WINDOW,
    ScoreEdits,
    ScoreMatrix,
    attend_by_scores,
    edits_of,
    head_scores,
    mask_of,
    replace_scores,
    text_of,
    typed_matrix,
    weight_behind,
    weights_influence,
)
from core.models.stored_language_models import byte_pairs, encode, stored_language_model
from core.text.reading.documents import Document
from core.text.tokenization.tokens import characters
from core.words.numbers import plain_number
from pages.self_attention.causal_mask import LESSON
from pages.self_attention.causal_mask.figures import (
    MINUS_INFINITY,
    causal_mask_payload,
    draw_matrix,
    format_score,
    format_weight,
    leak_figure,
    score_cells,
    stages_table,
    weight_cells,
    worked_weight,
)
from pages.self_attention.shared.peeking_bench import peeking_bench
from pages.self_attention.shared.peeking_figures import draw_training

WORDS = LESSON.words
EXAMPLES = ("The old king loved his son", "The old king loved his son.")
MODEL_NAME, LAYER, HEAD = "word_gpt", 4, 1  # the story's head
UNKNOWN = "?"  # a target that is not there
FOLLOWED = 4  # the row that the story follows: “his”, whose answer is “son”
READ_AT_MOST = 7  # tokens of a sentence typed in the story
STORY_WINDOW = 3
HALF = 0.5
BY_HAND_AT_MOST = 8  # tokens whose numbers the back row can read
NARROW, COUNT = 165, 80  # pixels of a list, and of a small count's field


class Cell(Setting):
    """A row and a column, as a picture reports them."""

    def read(self, raw: object, settings) -> tuple[int, int]:
        """Return the row and the column, from 0.

        >>> Cell("cell", (1, 0)).read([2, 5], {}), Cell("cell", (1, 0)).read("x", {})
        ((2, 5), (1, 0))
        """
        try:
            parts = raw.split(".") if isinstance(raw, str) else raw
            t, s = (int(each) for each in parts)  # type: ignore[union-attr]
        except (TypeError, ValueError):
            return self.default
        return (t, s) if min(t, s) >= 0 and max(t, s) < READ_AT_MOST else self.default

    def write(self, value: object) -> str:
        """Return the row and the column as the address holds them."""
        t, s = value  # type: ignore[misc]
        return f"{t}.{s}"


SENTENCE = Text("sentence", EXAMPLES[1], 400)
ADD = Slider("add", 0, 0, 12)
CELL = Cell("cell", (FOLLOWED, 1))
STORY_MASK = Choice("mask", BIDIRECTIONAL, (BIDIRECTIONAL, CAUSAL, WINDOW))
SOURCE = Choice("source", "hand", ("head", "hand"), {"trained head": "head", "by hand": "hand"})
MODEL = Choice(
    "model",
    MODEL_NAME,
    (MODEL_NAME, "char_gpt"),
    {"GPT, byte pairs": MODEL_NAME, "GPT, characters": "char_gpt"},
)
OLD_MASKS = {
    "causal and padding": CAUSAL_AND_PADDING,
    "sliding window": WINDOW,
    "sliding window, both sides": BOTH_SIDES,
}
MASK = Choice("mask", CAUSAL, MASKS, OLD_MASKS)
WAY = Choice("way", "zero", ("zero", "late"), {ZERO: "zero", TOO_LATE: "late"})
SPOILS = {"zero": ZERO, "late": TOO_LATE}
BROKEN, START, EDITS = Switch("broken"), Switch("start", True), Text("edits", "", 4000)
LAB = (
    SOURCE,
    MODEL,
    Slider("layer", 1, 1, 12),
    Slider("head", 1, 1, 12),
    Text("sentence"),
    START,
    MASK,
    Slider("window", 2, 1, TOKENS_AT_MOST),
    BROKEN,
    WAY,
    EDITS,
)


# The story: what each beat shows.


class Read(NamedTuple):
    """A sentence as the story's head reads it: T tokens, the next token of each, and q·k of each pair (T, T)."""

    tokens: list[str]
    targets: list[str]
    ids: Tensor
    scores: Tensor
    d_k: int
    cut: bool

    def attend(self, mask: Tensor | None = None, way: str | None = None) -> AttentionTrace:
        """Return every step from the scores to the weights, under the causal mask or another one."""
        return attend_by_scores(self.scores, self.d_k, self.future_mask if mask is None else mask, way)

    @property
    def future_mask(self) -> Tensor:
        """The causal mask of these tokens."""
        return causal_mask(len(self.tokens))

    @property
    def hidden(self) -> Tensor:
        """Which cells are in the future, (T, T)."""
        return self.future_mask < 0


def show_answers(settings: Settings) -> Part:
    """What each row may read and what it must predict: the answer is in the row, one column further."""
    read = read_head(settings.sentence)

    def cell(t: int, s: int) -> tuple[str, str, float]:
        return read.tokens[s], "masked" if s > t else "seen", 0.45

    side = (WORDS.label("side.target"), [f"→ {target}" for target in read.targets])
    data = draw_matrix(read.tokens, cell, FOLLOWED, True, side)
    return Part("masked_scores", data, describe(read), link_lab(read))


def show_scores(settings: Settings) -> Part:
    """The score of every pair, those in the future too."""
    read = read_head(settings.sentence)
    scaled = read.attend().scaled
    t = FOLLOWED
    s = int(scaled[t].argmax())
    total = f"{float(read.scores[t, s]):.1f} / √{read.d_k} = {format_score(float(scaled[t, s]))}"
    nothing = torch.zeros_like(read.hidden)
    data = draw_matrix(read.tokens, score_cells(scaled, nothing), t, True, sum=total)
    return Part("masked_scores", data, describe(read) | describe_largest(read, scaled), link_lab(read))


def show_mask(settings: Settings) -> Part:
    """The scores with the mask added: −∞ in every cell of the future."""
    read = read_head(settings.sentence)
    scaled = read.attend().scaled
    values = describe(read) | describe_largest(read, scaled)
    total = f"{values['largest']} + ({MINUS_INFINITY}) = {MINUS_INFINITY}"
    data = draw_matrix(
        read.tokens, score_cells(scaled, read.hidden, MINUS_INFINITY, "struck"), FOLLOWED, sum=total
    )
    return Part("masked_scores", data, values, link_lab(read))


def show_weights(settings: Settings) -> Part:
    """The weights after the softmax, and the sum of every row."""
    read = read_head(settings.sentence)
    weights = read.attend().weights
    data = draw_matrix(
        read.tokens,
        weight_cells(weights, read.hidden),
        side=sums_of(weights),
        sum=f"e^{{{MINUS_INFINITY}}} = {exp(float('-inf')):.0f}",
    )
    return Part("masked_scores", data, describe(read), link_lab(read))


def show_zero(settings: Settings) -> Part:
    """Zeros in place of −∞; the answer is how much attention then goes to the future."""
    read = read_head(settings.sentence)
    trace = read.attend(way=ZERO)
    behind = weight_behind(trace.weights, read.hidden)
    rows = (trace.weights * read.hidden).sum(-1)
    heads = list(leak_of_heads(read).values())
    values = {
        **describe(read),
        "behind": behind,
        "heads": len(heads),
        "least": min(heads),
        "most": max(heads),
        "first": float(rows[0]),
        "below": int((trace.scaled[~read.hidden] < 0).sum()),
        "visible": int((~read.hidden).sum()),
    }
    if settings.revealed:
        side = (WORDS.label("side.future"), [f"{float(share):.0%}" for share in rows])
        low = [bool(share > 0) for share in rows]
        cells = weight_cells(trace.weights, read.hidden, "leak")
        data = draw_matrix(read.tokens, cells, side=side, low=low, sum=f"e^{{0}} = {exp(0):.0f}")
    else:
        data = draw_matrix(read.tokens, score_cells(trace.scaled, read.hidden, "0", "leak"))
    answer = "none" if behind == 0 else "less" if behind < HALF else "more"
    choices = ("none", "less", "more")
    return Part("masked_scores", data, values, link_lab(read) | {"broken": True}, choices, answer)


def leak_of_heads(read: Read) -> dict[tuple[int, int], float]:
    """Return, by layer and head from 1, the share of attention that zeros in place of −∞ give to the future."""
    network = stored_language_model(MODEL_NAME).network
    return {
        (layer, head): weight_behind(
            attend_by_scores(
                head_scores(network, read.ids, layer - 1, head - 1), read.d_k, read.future_mask, ZERO
            ).weights,
            read.hidden,
        )
        for layer in range(1, network.config.layers + 1)
        for head in range(1, network.config.heads + 1)
    }


def show_late(settings: Settings) -> Part:
    """Weights cut after the softmax: the rows no longer sum to 1."""
    read = read_head(settings.sentence)
    weights = read.attend(way=TOO_LATE).weights
    sums = weights.sum(-1)
    t = FOLLOWED
    low = [bool(each < 1 - 1e-6) for each in sums]
    terms = " + ".join(format_weight(float(weights[t, s])) for s in range(t + 1))
    data = draw_matrix(
        read.tokens,
        weight_cells(weights, read.hidden),
        t,
        side=sums_of(weights),
        low=low,
        sum=f"{terms} = {format_weight(float(sums[t]))}",
    )
    values = {**describe(read), "kept": format_weight(float(sums[t])), "low": sum(low)}
    return Part("masked_scores", data, values, link_lab(read) | {"broken": True, "way": "late"})


def show_training(settings: Settings) -> Part:
    """The recorded losses of two small GPTs: one that was trained with zeros as a mask, one with −∞."""
    run = recorded_runs()[ZERO]
    names = {name: WORDS.label(f"line.{name}") for name in ("training", "honest", "masked")}
    axes = {"x": WORDS.label("axis.step"), "y": WORDS.label("axis.loss")}
    last, config = run[-1], PeekConfig(ZERO)
    values = {
        "leaky_training": f"{last.peeking.training_loss:.2f}",
        "leaky_honest": f"{last.peeking.honest_loss:.2f}",
        "right_training": f"{last.honest.training_loss:.2f}",
        "right_honest": f"{last.honest.honest_loss:.2f}",
        "steps": config.steps,
        "batch": config.batch,
        "context": config.window,
        "seed": config.seed,
        "measured": MEASURED,
    }
    figure = draw_training(run, {**names, **axes}).to_dict()
    return Part("figure", {"figure": figure}, values, link_lab(read_head(EXAMPLES[1])) | {"broken": True})


def show_raised(settings: Settings) -> Part:
    """The weights when one score is raised: the rest of its row falls; in the future nothing happens."""
    read = read_head(settings.sentence)
    T = len(read.tokens)
    t, s = (min(each, T - 1) for each in settings.cell)
    own = float(read.attend().scaled[t, s])
    edited = replace_scores(read.scores, {(t, s): (own + settings.add) * sqrt(read.d_k)})
    trace = attend_by_scores(edited, read.d_k, read.future_mask)
    masked, weight = float(trace.masked[t, s]), float(trace.weights[t, s])
    total = WORDS.label(
        "sum.raised",
        own=format_score(own, 3),
        by=settings.add,
        mask=f"({MINUS_INFINITY})" if read.hidden[t, s] else "0",
        masked=format_score(masked, 3),
    )
    power, row_sum = plain_number(exp(masked)), plain_number(float(trace.row_sums[t]))
    share = f"e^{{{format_score(masked, 3)}}} / Σ = {power} / {row_sum} = {format_weight(weight)}"
    data = draw_matrix(
        read.tokens,
        weight_cells(trace.weights, read.hidden),
        t,
        side=sums_of(trace.weights),
        chosen=[t, s],
        sum=f"{total}\n{share}",
        pick=True,
    )
    case = "future" if read.hidden[t, s] else "alone" if t == 0 else "past"
    values = {
        **describe(read),
        "case": case,
        "weight": format_weight(weight),
        "rest": format_weight(1 - weight),
        "from": read.tokens[t],
        "to": read.tokens[s],
        "by": settings.add,
    }
    edits = text_of({(t, s): round(float(edited[t, s]), 3)}) if settings.add else ""
    return Part("masked_scores", data, values, link_lab(read) | {"edits": edits})


def show_masks(settings: Settings) -> Part:
    """The same head, or another sentence, under the mask that is chosen."""
    read = read_head(settings.sentence)
    mask = mask_of(settings.mask, len(read.tokens), window=STORY_WINDOW)
    weights = read.attend(mask).weights
    data = draw_matrix(read.tokens, weight_cells(weights, mask < 0), side=sums_of(weights))
    values = describe(read) | {"masked": int((mask < 0).sum()), "cut": read.cut, "window": STORY_WINDOW}
    typed = settings.sentence if settings.sentence != SENTENCE.default else EXAMPLES[0]
    return Part("masked_scores", data, values, link_lab(read) | {"sentence": typed, "window": STORY_WINDOW})


def show_end(settings: Settings) -> Part:
    """The weights beside what each row predicts: the answer gets nothing."""
    read = read_head(settings.sentence)
    weights = read.attend().weights
    side = (WORDS.label("side.target"), [f"→ {target}" for target in read.targets])
    data = draw_matrix(read.tokens, weight_cells(weights, read.hidden), answers=True, side=side)
    return Part("masked_scores", data, describe(read), link_lab(read))


def take_cell(value: object) -> dict[str, str]:
    """Choose the cell that was pressed in the picture."""
    return {"cell": CELL.write(CELL.read(value, {}))}


STORY = (
    look("answers", show_answers, sentence=EXAMPLES[1]),
    look("scores", show_scores, sentence=EXAMPLES[1]),
    look("infinity", show_mask, sentence=EXAMPLES[1]),
    look("softmax", show_weights, sentence=EXAMPLES[1]),
    ask("zero", show_zero, sentence=EXAMPLES[1]),
    look("late", show_late, sentence=EXAMPLES[1]),
    look("training", show_training),
    Beat("raise", DO, show_raised, (ADD,), {"sentence": EXAMPLES[1]}, (CELL,), {"pick": take_cell}),
    do("masks", show_masks, STORY_MASK, SENTENCE),
    end("answer", show_end, sentence=EXAMPLES[1]),
)


def read_head(sentence: str) -> Read:
    """Return a sentence as the story's head reads it: all tokens but the last are read, the last is only predicted."""
    ids = encode(MODEL_NAME, " ".join(sentence.split())).ids or encode(MODEL_NAME, SENTENCE.default).ids
    taken = ids[: READ_AT_MOST + 1]
    names = [name.strip() or label_token(name) for name in byte_pairs(MODEL_NAME).names(taken)]
    T = max(1, len(taken) - 1)
    config = stored_language_model(MODEL_NAME).network.config
    read = torch.tensor(taken[:T])
    scores = head_scores(stored_language_model(MODEL_NAME).network, read, LAYER - 1, HEAD - 1)
    targets = [*names[1:], UNKNOWN][:T]
    return Read(names[:T], targets, read, scores, config.width // config.heads, len(ids) > len(taken))


def describe(read: Read) -> dict:
    """Return what the words may say of a sentence and its matrix."""
    T = len(read.tokens)
    return {
        "n": T,
        "cells": T * T,
        "hidden": int(read.hidden.sum()),
        "tokens": read.tokens,
        "followed": read.tokens[min(FOLLOWED, T - 1)],
        "target": read.targets[min(FOLLOWED, T - 1)],
        "d": read.d_k,
        "layer": LAYER,
        "head": HEAD,
    }


def describe_largest(read: Read, scaled: Tensor) -> dict:
    """Return the largest score of the row that the story follows, and the token that has it."""
    s = int(scaled[FOLLOWED].argmax())
    return {"largest": format_score(float(scaled[FOLLOWED, s])), "at": read.tokens[s]}


def sums_of(weights: Tensor) -> tuple[str, list[str]]:
    """Return the sum of every row, with its title, to stand right of the rows."""
    return WORDS.label("side.sum"), [format_weight(float(each)) for each in weights.sum(-1)]


def link_lab(read: Read) -> dict:
    """Return the lab's settings that show the story's head on its sentence."""
    return {"source": "head", "layer": LAYER, "head": HEAD, "sentence": EXAMPLES[0], "start": False}


# The lab: any scores, any mask.

OPENING = {"source": "head", "layer": LAYER, "head": HEAD}  # the story's head
SAY_WHAT = ("source", "by_hand", "word", "edits", "d_k", "sentence", "model", "layer", "head")


def lab() -> None:
    """A matrix of scores through mask and softmax; what a wrong mask lets through, at once and after training."""
    torch.set_num_threads(1)  # small matrices: more threads would only wait for one another
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        open_on_a_head()
        source = LESSON.draw(SOURCE, on_change=forget_edits)
        # A control's first choice is not in the address; and an address that says nothing opens on a head.
        LESSON.set_query("by_hand", "true" if source == "hand" else None)
        chosen_source = scores_of_head if source == "head" else scores_by_hand
        kind, padding, window = choose_mask()
        broken = LESSON.draw(BROKEN)
        way = SPOILS[LESSON.draw(WAY)] if broken else None
        chosen, typed = chosen_source(notes, document, padding)
        edits = read_edits(notes, typed)
    notes.caption(WORDS.markdown(f"used_by.{kind}"))
    tokens = chosen.tokens
    mask = mask_of(kind, len(tokens), chosen.padding, window)
    scores = replace_scores(chosen.scores, edits)
    trace = attend_by_scores(scores, chosen.d_k, mask, way)
    with stage:
        row = [f"{weight:.2f}" for weight in (*trace.weights[-1].tolist(), 0.0, 1.0, 1 / len(tokens))]
        choices = sorted({row[0], *row[-3:], max(row), min(row)})
        question = WORDS.label("question", last=tokens[-1], first=tokens[0])
        about = str(hash((tokens, kind, window, way, chosen.name, chosen.place)))
        if LESSON.ask(question, choices, row[0], about):
            payload = causal_mask_payload(
                tokens, chosen.scores, edits, chosen.d_k, mask, way, chosen.network is not None
            )
            LESSON.view("causal_mask", payload, on={"edits": keep_edits})
            LESSON.say("says.weights", describe_weights(trace, tokens, mask < 0, way))
            st.caption(WORDS.markdown("hint"))
            LESSON.every_number(WORDS.label("table.stages"), list_stages, trace, tokens, chosen.d_k, way)
    if way and (leaks_box := LESSON.fold("leak")):
        with leaks_box:
            st.markdown(WORDS.markdown(f"why.{'zero' if way == ZERO else 'late'}"))
            if chosen.network is None:
                leak_of_scores(chosen, scores, mask, way)
            else:
                leak_of_model(chosen, way)
    if training := LESSON.fold("training"):
        with training:
            st.markdown(WORDS.markdown("fold.training"))
            peeking_bench(LESSON, document, PeekConfig(way or ZERO))
    spoiled = [SPOILED[way], weight_behind, influence, prediction_influence, weights_influence] if way else []
    LESSON.close_lab(
        code=[attend, from_masked, causal_mask, padding_mask, sliding_window_mask, *spoiled],
        parameters=notebook_parameters(chosen, edits, kind, window, way),
        prompts={
            "raise": {"source": "hand", "word": "cat", "edits": "3 1 2"},
            "characters": {"source": "head", "model": "char_gpt", "layer": 1, "head": 5},
            "zero": {"source": "head", **OPENING, "sentence": EXAMPLES[0], "start": False, "broken": True},
        },
    )


def open_on_a_head() -> None:
    """Open a bare address on the story's head, and turn to a text that the learner gave just now."""
    bare = LESSON.get_state("source") is None and not any(map(LESSON.get_query, SAY_WHAT))
    new = text_is_new(LESSON, *SAY_WHAT)
    if bare:
        for name, value in OPENING.items():
            LESSON.set_state(name, value)
        if not new:
            LESSON.set_state("sentence", EXAMPLES[0])
            LESSON.set_state("start", False)
    elif new:
        forget_edits()
        LESSON.set_state("source", "head")
        LESSON.set_state("sentence", "")
        LESSON.set_state("start", True)


def choose_mask() -> tuple[str, int, int]:
    """Draw the choice of a mask; return its kind, the number of padding tokens, and the window."""
    kind = LESSON.draw(MASK, width=NARROW)
    padding, window = 0, 1
    if kind in (PADDING, CAUSAL_AND_PADDING):
        padding = LESSON.number("padding", WORDS.label("padding"), 1, 4, 1, width=COUNT)
    if kind in (WINDOW, BOTH_SIDES):
        window = LESSON.number("window", WORDS.label("window"), 1, TOKENS_AT_MOST, 2, width=COUNT)
    return kind, padding, window


def draw_options(head: bool) -> tuple[str, bool, str]:
    """Draw the rare controls; return the model, whether a sentence begins with the start token, and the edits as text."""
    name, start = "", False
    with LESSON.options():
        if head:
            name = LESSON.draw(MODEL, on_change=forget_edits)
            start = LESSON.draw(START, on_change=forget_edits)
        return name, start, LESSON.draw(EDITS, placeholder="2 1 3.5; 3 2 -1")


def scores_by_hand(notes: DeltaGenerator, _: Document, padding: int) -> tuple[ScoreMatrix, str]:
    """Draw the fields for tokens and d_k; return scores of 0, which are edited in the picture, and the edits as text."""
    typed = LESSON.text("word", WORDS.label("word"), "cat", max_chars=400, width=200)
    tokens = typed.split() if " " in typed.strip() else characters(typed.strip())
    if len(tokens) > BY_HAND_AT_MOST:
        notes.caption(WORDS.markdown("note.cut", most=BY_HAND_AT_MOST, n=len(tokens)))
    if not tokens:
        notes.info(WORDS.markdown("note.empty"))
    tokens = (tokens or list("cat"))[:BY_HAND_AT_MOST]
    d_k = LESSON.number("d_k", WORDS.label("d_k"), 1, 1024, 4, width=200)
    return typed_matrix([*map(label_token, tokens)], d_k, padding), draw_options(False)[2]


def scores_of_head(notes: DeltaGenerator, document: Document, padding: int) -> tuple[ScoreMatrix, str]:
    """Draw the choice of a model, a head and a sentence; return the head's scores on it, and the edits as text."""
    name, start, edits = draw_options(True)
    model = stored_language_model(name)
    config = model.network.config
    layer = LESSON.number(
        "layer", WORDS.label("layer"), 1, config.layers, 1, on_change=forget_edits, width=COUNT
    )
    if LESSON.get_state("head", 1) > config.heads:
        LESSON.set_state("head", 1)  # the other model has fewer heads
    head = LESSON.number("head", WORDS.label("head"), 1, config.heads, 1, on_change=forget_edits, width=COUNT)
    read = choose_tokens(LESSON, notes, document, name, forget_edits)
    known = read if start else read[1:] or read
    ids = torch.tensor([*known, *[model.start] * padding])
    names = name_tokens(name, known)
    tokens = (*names, *[FILLING] * padding)
    place = (layer - 1, head - 1)
    scores = head_scores(model.network, ids, *place)
    d_k = config.width // config.heads
    return ScoreMatrix(tokens, scores, d_k, padding, name, place, ids, model.network), edits


def name_tokens(name: str, ids: Sequence[int]) -> list[str]:
    """Return tokens as pictures name them; one of the bytes of a character is named by the character."""
    if name == MODEL_NAME:
        return [*map(label_token, byte_pairs(name).names(ids))]
    return [label_token(stored_language_model(name).vocabulary[i]) for i in ids]


def forget_edits() -> None:
    """Take the edits back: other scores have come."""
    LESSON.set_state("edits", "")


def keep_edits(made: dict | None) -> None:
    """Put the edits that were made in the view into the field that the address knows."""
    if made:
        LESSON.set_state("edits", text_of({(int(t), int(s)): float(score) for t, s, score in made["cells"]}))


def read_edits(notes: DeltaGenerator, text: str) -> ScoreEdits:
    """Return the edits that can be read; say which cannot."""
    edits, unread = edits_of(text)
    if unread:
        notes.warning(WORDS.markdown("note.unread", unread=unread))
    return edits


def describe_weights(trace: AttentionTrace, tokens: Sequence[str], hidden: Tensor, way: str | None) -> dict:
    """Return what the words may say of the weights: which token the last row attends to most, and what is masked."""
    visible = trace.weights[-1].masked_fill(hidden[-1], -1.0)
    most = int(visible.argmax())
    masked = int(hidden.sum())
    return {
        "last": tokens[-1],
        "most": tokens[most],
        "weight": f"{visible[most]:.2f}",
        "equal": bool(visible[visible >= 0].min() > visible[most] - 1e-6),
        "hidden": masked,
        "cells": hidden.numel(),
        "case": "none" if not masked else {ZERO: "zero", TOO_LATE: "late"}.get(way, "right"),
        "behind": weight_behind(trace.weights, hidden),
        "least": f"{trace.weights.sum(-1).min():.2f}",
    }


def list_stages(trace: AttentionTrace, tokens: Sequence[str], d_k: int, way: str | None):
    """Return the table of every stage of every cell, with the formula of each number."""
    T = len(tokens)
    return (
        stages_table(trace, tokens, d_k, way),
        lambda cell, column: worked_weight(trace, d_k, *divmod(cell, T), column),
    )


def leak_of_scores(chosen: ScoreMatrix, scores: Tensor, mask: Tensor, way: str) -> None:
    """Show the influence of every token on every row's output under the right mask and under the wrong one."""
    st.markdown(WORDS.markdown("leak.scores"))
    right, wrong = (weights_influence(scores, chosen.d_k, mask, each) for each in (None, way))
    both_influences(chosen.tokens, right, wrong, mask < 0)


@cached(48, 12, shared=no_typed_words)
def leaks(name: str, ids: tuple[int, ...], way: str) -> list[tuple[Tensor, float]]:
    """Return every token's influence on every prediction, and the loss, with a model's mask and with a wrong one."""
    network, text = stored_language_model(name).network, torch.tensor(ids)
    both = network, peeking(network, way).requires_grad_(False)
    return [(prediction_influence(each, text), in_one_pass(each, text).mean) for each in both]


def leak_of_model(chosen: ScoreMatrix, way: str) -> None:
    """Show the influence of every token on every prediction when all heads of the model have the wrong mask."""
    st.markdown(WORDS.markdown("leak.model", layers=chosen.network.config.layers))
    ids = chosen.ids[: len(chosen.ids) - chosen.padding]
    if len(ids) < 3:
        st.info(WORDS.markdown("note.short"))
        return
    (right, before), (wrong, after) = leaks(chosen.name, tuple(ids.tolist()), way)
    both_influences(chosen.tokens[: len(ids) - 1], right, wrong, wrong.new_ones(wrong.shape).triu(1) > 0)
    LESSON.compare("loss", before, after, more_is_better=False)
    st.markdown(WORDS.markdown("leak.loss", higher=format_value(after, ".2f") > format_value(before, ".2f")))


def both_influences(tokens: Sequence[str], right: Tensor, wrong: Tensor, hidden: Tensor) -> None:
    """Draw both matrices of influence side by side, and the largest leak of each."""
    for column, (name, depends) in zip(st.columns(2), {"right": right, "wrong": wrong}.items(), strict=True):
        with column:
            st.markdown(WORDS.markdown(f"influence.{name}"))
            alt = WORDS.label("alt.influence", largest=f"{leak(depends, hidden):.3g}")
            LESSON.figure(f"influence_{name}", leak_figure(depends, hidden, tokens), alt)
    LESSON.compare("influence", leak(right, hidden), leak(wrong, hidden), ".3g", False)


def notebook_parameters(
    chosen: ScoreMatrix, edits: ScoreEdits, kind: str, window: int, way: str | None
) -> dict[str, object]:
    """Return the values of the notebook's parameters."""
    return {
        "tokens": list(chosen.tokens),
        "name": chosen.name,
        "ids": [] if chosen.ids is None else chosen.ids.tolist(),
        "layer": chosen.place[0] + 1,
        "head": chosen.place[1] + 1,
        "d_k": chosen.d_k,
        "edits": text_of(edits),
        "mask_kind": kind,
        "padding": chosen.padding,
        "window": window,
        "way": way,
    }
