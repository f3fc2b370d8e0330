"""Edited attention: what the story shows beat by beat, and the lab of any edit, deletion and ablation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
import torch
from scipy.stats import spearmanr

from core.figures.self_attention.head_effects import before_after, select_compared_tokens
from core.figures.self_attention.heads import names_of, query_weights, weight_row
from core.figures.token_label import label_token
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import choose_head, choose_read_text, vocabulary_named
from core.lesson.chosen_text import TYPED
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.self_attention.ablation import (
    HeadRanking,
    first_runs,
    head_names,
    mean_bits,
    rank_correlation,
    rank_correlations,
    rank_heads,
    removal_changes,
    total_variation,
    without_heads,
)
from core.models.self_attention.attention_edits import (
    Edit,
    Effect,
    edited_weights,
    effect,
    row_before_last,
    with_edit,
    with_weight,
    written_edits,
)
from core.models.self_attention.attentive_models import (
    BACK,
    BOTH,
    MINILM,
    AttentiveModel,
    attentive_model,
    attentive_models,
)
from core.models.self_attention.gpt_trace import trace_block
from core.text.reading.documents import Document
from core.text.samples.shelf import microworld_text
from core.words.plain import plain
from pages.generation.shared.shown_tokens import CONTINUED, name_token
from pages.self_attention.edit_attention import EXAMPLES, LESSON, SENTENCE
from pages.self_attention.edit_attention.figures import (
    REST,
    changed_table,
    deleted_table,
    describe_agreement,
    describe_largest,
    describe_move,
    draw_costs,
    draw_edit,
    draw_grid,
    draw_points,
    ranking_figure,
    removal_figure,
)

WORDS = LESSON.words
LINE = EXAMPLES[0]  # the story's
EARLY, LATE, LARGER = (1, 0), (3, 2), (2, 0)  # heads 2.1, 4.3 and 3.1
LAST = (3, 3)  # head 4.4, whose weights are compared with deletions
ISRAEL, LAND = 4, 9  # places of keys in the story's line
ANSWERS = 4  # next tokens that have a bar of their own
TOKENS_MEASURED = 256  # of the learner's text
DELETED_AT_MOST = 48  # tokens, the nearest: each is one more reading
MEASURES = [total_variation, rank_correlation, rank_heads, without_heads]
HEAD, ALL = "head", "all"

ATTENTION = Slider("attention", 0.2, 0, 1, 0.05)
OLD_MODELS = {"GPT, byte pairs": BACK[0], "masked model, byte pairs": BOTH, "GPT, characters": BACK[1]}
MODEL = Choice("model", BACK[0], lambda _: predicting(), OLD_MODELS)
WEIGHTS = Choice("weights", HEAD, (HEAD, ALL), {"this head": HEAD, "mean of all heads": ALL})
OFF = Switch("off")
LAB = (
    MODEL,
    Text("typed", SENTENCE),
    Slider("layer", LAST[0] + 1, 1, 12),
    Slider("head", LAST[1] + 1, 1, 12),
    Slider("step", 17, 1, 512),
    Text("edits", "", 2000),
    OFF,
    WEIGHTS,
)


def predicting() -> tuple[str, ...]:
    """Return the models that predict tokens."""
    return tuple(name for name in attentive_models() if name != MINILM)


# The story: what each beat shows.


class Line(NamedTuple):
    """A line as the story's model reads it: its ids, how tokens are shown, the last place, and all weights (L, H, T)."""

    ids: torch.Tensor
    names: list[str]
    t: int
    weights: np.ndarray
    own: Effect


@cache
def read_line(line: str) -> Line:
    """Return a line with the weights of its last token in every head."""
    model = attentive_model(BACK[0])
    read = model.read(line)
    t = len(read.ids) - 1
    own = effect(model, read.ids, t, [])
    weights = np.stack([each.attention.weights[:, t].numpy() for each in own.own.layers])
    names = [name_token(token) for token in read.tokens]
    names[1] = names[1].removeprefix(CONTINUED)  # the line's first word has no space before it
    return Line(read.ids, names, t, weights, own)


