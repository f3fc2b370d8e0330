"""Why scores are divided by the square root of d: their spread, the softmax's entropy and its gradient as d grows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.self_attention.attention_scaling import (
    BACK,
    COLUMNS,
    SCALED,
    UNSCALED,
    scores_and_weights,
    softness_by_dimension,
    worked_softness,
)
from core.figures.worked import plain_number
from core.lesson.break_it import consequence
from core.lesson.cached import cached, no_typed_words
from core.lesson.every_number import Formula
from core.lesson.lesson import Lesson
from core.lesson.text_source import text_source
from core.models.self_attention.ablation import CHARACTERS, mean_bits, windows, without_scaling
from core.models.self_attention.attention_scaling import (
    Softness,
    entropy,
    head_softness,
    jacobian,
    last_rows,
    random_scores,
    share_of_the_top_tenth,
    softness,
    sweep,
)
from core.models.self_attention.attentive_models import BACK as CAUSAL_MODELS
from core.models.self_attention.attentive_models import AttentiveModel, attentive_model
from core.text.reading.documents import Document

LESSON = Lesson(
    __name__,
    title="The square root of d",
    question="Why does attention divide its scores by the square root of d?",
    icon="radical",
)
DIMENSIONS = [2**power for power in range(11)]
BUCKETS = ["up to 25%", "25% to 50%", "50% to 75%", "more than 75%"]
READ = 64  # tokens of the learner's text that the trained heads look back over
WINDOWS = 2  # runs of the learner's text on which bits are measured
Sweeps = Mapping[str, Sequence[Softness]]


def picture() -> Figure:
    """The spread of random scores of 64 dimensions, and their weights, with and without the root."""
    scores = random_scores(64)
    figure = small(scores_and_weights({UNSCALED: scores, SCALED: scores / 8}))
    return figure.update_layout(annotations=[])


def page() -> None:
    """Random queries and keys of d dimensions; what d does to softmax and gradient; what it does in trained heads."""
    LESSON.open(
        r"q, k \sim \mathcal{N}(0, 1)^d \;\Rightarrow\; \operatorname{Var}(q \cdot k) = d \qquad "
        r"a = \operatorname{softmax}(s), \quad s_j = \frac{q \cdot k_j}{\sqrt{d}} \qquad"
        r"\frac{\partial a_i}{\partial s_j} = a_i\,([i = j] - a_j) \qquad "
        r"\frac{\partial a_i}{\partial (q \cdot k_j)} = \frac{1}{\sqrt d} \frac{\partial a_i}{\partial s_j}",
        "$d$: numbers in a query $q$ and in a key $k$. $S$: how many keys there are. $s$: what the softmax reads, $a$: "
        "the weights. The derivatives are what training gets back: through the softmax, and on to the products "
        "$q \\cdot k$. Without the root $s_j = q \\cdot k_j$ and the two are the same. Where one weight is near 1 and "
        "all others near 0, each of them is near 0: from that query $W_q$ and $W_k$ learn next to nothing.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        d = LESSON.select_slider("d", "d, numbers in a query", DIMENSIONS, value=64, width=220)
        S = LESSON.slider("keys", "S, keys to look at", 2, 64, 16, width=220)
        broken = LESSON.break_it(
            "no_root",
            "Break it: leave the root out of a trained GPT",
            "The picture then shows the heads of the course's GPT, which was trained with the root, on your text.",
        )
        with LESSON.more():
            seed = LESSON.number("seed", "Seed", 0, 9999, 1)
    drawn, sweeps = drawn_scores(S, seed), swept(S, seed)
    without, with_root = (sweeps[label][DIMENSIONS.index(d)] for label in (UNSCALED, SCALED))
    with stage:
        question = f"d = {d}, {S} keys, no root: how much of the weight does the largest get, on average?"
        largest, about = without.largest, f"{d}_{S}_{seed}"
        if broken:
            question = (
                "Trained heads that look back from one token of your text, no root: how much of the weight does the "
                "heaviest token get, on average?"
            )
            read = heads_with_and_without(document.digest, document.text)
            largest, about = softness(read[UNSCALED]).largest, document.digest
        if guessed := LESSON.ask(question, BUCKETS, BUCKETS[min(3, int(largest * 4))], about):
            if broken:
                trained_scores(document)
            else:
                random_queries(drawn[d], d, without, with_root)
        if not broken:
            st.caption("200 queries, each with its own keys, all drawn at random: no model yet.")
    if broken:
        bits_without_root(document)
    if guessed:
        st.header("As d grows", anchor=False)
        growth(sweeps, d)
        back_to_products(sweeps, d)
        LESSON.every_number("softness by d", softness_table, drawn, sweeps)

    st.header("In trained heads", anchor=False)
    st.markdown(
        "Trained queries and keys are not random: a head may learn long ones where it wants to be sharp. These are the "
        f"heads of the course's GPT on your text, looking back from token {READ} (or the last, if there are fewer)."
    )
    heads = trained_heads(document.digest, document.text)
    st.markdown(gradients_compared(heads))
    st.dataframe(heads, hide_index=True, alt="How soft each trained head is")

    LESSON.closing(
        code=[
            random_scores,
            softness,
            jacobian,
            entropy,
            share_of_the_top_tenth,
            head_softness,
            without_scaling,
            mean_bits,
        ],
        notebook=[
            "from core.models.self_attention.attention_scaling import random_scores, softness\n\n"
            f"d = {d}\nscores = random_scores(d, keys={S}, seed={seed})",
            "print(softness(scores))\nprint(softness(scores, scale=d**-0.5))",
        ],
        plot=(
            "from core.figures.self_attention.attention_scaling import scores_and_weights\n\n"
            'draw(scores_and_weights({"q · k": scores, "q · k / √d": scores * d**-0.5}))'
        ),
        try_this=[
            ("d = 1: is there anything to divide?", {"d": 1}),
            (
                "d = 1024 and two keys only: what is left for the key with the lower score?",
                {"d": 1024, "keys": 2},
            ),
            ("Take the root away from a model that was trained with it", {"no_root": True}),
        ],
        sources=["Ashish Vaswani et al. (2017), Attention Is All You Need, section 3.2.1."],
    )


@cached(16, 0, shared=True)
def drawn_scores(keys: int, seed: int) -> dict[int, Tensor]:
    """Return random scores for each number of dimensions; all sessions share them."""
    return {d: random_scores(d, keys=keys, seed=seed) for d in DIMENSIONS}


@cached(16, 0, shared=True)
def swept(keys: int, seed: int) -> Sweeps:
    """Return what those scores make of the softmax at each number of dimensions, without the root and with it."""
    drawn = drawn_scores(keys, seed)
    return {UNSCALED: sweep(drawn, root=False), SCALED: sweep(drawn, root=True)}


def random_queries(scores: Tensor, d: int, without: Softness, with_root: Softness) -> None:
    """Draw the scores and weights of d dimensions, with their spreads and largest weights."""
    LESSON.figure(
        "scores",
        scores_and_weights({UNSCALED: scores, SCALED: scores / d**0.5}),
        f"The scores of random queries and keys of {d} dimensions, and the mean weights of {len(scores)} queries, "
        f"heaviest first, with and without the root; the heaviest: {with_root.largest:.0%} and {without.largest:.0%}",
    )
    LESSON.caption(
        f"On average the heaviest of {scores.shape[1]} keys gets {without.largest:.0%} of a query's weight without the "
        f"root, {with_root.largest:.0%} with it."
    )
    spreads(without, with_root, f"√d = {d**0.5:.2f}")


def spreads(without: Softness, with_root: Softness, expected: str | None = None) -> None:
    """Show how far the scores spread and how much the heaviest key gets, without the root and with it."""
    LESSON.set_values(
        wide=f"{without.spread:.2f}", root=f"{with_root.spread:.2f}", top=f"{without.largest:.0%}"
    )
    one, two, three, four = st.columns(4)
    one.metric("Spread of q · k", f"{without.spread:.2f}", expected, "off", delta_arrow="off")
    two.metric("Spread with the root", f"{with_root.spread:.2f}")
    three.metric("Largest weight, no root", f"{without.largest:.0%}")
    four.metric("Largest weight, root", f"{with_root.largest:.0%}")


def trained_scores(document: Document) -> None:
    """Draw what the softmax of every trained head reads for one token of the learner's text, root or no root."""
    read = heads_with_and_without(document.digest, document.text)
    Q, T = read[SCALED].shape
    without, with_root = (softness(read[label]) for label in (UNSCALED, SCALED))
    LESSON.figure(
        "trained_scores",
        scores_and_weights(read),
        f"What the softmax of {Q} trained heads reads for token {T} of your text, and their mean weights, heaviest "
        "first, with the root and after it was left out of all of them",
    )
    LESSON.caption(
        f"Looking back from token {T} of your text, the heaviest token gets {with_root.largest:.0%} of a head's weight "
        f"on average over {Q} trained heads; with the root left out of all of them, {without.largest:.0%}."
    )
    spreads(without, with_root)


