"""Queries, keys and values: what the story shows beat by beat, and the lab of any words and values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st
import torch
from streamlit.delta_generator import DeltaGenerator

from core.figures.layer_bars import join_panels
from core.figures.token_label import label_token
from core.lesson.choices.vector_sets import (
    choose_vectors,
    credits,
    scale_to_unit_length,
    shared_units,
    shared_vectors,
)
from core.lesson.every_number import Formula
from core.lesson.settings import Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.self_attention.attention import attend
from core.models.self_attention.attentive_models import BOTH, AttentiveModel, attentive_model
from core.models.self_attention.growing_attention import grow
from core.models.translation.kernel_smoothing import Lookup, softmax
from core.models.translation.vector_lookup import (
    lookup_by_distance,
    lookup_by_dot_product,
    of_length_one,
    weights_apart,
)
from core.models.word_vectors.word_vectors import UnknownWordError, WordVectors
from core.text.reading.decoding import TextError
from core.text.reading.entries import parse_number, read_entries
from core.words.numbers import plain_number, signed
from core.words.plain import plain
from pages.translation.dot_product_lookup import LESSON
from pages.translation.dot_product_lookup.figures import (
    bar_panel,
    draw_agreement,
    draw_product,
    lookup_bars,
    worked_vector_lookup,
)
from pages.translation.shared.score_rows import UNKNOWN, draw_rows

WORDS = LESSON.words
LEGS = "dog: 4, cat: 4, horse: 4, cow: 4, bird: 2, duck: 2, spider: 8, ant: 6, snake: 0, fish: 0, man: 2, woman: 2"
CAPITALS = "spain: madrid, italy: rome, france: paris, germany: berlin, japan: tokyo, china: beijing, england: london"
SENTENCE = "The king saw the queen in her house ."
EXAMPLES = (LEGS, CAPITALS, SENTENCE)
WOLF, B, B_TRAINED = "wolf", 0.3, 1.0  # the story's query, and bandwidths: of length 1, and as trained
SHOWN, MOST_SHOWN = 6, 8  # keys in a picture that has room for no more
BY_LENGTH = ("fish", "woman", "horse", "dog", "cat", "ant")
ASKED = ("wolf", "tiger", "goose", "beetle", "chicken")
LAYER, HEAD, QUEEN = 1, 0, 4  # of the model that looks both ways, from 0
NEAREST = 4  # words named beside a result that is a vector
QUERY, ENTRIES = Text("query", WOLF, 60), Text("entries", LEGS, 2000)
BANDWIDTH, RAW = Slider("bandwidth", B, 0.05, 5.0, 0.01), Switch("raw")
LAB = (QUERY, ENTRIES, BANDWIDTH, RAW)


@dataclass(frozen=True)
class WordEntries:
    """What is looked up: `query` (d,) among `keys` (N, d) with `values`, (N,) numbers or (N, d) vectors of words.

    `words` and `named` are keys and values as written; `asked` is the query's word.
    """

    asked: str
    words: list[str]
    named: list[str]
    query: np.ndarray
    keys: np.ndarray
    values: np.ndarray

    @property
    def numbers(self) -> bool:
        """Whether the values are numbers."""
        return self.values.ndim == 1

    def look_up(self, b: float) -> tuple[Lookup, Lookup]:
        """Return the look-ups by distance and by dot product."""
        asked = self.query, self.keys, self.values, b
        return lookup_by_distance(*asked), lookup_by_dot_product(*asked)


def vector_of(vectors: WordVectors, word: str) -> np.ndarray:
    """Return a word's vector in double precision; of length one to the last bit if the set is normalised."""
    vector = vectors[word].astype(float)
    return of_length_one(vector) if abs(np.linalg.norm(vector) - 1) < 1e-5 else vector


def entries_of(asked: str, known: list[tuple[str, str]], vectors: WordVectors) -> WordEntries:
    """Return a query and a dictionary's entries as vectors. Raises UnknownWordError."""
    words, named = (list(side) for side in zip(*known, strict=True))
    keys = np.array([vector_of(vectors, word) for word in words])
    return WordEntries(asked, words, named, vector_of(vectors, asked), keys, values_of(named, vectors))


# The story: how many legs has a wolf?


@cache
def legs(asked: str, raw: bool = False) -> WordEntries:
    """Return the story's dictionary and a query, as trained or with vectors of length 1."""
    vectors = shared_vectors("glove") if raw else shared_units("glove")
    return entries_of(asked, read_entries(LEGS), vectors)


