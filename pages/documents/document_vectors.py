"""Documents as vectors: counts, tf-idf and means of word vectors; which documents are near, and why."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.documents.document_vectors import (
    YOURS,
    document_map_view,
    map_picture,
    mean_table,
    names_of,
    quality_figure,
    quality_table,
    terms_figure,
    weights_table,
    worked_sum,
    worked_weight,
)
from core.figures.figure import Figure
from core.figures.worked import how_often, number, signed
from core.lesson.break_it import consequence
from core.lesson.choices.vector_sets import shared_vectors
from core.lesson.kept_with_text import kept_with_text
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.models.documents.document_map import document_map
from core.models.documents.document_space import (
    COUNTS,
    LOOKED_AT,
    TF_IDF,
    Counted,
    Space,
    count_documents,
    document_space,
    turn_to,
)
from core.models.documents.document_vectors import (
    Parts,
    WordRows,
    cosine_terms,
    divided_by_length,
    parts_of,
    tf_idf_rows,
    vector_rows,
)
from core.models.documents.nearest_documents import leave_one_out, most_alike, products
from core.models.documents.sign_test import sign_test
from core.models.documents.tf_idf import document_frequencies, inverse_document_frequencies
from core.models.stored import load_card
from core.models.word_vectors.procrustes import procrustes
from core.text.reading.labelled import LabelledDocuments
from pages.documents.parts.labelled_source import (
    as_lines,
    labelled_source,
    load_cell,
    sample_reviews,
    type_document,
)

LESSON = Lesson(
    __name__,
    title="Documents as vectors",
    question="Which documents are alike?",
    icon="🧲",
)
MEANS = {"mean of GloVe": "glove", "mean of skip-gram": "skipgram"}
KINDS = (COUNTS, TF_IDF, *MEANS)
YOUR_TEXT, ONE_OF_THEM = "your text", "one of them"
CHARACTERS = 200  # of a document in the table
NONE = "it has no neighbour"


def picture() -> Figure:
    """Some reviews' map by the mean of word vectors."""
    documents = sample_reviews()
    counted = count_documents(documents.texts, documents.labels, most=250)
    space = document_space(counted, shared_vectors("skipgram"))
    return small(map_picture(counted.labels, space.projection))