def effect_on_line(head: tuple[int, int], key: int, weight: float) -> Effect:
    """Return what one edit of the last token's row does to the story's line."""
    line = read_line(LINE)
    return effect(attentive_model(BACK[0]), line.ids, line.t, [Edit(*head, line.t, key, weight)])


edit_line = lru_cache(maxsize=16)(effect_on_line)  # each takes 0.6 MB: it holds both readings


def show_row(head: tuple[int, int], found: Effect, edited: bool = True, known: bool = True) -> dict:
    """Return one head's row and the answers, as they are before and after an edit."""
    line, model = read_line(LINE), attentive_model(BACK[0])
    now = found.edited.layers[head[0]].attention.weights[head[1], line.t].numpy()
    top = np.argsort(-line.own.before)[:ANSWERS]
    answers = [
        (str(i), name_token(model.vocabulary[i]), float(found.before[i]), float(found.after[i])) for i in top
    ]
    left = [1 - float(each[top].sum()) for each in (found.before, found.after)]
    answers.append((REST, WORDS.label("row.others"), *left))
    return draw_edit(line.names, (line.weights[head], now), answers, name_head(head), edited, known)


def describe(head: tuple[int, int], found: Effect) -> dict:
    """Return what the words of a beat with one head may say."""
    line, model = read_line(LINE), attentive_model(BACK[0])
    order = np.argsort(-found.after)
    egypt = int(line.own.before.argmax())
    return {
        "n": len(line.names),
        "query": line.names[line.t],
        "head": name_head(head),
        "heads": count_heads(),
        "was": name_token(model.vocabulary[egypt]),
        "p_was": float(found.before[egypt]),
        "p_egypt": float(found.after[egypt]),
        "first": name_token(model.vocabulary[order[0]]),
        "p_first": float(found.after[order[0]]),
        "change": found.change,
        "israel": float(line.weights[(*head, ISRAEL)]),
        "land": float(line.weights[(*head, LAND)]),
    }


def link_lab(head: tuple[int, int], edits: str = "", line: str = LINE) -> dict:
    """Return the lab's settings that show the same head on the same line."""
    step = read_line(line).t + 1
    return {"typed": line, "layer": head[0] + 1, "head": head[1] + 1, "step": step, "edits": edits}


def edit_of(head: tuple[int, int], weight: float) -> str:
    """Return an edit of the weight on Israel as the lab's address holds it."""
    return str(Edit(*head, read_line(LINE).t, ISRAEL, weight))


def show_own(settings: Settings) -> Part:
    """One head's own weights, and the model's own answers."""
    own = read_line(LINE).own
    return Part("next_token", show_row(EARLY, own, False), describe(EARLY, own), link_lab(EARLY))


def show_force(settings: Settings) -> Part:
    """The weight on Israel set to 1; the answer is what the model then predicts."""
    found = edit_line(EARLY, ISRAEL, 1.0)
    data = show_row(EARLY, found, True, settings.revealed)
    first = name_token(attentive_model(BACK[0]).vocabulary[int(found.after.argmax())])
    choices = ("Egypt", "the", "Israel")
    return Part(
        "next_token", data, describe(EARLY, found), link_lab(EARLY, edit_of(EARLY, 1.0)), choices, first
    )


def show_slider(settings: Settings) -> Part:
    """The weight on Israel as the learner sets it."""
    found = edit_line(EARLY, ISRAEL, round(settings.attention, 3))
    values = describe(EARLY, found) | {"weight": settings.attention}
    lab = link_lab(EARLY, edit_of(EARLY, round(settings.attention, 3)))
    return Part("next_token", show_row(EARLY, found), values, lab)


