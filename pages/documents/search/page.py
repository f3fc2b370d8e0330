"""Search: what the story shows of 40 passages and 30 queries, and the lab on documents of one's own."""

from __future__ import annotations

from functools import cache
from math import isfinite, log2
from operator import lt
from textwrap import shorten

import numpy as np
import streamlit as st

from core.lesson.choices.vector_sets import shared_vectors
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.bm25 import BM25, K1, B, rarity, saturate
from core.models.documents.dense_search import DenseSearch
from core.models.documents.passage_reader import answer_bits
from core.models.documents.ranking import fuse_ranks, mean_reciprocal_rank, ranks_of, recall_at
from core.models.documents.searches import BOTH, DENSE, WAYS, Searches
from core.models.documents.searches import WORDS as BY_WORDS
from core.text.samples.library import GAPS, NAMES, PASSAGES, QUERIES
from core.text.tokenization.tokens import words
from pages.documents.search import LESSON
from pages.documents.search.figures import (
    draw_bits,
    draw_length,
    draw_means,
    draw_parts,
    draw_ranking,
    draw_saturation,
    ranks_table,
    scores_table,
)

WORDS = LESSON.words
VECTORS = "glove"
TITLES = tuple(PASSAGES)
RIVER, DOCTOR, FLUTE, NAMED = "river of Egypt", "animal doctor", "who plays the zumbrel", "Osvina Tarn"
EXAMPLES = (RIVER, FLUTE)
LONG, SHORT = "City guide", "Bank"  # two passages that say "bank" equally often
FIRST = 3  # recall is measured in so many passages
LIKELY = 0.01  # an answer of a higher probability might be given
SAMPLES = 10_000  # of the queries, for an interval
WORDS_AT_MOST = 12  # of a query that are read
QUOTED_AT_MOST = 200  # characters of the passage that a story's query finds
DOCUMENTS_AT_MOST, LENGTH_AT_MOST, SHOWN_AT_MOST = 200, 20_000, 400

K = Slider("k1", K1, 0.0, 3.0, 0.1)
LENGTH = Slider("b", B, 0.0, 1.0, 0.05)
QUERY = Text("query", "how do ships find north", 120)
WAY = Choice("way", BY_WORDS, WAYS)
NO_IDF = Switch("no_idf")
LAB = (WAY, K, LENGTH, NO_IDF, QUERY)


# What is searched.


@cache
def library(k1: float = K1, b: float = B, idf: bool = True) -> Searches:
    """Return the passages of the course, which can be searched in every way."""
    return search_in(tuple(PASSAGES.values()), k1, b, idf)


def search_in(texts: tuple[str, ...], k1: float, b: float, idf: bool) -> Searches:
    """Return texts that can be searched in every way."""
    return Searches(BM25(tuple(tuple(words(text)) for text in texts), k1, b, idf), shared_vectors(VECTORS))


def read_query(text: str) -> list[str]:
    """Return the words of a query that are read, each once."""
    return list(dict.fromkeys(words(text)))[:WORDS_AT_MOST]


def places_of(*titles: str) -> list[int]:
    """Return the places of passages."""
    return [TITLES.index(title) for title in titles]


@cache
def measured(way: str, k1: float = K1, b: float = B, idf: bool = True) -> tuple[float, ...]:
    """Return the rank of the answer of every query of the course."""
    asked = [(read_query(query.text), places_of(*query.answers)) for query in QUERIES]
    return library(k1, b, idf).answer_ranks(way, asked)


def found_by(way: str, kind: str) -> tuple[int, int]:
    """Return of how many queries of a kind a way ranks the answer first, and of how many."""
    ranks = [rank for query, rank in zip(QUERIES, measured(way), strict=True) if query.kind == kind]
    return sum(rank == 1 for rank in ranks), len(ranks)


@cache
def lead_over(way: str) -> tuple[float, float, float]:
    """Return how far the reciprocal rank of both together is above a way's, with its 95% bootstrap interval."""
    gains = 1 / np.array(measured(BOTH)) - 1 / np.array(measured(way))
    drawn = np.random.default_rng(1).integers(len(gains), size=(SAMPLES, len(gains)))
    low, high = np.percentile(gains[drawn].mean(axis=1), (2.5, 97.5))
    return float(gains.mean()), float(low), float(high)


# The story: what each beat shows.


def rank_passages(way: str, query: str, answers: list[int], idf: bool = True) -> tuple[dict, np.ndarray]:
    """Return the picture of a ranking, and the passages' scores."""
    scores = library(idf=idf).scores(way, read_query(query))
    return draw_ranking(TITLES, scores, answers, WORDS.label("panel.ranking", query=query)), scores


