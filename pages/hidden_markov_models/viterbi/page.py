"""The Viterbi algorithm: what its story shows beat by beat, and its lab on any sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.hidden_markov_models.formulas import write_trellis_cell
from core.lesson.cached import cached, no_typed_words
from core.lesson.every_number import Formula
from core.lesson.settings import Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.hidden_markov_models.decoding import DecodedSentence, decode, underflow
from core.models.hidden_markov_models.forward_backward import tag_posteriors
from core.models.hidden_markov_models.viterbi import Lattice, fill_lattice, trace_back, viterbi
from core.text.samples.corpus_words import corpus_words
from core.words.numbers import RAISED
from pages.hidden_markov_models.shared.given_tables import given_tables
from pages.hidden_markov_models.shared.hmm_choice import (
    MODEL,
    WINDOW,
    choose_sentence,
    decoded_by,
    model_of,
    no_such_path,
    shared_model,
)
from pages.hidden_markov_models.shared.hmm_take_away import list_sources, model_parameters
from pages.hidden_markov_models.shared.trellis import (
    draw_trellis,
    format_probability,
    path_edges,
    pointer_edges,
)
from pages.hidden_markov_models.shared.unseen_words import unseen_words
from pages.hidden_markov_models.viterbi import LESSON
from pages.hidden_markov_models.viterbi.figures import draw_underflow, lattice_payload, window_starts

WORDS = LESSON.words
EXAMPLES = ("they can fish", "The blorfy wugs glimped quietly in Zanderdam .")
REPEATED_AT_MOST = 40
LONG = 400  # words after which products of 32 bits have underflowed, if they ever do
UNKNOWN = "?"  # a score that is still to come
DAYS_AT_MOST = 12  # of a diary typed in the story
DIARY = Text("diary_sentence", "3 1 3 2 1", 200)
REPEAT = Slider("repeat", 1, 1, REPEATED_AT_MOST)
MULTIPLY = Switch("multiply")
LOGARITHMS = Switch("logarithms")
LAB = (MODEL, DIARY, Text("toy_sentence"), Text("tagger_sentence"), REPEAT, MULTIPLY)


# The story: what each beat shows.


def show_paths(settings: Settings) -> Part:
    """Every path through the trellis, and the best one."""
    decoded = read_diary(settings)
    path = decoded.viterbi.path
    best = dict.fromkeys(enumerate(path), "best")
    return Part("trellis", draw_trellis(decoded, best, path_edges(path), faint=True), describe_path(decoded))


def show_one_path(settings: Settings) -> Part:
    """One path with its four factors, and their product."""
    decoded = read_diary(settings)
    path = [decoded.model.states.index(state) for state in settings.path]
    factors = path_factors(decoded, path)
    value = math.prod(factors)
    kinds = dict.fromkeys(enumerate(path), "now")
    shown = [format_probability(each) for each in factors]
    total = f"{' × '.join(shown)} = {format_probability(value)}"
    edges = [(t, path[t - 1], path[t], "kept", shown[2 * t]) for t in range(1, len(path))]
    data = draw_trellis(decoded, kinds, edges, total=total, faint=True)
    data["start"] = [shown[0] if j == path[0] else "" for j in range(len(decoded.model.states))]
    for t, j in enumerate(path):
        data["nodes"][t][j]["text"] = shown[2 * t + 1]
    return Part("trellis", data, {"product": format_probability(value)})


def show_first_day(settings: Settings) -> Part:
    """The first column's scores; the answer is the best path."""
    decoded = read_diary(settings)
    scores, states, path = decoded.viterbi.scores, decoded.model.states, decoded.viterbi.path
    first = int(scores[0].argmax())
    values = {
        "ahead": states[first],
        "first": [format_probability(p) for p in np.exp(scores[0])],
        "last": format_probability(math.exp(decoded.viterbi.log_probability)),
        "alone": float(first_day_posterior(decoded)[first]),
        **describe_path(decoded),
    }
    if settings.revealed:
        kinds = dict.fromkeys(enumerate(path), "best")
        edges = [*pointer_edges(decoded.viterbi), *path_edges(path)]
        part = draw_trellis(decoded, kinds, edges, len(scores))
    else:
        initial, emission = decoded.model.log_initial, decoded.emissions.log_emission[0]
        factors = [(math.exp(initial[j]), math.exp(emission[j])) for j in range(len(states))]
        products = [
            f"{state}: {format_probability(start)} × {format_probability(emitted)} = {value}"
            for state, (start, emitted), value in zip(states, factors, values["first"], strict=True)
        ]
        part = draw_trellis(decoded, {(0, first): "now"}, scores_until=1, total="\n".join(products))
        for node in part["nodes"][-1]:
            node["text"] = UNKNOWN
    return Part("trellis", part, values, choices=states, answer=states[path[0]])


