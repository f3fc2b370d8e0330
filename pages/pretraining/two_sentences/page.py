"""Next-sentence prediction: what the story shows of one pair and of what the model learned, and the lab."""

from __future__ import annotations

from functools import cache

import numpy as np
import streamlit as st
import torch

from core.figures.pretraining.pairs_said import (
    BY_WORDS,
    aucs_said,
    breaks_said,
    called,
    describe_next_sentence,
    drawn_said,
    elsewhere_said,
    gap_costs,
    looks_said,
    measured_auc,
    order_said,
    orders_said,
    own_said,
    pair_said,
    pairs_of_each_kind,
    probes_said,
    words_said,
)
from core.figures.pretraining.sentence_pairs import (
    auc_table,
    class_figure,
    class_vector_table,
    input_figure,
    input_table,
    kinds_figure,
    kinds_table,
    orders_figure,
    orders_table,
    probes_figure,
    probes_table,
)
from core.figures.self_attention.heads import names_of
from core.figures.tokens.token_rows import token_rows
from core.lesson.cached import cached, is_sample, no_typed_words
from core.lesson.chosen_text import FROM_TEXT, TYPED, found_sentences, text_is_new
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import text_source
from core.models.pretraining.pair_measures import (
    ASKED,
    BOOKS,
    MAJORITY,
    NEW_PAIRS,
    NEW_SCRIPTS,
    STORIES,
    TRUE,
    OwnPairs,
    every_order,
    followers_found,
    linear_probe,
    own_pairs,
    pair_vectors,
    probed,
    separate,
    shared_word_counts,
)
from core.models.pretraining.pair_training import (
    LEAST,
    OTHER_BOOK,
    SAME_BOOK,
    SWAPPED,
    draw_pairs,
    join_short_sentences,
    pair_losses,
)
from core.models.pretraining.sentence_pairs import (
    NEGATIVES,
    STORED,
    WITHOUT_SEGMENTS,
    PairNetwork,
    PairTrace,
    SentencePairs,
    pair_input,
    read_of,
    stored_sentence_pairs,
)
from core.models.stored import load_card
from core.models.tokens.three_ways import Token
from core.text.reading.documents import Document
from core.text.samples.stories import TRAINED_SCRIPTS, scripts
from core.words.plain import plain
from pages.pretraining.two_sentences import LESSON
from pages.pretraining.two_sentences.figures import (
    draw_aucs,
    draw_candidates,
    draw_probes,
    draw_shares,
    draw_sum,
)

WORDS = LESSON.words
FIRST = "Ruth took an apple in her hand and asked for the price."
SECONDS = {  # the next sentence, a later one of the same story, one of another story, one of no story
    "price": "The farmer said that it cost two coins.",
    "bite": "Then she took the first bite, and it was sweet indeed.",
    "letter": "In the morning she brought the letter to the post.",
    "ticket": "Please keep your ticket until the end of the journey.",
}
PAIRS = {  # written for this course, in the tone of what the model has read
    "apple": (FIRST, SECONDS["price"]),
    "king": (
        "The king went up to the town with all his men.",
        "And when he came to the gate, the people went out to meet him.",
    ),
    "question": (
        "Who is the man who is waiting at the door?",
        "It is your brother, my lord, and he has a letter for you.",
    ),
    "today": ("The train to the airport leaves every ten minutes.", SECONDS["ticket"]),
}
EXAMPLES = tuple(sentence for pair in (*PAIRS.values(), SECONDS.values()) for sentence in pair)
ADDED, NUMBER = 3, 3  # the token whose vectors are added in the story, and which of their numbers
ORDER = ("falls", "stays", "rises")
CLOSE = 0.05  # two probabilities that count as nearly the same
SENTENCE_AT_MOST = 120
ONE = Text("one_sentence", FIRST, SENTENCE_AT_MOST)
NEXT = Text("next_sentence", SECONDS["bite"], SENTENCE_AT_MOST)

# The lab's settings.
EXAMPLE = "example"
SWAP, BARE, ONE_SEGMENT = Switch("swapped"), Switch("bare"), Switch("one")
SHOWN_PAIR = Choice(
    "example",
    "apple",
    tuple(PAIRS),
    {
        "an apple and its price": "apple",
        "the king and his men": "king",
        "a question and its answer": "question",
        "two of our own time": "today",
    },
)
SOURCE = Choice("source", EXAMPLE, (EXAMPLE, TYPED, FROM_TEXT), {"an example": EXAMPLE})
LAB = (SHOWN_PAIR, SOURCE, SWAP, BARE, ONE_SEGMENT, *map(Switch, ("looks", "orders", "kinds", "probes")))
TYPED_AT_MOST = 300  # characters of a typed sentence
ORDERED, MEASURED, SEED = 7, 40, 3  # sentences in every order; sentences measured; which others are drawn


