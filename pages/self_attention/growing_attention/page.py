"""Self-attention, step by step: what the story shows beat by beat, and the lab on any sentence and any head."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from math import log2
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from core.figures.frame import frame
from core.figures.self_attention.heads import names_of
from core.figures.token_label import label_token
from core.lesson.cached import cached, no_typed_words
from core.lesson.choices.transformer_choice import choose_head, choose_read_text
from core.lesson.chosen_text import TYPED
from core.lesson.footer import source_of
from core.lesson.predict_first import Question
from core.lesson.settings import Choice, Setting, Settings, Slider, Switch, Text
from core.lesson.story import DO, Beat, Part, ask, end, look
from core.lesson.text_source import text_source
from core.models.self_attention.ablation import mean_bits, windows
from core.models.self_attention.attention import (
    attend,
    average_of_all,
    dot_product_attention,
    multi_head,
    multi_head_attention,
    query_key_value_attention,
    scaled_dot_product_attention,
    symmetric_attention,
)
from core.models.self_attention.attention_scaling import entropy
from core.models.self_attention.attentive_models import BOTH, AttentiveModel, attentive_model
from core.models.self_attention.gpt import GPT
from core.models.self_attention.growing_attention import (
    Grown,
    GrownStep,
    asymmetry,
    block_matrices,
    grow,
    pair_through,
    same_both_ways,
    themselves_most,
    with_one_matrix,
)
from core.text.reading.documents import Document
from core.words.numbers import plain_number, signed
from pages.self_attention.growing_attention import EXAMPLES, LESSON
from pages.self_attention.growing_attention.figures import draw_scores, layer_rows, step_picture, worked_pair
from pages.self_attention.shared.attention_pictures import draw_arrows, format_weight, weighed, weight_row

WORDS = LESSON.words
EXAMPLE = EXAMPLES[0]
KING, QUEEN = 1, 4  # their places in the example
HUES = {KING: "blue", QUEEN: "ochre"}
STORY_HEAD = (0, 0)  # layer, head
READ_AT_MOST = 10  # tokens of a sentence typed in the story
LEAST_SHOWN = 0.02  # a weight from which it has an arrow
TOKENS = 20  # of the lab
KING_AND_QUEEN = {"source": TYPED, "typed": EXAMPLE, "a": 2, "b": 5, "one_matrix": False}
WINDOWS = 4
STEPS = ("average", "dot", "one_matrix", "query_key_value", "scaled", "heads", "output")
FUNCTIONS = (
    average_of_all,
    dot_product_attention,
    symmetric_attention,
    query_key_value_attention,
    scaled_dot_product_attention,
    multi_head,
    multi_head_attention,
)
KEYS_APART = STEPS.index("query_key_value")  # from here on keys have a matrix of their own


class Place(Setting):
    """The place of a token, from 0, as a picture reports it."""

    def read(self, raw: object, settings) -> int:
        """Return the place.

        >>> Place("at", 1).read("3", {}), Place("at", 1).read("x", {}), Place("at", 1).read(99, {})
        (3, 1, 1)
        """
        try:
            place = int(raw)  # type: ignore[call-overload]
        except (TypeError, ValueError, OverflowError):
            return self.default
        return place if 0 <= place < READ_AT_MOST else self.default


SENTENCE, STEP, AT = Text("sentence", EXAMPLE, 300), Choice("stage", "dot", STEPS[:5]), Place("at", KING)
LAB = (
    Text("typed", EXAMPLE),
    Slider("a", 2, 1, TOKENS),
    Slider("b", 5, 1, TOKENS),
    Slider("step", 1, 1, len(STEPS)),
    Switch("one_matrix"),
)


# The story: what each beat shows.


class Read(NamedTuple):
    """A sentence as the story's head reads it, in every step: T tokens, their ids, and whether some are left out."""

    tokens: list[str]
    ids: Tensor
    found: Grown
    cut: bool

    def weights(self, step: str) -> np.ndarray:
        """The weights (T, T) of a step of one head."""
        return self.found.steps[STEPS.index(step)].trace.weights.double().numpy()

    def scores(self, step: str) -> np.ndarray:
        """The scores (T, T) of a step of one head, divided by the root where the step does so."""
        return self.found.steps[STEPS.index(step)].trace.scaled.double().numpy()