def gpt() -> AttentiveModel:
    """Return the GPT of byte pairs, whose loss on a text can be measured."""
    return attentive_model(CAUSAL_MODELS[0])


def read_by_gpt(text: str) -> Tensor:
    """Return the first tokens of a text as the GPT reads them."""
    return gpt().read(text[: READ * CHARACTERS], most=READ).ids


@cached(32, 8, "The model reads your text twice", shared=no_typed_words)
def heads_with_and_without(digest: str, _text: str) -> dict[str, Tensor]:
    """Return what all heads' softmaxes read for the last of the first tokens, (L H, T): no root, and as trained."""
    torch.set_num_threads(1)
    network, ids = gpt().network, read_by_gpt(_text)
    return {UNSCALED: last_rows(without_scaling(network), ids), SCALED: last_rows(network, ids)}


@cached(32, 8, "The model reads your text twice", shared=no_typed_words)
def bits_with_and_without(digest: str, _text: str) -> tuple[float, float, int]:
    """Return the GPT's bits a token on a text with the root and without it, and on how many tokens."""
    torch.set_num_threads(1)
    model = gpt()
    texts = windows(model, _text, WINDOWS)
    whole, broken = mean_bits(model, texts), mean_bits(model, texts, without_scaling(model.network))
    return whole, broken, sum(len(ids) - 1 for ids in texts)