# The story: what each beat shows.


@cache
def pair_read(first: str, second: str) -> PairTrace:
    """Return everything that reading two sentences of the course computes."""
    return trace_of(first, second)


def trace_of(first: str, second: str) -> PairTrace:
    """Return everything that reading two sentences computes."""
    torch.set_num_threads(1)
    model = stored_sentence_pairs()
    return model.trace(model.read(first, second))


def base() -> dict[str, object]:
    """Return what all beats name: the first sentence, and p(is next) of each candidate."""
    p = {key: pair_read(FIRST, second).p_next for key, second in SECONDS.items()}
    trace = pair_read(FIRST, SECONDS["price"])
    return {
        "first": FIRST,
        "second": SECONDS["price"],
        "p": p,
        "T": len(trace.pair.ids),
        "C": len(trace.c),
        "logit": trace.logit,
    }


def ask_next(settings: Settings) -> Part:
    """Four candidates; the answer shows their probabilities."""
    values = base() | {"revealed": settings.revealed}
    best = max(values["p"], key=values["p"].get)
    picture = draw_candidates(values["p"], settings.revealed, best)
    return Part(
        "layer_bars", picture, values, {"example": "apple"}, choices=("price", "bite", "letter"), answer=best
    )


def show_input(settings: Settings) -> Part:
    """The pair as the model reads it: its tokens, their segments."""
    model, trace = stored_sentence_pairs(), pair_read(FIRST, SECONDS["price"])
    names, special = model.names(trace.pair.ids), ("[CLS]", "[SEP]")
    tokens = [
        Token(name, int(i), name.encode(), name in special)
        for name, i in zip(names, trace.pair.ids, strict=True)
    ]
    segments = [Token("AB"[each], each, b"") for each in trace.pair.segments]
    rows = {WORDS.label("row.tokens"): tokens, WORDS.label("row.segments"): segments}
    quality = load_card(STORED).quality
    aucs = {"intact": measured_auc(quality, SWAPPED)[0], "one_segment": quality[f"{WITHOUT_SEGMENTS}: AUC"]}
    return Part("token_rows", token_rows(rows, {}), base() | aucs)


def show_sum(settings: Settings) -> Part:
    """The first numbers of three vectors of one token, and their sum."""
    model, trace = stored_sentence_pairs(), pair_read(FIRST, SECONDS["price"])
    vectors = {"E": trace.tokens, "S": trace.segments, "P": trace.positions, "x": trace.summed}
    parts = {key: float(each[ADDED, NUMBER]) for key, each in vectors.items()}
    token = model.names(trace.pair.ids)[ADDED].strip()
    values = base() | parts | {"token": token, "place": ADDED + 1, "number": NUMBER + 1}
    return Part("layer_bars", draw_sum(parts, WORDS.label("title.added", **values)), values)


def show_class(settings: Settings) -> Part:
    """Where the attention of [CLS] goes, on average over all heads, and what comes of it."""
    trace, model = pair_read(FIRST, SECONDS["price"]), stored_sentence_pairs()
    mean = trace.from_class.mean(axis=(0, 1))
    special = np.array([name in ("[CLS]", "[SEP]") for name in model.names(trace.pair.ids)])
    second = np.array(trace.pair.segments, dtype=bool)
    shares = {
        "special": float(mean[special].sum()),
        "a": float(mean[~special & ~second].sum()),
        "b": float(mean[~special & second].sum()),
    }
    values = base() | {"shares": shares, "p_price": trace.p_next}
    return Part("layer_bars", draw_shares(WORDS.label("title.class"), shares), values, {"looks": True})


def ask_swap(settings: Settings) -> Part:
    """p(is next) of the pair; the answer adds that of the two swapped, and how often both are called next."""
    p, swapped = pair_read(FIRST, SECONDS["price"]).p_next, pair_read(SECONDS["price"], FIRST).p_next
    quality = load_card(STORED).quality
    n = pairs_of_each_kind(quality)
    values = base() | {
        "revealed": settings.revealed,
        "before": p,
        "swapped": swapped,
        "n": n,
        "in_order": called(quality, TRUE) / n,
        "swapped_called": called(quality, SWAPPED) / n,
        "swapped_share": load_card(STORED).config[NEGATIVES][SWAPPED],
    }
    shown = {"in_order": p, "swapped": swapped if settings.revealed else 0.0}
    picture = draw_candidates(shown)
    if not settings.revealed:
        picture["panels"][0]["rows"][1]["text"] = "?"
    answer = "stays" if abs(p - swapped) < CLOSE else "rises" if swapped > p else "falls"
    return Part("layer_bars", picture, values, {"swapped": True}, choices=ORDER, answer=answer)