def show_late(settings: Settings) -> Part:
    """Another head's largest weight set to 1."""
    found = edit_line(LATE, ISRAEL, 1.0)
    line = read_line(LINE)
    moved = 1 - float(line.weights[(*LATE, ISRAEL)])
    early = edit_line(EARLY, ISRAEL, round(float(line.weights[(*EARLY, ISRAEL)]) + moved, 6))
    values = describe(LATE, found) | {
        "moved": moved,
        "early": name_head(EARLY),
        "early_change": early.change,
    }
    return Part("next_token", show_row(LATE, found), values, link_lab(LATE, edit_of(LATE, 1.0)))


def show_grid(settings: Settings) -> Part:
    """Every head's weight on every token set to 1, one at a time."""
    changes, flips = every_edit(1.0)
    L, H, T = changes.shape
    names = list(head_names(attentive_model(BACK[0])))
    figure = draw_grid(changes.reshape(L * H, T), flips.reshape(L * H, T), names, read_line(LINE).names)
    medians = np.median(changes.reshape(L, -1), axis=1)
    values = {
        "edits": changes.size,
        "flips": int(flips.sum()),
        "layer": int(medians.argmax()) + 1,
        "median": float(medians.max()),
        "last_layer": L,
        "last": float(medians[-1]),
        "heads": L * H,
        "n": T,
    }
    return Part("figure", {"figure": figure.to_dict()}, values, link_lab(EARLY))


def show_one(settings: Settings) -> Part:
    """One head's weights against what deleting each token changes."""
    line = read_line(SENTENCE)
    return show_against(line.weights[LAST], WORDS.label("axis.weight_one", head=name_head(LAST)), HEAD)


def show_mean(settings: Settings) -> Part:
    """The mean weights of all heads against the same changes."""
    line = read_line(SENTENCE)
    return show_against(line.weights.mean((0, 1)), WORDS.label("axis.weight_mean", n=count_heads()), ALL)


def show_against(weights: np.ndarray, axis: str, which: str) -> Part:
    """Return a scatter of weights against deletions on the long sentence, and what the words may say of it."""
    line, changes = read_line(SENTENCE), deleted_line()
    known = np.flatnonzero(np.isfinite(changes))
    most = int(known[np.argmax(changes[known])])
    named = sorted(known, key=lambda s: -changes[s])[:4]
    index = {int(s): i for i, s in enumerate(known)}
    found = spearmanr(weights[known], changes[known])
    each = rank_correlations(line.weights, changes)
    figure = draw_points(
        weights[known],
        changes[known],
        {index[s]: (line.names[s], line.names[s]) for s in map(int, named)},
        (axis, WORDS.label("axis.change_deleted")),
        (0.22, 0.47),
        WORDS.label("sentence.two"),
    )
    values = {
        "rank": float(found.statistic),
        "p": float(found.pvalue),
        "n": len(known),
        "token": line.names[most],
        "change": float(changes[most]),
        "weight": float(weights[most]),
        "above": int((weights[known] > weights[most]).sum()),
        "head": name_head(LAST),
        "heads": count_heads(),
        "least": float(each.min()),
        "most": float(each.max()),
    }
    return Part(
        "figure", {"figure": figure.to_dict()}, values, link_lab(LAST, line=SENTENCE) | {"weights": which}
    )


def show_off(settings: Settings) -> Part:
    """What switching off each head costs on a text."""
    ranked, n = rank_sample()
    names = {head: name for name, head in head_names(attentive_model(BACK[0])).items()}
    costs = {name: float(ranked.cost[head]) for head, name in names.items()}
    most, least = max(costs, key=costs.get), min(costs, key=costs.get)
    values = {
        "tokens": n,
        "heads": len(costs),
        "whole": ranked.whole,
        "most": most,
        "cost_most": costs[most],
        "least": least,
        "cost_least": costs[least],
        "early": name_head(EARLY),
        "cost_early": costs[name_head(EARLY)],
    }
    figure = draw_costs(costs, [most, name_head(EARLY), least])
    return Part("figure", {"figure": figure.to_dict()}, values, link_lab(LATE) | {"off": True})


