"""The duel: greedy search, beam search and Viterbi on one lattice; what each finds and what each costs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import card
from core.figures.figure import Figure
from core.figures.hidden_markov_models.curves import share_lost_figure
from core.figures.hidden_markov_models.paths import paths_figure
from core.figures.worked import percent, plain_number
from core.lesson.break_it import consequence
from core.lesson.lesson import Lesson
from core.lesson.text_source import is_own, text_source
from core.models.hidden_markov_models.decoding import Decoded, decode, find_disagreement
from core.models.hidden_markov_models.hmm import HiddenMarkovModel
from core.models.hidden_markov_models.hmm_tables import noun_verb_toy
from core.models.hidden_markov_models.search_loss import NEGLIGIBLE, shares_missed
from core.models.hidden_markov_models.searches import Search, beam, greedy
from core.models.hidden_markov_models.speaking import sampled_sentences
from core.models.hidden_markov_models.viterbi import Lattice, viterbi
from core.models.hidden_markov_models.what_if import without_neighbours
from core.text.reading.documents import Document
from core.text.samples.corpus_words import corpus_words
from core.text.tokenization.tokens import sentences
from pages.hidden_markov_models.shared.given_tables import given_tables
from pages.hidden_markov_models.shared.hmm_choice import (
    choose_model,
    choose_sentence,
    model_of,
    no_such_path,
    set_sentence,
    shared_model,
)
from pages.hidden_markov_models.shared.hmm_paths import show_paths
from pages.hidden_markov_models.shared.hmm_take_away import SOURCES, model_cell
from pages.hidden_markov_models.shared.path_factors import path_factors

LESSON = Lesson(
    __name__,
    title="The decoding duel",
    question="Why can greedy and beam search miss the best path?",
    icon="swords",
)
MODEL_WORDS, OWN_TEXT = "the model's words", "your text"
WORDS_AT_MOST = 25  # a found sentence should fit the picture
VERDICTS = {(1, 1): "both", (1, 0): "only the beam", (0, 1): "only greedy", (0, 0): "neither"}


def picture() -> Figure:
    """Viterbi's path and the greedy one on the same sentence."""
    words = "they watch can fish".split()
    decoded = decode(noun_verb_toy(), words, width=1)
    paths = {"Viterbi": decoded.viterbi.path, "greedy": decoded.greedy.path}
    return card(paths_figure(words, decoded.model.states, paths))