@cache
def called_next() -> dict[str, float]:
    """Return the share of held-out pairs that are called next, by what the second sentence is."""
    quality = load_card(STORED).quality
    n = pairs_of_each_kind(quality)
    kinds = {"next": TRUE, "same_book": SAME_BOOK, "swapped_pair": SWAPPED, "other_book": OTHER_BOOK}
    return {key: called(quality, kind) / n for key, kind in kinds.items()}


def show_kinds_called(settings: Settings) -> Part:
    """How many held-out pairs are called next, by what the second sentence is."""
    values = base() | called_next() | {"n": pairs_of_each_kind(load_card(STORED).quality)}
    hues = dict.fromkeys(("same_book", "swapped_pair", "other_book"), "grey")
    picture = draw_shares(WORDS.label("title.kinds"), called_next(), 0, hues)
    return Part("layer_bars", picture, values, {"kinds": True})


KINDS_BY_KEY = {"far": OTHER_BOOK, "near": SAME_BOOK, "order": SWAPPED}


def show_aucs(settings: Settings) -> Part:
    """The AUC of the model and that of counted shared words, by kind of pair."""
    quality = load_card(STORED).quality
    found = {key: measured_auc(quality, kind)[0] for key, kind in KINDS_BY_KEY.items()}
    by_words = {key: quality[f"{STORIES}, {kind}: AUC{BY_WORDS}"] for key, kind in KINDS_BY_KEY.items()}
    values = base() | {"found": found, "by_words": by_words}
    panels = {"model": (found, "blue"), "words": (by_words, "grey")}
    return Part("layer_bars", draw_aucs(panels), values, {"kinds": True})


def show_elsewhere(settings: Settings) -> Part:
    """The AUC within a book and on swapped pairs: on stories, on stories of new scripts, on books."""
    quality = load_card(STORED).quality
    texts = {"stories": STORIES, "new_pairs": NEW_PAIRS, "new_stories": NEW_SCRIPTS, "books": BOOKS}
    near, order = (
        {key: measured_auc(quality, kind, text)[0] for key, text in texts.items()}
        for kind in (SAME_BOOK, SWAPPED)
    )
    values = base() | {
        "near": near,
        "order_of": order,
        "scripts": len(scripts()),
        "trained_scripts": TRAINED_SCRIPTS,
    }
    values["parameters"] = int(quality["parameters"])
    return Part(
        "layer_bars", draw_aucs({"near": (near, "blue"), "order": (order, "blue")}), values, {"kinds": True}
    )


def show_probes_held(settings: Settings) -> Part:
    """What can be read off the class vector, and off random numbers."""
    quality = load_card(STORED).quality
    found = probed(quality)
    keys = ("bible", "book", "follows")
    values = base() | {"probes": dict(zip(keys, found, strict=True))}
    values["no_bible"] = quality[f"{ASKED[2]}: {MAJORITY}"]
    picture = draw_probes(WORDS.label("sum.probes"), values["probes"])
    return Part("layer_bars", picture, values, {"probes": True})


def do_own(settings: Settings) -> Part:
    """p(is next) of the learner's two sentences, in order and swapped."""
    one, other = settings.one_sentence, settings.next_sentence
    p, swapped = trace_of(one, other).p_next, trace_of(other, one).p_next
    values = base() | {"own": p, "own_swapped": swapped, "follows": p > 0.5, "same": abs(p - swapped) < CLOSE}
    picture = draw_candidates({"in_order": p, "swapped": swapped})
    return Part("layer_bars", picture, values, {"source": TYPED})


def show_answer(settings: Settings) -> Part:
    """The four candidates with their probabilities."""
    values = base() | called_next()
    return Part("layer_bars", draw_candidates(values["p"]), values, {"kinds": True})


STORY = (
    ask("candidates", ask_next),
    look("pair", show_input),
    look("added", show_sum),
    look("gathered", show_class),
    ask("order", ask_swap),
    look("called", show_kinds_called),
    look("right", show_aucs),
    look("elsewhere", show_elsewhere),
    look("held", show_probes_held),
    do("own", do_own, ONE, NEXT),
    end("answer", show_answer),
)