def show_answer(settings: Settings) -> Part:
    """Every weight set to 0, one at a time: how large it was against what that changes."""
    line = read_line(LINE)
    changes = every_edit(0.0)[0]
    places = {(*EARLY, LAND): "early", (*LARGER, LAND): "larger", (*LATE, ISRAEL): "late"}
    flat = {int(np.ravel_multi_index(place, changes.shape)): place for place in places}
    named = {
        i: (WORDS.label("point", head=name_head(place[:2]), token=line.names[place[2]]), line.names[place[2]])
        for i, place in flat.items()
    }
    x, y = line.weights.flatten(), changes.flatten()
    figure = draw_points(
        x,
        y,
        named,
        (WORDS.label("axis.weight"), WORDS.label("axis.change_zero")),
        (0.88, 0.4),
        WORDS.label("sentence.one"),
    )
    values = {"edits": x.size, "rank": float(spearmanr(x, y).statistic), "token": line.names[LAND]}
    for place, name in places.items():
        values |= {
            f"head_{name}": name_head(place[:2]),
            f"weight_{name}": float(line.weights[place]),
            f"change_{name}": float(changes[place]),
        }
    return Part("figure", {"figure": figure.to_dict()}, values, link_lab(EARLY))


STORY = (
    look("own", show_own),
    ask("force", show_force),
    do("slide", show_slider, ATTENTION),
    look("late", show_late),
    look("grid", show_grid),
    look("one", show_one),
    look("mean", show_mean),
    look("ablate", show_off),
    end("answer", show_answer),
)


def name_head(head: tuple[int, ...]) -> str:
    """Return a head as it is named, as in 2.1 for layer 2, head 1.

    >>> name_head((1, 0))
    '2.1'
    """
    return f"{head[0] + 1}.{head[1] + 1}"


def count_heads() -> int:
    """Return how many heads the story's model has."""
    return len(head_names(attentive_model(BACK[0])))


@cache
def every_edit(weight: float) -> tuple[np.ndarray, np.ndarray]:
    """Return, for each weight of the last row set to `weight` by itself, the change, and whether the first token does."""
    line = read_line(LINE)
    changes, flips = np.zeros(line.weights.shape), np.zeros(line.weights.shape, bool)
    first = line.own.before.argmax()
    for place in np.ndindex(line.weights.shape):
        found = effect_on_line(place[:2], place[2], weight)
        changes[place], flips[place] = found.change, found.after.argmax() != first
    return changes, flips


@cache
def deleted_line() -> np.ndarray:
    """Return what deleting each token of the long sentence changes, (T,)."""
    line = read_line(SENTENCE)
    return removal_changes(attentive_model(BACK[0]), line.ids, line.t, DELETED_AT_MOST)


@cache
def rank_sample() -> tuple[HeadRanking, int]:
    """Return what each head costs on the first tokens of the micro-world, and how many tokens they are."""
    return rank_text(BACK[0], microworld_text())


def rank_text(name: str, text: str) -> tuple[HeadRanking, int]:
    """Return what each head costs on the first tokens of a text, and how many tokens those are, without special ones."""
    model = attentive_model(name)
    texts = first_runs(model, text, TOKENS_MEASURED)
    return rank_heads(model, texts), sum(len(ids) - len(model.before) - len(model.after) for ids in texts)


# The lab.


