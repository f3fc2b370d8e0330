"""Edit attention: set a weight by hand, delete a token, switch off a head, and see what the prediction makes of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st
import torch

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.generation.sampling import shown
from core.figures.self_attention.head_effects import (
    agreement,
    before_after,
    changed_table,
    deleted_table,
    heaviest_by_deletion,
    likeliest,
    ranking_figure,
    removal_figure,
    what_it_cost,
    what_moved,
    worth_most,
)
from core.figures.self_attention.heads import names_of, rows, weight_row
from core.figures.worked import signed
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import (
    LABELS,
    choose_attentive_model,
    choose_head,
    choose_read_text,
    vocabulary_named,
)
from core.lesson.chosen_text import TYPED
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import text_source
from core.models.self_attention.ablation import (
    HeadRanking,
    first_runs,
    head_names,
    mean_bits,
    rank_correlation,
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
from core.models.self_attention.attentive_models import BACK, AttentiveModel, ReadText, attentive_model
from core.models.self_attention.gpt_trace import trace_block
from core.text.reading.documents import Document

LESSON = Lesson(
    __name__,
    title="Edit attention",
    question="If a head looked elsewhere, would the prediction change?",
    icon="sliders-horizontal",
)
SENTENCE = "And it came about that when the people of Israel went out of the land of"
TOKENS_MEASURED = 256  # of the learner's text
DELETED_AT_MOST = 48  # tokens, the nearest: each is one more reading
MEASURES = [total_variation, rank_correlation, rank_heads, without_heads]
THIS, ALL = "this head", "mean of all heads"


def picture() -> Figure:
    """The next token's likeliest answers, before and after a head may look at the first token only."""
    model = attentive_model(BACK[0])
    ids = model.read("The people of Israel went out of the land of").ids
    query = len(ids) - 1
    found = effect(model, ids, query, [Edit(layer, 0, query, 0, 1.0) for layer in range(4)])
    top = likeliest(found.before, found.after, most=6)
    return small(before_after(found.before[top], found.after[top], [model.vocabulary[i] for i in top], "p"))


def page() -> None:
    """One query's weights on sliders and the prediction; deletion against attention; every head switched off."""
    LESSON.open(
        r"w'_{ts} = w \qquad w'_{tj} = w_{tj}\,\frac{1 - w}{1 - w_{ts}}\ \ (j \neq s) \qquad "
        r"\text{output}'_t = \sum_j w'_{tj}\, v_j \qquad \text{change} = \tfrac{1}{2} \sum_i |p_i - p'_i|",
        "$w_{ts}$: how much query $t$ takes from key $s$; $w$: what you set it to. The rest of the row is scaled so that "
        "it still sums to 1. $p$, $p'$: the model's probabilities before and after; their change (total variation) is 0 "
        "when nothing moved and 1 when all of it did.",
    )
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source()
        model = choose_attentive_model(LESSON, notes, predicting=True)
        read = choose_read_text(LESSON, notes, document, model, SENTENCE)
        layer, head = choose_head(LESSON, model, (3, 3))
        broken = LESSON.break_it(
            "off",
            "Break it: switch this head off",
            "Its output is nought; all that follows is computed without it.",
        )
        heads = head_names(model)
        with st.popover("More heads off"):
            others = LESSON.several("more", "More heads off", list(heads))
    off = {heads[name] for name in others if name in heads} | ({(layer, head)} if broken else set())
    t, edits = 0, []
    if not len(read.ids):
        st.info("There is no token to look at yet. Type a sentence.")
    else:
        with stage:
            top = st.container()
            marked = [plain(f"the query is “{shown(token)}”") for token in read.tokens]
            t = LESSON.step(marked, start=len(marked))
            names = names_of(model.shown_tokens(read, t))
            seen = t + 1 if model.causal else len(names)
            edits = choose_edits(model, len(read.ids), (layer, head, t), names[:seen])
        found = effect_of(model.name, tuple(read.ids.tolist()), t, tuple(edits), tuple(sorted(off)))
        where = f"The token after “{names[t]}”" if model.causal else f"The hidden token {t + 1}"
        tokens_named = vocabulary_named(model.name)
        with top:
            row, bars = st.columns(2, gap="medium")
            with row:
                last = row_before_last(model, model.shown(read.ids, t), edits, off, (layer, head, t))
                data = weight_row(*rows(found, layer, head, seen), names[:seen], layer, head, t, last)
                LESSON.view("weight_row", data, name="row", on={"edit": drag})
            with bars:
                tokens = likeliest(found.before, found.after)
                alt = f"{where}: its probabilities, with the model's own weights and with the edited ones"
                p, p_edited, likely = (each[tokens] for each in (found.before, found.after, tokens_named))
                LESSON.figure("prediction", before_after(p, p_edited, likely, "p", 420), alt)
            moved = what_moved(found, tokens_named)
            LESSON.set_values(moved=moved)
            LESSON.caption(plain(f"{where}: {moved}"))

        st.header("What the head hands on", anchor=False)
        own, edited = (
            trace.layers[layer].attention.context[head, t].numpy() for trace in (found.own, found.edited)
        )
        LESSON.figure(
            "output",
            before_after(own, edited, [str(i + 1) for i in range(len(own))], "output", 240),
            "The head's output vector, dimension by dimension, with its own weights and with the edited ones",
        )

        st.header("Is attention an explanation?", anchor=False)
        by_head = np.stack([each.attention.weights[:, t].numpy() for each in found.own.layers])
        show_deletions(model, tuple(read.ids.tolist()), names, t, by_head, (layer, head))

        st.header("Which heads does the model need?", anchor=False)
        show_ranking(model, document, sorted(off))
        LESSON.every_number("probabilities", changed_table, found, tokens_named)
    last_token = len(attentive_model(BACK[0]).read(SENTENCE).ids)
    here = {"source": TYPED, "typed": SENTENCE, "model": LABELS[BACK[0]], "layer": 4, "head": 4, "more": []}
    here |= {"step": last_token, "edits": ""}
    LESSON.closing(
        code=[with_weight, edited_weights, trace_block, effect, removal_changes, *MEASURES],
        notebook=cells(model, read, t, edits, off),
        plot=(
            "from core.figures.self_attention.head_effects import before_after\n\ntop = (-found.after).argsort()[:10]\n"
            'draw(before_after(found.before[top], found.after[top], [model.vocabulary[i] for i in top], "p"))'
        ),
        try_this=[
            ("A head sees the first token only: does it matter?", {**here, "edits": f"4.4:{last_token}>1=1"}),
            ("Switch that head off altogether", {**here, "off": True}),
            ("Weights of all heads against deletion: which token misleads?", {**here, "weights": ALL}),
        ],
        sources=[
            "Sarthak Jain and Byron Wallace (2019), Attention is not Explanation.",
            "Sarah Wiegreffe and Yuval Pinter (2019), Attention is not not Explanation.",
            "Paul Michel, Omer Levy and Graham Neubig (2019), Are Sixteen Heads Really Better than One?",
        ],
    )