def bits_without_root(document: Document) -> None:
    """Show what leaving the root out of the trained GPT costs on the learner's text."""
    whole, broken, n = bits_with_and_without(document.digest, document.text)
    d = gpt().network.config.width // gpt().network.config.heads
    st.markdown(
        f"The course's own GPT was trained with the root (d = {d} in each head). Left out, the scores of its first "
        f"layer are √{d} = {d**0.5:.2f} times as large; later layers read what that makes of the text. This is how "
        f"well it then predicts the first {n:,} {'token' if n == 1 else 'tokens'} of your text:"
    )
    consequence("Bits per token", whole, broken, more_is_better=False)


def growth(sweeps: Sweeps, d: int) -> None:
    """Draw the spread, entropy and gradient against d, and say where they end."""
    gone, kept = (found[-1].gradient for found in sweeps.values())
    bits = [found[-1].entropy for found in sweeps.values()]
    spreads_at_end = [found[-1].spread for found in sweeps.values()]
    st.markdown(
        "Three measures: the spread (standard deviation) of what the softmax reads, the entropy of the weights, and "
        "the size of the softmax's gradient, $\\partial a / \\partial s$. Without the root the spread grows as "
        f"$\\sqrt d$; at d = {DIMENSIONS[-1]:,} it is {spreads_at_end[0]:.1f}, the entropy {bits[0]:.2f} bits, and the "
        f"mean gradient is down to **{gone:.2g}**. With the root they are {spreads_at_end[1]:.2f}, {bits[1]:.2f} bits, "
        f"and the gradient at **{kept:.2g}**. A gradient is greatest where a few keys share the weight: among many "
        "keys it may rise at first as d grows."
    )
    LESSON.figure(
        "sweep",
        softness_by_dimension(DIMENSIONS, sweeps, d),
        "Spread of the scores, entropy of the weights and size of the gradient against d, with and without the root",
    )


