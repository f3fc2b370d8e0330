"""Scaled dot-product attention: what the story shows beat by beat, and the lab of random vectors and trained heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from core.lesson.cached import cached, no_typed_words
from core.lesson.every_number import Formula
from core.lesson.settings import Choice, Settings, Slider, Switch
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import sample_in_use, text_source
from core.models.self_attention.ablation import CHARACTERS, mean_bits, windows, without_scaling
from core.models.self_attention.attention_scaling import (
    Softness,
    entropy,
    head_softness,
    jacobian,
    last_rows,
    query_gradients,
    random_scores,
    running_scores,
    share_of_the_top_tenth,
    softness,
    sweep,
)
from core.models.self_attention.attentive_models import BACK as CAUSAL_MODELS
from core.models.self_attention.attentive_models import AttentiveModel, attentive_model
from core.text.reading.documents import Document
from core.text.samples.shelf import sample
from core.words.numbers import plain_number, signed
from pages.self_attention.attention_scaling import LESSON
from pages.self_attention.attention_scaling.figures import (
    BACK,
    MEASURES,
    SCALED,
    UNSCALED,
    draw_gradients,
    draw_largest,
    draw_model,
    draw_panel,
    draw_scores,
    draw_walks,
    format_weight,
    scores_and_weights,
    softness_by_dimension,
    worked_softness,
)

WORDS = LESSON.words
KEYS, SEED, LARGEST = 6, 12, 1024  # the story's keys, its seed, and dimensions of its vectors
NUDGED, NUDGE = 2, 4.0  # a key, from 0, and how far its product is raised
OTHERS = 74  # grey walks
PLAY, HELD_OUT, WINDOWS = "hamlet", 0.9, 4
POWERS_OF_4 = [4**power for power in range(6)]
D = Choice("d", "256", tuple(map(str, POWERS_OF_4)))
DIVISOR = Choice("divisor", "one", ("one", "root", "all"))
DIMENSIONS = [2**power for power in range(11)]  # the lab's
S, NO_ROOT, LAB_SEED = Slider("keys", 16, 2, 64), Switch("no_root"), Slider("seed", 1, 0, 9999)
LAB = (Slider("d", 64, 1, LARGEST), S, NO_ROOT, LAB_SEED)
READ = 64  # tokens of the learner's text that the trained heads look back over
LAB_WINDOWS = 2  # runs of the learner's text on which bits are measured
QUARTERS = 4  # a question's choices
Sweeps = Mapping[str, Sequence[Softness]]


def scores_at(d: int) -> np.ndarray:
    """Return the story's scores: q . k over the first d dimensions, (S,)."""
    return running_scores(LARGEST, KEYS, SEED)[:, d - 1].double().numpy()


def softmax(scores: np.ndarray) -> np.ndarray:
    """Return the weights of some scores, (S,)."""
    return torch.from_numpy(scores).softmax(-1).numpy()


def title_of(d: int) -> str:
    """Return the title of a panel of vectors of d dimensions."""
    return WORDS.label("panel.d", d=d)


def show_scores(settings: Settings) -> Part:
    """Six keys of few dimensions: the scores are near 0 and the weights are shared."""
    scores = scores_at(settings.d)
    weights = softmax(scores)
    data = draw_scores([draw_panel(scores, weights, title_of(settings.d), "")], 30)
    values = {"keys": KEYS, "largest": format_weight(weights.max()), "best": int(weights.argmax())}
    return Part("score_weights", data, values)


def ask_wider(settings: Settings) -> Part:
    """The same vectors with more dimensions; the answer draws the weights."""
    scores = scores_at(settings.d)
    weights = softmax(scores)
    shown = weights if settings.revealed else None
    data = draw_scores([draw_panel(scores, shown, title_of(settings.d), "")], 30)
    first, second = np.argsort(-scores)[:2]
    values = {
        "best": int(first) + 1,
        "second": int(second) + 1,
        "lead": signed(float(scores[first].round(1) - scores[second].round(1)), 1),
        "largest": format_weight(weights.max()),
    }
    return Part("score_weights", data, values, {}, ("third", "half", "all"), "all")