def show_candidates(settings: Settings) -> Part:
    """All ways into one cell, with their scores: the best is kept, the others are dropped."""
    decoded = read_diary(settings)
    lattice, states = decoded.viterbi, decoded.model.states
    t, j = 1, states.index(settings.state)
    ways = [format_probability(p) for p in np.exp(lattice.candidates[t, :, j])]
    kept = int(lattice.backpointers[t, j])
    edges = [(t, i, j, "kept" if i == kept else "dropped", way) for i, way in enumerate(ways)]
    before, after = np.exp(lattice.scores[0]), np.exp(decoded.model.log_transition[:, j])
    emitted = format_probability(math.exp(decoded.emissions.log_emission[t, j]))
    products = [
        f"{format_probability(before[i])} × {format_probability(after[i])} × {emitted} = {way}"
        for i, way in enumerate(ways)
    ]
    total = "\n".join(
        WORDS.label("way.from", state=state, product=product)
        for state, product in zip(states, products, strict=True)
    )
    data = draw_trellis(decoded, {(t, j): "now"}, edges, 1, total)
    data["nodes"][t][j]["text"] = ways[kept]
    return Part("trellis", data, {"ways": ways, "kept": states[kept], "into": states[j], "states": states})


def show_pointers(settings: Settings) -> Part:
    """Every cell filled, with the one pointer that it kept, and the best path followed back."""
    decoded = read_diary(settings)
    path = decoded.viterbi.path
    edges = [*pointer_edges(decoded.viterbi), *path_edges(path)]
    best = dict.fromkeys(enumerate(path), "best")
    data = draw_trellis(decoded, best, edges, len(path)) | {"pointers": True}
    return Part("trellis", data, {**describe_path(decoded), **describe_last(decoded)})


def show_ways(settings: Settings) -> Part:
    """Every path faintly, the one way that each cell keeps, and the best path."""
    decoded = read_diary(settings)
    path = decoded.viterbi.path
    best = dict.fromkeys(enumerate(path), "best")
    edges = [*pointer_edges(decoded.viterbi), *path_edges(path)]
    data = draw_trellis(decoded, best, edges, faint=True) | {"pointers": True}
    return Part("trellis", data, describe_path(decoded))


def show_tags(settings: Settings) -> Part:
    """The same algorithm with twelve parts of speech as states."""
    decoded = decode_shared("tagger", tuple(corpus_words(settings.sentence)))
    path, words = decoded.viterbi.path, decoded.emissions.words
    alone = decoded.emissions.log_emission.argmax(axis=1)
    changed = [t for t in range(len(path)) if alone[t] != path[t]]
    best = dict.fromkeys(enumerate(path), "best")
    data = draw_trellis(decoded, best, path_edges(path), faint=True)
    values = describe_path(decoded) | {
        "word": words[changed[0]],
        "alone": decoded.model.states[alone[changed[0]]],
        "tag": decoded.model.states[path[changed[0]]],
    }
    return Part("trellis", data, values, {"model": "tagger", "tagger_sentence": settings.sentence})