def show_ranking(settings: Settings) -> Part:
    """The passages that score highest for a query."""
    answers = places_of("Nile")
    data, scores = rank_passages(BY_WORDS, RIVER, answers)
    values = {
        "n": len(TITLES),
        "query": RIVER,
        "score": float(scores.max()),
        "zero": int((scores == 0).sum()),
    }
    return Part("layer_bars", data, values, {"query": RIVER})


def show_words(settings: Settings) -> Part:
    """What each word of the query adds to the score of the first passage."""
    searched, query, place = library().bm25, read_query(RIVER), places_of("Nile")[0]
    weights = [searched.weight(word) for word in query]
    tf = np.array([searched.counts[place][word] for word in query])
    worths = saturate(tf, searched.lengths[place]).tolist()
    values = {
        "n": len(TITLES),
        "rare": weights[2],
        "common": weights[1],
        "df": [searched.document_frequency(word) for word in query],
    }
    return Part(
        "layer_bars", draw_parts(query, weights, worths, WORDS.label("panel.parts")), values, {"query": RIVER}
    )


def show_saturation(settings: Settings) -> Part:
    """What more occurrences of a word are worth."""
    k1 = settings.k1
    tenth = float(saturate(10, 1.0, k1, 0.0))
    values = {"k1": k1, "tenth": tenth, "most": k1 + 1, "second": float(saturate(2, 1.0, k1, 0.0))}
    return Part("figure", {"figure": draw_saturation(k1).to_dict()}, values, {"k1": k1})


def show_length(settings: Settings) -> Part:
    """What the word "bank" is worth in a long passage and in a short one."""
    searched = library().bm25
    lengths = {
        title: float(searched.lengths[at])
        for title, at in zip((LONG, SHORT), places_of(LONG, SHORT), strict=True)
    }
    tf = searched.counts[places_of(SHORT)[0]]["bank"]
    long, short = (float(saturate(tf, length, K1, settings.b)) for length in lengths.values())
    values = {"b": settings.b, "long": long, "short": short, "times": tf, "length": lengths[LONG]}
    values |= {"long_title": LONG, "short_title": SHORT}
    data = {"figure": draw_length(tf, K1, settings.b, lengths).to_dict()}
    return Part("figure", data, values, {"query": "bank", "b": settings.b})


def ask_unweighted(settings: Settings) -> Part:
    """A ranking with idf; the answer shows it without."""
    answers = places_of("Zumbrel")
    broken = library(idf=False).scores(BY_WORDS, read_query(FLUTE))
    first = int(np.argmax(broken))
    data, _ = rank_passages(BY_WORDS, FLUTE, answers, idf=not settings.revealed)
    searched = library(idf=False).bm25
    values = {
        "query": FLUTE,
        "first": TITLES[first],
        "rank": int(ranks_of(broken)[answers[0]]),
        "the": searched.counts[first]["the"],
        "there": [word for word in read_query(FLUTE) if searched.counts[first][word] and word != "the"],
        "whole": mean_reciprocal_rank(measured(BY_WORDS)),
        "broken": mean_reciprocal_rank(measured(BY_WORDS, idf=False)),
        "n": len(QUERIES),
    }
    values["lost"] = sum(
        worse > rank for rank, worse in zip(measured(BY_WORDS), measured(BY_WORDS, idf=False), strict=True)
    )
    choices = tuple(sorted({TITLES[first], "Zumbrel", "Court", "Orchestra"}))
    counts = {title: searched.counts[TITLES.index(title)] for title in choices}
    values["counted"] = [
        {"title": title, "who": each["who"], "the": each["the"]} for title, each in counts.items()
    ]
    return Part(
        "layer_bars", data, values, {"query": FLUTE, "no_idf": settings.revealed}, choices, TITLES[first]
    )


def show_gap(settings: Settings) -> Part:
    """A query none of whose words stands in the passage that answers it."""
    answers = places_of("Veterinarian")
    data, scores = rank_passages(BY_WORDS, DOCTOR, answers)
    first = int(np.argmax(scores))
    found = sum(
        isfinite(rank)
        for rank, query in zip(measured(BY_WORDS), QUERIES, strict=True)
        if query.kind == "other"
    )
    values = {"query": DOCTOR, "first": TITLES[first], "score": float(scores[first])}
    values |= {"right": float(scores[answers[0]]), "found": found, "of": found_by(BY_WORDS, "other")[1]}
    return Part("layer_bars", data, values, {"query": DOCTOR})