# The lab: one pair from its three rows to p(is next); where [CLS] looks; every order; what was measured; what c holds.


def lab() -> None:
    """One pair from its three rows to p(is next); where [CLS] looks; every order; what was measured; what c holds."""
    torch.set_num_threads(1)
    LESSON.open_lab(asks=True)
    model = stored_sentence_pairs()
    controls, stage = LESSON.stage()
    notes = st.container()
    with controls:
        document = text_source("the-lighthouse")
        first, second = choose_pair(document)
        swapped, bare, one = (LESSON.draw(each) for each in (SWAP, BARE, ONE_SEGMENT))
        LESSON.options()
    unchanged = read(first, second, (0, 1), True)
    a, b = (second, first) if swapped else (first, second)
    trace = read(a, b, (0, 0) if one else (0, 1), not bare)
    names = names_of(model.names(trace.pair.ids))
    with stage:
        LESSON.figure("input", input_figure(trace, names), WORDS.label("input.alt"), wide=True)
        answer = describe_next_sentence(trace.p_next)
        about = f"{hash((first, second, swapped, bare, one))}"
        revealed = LESSON.ask(
            WORDS.label("guess"), [describe_next_sentence(p) for p in (1, 0)], answer, about
        )
        if revealed:
            LESSON.caption(plain(pair_said(trace)))
        st.caption(WORDS.label("lengths"))
    say_cut(notes, model, first, second)
    if revealed and (swapped or bare or one):
        LESSON.compare("p", unchanged.p_next, trace.p_next, ".3f", more_is_better=None)
        if np.isclose(unchanged.p_next, trace.p_next, atol=5e-4):
            st.markdown(WORDS.label("unmoved"))
        if bare or one:
            st.markdown(breaks_said(load_card(STORED).quality))
    LESSON.every_number(WORDS.label("table.added"), input_table, trace, names)
    if revealed:
        if box := LESSON.fold("looks"):
            with box:
                show_looks(trace, names)
        if box := LESSON.fold("orders"):
            with box:
                show_orders(document)
    if box := LESSON.fold("kinds"):
        with box:
            show_kinds(document)
    if box := LESSON.fold("probes"):
        with box:
            show_probes(model, trace, revealed)
    LESSON.close_lab(
        code=[
            *(read_of, pair_input, PairNetwork, PairTrace, SentencePairs, draw_pairs, pair_losses),
            *(join_short_sentences, every_order, own_pairs, pair_vectors, separate),
            *(shared_word_counts, linear_probe),
        ],
        parameters={"a": a, "b": b, "segments": (0, 0) if one else (0, 1), "separated": not bare},
        prompts={
            "subject": {"source": EXAMPLE, "example": "today"},
            "swap": {"source": EXAMPLE, "example": "apple", "swapped": True},
            "segment": {"source": EXAMPLE, "one": True},
        },
    )


# The pair: an example of ours, two typed sentences, or two of the learner's text.


def choose_pair(document: Document) -> tuple[str, str]:
    """Draw the choice of the two sentences and return them."""
    if text_is_new(LESSON, "source", "start"):
        LESSON.set_state("source", FROM_TEXT)
    source = LESSON.draw(SOURCE)
    if source == EXAMPLE:
        return PAIRS[LESSON.draw(SHOWN_PAIR, width=230)]
    if source == TYPED:
        typed = [
            LESSON.private_text(
                name, WORDS.label(f"typed.{name}"), default, max_chars=TYPED_AT_MOST, width=280
            )
            for name, default in zip("ab", PAIRS["apple"], strict=True)
        ]
        return typed[0].strip(), typed[1].strip()
    found = [text for text, _ in own_sentences(document)]
    last = max(1, len(found) - 1)
    start = int(LESSON.number("start", WORDS.label("start", last=last), 1, last, 1, width=170))
    pair = [*found[start - 1 : start + 1], "", ""]
    return pair[0], pair[1]


@cached(16, 4, shared=is_sample)
def own_sentences(document: Document) -> list[tuple[str, list[int]]]:
    """Return the sentences of the beginning of a text with their ids; short ones go together with the next."""
    model = stored_sentence_pairs()
    return join_short_sentences(found_sentences(document), model.pairs, LEAST)


@cached(24, 8, shared=no_typed_words)
def read(first: str, second: str, segments: tuple[int, int], separated: bool) -> PairTrace:
    """Return everything that reading two sentences computes."""
    torch.set_num_threads(1)
    model = stored_sentence_pairs()
    return model.trace(model.read(first, second, segments, separated))


