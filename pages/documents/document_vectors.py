"""Documents as vectors: counts, tf-idf and means of word vectors; which documents are near, and why."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
import pandas as pd
import streamlit as st

from core.figures.card import small
from core.figures.documents import document_vectors as drawn
from core.figures.figure import Figure
from core.figures.worked import how_often, number, signed
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.choices.vector_sets import shared_vectors
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
from core.models.documents.fit_paragraphs import DBOW, DM, Pair, fit_paragraphs, stored_paragraphs
from core.models.documents.nearest_documents import leave_one_out, most_alike, products
from core.models.documents.paragraph_vectors import ParagraphVectors, PvDbow, PvDm
from core.models.documents.sign_test import sign_test
from core.models.documents.tf_idf import document_frequencies, inverse_document_frequencies
from core.models.stored import load_card
from core.models.word_vectors.procrustes import procrustes
from core.text.reading.labelled import LabelledDocuments
from pages.documents.shared.labelled_source import (
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
    icon="magnet",
)
MEANS = {"mean of GloVe": "glove", "mean of skip-gram": "skipgram"}
PARAGRAPHS = (DM, DBOW)
KINDS = (COUNTS, TF_IDF, *MEANS, *PARAGRAPHS)
YOUR_TEXT, ONE_OF_THEM = "your text", "one of them"
CHARACTERS = 200  # of a document in the table
UNDIVIDED = "Near is then what has a large dot product, x · y: a long vector has larger ones."
NONE = "it has no neighbour"


def picture() -> Figure:
    """Some reviews' map by the mean of word vectors."""
    documents = sample_reviews()
    counted = count_documents(documents.texts, documents.labels, most=250)
    space = document_space(counted, shared_vectors("skipgram"))
    return small(drawn.map_picture(counted.labels, space.projection))


def page() -> None:
    """The map and a document's nearest; why they are near; one weight worked through; how good each kind is."""
    LESSON.open(
        r"\text{tf-idf}(w, d) = c(w, d) \cdot \Big(\ln \frac{1 + N}{1 + \text{df}(w)} + 1\Big) \qquad "
        r"\cos(x, y) = \frac{x \cdot y}{\lVert x \rVert\, \lVert y \rVert} = \sum_w \frac{x_w\, y_w}{\lVert x \rVert\, "
        r"\lVert y \rVert} \qquad h_{DM} = \frac{v_d + \sum_{w} v_w}{1 + n} \quad h_{DBOW} = v_d",
        "$c(w, d)$: how often document $d$ has word $w$; $N$: the documents; $\\text{df}(w)$: how many of them have $w$. "
        "Both are raised by one, as in scikit-learn's TfidfVectorizer. $x, y$: two documents' vectors: their counts, "
        "their tf-idf, the mean of their words' vectors, or paragraph vectors $v_d$, learnt so that $h$ foretells each word "
        "of document $d$; $v_w$: the vectors of the $n$ words around it.",
    )
    controls, stage = LESSON.stage()
    with controls:
        documents = labelled_source(LESSON)
        counted = counted_of(documents)
        kind = choose_kind(documents, counted)
        place, tokens = choose_document(documents, counted)
        k = LESSON.slider("k", "Neighbours", 1, 10, 5, width=130)
        broken = LESSON.break_it("undivided", "Break it: do not divide by length", UNDIVIDED)
    space = space_of(documents, kind, not broken)
    x = space.vector_of(tokens, place)
    x = x / (1 if broken else np.linalg.norm(x) or 1)
    parts = None if kind in PARAGRAPHS else parts_of(tokens, space.rows)
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
            say_nearest(counted, space, x, near, measure, what, any(map(space.known, tokens)))
        if unknown := [word for word in dict.fromkeys(tokens) if not space.known(word)][:8]:
            listed = ", ".join(f"“{word[:30]}”" for word in unknown)
            st.text(f"Without a place or vector here, and so left out: {listed}.")
    if broken:
        show_broken(documents, kind, space)
    if revealed and len(near):
        show_neighbours(counted, space, x, near, measure)
    if parts is None:
        st.markdown("A paragraph vector is learnt as a whole: it is no sum of words that had a part each.")
    elif revealed and len(near):
        st.header("Why are they alike?", anchor=False)
        show_terms(counted, space, parts, near, measure, not broken)
    if parts and parts.words:
        show_weight(counted, kind, parts)
    st.header("Which vectors keep labels together?", anchor=False)
    show_quality(documents, counted, kind, not broken)
    LESSON.closing(
        code=[
            *(document_frequencies, inverse_document_frequencies, tf_idf_rows, vector_rows, document_map),
            *(WordRows.vectors, divided_by_length, parts_of, cosine_terms, most_alike, leave_one_out),
            *(sign_test, procrustes, ParagraphVectors.update, PvDm.hidden, PvDbow.hidden),
            ParagraphVectors.infer,
        ],
        notebook=notebook(documents, kind, broken, tokens, place, k),
        files={"Documents": ("documents.tsv", partial(as_lines, documents))},
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
            "Quoc Le and Tomas Mikolov (2014), Distributed representations of sentences and documents.",
            "Thomas Cover and Peter Hart (1967), Nearest neighbor pattern classification.",
            "Dan Jurafsky and James Martin, Speech and Language Processing (3rd edition draft), chapter 6.",
            *(load_card(MEANS[kind]).credits if kind in MEANS else []),
        ],
    )