def show_dense(settings: Settings) -> Part:
    """The same query by vectors."""
    answers = places_of("Veterinarian")
    data, scores = rank_passages(DENSE, DOCTOR, answers)
    first, of = found_by(DENSE, "other")
    values = {"query": DOCTOR, "cosine": float(scores[answers[0]]), "first": first, "of": of}
    values["rank"] = int(ranks_of(scores)[answers[0]])
    second = int(np.argsort(-scores, kind="stable")[1])
    values |= {"second": TITLES[second], "close": float(scores[second])}
    return Part("layer_bars", data, values, {"query": DOCTOR, "way": DENSE})


def show_name(settings: Settings) -> Part:
    """A name that no word vector knows."""
    answers = places_of("Brelkin lighthouse")
    data, scores = rank_passages(BY_WORDS, NAMED, answers)
    dense = library().scores(DENSE, read_query(NAMED))
    values = {"query": NAMED, "score": float(scores[answers[0]]), "dense": float(np.abs(dense).max())}
    values |= {"words": found_by(BY_WORDS, "name"), "vectors": found_by(DENSE, "name")}
    return Part("layer_bars", data, values, {"query": NAMED})


def show_both(settings: Settings) -> Part:
    """The mean reciprocal rank of every way to search."""
    means = {way: mean_reciprocal_rank(measured(way)) for way in WAYS}
    recalls = {way: recall_at(measured(way), FIRST) for way in WAYS}
    values = {"means": means, "recalls": recalls, "n": len(QUERIES), "k": FIRST}
    values |= {"names": found_by(BOTH, "name"), "alone": found_by(BY_WORDS, "name")}
    values["lead"] = {way: lead_over(way) for way in (BY_WORDS, DENSE)}
    return Part("layer_bars", draw_means(WORDS.label("panel.means"), means), values, {"way": BOTH})


@cache
def bits_by_passage() -> dict[str, tuple[float, ...]]:
    """Return the bits of every gap's answer: after its own passage, after another one, after none."""
    other = dict(zip(NAMES, (*NAMES[1:], NAMES[0]), strict=True))
    return {
        "right": tuple(answer_bits(PASSAGES[gap.title], gap.prompt, gap.answer) for gap in GAPS),
        "other": tuple(answer_bits(PASSAGES[other[gap.title]], gap.prompt, gap.answer) for gap in GAPS),
        "none": tuple(answer_bits("", gap.prompt, gap.answer) for gap in GAPS),
    }


def show_reader(settings: Settings) -> Part:
    """What a passage is worth to a small GPT that reads it."""
    bits = bits_by_passage()
    means = {name: float(np.mean(each)) for name, each in bits.items()}
    gain = means["other"] - means["right"]
    better = sum(right < other for right, other in zip(bits["right"], bits["other"], strict=True))
    values = {"means": means, "gain": gain, "times": 2**gain, "better": better, "n": len(GAPS)}
    values["likely"] = sum(each < -log2(LIKELY) for each in bits["right"])
    values |= {"least": LIKELY, "helped": sum(map(lt, bits["right"], bits["none"]))}
    return Part("layer_bars", draw_bits(WORDS.label("panel.bits"), means), values, {"way": BOTH})


def do_own(settings: Settings) -> Part:
    """The learner's own query, by words and vectors together."""
    query = read_query(settings.query)
    scores = library().scores(BOTH, query)
    data = draw_ranking(TITLES, 1000 * scores, [], WORDS.label("panel.own"), 1)
    known = [word for word in query if word in shared_vectors(VECTORS)]
    there = [word for word in query if library().bm25.document_frequency(word)]
    values = {"query": settings.query, "n": len(query), "there": there, "known": len(known)}
    first = TITLES[int(np.argmax(scores))] if scores.any() else ""
    values |= {"first": first, "text": shorten(PASSAGES.get(first, ""), QUOTED_AT_MOST, placeholder=" …")}
    return Part("layer_bars", data, values, {"query": settings.query, "way": BOTH})


def show_answer(settings: Settings) -> Part:
    """The same bars again by recall."""
    recalls = {way: recall_at(measured(way), FIRST) for way in WAYS}
    values = {"recalls": recalls, "k": FIRST, "n": len(QUERIES)}
    return Part(
        "layer_bars", draw_means(WORDS.label("panel.recalls", k=FIRST), recalls), values, {"way": BOTH}
    )