def read_sentence(sentence: str) -> Read:
    """Return a sentence as the story's head reads it; one without a token that the model knows is the example."""
    model = attentive_model(BOTH)
    read = model.read(" ".join(sentence.split()), READ_AT_MOST)
    if not len(read.ids):
        read = model.read(EXAMPLE, READ_AT_MOST)
    tokens = [name.strip() or label_token(name) for name in read.tokens]
    return Read(tokens, read.ids, grow(model.network, read.ids, *STORY_HEAD), read.cut > 0)


def show_row(read: Read, step: str) -> dict:
    """Return one step's weights of the example's query as arrows and bars."""
    row = read.weights(step)[KING]
    links = [(KING, s, float(weight)) for s, weight in enumerate(row) if weight >= LEAST_SHOWN]
    return draw_arrows(read.tokens, HUES, [KING], links, [weight_row(row, HUES)])


def show_average(settings: Settings) -> Part:
    """Every token gets the same share."""
    read = read_sentence(settings.sentence)
    row = read.weights("average")[KING]
    values = describe(read) | {"weight": format_weight(row[QUEEN])}
    return Part("attention_arrows", show_row(read, "average"), values, link_lab("average"))


def show_dot(settings: Settings) -> Part:
    """Weights from the dot products of the tokens' own vectors."""
    read = read_sentence(settings.sentence)
    row = read.weights("dot")[KING]
    values = describe(read) | {
        "own": format_weight(row[KING]),
        "weight": format_weight(row[QUEEN]),
        "themselves": themselves_most(read.found.steps[1].trace.weights),
    }
    return Part("attention_arrows", show_row(read, "dot"), values, link_lab("dot"))


def show_one_matrix(settings: Settings) -> Part:
    """The scores of one matrix, the half above the diagonal still to come; the answer is that it mirrors the other."""
    read = read_sentence(settings.sentence)
    scores = read.scores("one_matrix")
    framed = {(QUEEN, KING), (KING, QUEEN)}
    data = draw_scores(read.tokens, scores, framed, not settings.revealed)
    score, back = (signed(float(scores[pair]), 1) for pair in ((QUEEN, KING), (KING, QUEEN)))
    values = describe(read) | {"score": score, "back": back}
    return Part("masked_scores", data, values, link_lab("one_matrix"), ("lower", "same", "higher"), "same")


def show_query_key(settings: Settings) -> Part:
    """Queries and keys with matrices of their own: one of the pair attends to the other, which does not attend back."""
    read = read_sentence(settings.sentence)
    weights, scores = read.weights("query_key_value"), read.scores("query_key_value")
    rows = [weight_row(weights[t], HUES, WORDS.label("row.of", name=read.tokens[t])) for t in (KING, QUEEN)]
    links = [
        (t, s, float(weights[t, s]))
        for t in (KING, QUEEN)
        for s in range(len(read.tokens))
        if weights[t, s] >= LEAST_SHOWN
    ]
    data = draw_arrows(read.tokens, HUES, [KING, QUEEN], links, rows)
    values = describe(read) | {
        "there": format_weight(weights[KING, QUEEN]),
        "back": format_weight(weights[QUEEN, KING]),
        "scores": [signed(float(scores[pair]), 1) for pair in ((KING, QUEEN), (QUEEN, KING))],
    }
    return Part("attention_arrows", data, values, link_lab("query_key_value"))


def show_scaled(settings: Settings) -> Part:
    """The same query without and with the division by the root of d."""
    read = read_sentence(settings.sentence)
    rows = [read.weights(step)[KING] for step in ("query_key_value", "scaled")]
    bars = [
        weight_row(row, HUES, WORDS.label(f"row.{name}"))
        for name, row in zip(("unscaled", "scaled"), rows, strict=True)
    ]
    links = [(KING, s, float(weight)) for s, weight in enumerate(rows[1]) if weight >= LEAST_SHOWN]
    data = draw_arrows(read.tokens, HUES, [KING], links, bars)
    d = read.found.steps[-1].trace.query.shape[1]
    values = describe(read) | {
        "before": format_weight(rows[0][QUEEN]),
        "after": format_weight(rows[1][QUEEN]),
        "d": d,
        "root": f"{d**0.5:.1f}",
    }
    return Part("attention_arrows", data, values, link_lab("scaled"))


def show_output(settings: Settings) -> Part:
    """The query's output: every value times its weight, and their sum."""
    read = read_sentence(settings.sentence)
    head = read.found.steps[-1].trace
    row = read.weights("scaled")[KING]
    data = weighed(row, head.value.double().numpy(), range(len(row)), read.tokens, HUES)
    values = describe(read) | {"d": head.value.shape[1], "weight": format_weight(row[QUEEN])}
    return Part("vector_rows", data, values, link_lab("scaled"))