def back_to_products(sweeps: Sweeps, d: int) -> None:
    """Draw what comes back to q . k, where the root takes its factor again, and say what its gain is."""
    without, with_root = (found[-1] for found in sweeps.values())
    more = "less" if without.to_products < with_root.to_products else "more"
    st.markdown(
        f"**But the root stands between the products and the softmax.** With respect to $q \\cdot k$ its factor "
        f"$1/\\sqrt d$ multiplies the gradient. At d = {DIMENSIONS[-1]:,} the mean is then "
        f"{plain_number(with_root.to_products, 2)} with the root and {plain_number(without.to_products, 2)} without: "
        f"without the root **{more}** comes back on average. "
        + ("What it means: the mean is not the reason for the root. " if more == "more" else "")
        + f"With it, half of the queries get at least {plain_number(with_root.median_to_products, 2)} each, and the "
        f"tenth that gets most has {with_root.top_tenth:.0%} of all gradient. Without it, half get no more than "
        f"{plain_number(without.median_to_products, 2)}, and that tenth has {without.top_tenth:.0%}. "
        + (
            "That all gradients are small alike is a matter of the learning rate; that from half of the queries $W_q$ and "
            "$W_k$ learn next to nothing is not."
            if without.median_to_products < with_root.median_to_products / 100
            else "Here that half still teaches $W_q$ and $W_k$ something without the root."
        )
    )
    LESSON.figure(
        "back",
        softness_by_dimension(DIMENSIONS, sweeps, d, BACK),
        "The gradient with respect to q · k against d, with and without the root: its mean and its median over the "
        "queries, and the share that goes to the tenth of the queries with most",
    )


def softness_table(drawn: Mapping[int, Tensor], sweeps: Sweeps) -> tuple[pd.DataFrame, Formula]:
    """Return every measure at every d, with the formula of a cell."""
    table = pd.DataFrame(
        {
            "d": DIMENSIONS,
            "√d": [d**0.5 for d in DIMENSIONS],
            **{
                f"{COLUMNS.get(name, name)}, {label}": [getattr(each, name) for each in found]
                for name in ("spread", "entropy", "largest", "gradient", *BACK.values())
                for label, found in sweeps.items()
            },
        }
    )
    return table, lambda row, column: worked_softness(drawn[DIMENSIONS[row]].numpy(), DIMENSIONS[row], column)


@cached(32, 8, "The model reads your text", shared=no_typed_words)
def trained_heads(digest: str, _text: str) -> pd.DataFrame:
    """Return how soft every trained head is on the first tokens of a text, from the last of them."""
    torch.set_num_threads(1)
    return pd.DataFrame(
        [
            {
                "layer": each.layer + 1,
                "head": each.head + 1,
                "spread of q · k": each.unscaled.spread,
                "spread of q · k / √d": each.scaled.spread,
                "entropy without the root": each.unscaled.entropy,
                "entropy with it": each.scaled.entropy,
                "gradient without the root": each.unscaled.gradient,
                "gradient with it": each.scaled.gradient,
                "to q · k without the root": each.unscaled.to_products,
                "to q · k with it": each.scaled.to_products,
            }
            for each in head_softness(gpt().network, read_by_gpt(_text))
        ]
    )


def gradients_compared(heads: pd.DataFrame) -> str:
    """Return the sentences that count what leaving the root out does to the trained heads' gradients."""
    change = heads["gradient without the root"] - heads["gradient with it"]
    to_products = heads["to q · k without the root"] - heads["to q · k with it"]
    return (
        f"Without the root the softmax lets less of the gradient through in **{(change < 0).sum()}** of these "
        f"{len(heads)} heads, and more in **{(change > 0).sum()}**: it lets little through where one key has all the "
        "weight, and also where many keys have equal weights. Back at $q \\cdot k$, where the root's own factor counts, "
        f"less arrives in **{(to_products < 0).sum()}** of them, and more in **{(to_products > 0).sum()}**. This is one "
        "query of each head, of a model that has learned to live with its root."
    )