@cached(2, 2, "Counting the words", shared=is_sample)
def counted_of(documents: LabelledDocuments) -> Counted:
    """Return the documents that are looked at."""
    return count_documents(documents.texts, documents.labels)


@cached(2 * len(KINDS), 2 * len(KINDS), "Comparing the documents", shared=is_sample)
def space_of(documents: LabelledDocuments, kind: str, divide: bool) -> Space:
    """Return the documents as vectors of a kind; paragraph vectors of one's own must have been trained."""
    vectors = shared_vectors(MEANS[kind]) if kind in MEANS else kind
    if kind in PARAGRAPHS:
        vectors = paragraphs_of(documents)[kind]
    return document_space(counted_of(documents), vectors, divide)


def paragraphs_of(documents: LabelledDocuments) -> Pair | None:
    """Return both models of paragraph vectors: the reviews' are stored, a learner's None until they are trained."""
    if not documents.own:
        return reviews_paragraphs()
    bench = LESSON.bench()
    return bench.result if bench.settings == documents.digest else None


reviews_paragraphs = cache(stored_paragraphs)  # every session shares them; nothing changes them


def choose_kind(documents: LabelledDocuments, counted: Counted) -> str:
    """Draw the choice of the kind of vectors and return it.

    Paragraph vectors of a learner's own documents are trained when they ask for it; until then tf-idf stands in.
    """
    kind = LESSON.select("kind", "Vectors", KINDS, KINDS.index(TF_IDF), width=190)
    if kind not in PARAGRAPHS or not documents.own:
        return kind
    task = (fit_paragraphs, (counted.texts,), documents.digest)
    LESSON.train(*task, lambda seen: st.progress(seen[-1] if seen else 0.0, "Both models, in turn"))
    if paragraphs_of(documents):
        return kind
    st.text("Your documents' paragraph vectors are to be trained first: until then, tf-idf.")
    return TF_IDF


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
    names = drawn.names_of(counted.texts)
    yours = space.projection.place(x) if place < 0 else None
    chosen = (drawn.YOURS if place < 0 else names[place]) if len(near) else ""
    turn = turn_to(space, space_of(documents, TF_IDF, True))  # of all kinds of vectors alike
    found = [names[i] for i in near]
    data = drawn.document_map_view(names, counted.labels, space.projection, turn, yours, chosen, found)
    LESSON.view("map", data, "map", {"word": look_up})
    LESSON.set_values(N=f"{len(names):,}", kept=f"{space.projection.variance_kept:.1%}")
    if len(names) < len(documents.texts):
        st.caption(f"{len(names):,} of {len(documents.texts):,} documents are looked at, drawn at random.")


def look_up(name: str) -> None:
    """Let the document clicked on the map be the one whose neighbours are wanted."""
    LESSON.set_state("asked", YOUR_TEXT if name == drawn.YOURS else ONE_OF_THEM)
    if name != drawn.YOURS:
        LESSON.set_state("number", int(name.split()[0]))


def say_nearest(
    counted: Counted, space: Space, x: np.ndarray, near: np.ndarray, measure: str, what: str, known: bool
) -> None:
    """Say which document is nearest, and how many of the nearest have its label."""
    if not len(near):
        reason = "shares no word with any other" if known else "has no word that is known here"
        LESSON.caption(f"Nothing is near: {what} {reason}.")
        return
    value = float(products(space.vectors[[near[0]]], x)[0])
    labels = [plain(counted.labels[i]) for i in near]
    LESSON.caption(drawn.said_nearest(int(near[0]) + 1, labels, value, measure, what))


def show_neighbours(counted: Counted, space: Space, x: np.ndarray, near: np.ndarray, measure: str) -> None:
    """List the nearest documents."""
    values = products(space.vectors[near], x).round(4)
    columns = [near + 1, values, *([each[i] for i in near] for each in (counted.labels, counted.texts))]
    table = pd.DataFrame(dict(zip(["document", measure, "label", "text"], columns, strict=True)))
    table["text"] = table["text"].str[:CHARACTERS]
    LESSON.table("near", table, "The nearest documents, nearest first")