def show_walks(settings: Settings) -> Part:
    """Running sums of products of our keys and of other random pairs, with the curves ±√d."""
    ours = running_scores(LARGEST, KEYS, SEED)[:, : settings.d].numpy()
    others = np.stack([running_scores(settings.d, 1, 1000 + i)[0].numpy() for i in range(OTHERS)])
    scores = random_scores(settings.d, keys=KEYS)
    values = {"pairs": scores.numel(), "spread": softness(scores).spread, "root": settings.d**0.5}
    return Part("figure", {"figure": draw_walks(ours, others).to_dict()}, values, {"keys": KEYS})


def two_panels(
    d: int, nudge: float = 0.0, hidden: bool = False
) -> tuple[dict, list[tuple[np.ndarray, np.ndarray]]]:
    """Return the scores without the division above those with it, one key's product raised; the weights before and after.

    `hidden`: the new weights are still to come, and outlines show the old ones.
    """
    scores = scores_at(d)
    raised = scores + nudge * (np.arange(KEYS) == NUDGED)
    panels, found = [], []
    for name, divisor in (("products", 1.0), ("scaled", d**0.5)):
        old, new = softmax(scores / divisor), softmax(raised / divisor)
        outlined = range(KEYS) if hidden else [NUDGED] if nudge else []
        before = {i: (float(scores[i] / divisor), float(old[i])) for i in outlined}
        text = "" if divisor == 1 else f"{divisor:.0f}"
        title = WORDS.label(f"panel.{name}", before=bool(before))
        panels.append(draw_panel(raised / divisor, None if hidden else new, title, text, before))
        found.append((old, new))
    return draw_scores(panels, 30), found


def show_divided(settings: Settings) -> Part:
    """The same scores without and with the division."""
    data, ((_, raw), (_, scaled)) = two_panels(settings.d)
    values = {"root": settings.d**0.5, "raw": format_weight(raw.max()), "scaled": format_weight(scaled.max())}
    return Part("score_weights", data, values)


def ask_nudge(settings: Settings) -> Part:
    """One key's product is raised; where does its weight change?"""
    data, ((raw, raw_after), (old, new)) = two_panels(settings.d, NUDGE, not settings.revealed)
    weights = (raw, raw_after, old, new)
    values = {
        "key": NUDGED + 1,
        "by": NUDGE,
        "root": settings.d**0.5,
        "weights": [format_weight(w[NUDGED]) for w in weights],
    }
    return Part("score_weights", data, values, {}, ("above", "below", "both"), "below")


def show_gradients(settings: Settings) -> Part:
    """The gradient that reaches q . k, of each of many random queries."""
    scores = random_scores(settings.d, keys=KEYS)
    found = {
        UNSCALED: query_gradients(scores).numpy(),
        SCALED: query_gradients(scores, settings.d**-0.5).numpy(),
    }
    without, scaled = (softness(scores, scale) for scale in (1.0, settings.d**-0.5))
    values = {
        "queries": len(scores),
        "times": scaled.median_to_products / without.median_to_products,
        "means": [without.to_products, scaled.to_products],
        "tenths": [without.top_tenth, scaled.top_tenth],
    }
    return Part("figure", {"figure": draw_gradients(found, 1e-6).to_dict()}, values, {"keys": KEYS})


def show_own(settings: Settings) -> Part:
    """The learner's own d and divisor."""
    d = int(settings.d)
    divisor = {"one": 1.0, "root": d**0.5, "all": float(d)}[settings.divisor]
    scores = scores_at(d) / divisor
    weights = softmax(scores)
    by = "" if divisor == 1 else f"{divisor:,.0f}"
    data = draw_scores([draw_panel(scores, weights, title_of(d), by)], 70)
    values = {"largest": format_weight(weights.max()), "equal": format_weight(1 / KEYS)}
    return Part("score_weights", data, values, {"d": d, "keys": KEYS})