def lab() -> None:
    """One query's weights on sliders and the prediction; deletion against attention; every head switched off."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = choose_model(notes)
        read = choose_read_text(LESSON, notes, document, model, SENTENCE)
        layer, head = choose_head(LESSON, model, LAST)
        alone = LESSON.draw(OFF)
        heads = head_names(model)
        with LESSON.options():
            others = LESSON.several("more", WORDS.label("more"), list(heads))
    off = {heads[name] for name in others if name in heads} | ({(layer, head)} if alone else set())
    t, edits = 0, []
    if not len(read.ids):
        st.info(WORDS.markdown("note.empty"))
    else:
        ids = tuple(read.ids.tolist())
        with stage:
            top = st.container()
            marked = [WORDS.markdown("step.query", name=label_token(token)) for token in read.tokens]
            t = LESSON.step(marked, start=len(marked))
            names = names_of(model.shown_tokens(read, t))
            seen = t + 1 if model.causal else len(names)
            edits = choose_edits(model, len(ids), (layer, head, t), names[:seen])
        found = effect_of(model.name, ids, t, tuple(edits), tuple(sorted(off)))
        with top:
            show_prediction(model, read.ids, found, edits, off, (layer, head, t), names[:seen])
        show_sections(model, document, ids, found, names, (layer, head, t), off)
        LESSON.every_number(
            WORDS.label("table.probabilities"), changed_table, found, vocabulary_named(model.name)
        )
    LESSON.close_lab(
        code=[with_weight, edited_weights, trace_block, effect, removal_changes, *MEASURES],
        parameters={
            "name": model.name,
            "text": read.prompt.text,
            "most": len(read.ids),
            "t": t,
            "edits": " ".join(map(str, edits)),
            "off": sorted(off),
            "deleted": DELETED_AT_MOST,
        },
        prompts=prompts(),
    )


def prompts() -> dict[str, dict[str, object]]:
    """Return the things to try, each with the sentence, the model and the head that it speaks of."""
    step = read_line(SENTENCE).t + 1
    here = {"source": TYPED, "typed": SENTENCE, "model": BACK[0], "layer": LAST[0] + 1, "head": LAST[1] + 1}
    here |= {"more": [], "step": step, "edits": ""}
    return {
        "first": {**here, "edits": str(Edit(*LAST, step - 1, 0, 1.0))},
        "off": {**here, "off": True, "ranking": True},
        "mean": {**here, "weights": ALL, "deletions": True},
    }


def choose_model(notes) -> AttentiveModel:
    """Draw the choice of a model; its description goes to the container `notes`."""
    model = attentive_model(LESSON.draw(MODEL))
    config = model.network.config
    values = {"layers": config.layers, "heads": config.heads, "causal": model.causal}
    notes.caption(WORDS.markdown("about.model", **values) + " " + plain(model.about))
    return model


def show_prediction(
    model: AttentiveModel,
    ids: torch.Tensor,
    found: Effect,
    edits: Sequence[Edit],
    off: set[tuple[int, int]],
    place: tuple[int, int, int],
    names: Sequence[str],
) -> None:
    """Draw one query's weights on sliders, and the most probable tokens before and after the edits."""
    layer, head, t = place
    tokens_named = vocabulary_named(model.name)
    where = {"causal": model.causal, "name": names[t], "place": t + 1}
    row, bars = st.columns(2, gap="medium")
    with row:
        last = row_before_last(model, model.shown(ids, t), edits, off, place)
        data = weight_row(*query_weights(found, layer, head, len(names)), names, layer, head, t, last)
        data["label"] = WORDS.label("weights.title", layer=layer + 1, head=head + 1, **where)
        LESSON.view("weight_row", data, name="row", on={"edit": drag})
    with bars:
        tokens = select_compared_tokens(found.before, found.after)
        p, p_edited, likely = (each[tokens] for each in (found.before, found.after, tokens_named))
        figure = before_after(p, p_edited, likely, "p", 420, labels())
        LESSON.figure("prediction", figure, WORDS.label("alt.prediction", **where, edited=bool(edits or off)))
    LESSON.say("says.moved", {**where, **describe_move(found, tokens_named)})


def labels() -> tuple[str, str]:
    """Return what bars before and after are called."""
    return WORDS.label("bars.own"), WORDS.label("bars.edited")