def say_cut(notes, model: SentencePairs, first: str, second: str) -> None:
    """Say what of the two sentences is not read, and that an empty one leaves nothing but special tokens."""
    with notes:
        for name, sentence in (("first", first), ("second", second)):
            n = len(model.pairs.encode(sentence))
            if n > model.longest:
                st.caption(WORDS.label("cut", name=name, longest=model.longest, n=n))
            if not n:
                st.info(WORDS.label("empty", name=name))


# What comes of it.


def show_looks(trace: PairTrace, names: list[str]) -> None:
    """Draw the attention of [CLS] in every head, and say where it goes."""
    LESSON.figure("class", class_figure(trace, names), WORDS.label("class.alt"))
    st.markdown(plain(looks_said(trace.from_class, names, trace.pair.segments)))


@cached(32, 8, shared=is_sample)
def orders_of(document: Document, start: int) -> tuple[list[str], np.ndarray]:
    """Return the sentences from `start` on, as far as they are read, and p(is next) of every ordered pair of them."""
    torch.set_num_threads(1)
    found, model = own_sentences(document)[start - 1 : start - 1 + ORDERED], stored_sentence_pairs()
    return [text for text, _ in found], every_order(model, [ids for _, ids in found])


def show_orders(document: Document) -> None:
    """Draw every ordered pair of some sentences of the learner's text, and say how many followers are found."""
    found = own_sentences(document)
    start = min(int(LESSON.get_state("start", 1)), max(1, len(found) - ORDERED + 1))
    shown = found[start - 1 : start - 1 + ORDERED]
    if len(shown) < 3:
        st.info(WORDS.label("too_few", least=LEAST))
        return
    (lines, p), longest = orders_of(document, start), stored_sentence_pairs().longest
    left, right = st.columns([3, 2], gap="medium")
    with left:
        LESSON.figure("orders_drawn", orders_figure(p), WORDS.label("orders_drawn.alt"))
    with right:
        for number, line in enumerate(lines, 1):
            st.text(f"{number}  {line}")
        st.caption(WORDS.label("cut_lines", longest=longest))
    LESSON.caption(orders_said(p, followers_found(p)))
    LESSON.every_number(WORDS.label("table.orders"), orders_table, p)


@cached(16, 4, shared=is_sample)
def measured(document: Document) -> OwnPairs | None:
    """Return what the model says of the pairs of the first sentences of a text."""
    torch.set_num_threads(1)
    ids = [each for _, each in own_sentences(document)[:MEASURED]]
    return own_pairs(stored_sentence_pairs(), ids, SEED)


def show_kinds(document: Document) -> None:
    """Draw how many pairs are called next by where the second sentence is from, held out and in the learner's text."""
    quality, config = load_card(STORED).quality, load_card(STORED).config
    n, own = pairs_of_each_kind(quality), measured(document)
    kinds = (TRUE, SWAPPED, SAME_BOOK, OTHER_BOOK)
    model = {kind: called(quality, kind) for kind in kinds}
    by_words = {kind: called(quality, kind, BY_WORDS) for kind in kinds}
    of_own, own_n = (own.called_next, len(own.true)) if own else (None, 0)
    figure = kinds_figure(model, by_words, n, of_own, own_n)
    LESSON.figure("kinds_drawn", figure, WORDS.label("kinds_drawn.alt"))
    LESSON.caption(aucs_said(quality))
    st.markdown(f"{words_said(quality)} {drawn_said(config)} {order_said(quality)}")
    st.markdown(elsewhere_said(quality))
    if own:
        st.markdown(own_said(own, SEED))
    n_gaps, before, after = gap_costs(quality)
    st.caption(WORDS.label("says.gaps", n=n_gaps, before=before, after=after))
    LESSON.every_number(WORDS.label("table.kinds"), kinds_table, model, by_words, n, of_own, own_n)
    LESSON.every_number(WORDS.label("table.auc"), auc_table, quality)


def show_probes(model: SentencePairs, trace: PairTrace, revealed: bool) -> None:
    """Draw what lines through the class vector tell of unseen pairs."""
    quality = load_card(STORED).quality
    LESSON.figure("probes_drawn", probes_figure(ASKED, quality), WORDS.label("probes_drawn.alt"))
    LESSON.caption(probes_said(ASKED, quality))
    st.markdown(WORDS.label("says.probe"))
    LESSON.every_number(WORDS.label("table.probes"), probes_table, ASKED, quality)
    if revealed:
        LESSON.every_number(WORDS.label("table.class"), class_vector_table, trace, model)