def heaviest(found: Lookup, most: int = SHOWN) -> list[int]:
    """Return the places of the keys with the largest weights."""
    return np.argsort(-found.weights, kind="stable")[:most].tolist()


def numbers(values: np.ndarray) -> list[str]:
    """Return numbers as they stand at bars."""
    return [f"{value:.2f}" for value in values]


def shares(values: np.ndarray, digits: int = 0) -> list[str]:
    """Return shares as they stand at bars."""
    return [f"{value:.{digits}%}" for value in values]


def ask_legs(settings: Settings) -> Part:
    """Twelve animals and their legs, the weights still to come; the answer is the weighted mean."""
    entries = legs(WOLF)
    _, dot = entries.look_up(B)
    order = heaviest(dot, len(entries.words))
    result = f"{float(dot.result):.2f}" if settings.revealed else UNKNOWN
    labels = [WORDS.label("panel.result", word=WOLF, n=result)]
    labels += [WORDS.label(name) for name in ("heading.legs", "heading.weight")]
    names, count = [entries.words[i] for i in order], entries.values[order]
    data = draw_rows(names, count, dot.weights[order], (0, 8), labels, 0, not settings.revealed)
    values = {"legs": float(dot.result), "keys": len(order), "dog": dot.weights[order[0]], "first": names[0]}
    values["without"] = [name for name, n in zip(names, count, strict=True) if not n]
    return Part("score_weights", data, values, {}, ("none", "four", "between"), "between")


def show_distance(settings: Settings) -> Part:
    """The distances from the query to the nearest keys, and the weights that they make."""
    entries = legs(WOLF)
    near, _ = entries.look_up(B)
    order = heaviest(near)
    names, best = [entries.words[i] for i in order], order[0]
    away = np.linalg.norm(entries.query - entries.keys, axis=1)
    weights = near.weights[order]
    panels = [
        bar_panel(
            WORDS.label("panel.away", word=WOLF), names, away[order], numbers(away[order]), (0, 1.2), "ochre"
        ),
        bar_panel(WORDS.label("panel.by.near"), names, weights, shares(weights), (0, 0.3), "blue", names[:1]),
    ]
    values = {"key": names[0], "weight": near.weights[best], "away": away[best], "score": near.scores[best]}
    values |= {"shown": SHOWN, "d": entries.query.size}
    return Part("layer_bars", join_panels(*panels), values)


def ask_dot(settings: Settings) -> Part:
    """The scores by dot product, the weights still to come; the answer is that they are the same."""
    entries = legs(WOLF)
    near, dot = entries.look_up(B)
    order = heaviest(dot)
    labels = [WORDS.label(name) for name in ("panel.dot", "heading.dot", "heading.weight")]
    names, best = [entries.words[i] for i in order], order[0]
    found = dot.scores[order], dot.weights[order]
    data = draw_rows(names, *found, (0, 9), labels, 2, not settings.revealed, near.weights[order])
    values = {
        "key": entries.words[best],
        "product": float(entries.keys[best] @ entries.query),
        "score": dot.scores[best],
        "weight": dot.weights[best],
        "apart": plain_number(float(np.abs(near.weights - dot.weights).max()), 1),
    }
    return Part("score_weights", data, values, {}, ("sharper", "same", "flatter"), "same")


def show_why(settings: Settings) -> Part:
    """The three parts of the squared distance, of which one differs from key to key."""
    entries = legs(WOLF)
    order = heaviest(entries.look_up(B)[1])
    names = [entries.words[i] for i in order]
    keys = entries.keys[order]
    parts = {
        "query": np.full(SHOWN, entries.query @ entries.query),
        "product": 2 * keys @ entries.query,
        "key": (keys**2).sum(1),
    }
    panels = []
    for name, part in parts.items():
        differs = name == "product"
        looks = ("vermillion", names) if differs else ("grey", ())
        panels.append(
            bar_panel(WORDS.label(f"panel.part.{name}"), names, part, numbers(part), (0, 1.8), *looks)
        )
    return Part("layer_bars", join_panels(*panels, sum_=WORDS.label("sum.square")), {"shown": SHOWN})