def show_heads(settings: Settings) -> Part:
    """The query's weights in every head of the layer, and each head's largest."""
    read = read_sentence(settings.sentence)
    weights = read.found.together.heads.weights[:, KING].double().numpy()  # (H, T)
    best = weights.argmax(1).tolist()
    hues = HUES | {s: "green" for s in best if s not in HUES}
    rows = [weight_row(row, hues, WORDS.label("row.head", head=h + 1)) for h, row in enumerate(weights)]
    largest = {s: max(float(weights[h, s]) for h in range(len(best)) if best[h] == s) for s in best}
    links = [(KING, s, weight) for s, weight in largest.items()]
    data = draw_arrows(read.tokens, hues, [KING], links, rows)
    values = describe(read) | {
        "heads": len(weights),
        "best": [read.tokens[s] for s in best],
        "different": len(set(best)),
    }
    return Part("attention_arrows", data, values, link_lab("heads"))


def show_layer(settings: Settings) -> Part:
    """The heads' outputs side by side, times W_o, and what the trained network itself computed."""
    read = read_sentence(settings.sentence)
    difference = (read.found.together.output - read.found.gathered).abs().max().item()
    values = describe(read) | {
        "heads": len(read.found.together.heads.weights),
        "d": read.found.together.output.shape[1],
        "difference": plain_number(difference) if difference else "0",
    }
    return Part("vector_rows", layer_rows(read.found, KING), values, link_lab("output"))


def show_own(settings: Settings) -> Part:
    """The learner's own sentence in one of the steps; a press on a token makes it the query."""
    read = read_sentence(settings.sentence)
    t = min(settings.at, len(read.tokens) - 1)
    row = read.weights(settings.stage)[t]
    s = int(row.argmax())
    equal = bool(np.ptp(row) < 1e-6)
    hues = {s: "ochre", t: "blue"} if not equal else {t: "blue"}
    links = [(t, k, float(weight)) for k, weight in enumerate(row) if weight >= LEAST_SHOWN]
    data = draw_arrows(read.tokens, hues, [t], links, [weight_row(row, hues)], pick=True)
    values = describe(read) | {
        "from": read.tokens[t],
        "to": read.tokens[s],
        "weight": float(row[s]),
        "equal": equal,
        "itself": s == t,
        "cut": read.cut,
    }
    lab = {"typed": settings.sentence, "a": t + 1, "b": s + 1, "step": STEPS.index(settings.stage) + 1}
    return Part("attention_arrows", data, values, lab)


def show_growth(settings: Settings) -> Part:
    """One query's weights in three steps, from the plain average to the trained head."""
    read = read_sentence(settings.sentence)
    steps = ("average", "dot", "scaled")
    rows = [weight_row(read.weights(step)[KING], HUES, WORDS.label(f"grown.{step}")) for step in steps]
    row = read.weights("scaled")[KING]
    links = [(KING, s, float(weight)) for s, weight in enumerate(row) if weight >= LEAST_SHOWN]
    data = draw_arrows(read.tokens, HUES, [KING], links, rows)
    return Part("attention_arrows", data, describe(read), link_lab("scaled"))


def take_place(value: object) -> dict[str, str]:
    """Choose the query that was pressed in the picture."""
    return {"at": AT.write(AT.read(value, {}))}


STORY = (
    look("average", show_average, sentence=EXAMPLE),
    look("dot", show_dot, sentence=EXAMPLE),
    ask("one_matrix", show_one_matrix, sentence=EXAMPLE),
    look("query_key", show_query_key, sentence=EXAMPLE),
    look("scaled", show_scaled, sentence=EXAMPLE),
    look("output", show_output, sentence=EXAMPLE),
    look("heads", show_heads, sentence=EXAMPLE),
    look("layer", show_layer, sentence=EXAMPLE),
    Beat(
        "own",
        DO,
        show_own,
        (SENTENCE, STEP),
        {"sentence": "The people heard the king."},
        (AT,),
        {"pick": take_place},
    ),
    end("answer", show_growth, sentence=EXAMPLE),
)


def describe(read: Read) -> dict:
    """Return what the words may say of a sentence."""
    T = len(read.tokens)
    return {
        "n": T,
        "a": read.tokens[min(KING, T - 1)],
        "b": read.tokens[min(QUEEN, T - 1)],
        "layer": STORY_HEAD[0] + 1,
    }