def show_underflow(settings: Settings) -> Part:
    """The best score of every day of a long diary, by products in 32 bits or by sums of logarithms."""
    words = tuple(settings.diary_sentence.split() * settings.repeat)
    decoded = decode_shared("diary", words)
    products = underflow(decoded.model, words, np.float32)
    gone = products.underflow + 1
    names = {
        "logarithms": WORDS.label("line.logarithms"),
        "products": WORDS.label("line.products"),
        "gone": WORDS.label("line.gone", day=gone),
        "x": WORDS.label("axis.day"),
        "y": WORDS.label("axis.score"),
    }
    figure = draw_underflow(decoded.viterbi, products, names, settings.logarithms)
    wrong = int(np.sum(np.array(products.path) != np.array(decoded.viterbi.path)))
    values = {"days": len(words), "gone": gone, "wrong": wrong}
    return Part("figure", {"figure": figure.to_dict()}, values, {"multiply": not settings.logarithms})


def show_own_diary(settings: Settings) -> Part:
    """The learner's own diary with its best path, every cell's score and pointer."""
    decoded = read_diary(settings)
    path = decoded.viterbi.path
    best = dict.fromkeys(enumerate(path), "best")
    unknown = [word for word in decoded.emissions.unseen if word not in decoded.model.vocabulary]
    edges = [*pointer_edges(decoded.viterbi), *path_edges(path)]
    data = draw_trellis(decoded, best, edges, len(path)) | {"pointers": True}
    values = describe_path(decoded) | {
        "unknown": unknown,
        "read": len(path),
        "tied": is_tied(decoded.viterbi),
    }
    values["known"] = decoded.model.vocabulary
    values["cut"] = len(corpus_words(settings.diary_sentence)) > DAYS_AT_MOST
    return Part("trellis", data, values)


STORY = (
    look("paths", show_paths, diary_sentence="3 1 3 2 1"),
    look("product", show_one_path, diary_sentence="2 1", path=("hot", "cold")),
    ask("first_day", show_first_day, diary_sentence="2 1"),
    look("keep", show_candidates, diary_sentence="2 1", state="cold"),
    look("pointers", show_pointers, diary_sentence="3 1 3 2 1"),
    look("tags", show_tags, sentence="I saw her duck behind the light green plants ."),
    look("underflow", show_underflow, LOGARITHMS, diary_sentence="3 1 3 2 1", repeat=20),
    do("own", show_own_diary, DIARY, diary_sentence="2 2 3 1 1 2"),
    end("answer", show_ways, diary_sentence="3 3 1 1 2 3 1 1"),
)


def read_diary(settings: Settings) -> DecodedSentence:
    """Return a beat's diary, decoded; of what a learner typed, the first days."""
    words = corpus_words(settings.diary_sentence)[:DAYS_AT_MOST] or DIARY.default.split()
    return decode(shared_model("diary"), words)


def decode_shared(name: str, words: Sequence[str]) -> DecodedSentence:
    """Return a sentence of the story, decoded by a model that everybody shares."""
    return decode(shared_model(name), list(words))


def path_factors(decoded: DecodedSentence, path: Sequence[int]) -> list[float]:
    """Return the factors of a path's probability in order: initial, emission, then transition and emission by day."""
    model, emission = decoded.model, np.exp(decoded.emissions.log_emission)
    factors = [math.exp(model.log_initial[path[0]]), emission[0, path[0]]]
    for t in range(1, len(path)):
        factors += [math.exp(model.log_transition[path[t - 1], path[t]]), emission[t, path[t]]]
    return [float(each) for each in factors]


def describe_path(decoded: DecodedSentence) -> dict:
    """Return what the words may say of a trellis and of its best path."""
    lattice, states = decoded.viterbi, decoded.model.states
    n, K = lattice.scores.shape
    return {
        "n": n,
        "K": K,
        "paths": write_count(n, K),
        "ways": lattice.products,
        "path": list(decoded.tags(lattice.path)),
        "probability": format_probability(math.exp(lattice.log_probability)),
        "share": decoded.posterior,
        "start": states[lattice.path[0]],
    }


def describe_last(decoded: DecodedSentence) -> dict:
    """Return the last column's scores, and the state with the largest."""
    last = np.exp(decoded.viterbi.final)
    return {
        "last_state": decoded.model.states[int(last.argmax())],
        "last_score": format_probability(float(last.max())),
    }


