"""Co-occurrence: a window fills a matrix, PMI weighs it, rows are compared, and a few dimensions restore it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.figures import worked
from core.figures.card import small
from core.figures.figure import Figure
from core.figures.word_vectors import co_occurrence as drawn
from core.figures.word_vectors import co_occurrence_tables as tables
from core.figures.word_vectors.map_view import map_view
from core.figures.worked import how_often, plain_number, signed
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.lesson.text_source import notebook_text, text_source
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
    largest_terms,
    mean_cosine,
    nearest_is_frequent,
    number,
    pmi,
    weighted,
    weighted_rows,
)
from core.models.word_vectors.negative_sampling import window
from core.models.word_vectors.projection import nearest, project
from core.models.word_vectors.truncated_svd import Factors, factorise
from core.models.word_vectors.word_vectors import Neighbour, WordVectors
from core.models.word_vectors.worked_window import telling_sentence
from core.text.reading.documents import Document
from core.text.tokenization.tokens import sentences, words

LESSON = Lesson(
    __name__,
    title="Co-occurrence",
    question="Can counting neighbours tell what a word means?",
    icon="grid-3x3",
)
MOST = (50, 100, 200, 300, 500)  # words that have a row and a column
DIMENSIONS = 100  # of the restored matrix, at most
FREQUENT = 10  # words whose company everybody keeps
SAME = 1e-6  # cosines nearer than this are equal but for rounding
ON_THE_MAP, NEIGHBOURS, TERMS = 60, 5, 12
ROWS, COLUMNS, RESTORED = 12, 30, 12  # of the matrix, as many as have room for their names
SHORTEST, LONGEST = 5, 12  # tokens of the sentence that the window is shown on first, if there is one


def picture() -> Figure:
    """The counts of a few sentences as a heat map."""
    told = ["the king loves his crown", "the queen loves her crown", "the king and the queen love the throne"]
    found = co_occurrences([words(each) for each in told], 2, 9)
    return small(drawn.matrix_figure(found.counts, found.words, found.words)).update_traces(showscale=False)


def page() -> None:
    """The matrix and a word's nearest row; how it is filled; one cell; two rows; few dimensions, and their map."""
    LESSON.open(
        r"\operatorname{PMI}(w, c) = \log_2 \frac{p(w, c)}{p(w)\, p(c)} = \log_2 \frac{C_{wc}\, N}{C_{w*}\, C_{*c}} \qquad "
        r"\operatorname{PPMI} = \max(0, \operatorname{PMI}) \qquad M \approx M_k = U_k \Sigma_k V_k^\top",
        "$C_{wc}$: how often $c$ stands in a window around $w$; $C_{w*}, C_{*c}, N$: sums of its row, of its column, of all "
        "cells. $M$: the counts, PMI or PPMI. $\\Sigma_k$: its $k$ largest singular values, $U_k, V_k$: their vectors. "
        "The vector of $w$ is its row of $M$, or in $k$ numbers its row of $U_k \\Sigma_k$.",
    )
    controls, stage = LESSON.stage()
    with controls:
        document = text_source()
        size = LESSON.slider("window", "Window L", 1, 10, 4, width=120)
        with LESSON.more():
            most = LESSON.select_slider("most", "Words that have a row", MOST, value=200)
        chosen = LESSON.choose("weighting", "Weighting", ["PPMI", "PMI", "counts"])
        raw = LESSON.break_it(
            "raw", "Break it: raw counts", "Nothing is set against what chance would bring."
        )
    weighting = "counts" if raw else chosen
    try:
        rows = rows_of(document, size, most, weighting)
    except ValueError as error:
        stage.warning(str(error))
    else:
        with controls:
            known = rows.found.words
            word = LESSON.select("word", "Compare the row of", known, start_of(known), width=150)
        with stage:
            revealed = ask_nearest(rows, word, f"{document.digest[:16]}_{size}_{most}_{weighting}_{word}")
            show_matrix(rows, word, weighting, revealed)
        if raw:
            show_raw(rows_of(document, size, most, chosen), rows, chosen)
        st.header("How the matrix is filled", anchor=False)
        show_window(document, size, rows.found)
        st.header("One cell: more than by chance?", anchor=False)
        show_cell(rows, word)
        LESSON.every_number("pairs", tables.pairs_table, rows.found, rows.M)
        if revealed:
            st.header("Two rows: how alike?", anchor=False)
            show_pair(rows, word)
            st.header("In fewer dimensions", anchor=False)
            show_restored(document, rows, word, (size, most, weighting))
    LESSON.closing(
        code=[
            *(window, co_occurrences, count_near, pmi, weighted, WordVectors.neighbours, largest_terms),
            *(factorise, Factors.vectors, Factors.restored, Factors.kept, Factors.error, keep_their_nearest),
            *((mean_cosine, largest_is_frequent, nearest_is_frequent) if raw else ()),
        ],
        notebook=[
            f"{notebook_text()}\nfrom core.models.word_vectors.co_occurrence import co_occurrences, weighted\n"
            "from core.text.tokenization.tokens import sentences, words\n\n"
            "cut = [words(sentence) for sentence in sentences(text)]\n"
            f"found = co_occurrences(cut, window={size}, most={most})\nM = weighted(found, {weighting!r})",
            "from core.models.word_vectors.truncated_svd import factorise\n"
            "from core.models.word_vectors.word_vectors import WordVectors\n\n"
            f"factors = factorise(M)\nk = min({LESSON.get_state('k', 20)}, len(M))\n"
            "print(factors.kept(k), factors.error(k))\n"
            "few = WordVectors(found.words, factors.vectors(k))",
            f"WordVectors(found.words, M).neighbours({LESSON.get_state('word', 'the')!r}, {NEIGHBOURS})",
        ],
        plot=(
            "from core.figures.word_vectors.co_occurrence import matrix_figure\n\n"
            "draw(matrix_figure(M[:16, :30], found.words[:16], found.words[:30]))"
        ),
        try_this=[
            ("A window of one word: is the nearest row another one?", {"window": 1}),
            ("Two dimensions: what is left of the matrix?", {"k": 2}),
            ("Raw counts of Hamlet: is a frequent word the nearest?", {"text:": "Hamlet", "raw": True}),
        ],
        sources=[
            "Kenneth Church and Patrick Hanks (1990), Word Association Norms, Mutual Information, and Lexicography.",
            "Scott Deerwester et al. (1990), Indexing by Latent Semantic Analysis.",
            "John Bullinaria and Joseph Levy (2007), Extracting semantic representations from co-occurrence statistics.",
            "Omer Levy and Yoav Goldberg (2014), Neural word embedding as implicit matrix factorization.",
            "Carl Eckart and Gale Young (1936), The approximation of one matrix by another of lower rank.",
        ],
    )