def link_lab(step: str) -> dict:
    """Return the lab's settings that show a step of the story's head on its sentence."""
    return {"step": STEPS.index(step) + 1}


# The lab: any sentence and any head, step by step.


def lab() -> None:
    """A trained layer, step by step from the mean of all tokens; what one matrix cannot do; one pair all the way."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    model = attentive_model(BOTH)
    with controls:
        document = text_source()
        read = choose_read_text(LESSON, notes, document, model, EXAMPLE, most=TOKENS)
        layer, head = choose_head(LESSON, model)
        if not len(read.ids):
            notes.info(WORDS.markdown("note.empty"))
            read = model.read(EXAMPLE, TOKENS)
        a, b = choose_pair(read.tokens, notes)
        with LESSON.options():
            broken = LESSON.toggle("one_matrix", WORDS.label("symmetric"), help=WORDS.label("symmetric.help"))
    ids = tuple(read.ids.tolist())
    found = grown(ids, layer, head, broken)
    whole = grown(ids, layer, head, False) if broken else None
    about = f"{hash(ids)}_{layer}_{head}_{a}_{b}_{broken}"
    with stage:
        steps = LESSON.ask_in_turn(len(STEPS), partial(question_of, found, a, b, about))
        LESSON.steps(
            [frame_of(found, place, head, a, b, read.tokens, whole) for place in range(steps)], len(STEPS)
        )
    if broken:
        if steps > KEYS_APART:
            now, before = (step_at(each, KEYS_APART).trace.scores for each in (found, whole))
            LESSON.compare("asymmetry", asymmetry(before), asymmetry(now), more_is_better=True)
            st.caption(WORDS.markdown("note.asymmetry", step=KEYS_APART + 1))
        bits_lost(document)
    if steps and (box := LESSON.fold("pair")):
        with box:
            one_pair(found, steps, a, b, read.tokens)
    LESSON.close_lab(
        code=[
            grow,
            attend,
            *FUNCTIONS,
            block_matrices,
            pair_through,
            entropy,
            themselves_most,
            *([with_one_matrix, asymmetry, mean_bits] if broken else []),
        ],
        parameters={
            "text": read.prompt.text,
            "most": TOKENS,
            "layer": layer,
            "head": head,
            "one_matrix": broken,
        },
        prompts={
            "dot": KING_AND_QUEEN | {"step": 2},
            "apart": KING_AND_QUEEN | {"step": 4},
            "symmetric": KING_AND_QUEEN | {"step": 4, "one_matrix": True},
            "last": KING_AND_QUEEN | {"step": 7},
        },
    )


def choose_pair(tokens: Sequence[str], notes: DeltaGenerator) -> tuple[int, int]:
    """Draw the choice of two places, say in `notes` which tokens are there, and return them counted from 0."""
    last, names = len(tokens), names_of(tokens)
    a, b = (
        min(LESSON.number(name, WORDS.label(f"token.{name}"), 1, TOKENS, at, width=100), last) - 1
        for name, at in (("a", 2), ("b", 5))
    )
    notes.text(WORDS.label("note.pair", a=a + 1, one=names[a], b=b + 1, other=names[b]))
    return a, b


@lru_cache(maxsize=1)
def symmetric() -> GPT:
    """Return the masked model with one matrix for queries and keys in every head."""
    return with_one_matrix(attentive_model(BOTH).network)


@cached(32, 8, shared=no_typed_words)
def grown(ids: tuple[int, ...], layer: int, head: int, one_matrix: bool) -> Grown:
    """Return the steps of one head of the masked model, as it was trained or with one matrix for queries and keys."""
    torch.set_num_threads(1)
    network = symmetric() if one_matrix else attentive_model(BOTH).network
    return grow(network, torch.tensor(ids), layer, head)


def step_at(found: Grown, place: int) -> GrownStep:
    """Return the step of one head at a place; the last places, of all heads, keep this head's last step."""
    return found.steps[min(place, len(found.steps) - 1)]


def question_of(found: Grown, a: int, b: int, about: str, place: int) -> Question:
    """Return the question before a step: are the scores of the pair the same both ways?"""
    yes, no = WORDS.label("choice.yes"), WORDS.label("choice.no")
    return Question(
        WORDS.label("question", step=name_step(place)),
        [yes, no],
        yes if same_both_ways(step_at(found, place).trace.scores, a, b) else no,
        f"{about}_{place}",
    )


def name_step(place: int) -> str:
    """Return the name of a step as it is shown."""
    return WORDS.label(f"stage.{STEPS[place]}")