def gpt() -> AttentiveModel:
    """Return the GPT of byte pairs, whose loss on a text can be measured."""
    return attentive_model(CAUSAL_MODELS[0])


@cache
def measure_model() -> dict[str, tuple[float, float]]:
    """Return of the GPT, with its division and without, the mean largest weight and bits per token on held-out Hamlet."""
    torch.set_num_threads(1)
    model, text = gpt(), sample(PLAY).read().text
    read = windows(model, text[int(HELD_OUT * len(text)) :], WINDOWS)
    networks = {"scaled": model.network, "products": without_scaling(model.network)}
    return {
        name: (
            float(np.mean([last_rows(network, ids).softmax(-1).amax(-1).mean().item() for ids in read])),
            mean_bits(model, read, network),
        )
        for name, network in networks.items()
    }


def show_model(settings: Settings) -> Part:
    """A trained GPT with its division and without."""
    found = measure_model()
    panels = [
        (WORDS.label("panel.largest"), 1.0, {name: (a, f"{a:.0%}") for name, (a, _) in found.items()}),
        (WORDS.label("panel.bits"), 10.0, {name: (b, f"{b:.1f}") for name, (_, b) in found.items()}),
    ]
    config = gpt().network.config
    values = {name: bits for name, (_, bits) in found.items()} | {"d": config.width // config.heads}
    return Part("layer_bars", draw_model(panels), values, {"no_root": True})


def show_answer(settings: Settings) -> Part:
    """The mean largest weight against d, without the division and with it."""
    drawn = {d: random_scores(d, keys=KEYS) for d in POWERS_OF_4}
    largest = {
        label: [each.largest for each in sweep(drawn, root=label == SCALED)] for label in (UNSCALED, SCALED)
    }
    values = {"raw": largest[UNSCALED][-1], "scaled": largest[SCALED][-1], "most": LARGEST}
    return Part(
        "figure", {"figure": draw_largest(POWERS_OF_4, largest, 1 / KEYS).to_dict()}, values, {"keys": KEYS}
    )


STORY = (
    look("few", show_scores, d=4),
    ask("wider", ask_wider, d=256),
    look("walks", show_walks, d=256),
    look("divided", show_divided, d=256),
    ask("nudge", ask_nudge, d=256),
    look("queries", show_gradients, d=256),
    do("own", show_own, DIVISOR, D, d="1024"),
    look("trained", show_model),
    end("answer", show_answer),
)


# The lab: any number of dimensions and keys, and the trained heads on any text.


def lab() -> None:
    """Random scores and weights at any d; softmax and gradient as d grows; back at the products; trained heads."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        d = LESSON.select_slider("d", WORDS.label("d"), DIMENSIONS, value=64, width=220)
        keys = LESSON.draw(S, width=220)
        no_root = LESSON.draw(NO_ROOT)
        with LESSON.options():
            seed = LESSON.number(LAB_SEED.name, WORDS.label("seed"), 0, 9999, LAB_SEED.default)
    drawn, sweeps = drawn_scores(keys, seed), swept(keys, seed)
    without, scaled = (sweeps[label][DIMENSIONS.index(d)] for label in (UNSCALED, SCALED))
    with stage:
        kind, largest, about = "random", without.largest, f"{d}_{keys}_{seed}"
        if no_root:
            read = heads_with_and_without(document.digest, document.text)
            kind, largest, about = "trained", softness(read[UNSCALED]).largest, document.digest
        buckets = [WORDS.label(f"bucket.{i}") for i in range(QUARTERS)]
        answer = buckets[min(QUARTERS - 1, int(largest * QUARTERS))]
        if guessed := LESSON.ask(WORDS.label(f"question.{kind}", d=d, keys=keys), buckets, answer, about):
            if no_root:
                show_trained_scores(read)
            else:
                show_random_scores(drawn[d], d, without, scaled)
    if no_root:
        compare_bits(document)
    if guessed:
        show_growth(sweeps, d)
        LESSON.every_number(WORDS.label("table.softness"), softness_table, drawn, sweeps)
    if box := LESSON.fold("heads"):
        with box:
            show_heads(document)
    LESSON.close_lab(
        code=[
            random_scores,
            softness,
            jacobian,
            entropy,
            share_of_the_top_tenth,
            query_gradients,
            head_softness,
            without_scaling,
            mean_bits,
        ],
        parameters={"d": d, "keys": keys, "seed": seed, "sample": sample_in_use()},
        prompts={"one": {"d": 1}, "two": {"d": LARGEST, "keys": 2}, "trained": {"no_root": True}},
    )


@cached(16, 0, shared=True)
def drawn_scores(keys: int, seed: int) -> dict[int, Tensor]:
    """Return random scores for each number of dimensions; all sessions share them."""
    return {d: random_scores(d, keys=keys, seed=seed) for d in DIMENSIONS}


@cached(16, 0, shared=True)
def swept(keys: int, seed: int) -> Sweeps:
    """Return what those scores make of the softmax at each number of dimensions, without the division and with it."""
    drawn = drawn_scores(keys, seed)
    return {UNSCALED: sweep(drawn, root=False), SCALED: sweep(drawn, root=True)}


def show_random_scores(scores: Tensor, d: int, without: Softness, scaled: Softness) -> None:
    """Draw the scores and weights of d dimensions, with their spreads and largest weights."""
    values = {"d": d, "queries": len(scores), "keys": scores.shape[1], **largest_weights(without, scaled)}
    figure = scores_and_weights({UNSCALED: scores, SCALED: scores / d**0.5})
    LESSON.figure("scores", figure, WORDS.label("alt.random", **values))
    LESSON.say("says.random", values)
    show_spreads(without, scaled, f"√d = {d**0.5:.2f}")


def largest_weights(without: Softness, scaled: Softness) -> dict[str, float]:
    """Return the mean largest weights by the names that the words have for them."""
    return {"without": without.largest, "scaled": scaled.largest}


def show_spreads(without: Softness, scaled: Softness, expected: str | None = None) -> None:
    """Show how far the scores spread and how much the largest weight is, without the division and with it."""
    one, two, three, four = st.columns(4)
    one.metric(WORDS.label("metric.spread"), f"{without.spread:.2f}", expected, "off", delta_arrow="off")
    two.metric(WORDS.label("metric.spread.scaled"), f"{scaled.spread:.2f}")
    three.metric(WORDS.label("metric.largest"), f"{without.largest:.0%}")
    four.metric(WORDS.label("metric.largest.scaled"), f"{scaled.largest:.0%}")


def show_trained_scores(read: Mapping[str, Tensor]) -> None:
    """Draw what the softmax of every trained head reads for one token of the learner's text, with √d and without."""
    heads, T = read[SCALED].shape
    without, scaled = (softness(read[label]) for label in (UNSCALED, SCALED))
    values = {"heads": heads, "at": T, **largest_weights(without, scaled)}
    LESSON.figure("trained_scores", scores_and_weights(read), WORDS.label("alt.trained", **values))
    LESSON.say("says.trained", values)
    show_spreads(without, scaled)


def read_by_gpt(text: str) -> Tensor:
    """Return the first tokens of a text as the GPT reads them."""
    return gpt().read(text[: READ * CHARACTERS], most=READ).ids


@cached(32, 8, shared=no_typed_words)
def heads_with_and_without(digest: str, _text: str) -> dict[str, Tensor]:
    """Return what all heads' softmaxes read for the last of the first tokens, (L H, T): without √d, and as trained."""
    torch.set_num_threads(1)
    network, ids = gpt().network, read_by_gpt(_text)
    return {UNSCALED: last_rows(without_scaling(network), ids), SCALED: last_rows(network, ids)}


@cached(32, 8, shared=no_typed_words)
def bits_with_and_without(digest: str, _text: str) -> tuple[float, float, int]:
    """Return the GPT's bits per token on a text with √d and without it, and on how many tokens."""
    torch.set_num_threads(1)
    model = gpt()
    texts = windows(model, _text, LAB_WINDOWS)
    found = mean_bits(model, texts), mean_bits(model, texts, without_scaling(model.network))
    return *found, sum(len(ids) - 1 for ids in texts)


def compare_bits(document: Document) -> None:
    """Show what leaving √d out of the trained GPT costs on the learner's text."""
    scaled, without, n = bits_with_and_without(document.digest, document.text)
    config = gpt().network.config
    d = config.width // config.heads
    st.markdown(WORDS.markdown("says.bits", d=d, root=d**0.5, n=n))
    LESSON.compare("bits", scaled, without, more_is_better=False)


def show_growth(sweeps: Sweeps, d: int) -> None:
    """Draw every measure against d in two folds: at the softmax, and back at the products."""
    without, scaled = (found[-1] for found in sweeps.values())
    values = {"most": DIMENSIONS[-1], "without": without, "scaled": scaled}
    values["gradients"] = [plain_number(each.gradient, 2) for each in (without, scaled)]
    if box := LESSON.fold("growth"):
        with box:
            st.markdown(WORDS.markdown("fold.growth", **values))
            LESSON.figure("sweep", softness_by_dimension(DIMENSIONS, sweeps, d), WORDS.label("alt.growth"))
    if box := LESSON.fold("back"):
        with box:
            values["means"] = [plain_number(each.to_products, 2) for each in (without, scaled)]
            values["medians"] = [plain_number(each.median_to_products, 2) for each in (without, scaled)]
            st.markdown(WORDS.markdown("fold.back", **values))
            figure = softness_by_dimension(DIMENSIONS, sweeps, d, BACK)
            LESSON.figure("products", figure, WORDS.label("alt.back"))


def softness_table(drawn: Mapping[int, Tensor], sweeps: Sweeps) -> tuple[pd.DataFrame, Formula]:
    """Return every measure at every d, with the formula of a cell."""
    table = pd.DataFrame(
        {
            "d": DIMENSIONS,
            "√d": [d**0.5 for d in DIMENSIONS],
            **{
                f"{WORDS.label(f'column.{name}')}, {label}": [getattr(each, name) for each in found]
                for name in MEASURES
                for label, found in sweeps.items()
            },
        }
    )
    return table, lambda row, column: worked_softness(drawn[DIMENSIONS[row]].numpy(), DIMENSIONS[row], column)


HEAD_MEASURES = {"spread": "spread", "entropy": "entropy", "gradient": "gradient", "back": "to_products"}


@cached(32, 8, shared=no_typed_words)
def trained_heads(digest: str, _text: str) -> pd.DataFrame:
    """Return how soft every trained head is on the first tokens of a text, from the last of them; columns are ids."""
    torch.set_num_threads(1)
    return pd.DataFrame(
        [
            {"layer": each.layer + 1, "head": each.head + 1}
            | {
                f"{name}.{way}": getattr(found, measure)
                for name, measure in HEAD_MEASURES.items()
                for way, found in (("products", each.unscaled), ("scaled", each.scaled))
            }
            for each in head_softness(gpt().network, read_by_gpt(_text))
        ]
    )


def show_heads(document: Document) -> None:
    """Show every trained head on the learner's text, and count in how many the division raises the gradient."""
    heads = trained_heads(document.digest, document.text)
    st.markdown(WORDS.markdown("fold.heads", read=READ))
    st.markdown(WORDS.markdown("says.heads", **count_changes(heads)))
    named = heads.rename(columns={name: WORDS.label(f"heads.{name}") for name in heads})
    st.dataframe(named, hide_index=True, alt=WORDS.label("alt.heads"))


def count_changes(heads: pd.DataFrame) -> dict[str, int]:
    """Return in how many heads less or more gradient passes without the division, at the softmax and at q . k."""
    softmax_change = heads["gradient.products"] - heads["gradient.scaled"]
    back_change = heads["back.products"] - heads["back.scaled"]
    return {
        "heads": len(heads),
        "less": int((softmax_change < 0).sum()),
        "more": int((softmax_change > 0).sum()),
        "back_less": int((back_change < 0).sum()),
        "back_more": int((back_change > 0).sum()),
    }