def first_day_posterior(decoded: DecodedSentence) -> np.ndarray:
    """Return p(state of the first word | all words), (K,), by the forward-backward algorithm."""
    model, emitted = decoded.model, decoded.emissions.log_emission
    return tag_posteriors(model.log_initial, model.log_transition, emitted, model.log_end)[0]


def is_tied(lattice: Lattice) -> bool:
    """Return whether another path is as probable as the best path.

    >>> [is_tied(decode(shared_model("diary"), diary.split()).viterbi) for diary in ("3 2", "2 1")]
    [True, False]
    """
    last = np.isclose(lattice.final, lattice.final.max(), rtol=0, atol=1e-9).sum() > 1
    ways = [lattice.candidates[t, :, lattice.path[t]] for t in range(1, len(lattice.path))]
    return bool(last or any(np.isclose(way, way.max(), rtol=0, atol=1e-9).sum() > 1 for way in ways))


def write_count(n: int, K: int) -> str:
    """Return how many paths lead through a trellis: the number, or about how many where it is long.

    >>> write_count(5, 2), write_count(20, 12)
    ('32', '3.8 · 10²¹')
    """
    power, part = divmod(n * math.log10(K), 1)
    return f"{K**n:,}" if power < 7 else f"{10**part:.1f} · 10{str(int(power)).translate(RAISED)}"


# The lab: any sentence, cell by cell.


def lab() -> None:
    """A sentence's lattice; why it adds logarithms; the words it never saw; every score."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        name = LESSON.draw(MODEL)
        model = model_of(name)
        sentence = choose_sentence(LESSON, name)
        with LESSON.options():
            repeated = LESSON.draw(REPEAT)
            multiply = LESSON.draw(MULTIPLY)
    words = sentence * repeated
    decoded = decoded_by(name, words)
    raw = products(name, words, multiply)
    with stage:
        if possible := not no_such_path(decoded):
            first = first_drawn(raw, multiply)
            truth = decoded.tags(decoded.viterbi.path)[0]
            about = f"{name}_{' '.join(words)[:200]}_{len(words)}"
            if LESSON.ask(WORDS.label("question"), list(model.states), truth, about):
                LESSON.view("lattice", lattice(name, words, first, multiply), on={"first": show_from})
                LESSON.say(*(describe_loss(decoded, raw, repeated) if multiply else describe_share(decoded)))
                LESSON.every_number(WORDS.label("table.scores"), score_table, decoded, first)
    if possible:
        if tables := LESSON.fold("given"):
            with tables:
                given_tables(LESSON, decoded, slice(first, first + WINDOW))
        if why := LESSON.fold("logarithms"):
            with why:
                draw_logarithms(decoded, words)
        if multiply:
            same = np.mean(np.array(raw.path) == np.array(decoded.viterbi.path))
            LESSON.compare("multiply", 1.0, float(same), ".0%")
        if never := LESSON.fold("never_seen"):
            with never:
                unseen_words(LESSON, model, decoded.emissions.unseen)
    LESSON.close_lab(
        code=[viterbi, fill_lattice, trace_back, underflow],
        parameters={**model_parameters(name), "words": list(words)},
        prompts={
            "fish": {"model": "toy", "toy_sentence": EXAMPLES[0]},
            "long": {"model": "tagger", "repeat": 20, "multiply": True},
            "unseen": {
                "model": "tagger",
                "tagger_sentence": EXAMPLES[1],
            },
        },
        credits=list_sources(),
    )


def products(name: str, words: Sequence[str], multiply: bool) -> Lattice:
    """Return the lattice of products, in 32 bits to break it; the learner's own model may be another by now."""
    compute = _products.__wrapped__ if name == "yours" else _products
    return compute(name, tuple(words), multiply)


@cached(100, 10, shared=no_typed_words)
def _products(name: str, words: tuple[str, ...], multiply: bool) -> Lattice:
    return underflow(model_of(name), words, np.float32 if multiply else np.float64)


def lattice(name: str, words: Sequence[str], first: int, multiply: bool) -> dict:
    """Return what the view draws, from word `first` on."""
    compute = _lattice.__wrapped__ if name == "yours" else _lattice
    return compute(name, tuple(words), first, multiply)