@cached(2, 2, "Numbering the words", shared=is_sample)
def numbered(document: Document) -> NumberedText:
    """Return the sentences of a text, their words as numbers."""
    return number([words(sentence) for sentence in sentences(document.text)])


@cached(8, 3, "Counting neighbours", shared=is_sample)
def counted(document: Document, size: int, most: int) -> CoOccurrence:
    """Return the counts of a text. Raises ValueError where no two words stand together."""
    return count_near(numbered(document), size, most)


@cached(6, 2, "Comparing rows", shared=is_sample)
def rows_of(document: Document, size: int, most: int, weighting: str) -> Rows:
    """Return the weighted matrix of a text. Raises ValueError where no two words stand together."""
    return weighted_rows(counted(document, size, most), weighting)


def cells_of(rows: Rows, word: str, revealed: bool) -> tuple[list[int], list[int]]:
    """Return which rows and columns are drawn: the word's, its neighbours' once they may be shown, frequent words'."""
    near = [each.word for each in rows.vectors.neighbours(word, NEIGHBOURS)] if revealed else []
    return drawn_cells(rows.M, [rows.found.index[each] for each in (word, *near)], ROWS, COLUMNS)


def start_of(known: tuple[str, ...]) -> int:
    """Return the place of the word to begin with: king, or the most frequent that is no stop word."""
    if "king" in known:
        return known.index("king")
    return next((place for place, each in enumerate(known) if each not in STOP_WORDS and len(each) > 2), 0)


def ask_nearest(rows: Rows, word: str, about: str) -> bool:
    """Ask whose row is most like the word's, where one is; return whether the answer may be shown."""
    near = rows.vectors.neighbours(word, 12)
    others = [each.word for each in near if each.similarity < near[0].similarity - SAME][:3]
    if not others or near[0].similarity <= 0:
        return True
    choices = sorted([near[0].word, *others])
    return LESSON.ask(f"Whose row is most like the row of “{word}”?", choices, near[0].word, about)