def show_sections(
    model: AttentiveModel,
    document: Document,
    ids: tuple[int, ...],
    found: Effect,
    names: Sequence[str],
    place: tuple[int, int, int],
    off: set[tuple[int, int]],
) -> None:
    """Draw the sections below the picture, each once it is opened."""
    layer, head, t = place
    if box := LESSON.fold("output"):
        with box:
            own, edited = (
                trace.layers[layer].attention.context[head, t].numpy() for trace in (found.own, found.edited)
            )
            dimensions = [str(i + 1) for i in range(len(own))]
            figure = before_after(own, edited, dimensions, WORDS.label("axis.output"), 240, labels())
            LESSON.figure("output_vector", figure, WORDS.label("alt.output"))
    if box := LESSON.fold("deletions"):
        with box:
            by_head = np.stack([each.attention.weights[:, t].numpy() for each in found.own.layers])
            show_deletions(model, ids, names, t, by_head, (layer, head))
    if box := LESSON.fold("ranking"):
        with box:
            show_ranking(model, document, sorted(off))


@cached(6, 2, shared=no_typed_words)
def effect_of(
    name: str, ids: tuple[int, ...], t: int, edits: tuple[Edit, ...], off: tuple[tuple[int, int], ...]
) -> Effect:
    """Return what edits and heads switched off do to the prediction at place t."""
    return effect(attentive_model(name), torch.tensor(ids), t, edits, off)


def add_edit(edit: Edit) -> None:
    """Add an edit to those that are written."""
    LESSON.set_state("edits", with_edit(LESSON.get_state("edits", ""), edit))


def drag(moved: dict) -> None:
    """Add the weight that was dragged in the view."""
    place = (int(moved[name]) for name in ("layer", "head", "query", "key"))
    add_edit(Edit(*place, float(moved["weight"])))


def choose_edits(model: AttentiveModel, T: int, place: tuple[int, ...], names: list[str]) -> list[Edit]:
    """Draw the field with all edits, and the buttons that take them back; return those that can be made."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        written = LESSON.text(
            "edits", WORDS.label("edits"), max_chars=2000, placeholder=WORDS.label("edits.empty")
        )
        none = not written.strip()
        kept = " ".join(written.split()[:-1])
        LESSON.button("undo", WORDS.label("undo"), LESSON.set_state, "edits", kept, disabled=none)
        LESSON.button("reset", WORDS.label("reset"), LESSON.set_state, "edits", "", disabled=none)
        exact_weight(place, names)
    edits, sentences = written_edits(written, model, T)
    for sentence in sentences[:3]:
        st.text(WORDS.label("note.unapplied", why=sentence))
    return edits


def exact_weight(place: tuple[int, ...], names: Sequence[str]) -> None:
    """Draw the form that sets a weight exactly; `place` is (layer, head, query), `names` those of the keys."""
    keys = [f"{s + 1} {name}" for s, name in enumerate(names)]
    with st.popover(WORDS.label("type")):
        key = LESSON.select("key", WORDS.label("key"), keys)
        weight = LESSON.number("weight", WORDS.label("weight"), 0.0, 1.0, 0.5, 0.05, format="%.3f")
        edit = Edit(*place, keys.index(key) if key in keys else 0, round(weight, 3))
        LESSON.button("apply", WORDS.label("apply"), add_edit, edit)


@cached(80, 20, shared=no_typed_words)
def deletions(name: str, ids: tuple[int, ...], place: int) -> np.ndarray:
    """Return how much the prediction at `place` changes when each of the nearest tokens is deleted, (T,)."""
    torch.set_num_threads(1)
    return removal_changes(attentive_model(name), torch.tensor(ids), place, DELETED_AT_MOST)


def show_deletions(
    model: AttentiveModel,
    ids: tuple[int, ...],
    names: Sequence[str],
    t: int,
    weights: np.ndarray,
    head: tuple[int, int],
) -> None:
    """Draw each token's weight against what deleting it changes; `weights` (L, H, T) are those of query t."""
    changes = deletions(model.name, ids, t)
    known = np.flatnonzero(np.isfinite(changes))
    others = (t if model.causal else len(ids) - 1) - len(known)
    st.markdown(WORDS.markdown("deleted.says", n=len(known), others=others))
    if len(known) < 3:
        st.info(WORDS.markdown("note.short"))
        return
    label = [f"{s + 1} {name}" for s, name in enumerate(names)]
    most = known[np.argsort(-changes[known], kind="stable")]
    largest = known[np.argsort(-weights.mean((0, 1))[known], kind="stable")]
    choices = [label[s] for s in sorted({*most[:2].tolist(), *largest[:3].tolist()})]
    about = f"{model.name}_{hash(ids)}_{t}"
    if not LESSON.ask(WORDS.label("question"), choices, label[most[0]], about):
        return
    weights_of = {HEAD: weights[head], ALL: weights.mean((0, 1))}
    of = LESSON.draw(WEIGHTS)
    chosen = weights_of[of]
    figure = removal_figure(chosen, changes, names, WORDS.label(f"axis.of_{of}"))
    LESSON.figure("removal", figure, WORDS.label("alt.removal"))
    st.markdown(WORDS.markdown("says.largest", **describe_largest(chosen, changes, names)))
    st.markdown(WORDS.markdown("says.agreement", **describe_agreement(chosen, changes, weights)))
    named = {WORDS.label(f"weights.{each}"): row for each, row in weights_of.items()}
    LESSON.every_number(WORDS.label("table.deleted"), deleted_table, names, named, changes)