def page() -> None:
    """The map and a document's nearest; why they are near; one weight worked through; how good each kind is."""
    LESSON.open(
        r"\text{tf-idf}(w, d) = c(w, d) \cdot \Big(\ln \frac{1 + N}{1 + \text{df}(w)} + 1\Big) \qquad "
        r"\cos(x, y) = \frac{x \cdot y}{\lVert x \rVert\, \lVert y \rVert} = \sum_w \frac{x_w\, y_w}{\lVert x \rVert\, "
        r"\lVert y \rVert}",
        "$c(w, d)$: how often document $d$ has word $w$; $N$: the documents; $\\text{df}(w)$: how many of them have $w$. "
        "Both are raised by one, as in scikit-learn's TfidfVectorizer. $x, y$: two documents' vectors: their counts, "
        "their tf-idf, or the mean of their words' vectors.",
    )
    controls, stage = LESSON.stage()
    with controls:
        documents = labelled_source(LESSON)
        kind = LESSON.choose("kind", "Vectors", KINDS, TF_IDF)
        counted = counted_of(documents)
        place, tokens = choose_document(documents, counted)
        k = LESSON.slider("k", "Neighbours", 1, 10, 5, width=130)
        broken = LESSON.break_it(
            "undivided",
            "Break it: do not divide by length",
            "Near is then what has a large dot product, x · y: a long vector has larger ones.",
        )
    space = space_of(documents, kind, not broken)
    parts = parts_of(tokens, space.rows)
    x = parts.vector / (1 if broken or not parts.length else parts.length)
    near = most_alike(space.vectors, x, k, place)
    measure = "dot product" if broken else "cosine"
    with stage:
        label = counted.labels[near[0]] if len(near) else NONE
        answers = [*documents.classes, *([] if len(near) else [NONE])]
        about = f"{documents.digest[:16]}_{kind}_{broken}_{hash(tuple(tokens))}_{place}"
        what = f"document {place + 1}" if place >= 0 else "your text"
        revealed = LESSON.ask(f"Which label has the document nearest to {what}?", answers, label, about)
        draw_map(documents, counted, space, place, x, near if revealed else np.array([], int))
        if place >= 0:
            st.text(f"Document {place + 1}, {counted.labels[place]}: {counted.texts[place][:CHARACTERS]}")
        if revealed:
            say_nearest(counted, space, parts, x, near, measure, what)
        if unknown := [word for word in dict.fromkeys(tokens) if word not in parts.words][:8]:
            listed = ", ".join(f"“{word[:30]}”" for word in unknown)
            st.text(f"Without a place or vector here, and so left out: {listed}.")
    if broken:
        show_broken(documents, kind, space)
    if revealed and len(near):
        show_neighbours(counted, space, x, near, measure)
        st.header("Why are they alike?", anchor=False)
        show_terms(counted, space, parts, near, measure, not broken)
    if parts.words:
        show_weight(counted, kind, parts)
    st.header("Which vectors keep labels together?", anchor=False)
    show_quality(documents, counted, kind, not broken)
    LESSON.closing(
        code=[
            *(document_frequencies, inverse_document_frequencies, tf_idf_rows, vector_rows, document_map),
            *(WordRows.vectors, divided_by_length, parts_of, cosine_terms, most_alike, leave_one_out),
            sign_test,
            procrustes,
        ],
        notebook=notebook(documents, kind, broken, tokens, place, k),
        files={"Documents": ("documents.tsv", as_lines(documents))},
        plot="from core.figures.documents.document_vectors import map_picture\n"
        "\ndraw(map_picture(counted.labels, space.projection))",
        try_this=[
            ("Document 17: do its nearest say the same thing?", {"asked": ONE_OF_THEM, "number": 17}),
            ("Take idf away: which words make documents alike now?", {"kind": COUNTS}),
            (
                "Do not divide by length: how many documents are nearest to any other?",
                {"kind": "mean of GloVe", "undivided": True},
            ),
        ],
        sources=[
            "Gerard Salton, Anita Wong and Chung-Shu Yang (1975), A vector space model for automatic indexing.",
            "Karen Spärck Jones (1972), A statistical interpretation of term specificity and its application in "
            "retrieval.",
            "Thomas Cover and Peter Hart (1967), Nearest neighbor pattern classification.",
            "Dan Jurafsky and James Martin, Speech and Language Processing (3rd edition draft), chapter 6.",
            *(load_card(MEANS[kind]).credits if kind in MEANS else []),
        ],
    )


@kept_with_text(2, 2, "Counting the words")
def counted_of(documents: LabelledDocuments) -> Counted:
    """Return the documents that are looked at."""
    return count_documents(documents.texts, documents.labels)


@kept_with_text(8, 8, "Comparing the documents")
def space_of(documents: LabelledDocuments, kind: str, divide: bool) -> Space:
    """Return the documents as vectors of a kind."""
    vectors = shared_vectors(MEANS[kind]) if kind in MEANS else kind
    return document_space(counted_of(documents), vectors, divide)


def choose_document(documents: LabelledDocuments, counted: Counted) -> tuple[int, list[str]]:
    """Draw the choice of the document whose neighbours are wanted; return its place, -1 if typed, and its tokens."""
    if LESSON.choose("asked", "Nearest to", [YOUR_TEXT, ONE_OF_THEM]) == YOUR_TEXT:
        return -1, type_document(LESSON, documents)[1]
    place = min(LESSON.number("number", "Its number", 1, LOOKED_AT, 1, width=120), len(counted.texts)) - 1
    return place, counted.tokens[place]