def page() -> None:
    """Three paths through one lattice and what each costs; how wide a beam must be; every factor of each path."""
    LESSON.open(
        r"\text{Viterbi: } K + (n-1)K^2 \text{ products} \qquad \text{beam: } K + (n-1)\,w K \qquad "
        r"\text{greedy: } K + (n-1)K",
        "$n$: words, $K$: states, $w$: the beam's width, how many states it keeps at each word. Greedy keeps one.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        name = choose_model(LESSON, "toy")
        whole = model_of(name)
        words = choose_sentence(LESSON, name)
        width = LESSON.slider("width", "Beam width", 1, len(whole.states), 2)
        broken = LESSON.break_it(
            "even",
            "Break it: every transition equally likely",
            "With no neighbours to look at, there is nothing for a greedy search to miss.",
        )
        with LESSON.more():
            find_button(name, width, document)
    model = without_neighbours(whole) if broken else whole
    decoded = decode(model, words, width)
    searches = {"Viterbi": decoded.viterbi, f"beam of {width}": decoded.beam, "greedy": decoded.greedy}
    best = decoded.viterbi.log_probability
    found = {label: search.log_probability > best - NEGLIGIBLE for label, search in searches.items()}
    revealed = False
    tell_searches(decoded)
    with stage:
        if not no_such_path(decoded):
            revealed = LESSON.ask(
                "Which of the two cheaper searches finds a path as probable as Viterbi's?",
                list(VERDICTS.values()),
                VERDICTS[found[f"beam of {width}"], found["greedy"]],
                f"{name}_{' '.join(words)[:200]}_{width}_{broken}",
            )
            shown = slice(0, len(words))
            if revealed:
                ends = (
                    f"{label} {'finds' if right else 'misses'} the best" for label, right in found.items()
                )
                shown = show_paths(
                    LESSON,
                    decoded,
                    {label: search.path for label, search in searches.items()},
                    f"Three paths through one lattice: {', '.join(ends)}",
                    decoded.beam.kept,
                )
                LESSON.caption(where_greedy_errs(decoded))
                if decoded.emissions.unknown.any():
                    st.caption(
                        "* never seen in training: the word's ending, or nothing, decides its emissions."
                    )
                search_costs(decoded, searches)
            given_tables(LESSON, decoded, shown, logarithms=False)
    if revealed:
        st.header("How wide is wide enough?", anchor=False)
        shares = missed_by_width(name, whole, broken)
        drawn_from = "the model with equal transitions" if broken else "this model"
        st.markdown(
            f"One hundred sentences of ten words, drawn from {drawn_from}: on how many does a beam miss the best "
            "path?"
        )
        LESSON.figure(
            "shares",
            share_lost_figure(range(1, len(shares) + 1), shares, width),
            f"A beam of {width} misses the best path on {shares[width - 1]:.0%} of sentences, greedy on {shares[0]:.0%}",
        )
        LESSON.set_values(beam_misses=f"{shares[width - 1]:.0%}", greedy_misses=f"{shares[0]:.0%}")
        if broken:
            before = missed_by_width(name, whole, False)
            consequence(
                "Sentences greedy gets wrong", float(before[0]), float(shares[0]), ".0%", more_is_better=False
            )
        path_factors(LESSON, words, {label: (model, search.path) for label, search in searches.items()})
    LESSON.closing(
        code=[greedy, beam, viterbi, shares_missed],
        notebook=[
            model_cell(name),
            "from core.models.hidden_markov_models.decoding import decode\n\n"
            f"decoded = decode(model, {words!r}, width={width})\n"
            "[(s.path, s.log_probability, s.products) for s in (decoded.viterbi, decoded.beam, decoded.greedy)]",
        ],
        plot=(
            "from core.figures.hidden_markov_models.paths import paths_figure\n\n"
            'paths = {"Viterbi": decoded.viterbi.path, "greedy": decoded.greedy.path}\n'
            "draw(paths_figure(decoded.emissions.words, model.states, paths))"
        ),
        try_this=[
            (
                "A shortest diary on which greedy is wrong: 2, then 1",
                {"model": "diary", "diary_sentence": "2 1", "width": 1},
            ),
            (
                "A garden path: greedy takes “arrest” for a noun. Which word should have made it turn back?",
                {
                    "model": "tagger",
                    "tagger_sentence": "Until the police arrest the drug dealers control the street .",
                    "width": 1,
                },
            ),
            ("Take the neighbours away: who is still wrong?", {"even": True}),
        ],
        sources=SOURCES,
    )


def where_greedy_errs(decoded: Decoded) -> str:
    """Say where greedy leaves the best path and what that costs, or that it does not."""
    n, words, states = len(decoded.emissions.words), decoded.emissions.words, decoded.model.states
    lost = decoded.viterbi.log_probability - decoded.greedy.log_probability
    if lost <= NEGLIGIBLE:
        if n == 1:
            return "Greedy finds a best path through this one word too: its choice was the right one."
        return (
            f"Greedy finds a best path through these {n} words too: each time its choice was the right one."
        )
    pairs = zip(decoded.viterbi.path, decoded.greedy.path, strict=True)
    t, (best, chosen) = next((t, pair) for t, pair in enumerate(pairs) if pair[0] != pair[1])
    how = "possible, and greedy's is not"
    if math.isfinite(lost):
        how = f"in the end {math.exp(lost):.3g} times as probable"
    return (
        f"Greedy calls “{words[t]}” {states[chosen]}, the best choice up to there; the best path, through {states[best]}, "
        f"is {how}."
    )


def tell_searches(decoded: Decoded) -> None:
    """Keep for the tour what each search found and what it cost."""
    best, beam, greedy = decoded.viterbi, decoded.beam, decoded.greedy
    n, K = best.scores.shape
    LESSON.set_values(
        n=n,
        K=K,
        width=beam.width,
        products=f"{best.products:,}",
        beam_products=f"{beam.products:,}",
        greedy_products=f"{greedy.products:,}",
        best_p=plain_number(math.exp(best.log_probability), 4),
        greedy_p=plain_number(math.exp(greedy.log_probability), 4),
        best_path=" → ".join(decoded.tags(best.path)),
        greedy_path=" → ".join(decoded.tags(greedy.path)),
        share=percent(math.exp(greedy.log_probability - best.log_probability)),
    )


def search_costs(decoded: Decoded, searches: Mapping[str, Lattice | Search]) -> None:
    """Show for each search its path, the path's probability, nodes kept and products computed."""
    n, K = decoded.viterbi.scores.shape
    best, width = decoded.viterbi.log_probability, decoded.beam.width
    table = pd.DataFrame(
        {
            "search": list(searches),
            "ln p": [search.log_probability for search in searches.values()],
            "p(path, words)": [
                plain_number(math.exp(search.log_probability), 4) for search in searches.values()
            ],
            "share of the best": [math.exp(search.log_probability - best) for search in searches.values()],
            "nodes kept": [n * K, decoded.beam.nodes, decoded.greedy.nodes],
            "products": [search.products for search in searches.values()],
            "counted as": [f"{K} + {n - 1} · {kept} · {K}" for kept in (K, width, 1)],
            "path": [" ".join(decoded.tags(search.path)) for search in searches.values()],
        }
    )
    bar = st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
    LESSON.table(
        "table",
        table,
        "The three searches: probability of the path each found, and what it cost",
        column_config={"share of the best": bar},
    )


def find_button(name: str, width: int, document: Document) -> None:
    """Draw the button that looks for a sentence on which greedy, or the beam, loses to Viterbi."""
    LESSON.choose("loser", "Find a sentence on which this search loses", ["greedy", "beam"])
    if name not in ("diary", "toy"):
        LESSON.choose("where", "Search in", [MODEL_WORDS, OWN_TEXT])
    LESSON.button("find", "Find one", find, name, width, document)
    st.caption(LESSON.pop_state("found") or "The sentence that is found goes into the field.")


def find(name: str, width: int, document: Document) -> None:
    """Put a sentence into the field on which a search loses, or say that none was found."""
    search, source = LESSON.get_state("loser"), LESSON.get_state("where", MODEL_WORDS)
    seed = LESSON.get_state("seed", 0) + 1
    LESSON.set_state("seed", seed)
    model = model_of(name)
    if source == OWN_TEXT:
        tried = candidates(document.text)
    else:
        length = 6 if len(model.states) < 5 else 9
        tried = (corpus_words(" ".join(words)) for words in sampled_sentences(model, length, seed))
    found = find_disagreement(model, tried, width, search)
    if found is not None:
        private = source == OWN_TEXT and is_own(document)
        set_sentence(LESSON, name, found.decoded.emissions.words, private)
        LESSON.set_state(
            "found",
            f"Found after {found.searched:,} {'sentence' if found.searched == 1 else 'sentences'} of {source} tried.",
        )
        return
    all_kept = search == "beam" and width == len(model.states)
    why = (
        "A beam as wide as there are states never does." if all_kept else "Try other words or a longer text."
    )
    LESSON.set_state("found", f"No sentence tried makes the {search} search lose. {why}")


def candidates(text: str) -> Iterator[list[str]]:
    """Yield the sentences of a text, of 2 to `WORDS_AT_MOST` words."""
    for sentence in sentences(text):
        words = corpus_words(sentence)
        if 2 <= len(words) <= WORDS_AT_MOST:
            yield words


@cache
def shared_shares(name: str, broken: bool) -> np.ndarray:
    """Return `shares_missed` of a model that every session shares."""
    model = shared_model(name)
    return shares_missed(without_neighbours(model) if broken else model)


@st.cache_data(scope="session", max_entries=4, show_spinner=False)
def own_shares(tables: bytes, broken: bool, _model: HiddenMarkovModel) -> np.ndarray:
    """Return `shares_missed` of the learner's own model."""
    return shares_missed(without_neighbours(_model) if broken else _model)


def missed_by_width(name: str, model: HiddenMarkovModel, broken: bool) -> np.ndarray:
    """Return `shares_missed` of a model, or of the model without its neighbours, computed once."""
    if name != "yours":
        return shared_shares(name, broken)
    return own_shares(model.log_transition.tobytes() + model.log_emission.tobytes(), broken, model)