def show_terms(
    counted: Counted, space: Space, parts: Parts, near: np.ndarray, measure: str, divide: bool
) -> None:
    """Draw what each word of the document adds to its nearness to one neighbour, and add it up."""
    best = int(near[0])
    y = parts_of(counted.tokens[best], space.rows).vector
    terms = cosine_terms(parts, y, divide)
    top = parts.words[int(np.argmax(terms))]
    total = float(terms.sum())
    alt = f"What each word adds to the {measure}, in all {total:.3f}"
    LESSON.figure("terms", drawn.terms_figure(parts, terms, measure), alt)
    LESSON.caption(
        f"The {measure} with document {best + 1} is {signed(total, 3)}: “{plain(top)}” adds most, {signed(terms.max(), 3)}."
    )
    LESSON.set_values(top=plain(top), adds=signed(terms.max(), 3), total=signed(total, 3), best=best + 1)
    st.latex(drawn.worked_sum(parts, terms, measure))


def show_weight(counted: Counted, kind: str, parts: Parts) -> None:
    """Work one weight through, and promise all of them."""
    N = len(counted.texts)
    if kind in MEANS:
        LESSON.every_number("the words' vectors", drawn.mean_table, parts)
        LESSON.set_values(weight="the mean of its words' vectors")
        return
    df = document_frequencies(counted.X)[[counted.index[word] for word in parts.words]]
    LESSON.every_number("the document", drawn.weights_table, parts, df, N, kind == TF_IDF)
    if kind == TF_IDF:
        row = int(parts.added.sum(axis=1).argmax())
        word, times = parts.words[row], int(parts.counts[row])
        st.header("One weight, worked through", anchor=False)
        st.latex(drawn.worked_weight(word, times, int(df[row]), N))
        weight = number(float(parts.added[row].sum()))
        said = f"“{plain(word)}” weighs most: {how_often(times)} here, in {df[row]:,} of {N:,} documents: {weight}."
        st.markdown(said)
        LESSON.set_values(weight=said)


def show_quality(documents: LabelledDocuments, counted: Counted, kind: str, divide: bool) -> None:
    """Draw for each kind of vector how often the nearest document has the same label, and say it of the one chosen."""
    kinds = [each for each in KINDS if each not in PARAGRAPHS or paragraphs_of(documents)]
    found = {each: space_of(documents, each, divide).left_out for each in kinds}
    N, chance = len(counted.y), counted.chance
    alt = "How often the nearest document has the same label, with 95% intervals, for each kind of vectors"
    LESSON.figure("quality", drawn.quality_figure(found, kind, chance), alt)
    one = found[kind]
    low, high = one.interval
    LESSON.caption(
        f"By their {kind}, {one.right:,} of {N:,} documents have their own label nearest: {one.share:.1%}, 95% interval "
        f"{low:.1%} to {high:.1%}; drawn at random, {chance:.1%}."
    )
    verdict = drawn.said_apart(found, kind)
    st.markdown(f"Each document in turn looks for its nearest among all others. {verdict}")
    LESSON.set_values(share=f"{one.share:.1%}", low=f"{low:.1%}", high=f"{high:.1%}")
    LESSON.set_values(chance=f"{chance:.1%}", verdict=verdict, kind=kind)
    LESSON.every_number("leave one out", drawn.quality_table, found)


def show_broken(documents: LabelledDocuments, kind: str, space: Space) -> None:
    """Say what becomes of the nearest documents when no vector is divided by its length."""
    whole, raw = space_of(documents, kind, True).left_out, space.left_out
    consequence("Documents whose nearest has their label", whole.share, raw.share, ".1%")
    ends = ", ".join(f"{each.interval[0]:.1%} to {each.interval[1]:.1%}" for each in (whole, raw))
    LESSON.set_values(hubs=f"{raw.neighbours:,}", before=f"{whole.neighbours:,}")
    st.markdown(
        f"The 95% intervals: {ends}. The longer a vector, the larger its products. Different documents that are the "
        f"nearest of some other one: {raw.neighbours:,}; divided by length: {whole.neighbours:,}."
    )


def notebook(
    documents: LabelledDocuments, kind: str, broken: bool, tokens: list[str], place: int, k: int
) -> list[str]:
    """Return the cells that make the vectors, find the nearest documents and leave each one out."""
    made, given = "core.models.word_vectors.word_vectors import stored_vectors", repr(kind)
    if kind in MEANS:
        given = f'stored_vectors("{MEANS[kind]}")'
    elif kind in PARAGRAPHS:
        made = "core.models.documents.fit_paragraphs import fit_paragraphs, stored_paragraphs"
        stored = 'stored_paragraphs("paragraphs")'
        given = (
            f"{'fit_paragraphs(lambda share: True, counted.texts)' if documents.own else stored}[{kind!r}]"
        )
    return [
        load_cell(documents),
        "from core.models.documents.document_space import count_documents, document_space\n"
        f"from {made}\n\n"
        "counted = count_documents(documents.texts, documents.labels)\n"
        f"space = document_space(counted, {given}, divide={not broken})\n"
        "print(space.left_out.share, space.left_out.interval)",
        "from core.models.documents.nearest_documents import most_alike\n\n"
        f"x = space.vector_of({tokens!r}, {place})\n"
        f"most_alike(space.vectors, x{'' if broken else ' / ((x @ x) ** 0.5 or 1)'}, {k}, leave_out={place}) + 1",
    ]