def draw_map(
    documents: LabelledDocuments, counted: Counted, space: Space, place: int, x: np.ndarray, near: np.ndarray
) -> None:
    """Draw the map, with the document and its neighbours once they may be seen."""
    names = names_of(counted.texts)
    yours = space.projection.place(x) if place < 0 else None
    chosen = (YOURS if place < 0 else names[place]) if len(near) else ""
    turn = turn_to(space, space_of(documents, TF_IDF, True))  # of all kinds of vectors alike
    found = [names[i] for i in near]
    data = document_map_view(names, counted.labels, space.projection, turn, yours, chosen, found)
    LESSON.view("map", data, "map", {"word": look_up})
    LESSON.tell(N=f"{len(names):,}", kept=f"{space.projection.variance_kept:.1%}")
    if len(names) < len(documents.texts):
        st.caption(f"{len(names):,} of {len(documents.texts):,} documents are looked at, evenly spread.")


def look_up(name: str) -> None:
    """Let the document clicked on the map be the one whose neighbours are wanted."""
    LESSON.put("asked", YOUR_TEXT if name == YOURS else ONE_OF_THEM)
    if name != YOURS:
        LESSON.put("number", int(name.split()[0]))


def say_nearest(
    counted: Counted,
    space: Space,
    parts: Parts,
    x: np.ndarray,
    near: np.ndarray,
    measure: str,
    what: str,
) -> None:
    """Say which document is nearest, and which word adds most to that."""
    if not len(near):
        reason = "shares no word with any other" if parts.words else "has no word that is known here"
        LESSON.says(f"Nothing is near: {what} {reason}.")
        return
    best, n = int(near[0]), len(near)
    label = counted.labels[best]
    value = float(products(space.vectors[[best]], x)[0])
    same = sum(counted.labels[i] == label for i in near)
    of = "" if n == 1 else f" Of the {n} nearest {same} {'is' if same == 1 else 'are'} {plain(label)}."
    LESSON.says(
        f"Nearest to {what} is document {best + 1}, {plain(label)}, {measure} {signed(value, 3)}.{of}"
    )


def show_neighbours(
    counted: Counted,
    space: Space,
    x: np.ndarray,
    near: np.ndarray,
    measure: str,
) -> None:
    """List the nearest documents."""
    table = pd.DataFrame(
        {
            "document": near + 1,
            measure: products(space.vectors[near], x).round(4),
            "label": [counted.labels[i] for i in near],
            "text": [counted.texts[i][:CHARACTERS] for i in near],
        }
    )
    LESSON.table("near", table, "The nearest documents, nearest first")


def show_terms(
    counted: Counted, space: Space, parts: Parts, near: np.ndarray, measure: str, divide: bool
) -> None:
    """Draw what each word of the document adds to its nearness to one neighbour, and add it up."""
    best = int(near[0])
    y = parts_of(counted.tokens[best], space.rows).vector
    terms = cosine_terms(parts, y, divide)
    top = parts.words[int(np.argmax(terms))]
    alt = f"What each word adds to the {measure}, in all {float(terms.sum()):.3f}"
    LESSON.figure("terms", terms_figure(parts, terms, measure), alt)
    total = float(terms.sum())
    LESSON.says(
        f"The {measure} with document {best + 1} is {signed(total, 3)}: “{plain(top)}” adds most, {signed(terms.max(), 3)}."
    )
    LESSON.tell(top=plain(top), adds=signed(terms.max(), 3), total=signed(total, 3), best=best + 1)
    st.latex(worked_sum(parts, terms, measure))