@cached(100, 10, shared=no_typed_words)
def _lattice(name: str, words: tuple[str, ...], first: int, multiply: bool) -> dict:
    return lattice_payload(decoded_by(name, words), products(name, words, multiply), first, WINDOW, multiply)


def first_drawn(raw: Lattice, multiply: bool) -> int:
    """Return the place of the first word drawn: of a long sentence only a window is, when broken the one that dies."""
    starts = window_starts(len(raw.scores), WINDOW)
    dies = raw.underflow if multiply and raw.underflow is not None else 0
    linked = LESSON.get_query("first")
    first = int(linked) if linked.isdecimal() else max(start for start in starts if start <= dies)
    return first if first in starts else 0


def describe_share(decoded: DecodedSentence) -> tuple[str, dict]:
    """Return the words on how often the neighbours overrule the state that emits a word most readily; of equals, any."""
    path, emitted = decoded.viterbi.path, decoded.emissions.log_emission
    other = int((emitted[np.arange(len(path)), path] < emitted.max(axis=1)).sum())
    return "says.share", {"share": decoded.posterior, "other": other, "n": len(path)}


def describe_loss(decoded: DecodedSentence, raw: Lattice, repeated: int) -> tuple[str, dict]:
    """Return the words on where the products became 0; where they did not, how long the sentence would have to be."""
    words = decoded.emissions.words
    if raw.underflow is not None:
        same = float(np.mean(np.array(raw.path) == np.array(decoded.viterbi.path)))
        return "says.lost", {"t": raw.underflow + 1, "word": words[raw.underflow], "same": same}
    once = list(words[: len(words) // repeated])
    dead = underflow(decoded.model, once * math.ceil(LONG / len(once)), np.float32).underflow
    reach = REPEATED_AT_MOST * len(once)
    when = "never" if dead is None else "repeat" if dead < reach else "longer"
    smallest = float(raw.scores.max(axis=1).min())
    return "says.kept", {"n": len(words), "smallest": smallest, "when": when, "dead": (dead or 0) + 1}


def show_from(first: int) -> None:
    """Draw the window that the learner turned to in the view."""
    LESSON.set_query("first", first)


def draw_logarithms(decoded: DecodedSentence, words: Sequence[str]) -> None:
    """Draw each word's best score as logarithms keep it and as products of 32 bits lose it."""
    st.markdown(WORDS.markdown("fold.logarithms"))
    products = underflow(decoded.model, words, np.float32)
    gone = products.underflow
    names = {
        "logarithms": WORDS.label("line.logarithms"),
        "products": WORDS.label("line.products"),
        "gone": "" if gone is None else WORDS.label("line.gone", day=gone + 1),
        "x": WORDS.label("axis.word"),
        "y": WORDS.label("axis.score"),
    }
    LESSON.figure("underflow", draw_underflow(decoded.viterbi, products, names), WORDS.label("alt.underflow"))


def score_table(decoded: DecodedSentence, first: int) -> tuple[pd.DataFrame, Formula]:
    """Return the cells of the words that are drawn."""
    words, states, lattice = decoded.emissions.words, decoded.model.states, decoded.viterbi
    names = [
        WORDS.label(f"column.{name}") for name in ("place", "word", "state", "ln", "score", "from", "best")
    ]
    rows = [
        dict(
            zip(
                names,
                (
                    t + 1,
                    words[t],
                    state,
                    float(lattice.scores[t, j]),
                    f"{math.exp(lattice.scores[t, j]):.6g}",
                    states[lattice.backpointers[t, j]] if t else "",
                    lattice.path[t] == j,
                ),
                strict=True,
            )
        )
        for t in range(first, min(first + WINDOW, len(words)))
        for j, state in enumerate(states)
    ]

    def formula(row: int, column: str) -> str | None:
        t, j = divmod(row, len(states))
        return write_trellis_cell(decoded, first + t, j, column == names[4]) if column in names[3:5] else None

    return pd.DataFrame(rows), formula