@cached(32, 8, shared=no_typed_words)
def ranking(name: str, digest: str, _text: str) -> tuple[HeadRanking, int]:
    """Return what each head costs on the first tokens of a text, and how many tokens those are."""
    torch.set_num_threads(1)
    return rank_text(name, _text)


@cached(80, 20, shared=no_typed_words)
def bits_without(name: str, digest: str, off: tuple[tuple[int, int], ...], _text: str) -> float:
    """Return the bits per token on a text with some heads switched off together."""
    model = attentive_model(name)
    return mean_bits(model, first_runs(model, _text, TOKENS_MEASURED), without_heads(model.network, off))


def show_ranking(model: AttentiveModel, document: Document, off: list[tuple[int, int]]) -> None:
    """Draw what each head is worth on the learner's text, and what the heads that are off cost together."""
    ranked, n = ranking(model.name, document.digest, document.text)
    if not n:
        st.info(WORDS.markdown("note.no_token"))
        return
    names = {head: name for name, head in head_names(model).items()}
    costs = {name: float(ranked.cost[head]) for head, name in names.items()}
    most, harmful = max(costs, key=costs.get), sum(cost < 0 for cost in costs.values())
    values = {"n": n, "most": most, "cost": costs[most], "harmful": harmful, "heads": len(costs)}
    st.markdown(WORDS.markdown("says.ranking", **values))
    LESSON.figure(
        "ranking_bars", ranking_figure(costs, [names[head] for head in off]), WORDS.label("alt.ranking")
    )
    if off:
        broken = bits_without(model.name, document.digest, tuple(off), document.text)
        more = broken - ranked.whole
        LESSON.compare("bits", ranked.whole, broken, ".3f", more_is_better=False)
        st.markdown(WORDS.markdown("says.cost", n=n, more=more, same=abs(more) < 0.0005))
        if len(off) > 1:
            alone = sum(costs[names[head]] for head in off)
            st.caption(WORDS.markdown("says.together", alone=alone, more=more))
    columns = (list(costs), ranked.without.flatten(), ranked.whole, list(costs.values()))
    table = {
        WORDS.label(f"column.{name}"): each
        for name, each in zip(("head", "without", "whole", "cost"), columns, strict=True)
    }
    LESSON.every_number(WORDS.label("table.heads"), pd.DataFrame, table)