def show_weight(counted: Counted, kind: str, parts: Parts) -> None:
    """Work one weight through, and promise all of them."""
    N = len(counted.texts)
    if kind in MEANS:
        LESSON.every_number("the words' vectors", mean_table, parts)
        LESSON.tell(weight="the mean of its words' vectors")
        return
    df = document_frequencies(counted.X)[[counted.index[word] for word in parts.words]]
    LESSON.every_number("the document", weights_table, parts, df, N, kind == TF_IDF)
    if kind == TF_IDF:
        row = int(parts.added.sum(axis=1).argmax())
        word, times = parts.words[row], int(parts.counts[row])
        st.header("One weight, worked through", anchor=False)
        st.latex(worked_weight(word, times, int(df[row]), N))
        weight = number(float(parts.added[row].sum()))
        said = f"“{plain(word)}” weighs most: {how_often(times)} here, in {df[row]:,} of {N:,} documents: {weight}."
        st.markdown(said)
        LESSON.tell(weight=said)


def show_quality(documents: LabelledDocuments, counted: Counted, kind: str, divide: bool) -> None:
    """Draw for each kind of vector how often the nearest document has the same label, and say it of the one chosen."""
    found = {each: space_of(documents, each, divide).left_out for each in KINDS}
    N, chance = len(counted.y), counted.chance
    alt = "How often the nearest document has the same label, with 95% intervals, for four kinds of vectors"
    LESSON.figure("quality", quality_figure(found, kind, chance), alt)
    one = found[kind]
    low, high = one.interval
    LESSON.says(
        f"By their {kind}, {one.right:,} of {N:,} documents have their own label nearest: {one.share:.1%}, 95% interval "
        f"{low:.1%} to {high:.1%}; drawn at random, {chance:.1%}."
    )
    tests = {each: sign_test(one.same, found[each].same).p for each in KINDS if each != kind}
    apart = " and ".join(f"“{each}”" for each, p in tests.items() if p < 0.05)
    verdict = (
        f"On these same documents luck alone would set it so far apart from {apart} in fewer than 5% of cases."
        if apart
        else "On these same documents luck alone could set it as far apart from each of the others."
    )
    st.markdown(f"Each document in turn looks for its nearest among all others. {verdict}")
    LESSON.tell(
        share=f"{one.share:.1%}",
        low=f"{low:.1%}",
        high=f"{high:.1%}",
        chance=f"{chance:.1%}",
        verdict=verdict,
    )
    LESSON.every_number("leave one out", quality_table, found)


def show_broken(documents: LabelledDocuments, kind: str, space: Space) -> None:
    """Say what becomes of the nearest documents when no vector is divided by its length."""
    whole, raw = space_of(documents, kind, True).left_out, space.left_out
    consequence("Documents whose nearest has their label", whole.share, raw.share, ".1%")
    ends = ", ".join(f"{each.interval[0]:.1%} to {each.interval[1]:.1%}" for each in (whole, raw))
    LESSON.tell(hubs=f"{raw.neighbours:,}", before=f"{whole.neighbours:,}")
    st.markdown(
        f"The 95% intervals: {ends}. The longer a vector, the larger its products. Different documents that are the "
        f"nearest of some other one: {raw.neighbours:,}; divided by length: {whole.neighbours:,}."
    )


def notebook(
    documents: LabelledDocuments, kind: str, broken: bool, tokens: list[str], place: int, k: int
) -> list[str]:
    """Return the cells that make the vectors, find the nearest documents and leave each one out."""
    vectors = f'stored_vectors("{MEANS[kind]}")' if kind in MEANS else repr(kind)
    scale = "" if broken else " / (parts.length or 1)"
    return [
        load_cell(documents),
        "from core.models.documents.document_space import count_documents, document_space\n"
        "from core.models.word_vectors.word_vectors import stored_vectors\n\n"
        "counted = count_documents(documents.texts, documents.labels)\n"
        f"space = document_space(counted, {vectors}, divide={not broken})\n"
        "print(space.left_out.share, space.left_out.interval)",
        "from core.models.documents.document_vectors import parts_of\n"
        "from core.models.documents.nearest_documents import most_alike\n\n"
        f"parts = parts_of({tokens!r}, space.rows)\n"
        f"most_alike(space.vectors, parts.vector{scale}, {k}, leave_out={place}) + 1",
    ]