STORY = (
    look("ranking", show_ranking),
    look("words", show_words),
    look("saturation", show_saturation, K),
    look("length", show_length, LENGTH),
    ask("unweighted", ask_unweighted),
    look("gap", show_gap),
    look("dense", show_dense),
    look("name", show_name),
    look("both", show_both),
    look("reader", show_reader),
    do("own", do_own, QUERY),
    end("answer", show_answer),
)


# The lab: a query, the way to search, k1 and b, without idf; documents of one's own.


def lab() -> None:
    """The ranking of a query; what each word adds; all queries measured; documents of one's own."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        text = LESSON.draw(QUERY, width=320)
        way = LESSON.draw(WAY)
        k1 = LESSON.draw(K, disabled=way != BY_WORDS)
        b = LESSON.draw(LENGTH, disabled=way != BY_WORDS)
        with LESSON.options():
            no_idf = LESSON.draw(NO_IDF, disabled=way != BY_WORDS)
    idf = not no_idf
    own = own_documents()
    titles = tuple(f"{i}. {document[:40]}" for i, document in enumerate(own, 1)) or TITLES
    searched = search_in(own, k1, b, idf) if own else library(k1, b, idf)
    query = read_query(text) or read_query(QUERY.default)
    scores = searched.scores(way, query)
    found = [titles[each] for each in np.argsort(-scores, kind="stable") if scores[each] != 0]
    values = {
        "query": " ".join(query),
        "found": len(found),
        "n": len(titles),
        "first": found[0] if found else "",
    }
    with stage:
        choices = guesses(titles, found)
        truth = found[0] if found else WORDS.label("nothing")
        if LESSON.ask(WORDS.label("guess"), choices, truth, f"{query}_{way}_{k1}_{b}_{idf}"):
            shown = 1000 * scores if way == BOTH else scores
            data = draw_ranking(titles, shown, [], WORDS.label(f"panel.way.{way}"), 1 if way == BOTH else 2)
            LESSON.view("layer_bars", data, "ranking", height=300)
            LESSON.say("says.ranking", values)
            show_passages(own or tuple(PASSAGES.values()), titles, found[:FIRST])
            columns = {each: searched.scores(each, query) for each in WAYS}
            LESSON.every_number(
                WORDS.label("table.scores"), scores_table, titles, query, searched.bm25.parts(query), columns
            )
    if box := LESSON.fold("measured"):
        with box:
            show_measured(way, k1, b, idf)
    if box := LESSON.fold("own"):
        with box:
            LESSON.private_text(
                "documents", WORDS.label("documents"), height=200, help=WORDS.label("documents.help")
            )
    LESSON.close_lab(
        code=[rarity, saturate, BM25.parts, DenseSearch.embed, fuse_ranks, mean_reciprocal_rank, answer_bits],
        parameters={"query": " ".join(query)},
        prompts={
            "doctor": {"query": DOCTOR, "way": DENSE},
            "name": {"query": NAMED, "way": DENSE},
            "no_idf": {"query": FLUTE, "no_idf": True},
        },
    )


def show_passages(texts: tuple[str, ...], titles: tuple[str, ...], found: list[str]) -> None:
    """Show what the first passages say."""
    for title in found:
        st.markdown(WORDS.markdown("passage", title=title, text=texts[titles.index(title)][:SHOWN_AT_MOST]))


def guesses(titles: tuple[str, ...], found: list[str]) -> list[str]:
    """Return passages to choose from, the first of the ranking among them, in the order of the library."""
    offered = found[:3] or [WORDS.label("nothing")]
    offered += [each for each in titles if each not in offered][: max(0, 3 - len(offered))]
    return sorted(offered)


def own_documents() -> tuple[str, ...]:
    """Return the learner's documents, one a line, without lines that have no word."""
    text = str(LESSON.get_state("documents", ""))[:LENGTH_AT_MOST]
    return tuple(line.strip() for line in text.splitlines() if words(line))[:DOCUMENTS_AT_MOST]


def show_measured(way: str, k1: float, b: float, idf: bool) -> None:
    """Show how well the course's queries are answered with these settings, and without idf beside it."""
    ranks = measured(way, k1, b, idf)
    values = {
        "mean": mean_reciprocal_rank(ranks),
        "recall": recall_at(ranks, FIRST),
        "k": FIRST,
        "n": len(ranks),
    }
    st.markdown(WORDS.markdown("says.measured", **values))
    if way == BY_WORDS and not idf:
        LESSON.compare("no_idf", mean_reciprocal_rank(measured(way, k1, b)), values["mean"])
    names = [query.text for query in QUERIES]
    LESSON.every_number(
        WORDS.label("table.ranks"), ranks_table, names, {each: measured(each) for each in WAYS}
    )