def show_matrix(rows: Rows, word: str, weighting: str, revealed: bool) -> None:
    """Draw the matrix of the most frequent words and, once it may be said, name the word's nearest row."""
    found, V = rows.found, len(rows.found.words)
    cells = rows.cells(*cells_of(rows, word, revealed))
    alt = f"Some cells of the matrix of {V} words ({weighting}), first the row of {word}"
    figure = drawn.matrix_figure(*cells, 1 + NEIGHBOURS * revealed, weighting.removesuffix("s"))
    LESSON.figure("matrix", figure, alt)
    full = float((found.counts > 0).mean())
    LESSON.set_values(V=V, N=f"{found.total:,}", full=f"{full:.0%}", word=word, nearest="?", cosine="?")
    LESSON.set_values(
        alike="Which is most like the first?", k="?", kept="?", still="more is said after the guess"
    )
    if revealed:
        near, *others = rows.vectors.neighbours(word, 2)
        said = f"The row of “{word}” is most like that of “{near.word}”."
        if near.similarity <= SAME:
            said = f"No other row points the way that the row of “{word}” does."
        LESSON.set_values(alike=said, nearest=near.word, cosine=signed(near.similarity))
        LESSON.caption(said_of(rows, word, near, *others))
    st.markdown(
        f"{V} words have a row and a column, {full:.0%} of the cells hold a count, and the counts add up to "
        f"{found.total:,}. Drawn are, above the line, the row of “{plain(word)}”"
        f"{' and those nearest to it' if revealed else ''}, the most frequent words below it."
    )


def said_of(rows: Rows, word: str, near: Neighbour, second: Neighbour | None = None) -> str:
    """Say whose row is nearest to a word's, and which context makes them alike."""
    if near.similarity <= SAME:
        return f"No other row points the way that the row of “{plain(word)}” does."
    terms = largest_terms(*rows.of(word, near.word), 1)
    first = f"The row most like that of “{plain(word)}” is that of"
    if second and near.similarity < second.similarity + SAME:
        first = f"No row is more like that of “{plain(word)}” than that of"
    return (
        f"{first} “{plain(near.word)}”, cosine {signed(near.similarity)}; the context that makes them alike most is "
        f"“{plain(rows.found.words[terms[0]])}”."
    )


def show_raw(whole: Rows, broken: Rows, chosen: str) -> None:
    """Set the raw counts beside the weighting that was taken away."""
    before, after = (mean_cosine(each.vectors) for each in (whole, broken))
    many, share = len(broken.M) > 2 * FREQUENT, largest_is_frequent(broken.M, FREQUENT)
    largest = f"In {share:.0%} of the rows the largest is that of one of the {FREQUENT} most frequent words."
    LESSON.set_values(frequent=largest if many else "")
    consequence("Mean cosine of two words", before, after, more_is_better=False)
    if chosen == "counts":
        st.info("The matrix held raw counts already: choose a weighting, and see what the break takes away.")
        return
    text = f"With {chosen} two words have cosine {signed(before)} on average, raw counts {signed(after)}."
    if after > before:
        text += " Frequent words fill every row, so that rows come to be alike."
    if many:
        shares = [f"{nearest_is_frequent(each.vectors, FREQUENT):.1%}" for each in (whole, broken)]
        text += f" One of the {FREQUENT} most frequent words is the nearest of {shares[0]} of the words, "
        text += f"with counts of {shares[1]}."
    st.info(text)


def show_window(document: Document, size: int, found: CoOccurrence) -> None:
    """Step the window over a sentence of the text."""
    every = numbered(document).sentences
    first = telling_sentence(every, SHORTEST, LONGEST)
    number = LESSON.number("sentence", f"Sentence, 1 to {len(every):,}", 1, len(every), first + 1, width=220)
    tokens = every[number - 1][:LONGEST]
    if sum(token in found.index for token in tokens) < 2:
        LESSON.set_values(added="In this sentence no window holds a pair.")
        st.info("This sentence has fewer than two words with a row: no window holds a pair. Choose another.")
        return
    steps, shared = drawn.window_frames(tokens, size, found.index)
    LESSON.set_values(added=steps[0]["said"])
    LESSON.steps(steps, shared=shared)


def show_cell(rows: Rows, word: str) -> None:
    """Work through the four counts of one cell."""
    found = rows.found
    w = found.index[word]
    bits = np.where(found.counts[w] >= min(5, found.counts[w].max()), rows.bits[w], -np.inf)
    context = LESSON.select("context", f"Context of “{word}”", found.words, int(bits.argmax()), width=220)
    c = found.index[context]
    n, by_chance = int(found.counts[w, c]), found.totals[w] * found.totals[c] / found.total
    value = float(rows.bits[w, c])
    LESSON.set_values(pair_word=word, context=context, n=how_often(n))
    LESSON.set_values(chance=plain_number(by_chance), pmi=signed(value) if n else "−∞")
    st.latex(tables.worked_pmi(found, word, context))
    pair = f"“{plain(word)}” and “{plain(context)}”"
    if not n:
        LESSON.caption(f"{pair} never stand together: PMI is −∞, and the matrix holds 0 there.")
        return
    times = n / by_chance
    than = "as often as" if abs(times - 1) < 5e-3 else f"{plain_number(times)} times as often as"
    positive = "so PPMI keeps it" if value > 0 else "so PPMI makes it 0"
    LESSON.caption(
        f"{pair} stand together {how_often(n)}, {than} by chance ({plain_number(by_chance)}): PMI is "
        f"{signed(value)} bits, {positive}."
    )