def frame_of(
    found: Grown, place: int, head: int, a: int, b: int, tokens: Sequence[str], whole: Grown | None
) -> dict:
    """Return one step as it is shown; `whole` are the steps before the break, if it is broken."""
    step, names = STEPS[place], names_of(tokens)
    key = f"way.{step}.broken"
    way = WORDS.label(key if whole and WORDS.has(key) else f"way.{step}")
    notes = [WORDS.label("note.moved", **measure_move(found, whole, place))] if whole else []
    kind = "one" if place < len(found.steps) else step
    alt = WORDS.label(f"alt.{kind}", step=name_step(place), head=head + 1)
    if place == len(STEPS) - 1:
        difference = (found.together.output - found.gathered).abs().max().item()
        notes = [WORDS.label("note.difference", difference=f"{difference:.1g}"), *notes]
    return frame(
        name_step(place),
        step_picture(found, place, names),
        alt,
        WORDS.label("says.step", **describe_step(found, place, a, b, tokens)),
        [way, *notes],
        [pair_formula(found, place, a, b, tokens)],
        source_of(FUNCTIONS[place]),
    )


def describe_step(found: Grown, place: int, a: int, b: int, tokens: Sequence[str]) -> Mapping[str, object]:
    """Return what the words may say of one step: what a and b give each other, and how soft or selfish the rows are."""
    weights, T = step_at(found, place).trace.weights, len(tokens)
    one, other = (names_of(tokens)[t] for t in (a, b))
    before = step_at(found, place - 1).trace.weights if place else weights
    return {
        "step": STEPS[place],
        "one": one,
        "other": other,
        "there": f"{weights[a, b]:.3f}",
        "back": f"{weights[b, a]:.3f}",
        "n": T,
        "themselves": themselves_most(weights),
        "before": f"{float(entropy(before).mean()):.2f}",
        "after": f"{float(entropy(weights).mean()):.2f}",
        "most": f"{log2(T):.2f}",
    }


def pair_formula(found: Grown, place: int, a: int, b: int, tokens: Sequence[str]) -> str:
    """Return one pair's numbers in a step, filled in; the steps of all heads show those of the head that was grown."""
    step = step_at(found, place)
    return worked_pair(step.name, step.trace, a, b, names_of(tokens))


def measure_move(found: Grown, whole: Grown, place: int) -> dict:
    """Return what one matrix for both moves in a step, and whether the step has keys of its own."""
    now, before = (step_at(each, place).trace for each in (found, whole))
    moved = (now.weights - before.weights).abs().max().item()
    return {
        "apart": place >= KEYS_APART,
        "moved": f"{moved:.3f}",
        "unmoved": not moved,
        "step": place + 1,
        "keys": KEYS_APART + 1,
    }


def one_pair(found: Grown, steps: int, a: int, b: int, tokens: Sequence[str]) -> None:
    """Show the scores and weights of a pair both ways in the first steps, and the entropy of a's row in bits."""
    st.caption(WORDS.markdown("note.last"))
    names = ("step", "score_there", "score_back", "weight_there", "weight_back", "entropy")
    columns = [WORDS.label(f"column.{name}") for name in names]
    rows = [
        dict(zip(columns, asdict(step).values(), strict=True)) | {columns[0]: name_step(place)}
        for place, step in enumerate(pair_through(found.steps[:steps], a, b))
    ]
    table = pd.DataFrame(rows)
    st.dataframe(table.round(4), hide_index=True, alt=WORDS.label("alt.pair"))
    worked = (columns[1], columns[3])
    LESSON.every_number(
        WORDS.label("table.pair"),
        lambda: (
            table,
            lambda row, column: pair_formula(found, row, a, b, tokens) if column in worked else None,
        ),
    )


@cached(32, 8, shared=no_typed_words)
def bits_with_one_matrix(digest: str, _text: str) -> tuple[float, float, int]:
    """Return the masked model's bits per hidden token on a text, whole and with one matrix, and on how many tokens."""
    torch.set_num_threads(1)
    model: AttentiveModel = attentive_model(BOTH)
    texts = windows(model, _text, WINDOWS)
    return mean_bits(model, texts), mean_bits(model, texts, symmetric()), sum(map(len, texts))


def bits_lost(document: Document) -> None:
    """Show what the masked model loses on the learner's text when every head has one matrix for both."""
    whole, broken, n = bits_with_one_matrix(document.digest, document.text)
    st.markdown(WORDS.markdown("says.bits", n=n))
    LESSON.compare("bits", whole, broken, more_is_better=False)