@cached(6, 2, shared=no_typed_words)
def effect_of(
    name: str, ids: tuple[int, ...], t: int, edits: tuple[Edit, ...], off: tuple[tuple[int, int], ...]
) -> Effect:
    """Return what edits and heads switched off do to the prediction at place t."""
    return effect(attentive_model(name), torch.tensor(ids), t, edits, off)


# Edits: dragged in the view or typed, kept in the address, undone and reset.


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
        label, hint = "Edits (layer.head:from>to=weight)", "none yet: move a slider"
        written = LESSON.text("edits", label, max_chars=2000, placeholder=hint)
        none = not written.strip()
        LESSON.button(
            "undo", "Undo", LESSON.set_state, "edits", " ".join(written.split()[:-1]), disabled=none
        )
        LESSON.button("reset", "Reset", LESSON.set_state, "edits", "", disabled=none)
        exact_weight(place, names)
    edits, sentences = written_edits(written, model, T)
    for sentence in sentences[:3]:
        st.text(f"Not applied: {sentence}")
    return edits


def exact_weight(place: tuple[int, ...], names: Sequence[str]) -> None:
    """Draw the form that sets a weight exactly; `place` is (layer, head, query), `names` those of the keys."""
    keys = [f"{s + 1} {name}" for s, name in enumerate(names)]
    with st.popover("Type a weight"):
        key = LESSON.select("key", "Key (to)", keys)
        weight = LESSON.number("weight", "Weight, 0 to 1", 0.0, 1.0, 0.5, 0.05, format="%.3f")
        edit = Edit(*place, keys.index(key) if key in keys else 0, round(weight, 3))
        LESSON.button("apply", "Apply", add_edit, edit)