def show_product(settings: Settings) -> Part:
    """All scores of five queries at once, and the legs that each query gets."""
    found = [legs(query) for query in ASKED]
    scores = found[0].keys @ np.array([each.query for each in found]).T  # keys, queries
    results = {each.asked: float(each.look_up(B)[1].result) for each in found}
    texts = [WORDS.label("column.legs", n=f"{n:.1f}") for n in results.values()]
    figure = draw_product(scores, found[0].words, ASKED, texts)
    near = heaviest(found[-1].look_up(B)[1])[0]
    values = {"legs": results, "scores": scores.size, "keys": len(scores), "queries": len(ASKED)}
    values |= {"d": found[0].query.size, "odd": ASKED[-1], "near": found[0].words[near]}
    return Part("figure", {"figure": figure.to_dict()}, values)


def ask_lengths(settings: Settings) -> Part:
    """Keys as long as they were trained; the answer draws both weights."""
    entries = legs(WOLF, True)
    near, dot = entries.look_up(B_TRAINED)
    at = [entries.words.index(word) for word in BY_LENGTH]
    lengths = np.linalg.norm(entries.keys, axis=1)
    longest = int(lengths.argmax())
    name = entries.words[longest]
    texts = numbers(lengths[at])
    panels = [bar_panel(WORDS.label("panel.length"), BY_LENGTH, lengths[at], texts, (0, 7), "ochre", (name,))]
    if settings.revealed:
        for label, found, hue in (("panel.by.near", near, "blue"), ("panel.by.dot", dot, "vermillion")):
            weights = found.weights[at]
            texts = shares(weights, 1)
            panels.append(bar_panel(WORDS.label(label), BY_LENGTH, weights, texts, (0, 0.6), hue, (name,)))
    values = {
        "key": name,
        "length": lengths[longest],
        "shortest": lengths.min(),
        "weights": [near.weights[longest], dot.weights[longest]],
        "legs": [float(near.result), float(dot.result)],
        "b": B_TRAINED,
    }
    return Part("layer_bars", join_panels(*panels), values, {"raw": True}, ("near", "same", "dot"), "dot")


@cache
def read_sentence() -> tuple[AttentiveModel, tuple[str, ...], torch.Tensor]:
    """Return the model that looks both ways, and the tokens and ids of the story's sentence."""
    model = attentive_model(BOTH)
    read = model.read(SENTENCE, 20)
    return model, tuple(name.strip() or label_token(name) for name in read.tokens), read.ids