def show_pair(rows: Rows, word: str) -> None:
    """Work the cosine of two rows through, and draw the contexts that add most to it."""
    known = rows.found.words
    near = rows.vectors.neighbours(word, 1)[0].word
    other = LESSON.select("other", "Beside it the row of", known, known.index(near), width=180)
    x, y = rows.of(word, other)
    places = largest_terms(x, y, TERMS)
    if not len(places):
        st.info(plain(f"“{word}” and “{other}” have no context that adds to their cosine."))
        return
    bars = drawn.rows_figure(x[places], y[places], [known[place] for place in places], (word, other))
    LESSON.figure("rows", bars, f"The rows of {word} and {other}, where they are most alike")
    # Its first terms are the largest: the sum is the same in any order.
    order = np.concatenate([places, np.setdiff1d(np.arange(len(known)), places)])
    st.latex(worked.cosine(x[order], y[order], word, other))
    share = float((x * y)[places].sum() / (x @ y)) if x @ y > 0 else 0.0
    if share and min(x.min(), y.min()) >= 0:
        adds = f"The {len(places)} contexts drawn add" if len(places) > 1 else "The context drawn adds"
        st.markdown(f"{adds} {worked.percent(share, 0)} of the dot product.")
    LESSON.every_number("two rows", tables.terms_table, rows.found, rows.M, word, other)


def show_restored(document: Document, rows: Rows, word: str, settings: tuple) -> None:
    """Draw what k dimensions keep of the matrix, and the map of the words in them."""
    V, factors = len(rows.found.words), rows.factors
    most = min(V, DIMENSIONS)
    k = LESSON.slider("k", "Dimensions k", 1, most, min(20, most), width=300)
    shares = np.array([factors.kept(each) for each in range(1, V + 1)])
    kept, off = worked.percent(float(shares[k - 1]), 0), factors.error(k) / V
    cells = tuple(each[:RESTORED] for each in cells_of(rows, word, True))
    maps = drawn.restored_figure(*rows.cells(*cells), factors.restored(k, *cells))
    LESSON.figure("restored", maps, f"Some cells of the matrix, and what a rank of {k} restores of them")
    LESSON.caption(
        f"{k} of {V} dimensions {'keeps' if k == 1 else 'keep'} {kept} of the matrix's squares; a restored cell "
        f"is off by {plain_number(off)} (root mean square)."
    )
    LESSON.figure("kept", drawn.kept_figure(shares, k), f"The share kept by the first 1 to {V} dimensions")
    st.latex(tables.worked_share(factors.sigma**2, k))
    data, near, same = mapped(document, *settings, k, word)
    LESSON.view("map", data, "map", {"word": look_up})
    still = f"{same:.0%} of the {V} words have the same nearest neighbour as in the whole matrix"
    LESSON.set_values(k=k, kept=kept, still=still, few=near[0])
    st.markdown(f"Nearest to “{plain(word)}” in {k} of its numbers: {plain(', '.join(near))}. {still}.")
    LESSON.every_number("singular values", tables.sigma_table, factors)


@cached(32, 8, "Drawing the map", shared=is_sample)
def mapped(
    document: Document, size: int, most: int, weighting: str, k: int, word: str
) -> tuple[dict, list[str], float]:
    """Return the map's data, the word's nearest in k dimensions, and how many words keep their nearest."""
    rows = rows_of(document, size, most, weighting)
    few = WordVectors(rows.found.words, rows.factors.vectors(k))
    near = [each.word for each in few.neighbours(word, NEIGHBOURS)]
    telling = [each for each in few.words if each not in STOP_WORDS][:ON_THE_MAP]
    here = few.subset([*(telling or few.words[:ON_THE_MAP]), word, *near])
    label = f"Map of {len(here)} words in {k} dimensions, {word} linked to its nearest"
    close, marked = nearest(here.vectors, NEIGHBOURS, "cosine"), {"chosen": word, "neighbours": near}
    data = map_view(here.words, project(here.vectors), label, close, **marked, clickable=True)
    return data, near, keep_their_nearest(rows.vectors, few)


def look_up(word: str) -> None:
    """Let the word clicked on the map be the one whose row is compared."""
    LESSON.set_state("word", word)