@cached(80, 20, "Deleting each token in turn", shared=no_typed_words)
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
    which = (
        f"Each of the {len(known)} nearest tokens" if others else "Each other token that the model may see"
    )
    st.markdown(
        "If a weight told how much a token matters, deleting the heaviest token would change the prediction most. "
        f"{which} is deleted in turn, and the text read again."
        + (f" Not tried: the {others} farther away." if others else "")
    )
    if len(known) < 3:
        st.info("At least three other tokens are needed. Step to a later token.")
        return
    label = [f"{s + 1} {name}" for s, name in enumerate(names)]
    most = known[np.argsort(-changes[known], kind="stable")]
    heaviest = known[np.argsort(-weights.mean((0, 1))[known], kind="stable")]
    choices = [label[s] for s in sorted({*most[:2].tolist(), *heaviest[:3].tolist()})]
    question, about = "Deleting which token changes the prediction most?", f"{model.name}_{hash(ids)}_{t}"
    if not LESSON.ask(question, choices, label[most[0]], about):
        return
    weights_of = {THIS: weights[head], ALL: weights.mean((0, 1))}
    of = LESSON.choose("weights", "Weights of", list(weights_of))
    chosen = weights_of[of]
    LESSON.figure(
        "removal",
        removal_figure(chosen, changes, names, f"weight of {of}"),
        f"The attention weight of each token against the change of the prediction when it is deleted, {of}",
    )
    st.markdown(heaviest_by_deletion(chosen, changes, names))
    st.markdown(agreement(chosen, changes, weights))
    LESSON.every_number("deleted tokens", deleted_table, names, weights_of, changes)


@cached(32, 8, "Switching off each head in turn", shared=no_typed_words)
def ranking(name: str, digest: str, _text: str) -> tuple[HeadRanking, int]:
    """Return what each head saves on the first tokens of a text, and how many tokens those are, marks left out."""
    torch.set_num_threads(1)
    model = attentive_model(name)
    texts = first_runs(model, _text, TOKENS_MEASURED)
    return rank_heads(model, texts), sum(len(ids) - len(model.before) - len(model.after) for ids in texts)


@cached(80, 20, "The model reads your text", shared=no_typed_words)
def bits_without(name: str, digest: str, off: tuple[tuple[int, int], ...], _text: str) -> float:
    """Return the bits a token on a text with some heads switched off together."""
    model = attentive_model(name)
    return mean_bits(model, first_runs(model, _text, TOKENS_MEASURED), without_heads(model.network, off))


def show_ranking(model: AttentiveModel, document: Document, off: list[tuple[int, int]]) -> None:
    """Draw what each head is worth on the learner's text, and what the heads that are off cost together."""
    ranked, n = ranking(model.name, document.digest, document.text)
    if not n:
        st.info("Your text has no token to measure on. Choose another text.")
        return
    names = {head: name for name, head in head_names(model).items()}
    costs = {name: float(ranked.cost[head]) for head, name in names.items()}
    st.markdown(
        f"Each head is switched off by itself while the model reads the first {n:,} {'token' if n == 1 else 'tokens'} of "
        "your text. A bar is what that costs in bits a token. Below nought, the model does better on it without the head. "
        f"{worth_most(costs)}"
    )
    LESSON.figure(
        "ranking",
        ranking_figure(costs, [names[head] for head in off]),
        "What switching off each head costs in bits a token, the dearest head first",
    )
    if off:
        broken = bits_without(model.name, document.digest, tuple(off), document.text)
        at_once = broken - ranked.whole
        consequence("Bits per token of your text", ranked.whole, broken, ".3f", more_is_better=False)
        st.markdown(what_it_cost(at_once, n, "what is switched off"))
        if len(off) > 1:
            alone = sum(costs[names[head]] for head in off)
            st.caption(
                f"Switched off one by one, these heads cost {signed(alone, 3)} bits in all; at once, "
                f"{signed(at_once, 3)}."
            )
    bits = {"bits without it": ranked.without.flatten(), "bits, all heads": ranked.whole}
    table = {"head": costs.keys(), **bits, "cost": costs.values()}
    LESSON.every_number("heads switched off", pd.DataFrame, table)


def cells(
    model: AttentiveModel, read: ReadText, t: int, edits: Sequence[Edit], off: set[tuple[int, int]]
) -> list[str]:
    """Return the notebook's cells that edit the same weights and measure the same changes."""
    return [
        "from core.models.self_attention.attention_edits import effect, parse_edits\n"
        "from core.models.self_attention.attentive_models import attentive_model\n\n"
        f"model = attentive_model({model.name!r})\n"
        f"read = model.read({read.prompt.text!r}, most={len(read.ids)})",
        f"found = effect(model, read.ids, {t}, parse_edits({' '.join(map(str, edits))!r}), off={sorted(off)!r})\n"
        "print(found.change)\n"
        "for i in (-found.after).argsort()[:10]:\n"
        "    print(model.vocabulary[i], found.before[i], found.after[i])",
        "from core.models.self_attention.ablation import removal_changes\n\n"
        f"print(removal_changes(model, read.ids, {t}, most={DELETED_AT_MOST}))",
    ]