@cache
def head_weights(layer: int, head: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a trained head's key lengths (T,), its weights (T, T), and what they were by distance."""
    model, _, ids = read_sentence()
    trace = grow(model.network, ids, layer, head).steps[-1].trace
    query, key = trace.query.double().numpy(), trace.key.double().numpy()
    b = query.shape[1] ** 0.25  # b² is the root of d
    near = [lookup_by_distance(each, key, np.zeros(len(key)), b).weights for each in query]
    return np.linalg.norm(key, axis=1), trace.weights.double().numpy(), np.array(near)


def show_head(settings: Settings) -> Part:
    """A trained head's keys: their lengths, the weights by distance, and those that the head has."""
    model, tokens, _ = read_sentence()
    lengths, weights, near = head_weights(LAYER, HEAD)
    strong = [tokens[each[QUEEN].argmax()] for each in (near, weights)]
    labels = [
        WORDS.label(name, word=tokens[QUEEN]) for name in ("panel.head", "heading.length", "heading.head")
    ]
    data = draw_rows(tokens, lengths, weights[QUEEN], (0, 8), labels, 1, False, near[QUEEN])
    config = model.network.config
    pairs = [(layer, head) for layer in range(config.layers) for head in range(config.heads)]
    choices = [(w.argmax(1), n.argmax(1)) for _, w, n in (head_weights(*pair) for pair in pairs)]
    values = {
        "query": tokens[QUEEN],
        "near": strong[0],
        "head": strong[1],
        "shares": [near[QUEEN].max(), weights[QUEEN].max()],
        "lengths": [lengths.min(), lengths.max()],
        "apart": sum(int((one != other).sum()) for one, other in choices),
        "all": len(pairs) * len(tokens),
        "layer": LAYER + 1,
        "number": HEAD + 1,
    }
    return Part("score_weights", data, values)


OWN, OWN_WIDTH = Text("query", "tiger", 60), Slider("bandwidth", B, 0.1, 1.0, 0.05)


def show_own(settings: Settings) -> Part:
    """The learner's own query and bandwidth; a word without a vector leaves the wolf."""
    typed = " ".join(settings.query.split()).lower()
    known = typed in shared_vectors("glove")
    entries = legs(typed) if known else legs(OWN.default)
    _, dot = entries.look_up(settings.bandwidth)
    order = heaviest(dot, MOST_SHOWN)
    names, count, weights = [entries.words[i] for i in order], entries.values[order], dot.weights[order]
    title = WORDS.label("panel.weight", word=entries.asked)
    panels = [
        bar_panel(WORDS.label("panel.legs"), names, count, [f"{n:g}" for n in count], (0, 8), "ochre"),
        bar_panel(title, names, weights, shares(weights), (0, max(0.3, weights[0])), "blue", names[:1]),
    ]
    total = WORDS.label("panel.result", word=entries.asked, n=f"{float(dot.result):.2f}")
    values = {"typed": typed, "known": known, "word": entries.asked, "legs": float(dot.result)}
    values |= {
        "key": entries.words[order[0]],
        "weight": dot.weights[order[0]],
        "equal": 1 / len(entries.words),
    }
    values["entry"] = entries.asked in entries.words
    return Part("layer_bars", join_panels(*panels, sum_=total), values)


def show_answer(settings: Settings) -> Part:
    """Weights by dot product against weights by distance, for keys of one length and as trained."""
    equal, trained = legs(WOLF).look_up(B), legs(WOLF, True).look_up(B_TRAINED)
    words = legs(WOLF).words
    figure = draw_agreement(equal, trained, words, ("dog", "cat", "fish"))
    values = {"keys": len(words), "apart": float(np.abs(trained[0].weights - trained[1].weights).max())}
    return Part("figure", {"figure": figure.to_dict()}, values, {"raw": True})


STORY = (
    ask("legs", ask_legs),
    look("distance", show_distance),
    ask("dot", ask_dot),
    look("why", show_why),
    look("product", show_product),
    do("own", show_own, OWN, OWN_WIDTH),
    ask("lengths", ask_lengths, bandwidth=B_TRAINED),
    look("head", show_head),
    end("answer", show_answer, bandwidth=B_TRAINED),
)


# The lab: any query and entries.


def lab() -> None:
    """A look-up among words by distance and by dot product; when the two are one; that it is attention."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        name, vectors = choose_vectors(LESSON)
        asked = LESSON.draw(QUERY).strip()
        b = LESSON.draw(BANDWIDTH)
        raw = LESSON.draw(RAW)
        with LESSON.options():
            typed = LESSON.text_area(
                ENTRIES.name,
                WORDS.label("entries"),
                LEGS,
                max_chars=ENTRIES.longest,
                height=140,
                help=WORDS.label("entries.help"),
            )
        entries = read_typed(asked, typed, vectors if raw else scale_to_unit_length(name, vectors), notes)
    revealed = False
    with stage:
        if entries is None:
            st.info(WORDS.label("waits"))
        else:
            near, dot = entries.look_up(b)
            top = [entries.words[i] for i in np.argsort(-dot.weights, kind="stable")]
            question = WORDS.label("question", asked=entries.asked)
            about = f"{entries.asked}_{entries.words}_{name}_{raw}"
            if revealed := LESSON.ask(question, sorted(set(top[:5])), top[0], about):
                said = who_answers(entries, near, dot)
                figure = lookup_bars(entries.words, entries.named, near, dot)
                LESSON.figure("bars", figure, WORDS.label("alt.bars", **said, n=len(entries.words)))
                LESSON.say("says.found", said)
                show_results(entries, vectors, {"near": near, "dot": dot})
            written = {"there": entries.asked in entries.words, "n": len(entries.words)}
            st.markdown(WORDS.markdown("says.written", **written))
    if revealed:
        compare_ways(entries, b, raw)
        if box := LESSON.fold("attention"):
            with box:
                st.markdown(WORDS.markdown("fold.attention"))
        LESSON.every_number("look-ups", lookup_table, entries, b, near, dot)
    words = {"query": entries.asked, "entries": typed} if entries else {}
    LESSON.close_lab(
        code=[lookup_by_distance, lookup_by_dot_product, attend, softmax, of_length_one, weights_apart],
        parameters={"vectors": name, "raw": raw, "bandwidth": b, **words},
        prompts={
            "capitals": {"entries": CAPITALS, "query": "portugal", "raw": False, "bandwidth": 0.3},
            "narrow": {"entries": LEGS, "query": WOLF, "raw": False, "bandwidth": 0.1},
            "raw": {"entries": LEGS, "query": WOLF, "raw": True, "bandwidth": 1.0},
        },
        credits=credits(name),
    )


def read_typed(asked: str, typed: str, vectors: WordVectors, notes: DeltaGenerator) -> WordEntries | None:
    """Return the question, or None, and a sentence, while it cannot be read."""
    try:
        entries = read_entries(typed)
        known = [(key, value) for key, value in entries if key in vectors]
        unknown = [key for key, _ in entries if key not in vectors]
        if unknown:
            notes.text(WORDS.label("note.unknown", words=", ".join(unknown)[:200]))
        if not known:
            raise TextError(WORDS.label("note.none"))
        return entries_of(asked, known, vectors)
    except (TextError, UnknownWordError) as error:
        notes.warning(plain(str(error)))
        return None


def values_of(named: list[str], vectors: WordVectors) -> np.ndarray:
    """Return the values as numbers if all are; else the vectors of the words that they are."""
    try:
        return np.array([parse_number(value) for value in named])
    except TextError:
        return np.array([vector_of(vectors, value) for value in named])


def show_results(entries: WordEntries, vectors: WordVectors, found: dict[str, Lookup]) -> None:
    """Show the result of each look-up: a number, or the words whose vectors are nearest to the mean vector."""
    for column, (name, lookup) in zip(st.columns(len(found)), found.items(), strict=True):
        if entries.numbers:
            column.metric(WORDS.label(f"metric.result.{name}"), signed(float(lookup.result), 4))
            continue
        near = vectors.neighbours(lookup.result, NEAREST)
        column.metric(WORDS.label(f"metric.word.{name}"), near[0].word)
        column.text(", ".join(f"{each.word} {signed(each.similarity, 4)}" for each in near))


def who_answers(entries: WordEntries, near: Lookup, dot: Lookup) -> dict[str, object]:
    """Return which key answers most by each look-up, with what share."""
    i, j = int(near.weights.argmax()), int(dot.weights.argmax())
    return {
        "asked": entries.asked,
        "near": entries.words[i],
        "dot": entries.words[j],
        "shares": [near.weights[i], dot.weights[j]],
    }


def compare_ways(entries: WordEntries, b: float, raw: bool) -> None:
    """Show how far the two look-ups' weights are apart, with keys of length 1 and as long as they are."""
    equal = weights_apart(of_length_one(entries.query), of_length_one(entries.keys), entries.values, b)
    if not raw:
        st.markdown(WORDS.markdown("says.equal", apart=plain_number(equal, 2) if equal else ""))
        return
    near, dot = entries.look_up(b)
    lengths = np.linalg.norm(entries.keys, axis=1)
    longest = int(lengths.argmax())
    values = {
        "short": lengths.min(),
        "long": lengths.max(),
        "loud": entries.words[longest],
        "weights": [dot.weights[longest], near.weights[longest]],
    }
    st.markdown(WORDS.markdown("says.lengths", **values, **who_answers(entries, near, dot)))
    apart = weights_apart(entries.query, entries.keys, entries.values, b)
    LESSON.compare("apart", equal, apart, ".4f", more_is_better=False)


def lookup_table(
    entries: WordEntries, bandwidth: float, near: Lookup, dot: Lookup
) -> tuple[pd.DataFrame, Formula]:
    """Return a row for each key: its length, product and distance with the query, and both weights."""
    q, K = entries.query, entries.keys
    table = {
        "key": entries.words,
        "value": entries.named,
        "length": np.linalg.norm(K, axis=1),
        "square": ((q - K) ** 2).sum(1),
        "near_score": near.scores,
        "near": near.weights,
        "product": K @ q,
        "dot_score": dot.scores,
        "dot": dot.weights,
    }
    if entries.numbers:
        table["share"] = dot.weights * entries.values
    ids = {WORDS.label(f"column.{name}"): name for name in table}

    def formula(row: int, column: str) -> str | None:
        asked = q, K, entries.values, entries.asked, entries.words, bandwidth
        return worked_vector_lookup(*asked, near, dot, row, ids.get(column, ""))

    return pd.DataFrame(table).set_axis(list(ids), axis=1), formula
