"""Naive Bayes: count words by class, add their logarithms up for any sentence, and see how often that is right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.figures.card import card
from core.figures.documents.learning_curve import (
    learning_curve_figure,
    learning_curve_table,
    said_of_curve,
)
from core.figures.documents.naive_bayes import posterior_figure, reading_frames
from core.figures.documents.naive_bayes_tables import document_table, vocabulary_table
from core.figures.figure import Figure
from core.figures.worked import percent
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.lesson import Lesson
from core.models.documents.bag_of_words import bags_of, held_out_places
from core.models.documents.held_out import judge
from core.models.documents.learning_curve import LearningCurve, learning_curve
from core.models.documents.naive_bayes import NaiveBayes, Reading, class_counts, normalised, read_words
from core.models.documents.stored_classifiers import StoredClassifiers
from core.text.reading.labelled import LabelledDocuments
from pages.documents.shared.judging import show_judged
from pages.documents.shared.labelled_source import sample_reviews, split_of
from pages.documents.shared.learnt import naive_bayes_judged, naive_bayes_of, silenced_of
from pages.documents.shared.learnt_source import (
    Learnt,
    credits_of,
    files_of,
    first_cell,
    held_out_texts,
    learnt_source,
    type_words,
    words_of,
)

LESSON = Lesson(
    __name__,
    title="Naive Bayes",
    question="Can counting words tell what a document is about?",
    icon="vote",
)
COLUMNS = 3  # classes whose bars stand side by side
DENIED = "The handle is not sturdy, I cannot call it lovely"
PROMPTS = {  # the reviews', and those for documents of one's own and for stored counts
    False: [
        ("Deny it: does “not” turn a word round?", {"sentence": DENIED}),
        ("Say one word ten times: how sure is it? And binary?", {"sentence": " ".join(["sturdy"] * 10)}),
        (
            "Add nothing: what if a word silences either class?",
            {"raw": True, "sentence": "I love it, but it stopped"},
        ),
    ],
    True: [
        ("Each word once a document: is it right more often?", {"binary": True}),
        ("Add five to every count: how sure is it now?", {"alpha": 5.0}),
        ("Add nothing: how many documents does a word rule out?", {"raw": True}),
    ],
}


def picture() -> Figure:
    """The posterior of a short review, word by word."""
    learnt, _, _ = split_of(sample_reviews())
    reading = read_words(
        naive_bayes_of(sample_reviews(), 1.0, False), learnt, "dull lid but i love it".split()
    )
    return card(posterior_figure(reading, "positive", 1))


def page() -> None:
    """A document read word by word; what no smoothing does; how often it is right; the words that tell most."""
    LESSON.open(
        r"c^* = \arg\max_c \; \ln p(c) + \sum_i \ln p(w_i \mid c) \qquad "
        r"p(w \mid c) = \frac{n(w, c) + \alpha}{n(c) + \alpha V}",
        "$c$: a class; $p(c)$: its share of the documents; $w_i$: the document's words, in whatever order; $n(w, c)$: how "
        "often the documents of class $c$ have word $w$; $n(c)$: how many words they have; $V$: the different words of all "
        "classes; $\\alpha$: added to every count. Binary: a word is counted once a document.",
    )
    controls, stage = LESSON.stage()
    with controls:
        source = learnt_source(LESSON)
        tokens = type_words(LESSON, source)
        chosen = LESSON.slider("alpha", "α, added to every count", 0.1, 5.0, 1.0, 0.1, width=200)
        binary = LESSON.toggle(
            "binary", "Binary", help="Each word counts once a document, however often it comes."
        )
        broken = LESSON.break_it(
            "raw", "Break it: add nothing", "α = 0: one word that a class never said silences it."
        )
    alpha = 0.0 if broken else chosen
    learnt = words_of(source)
    model = naive_bayes_of(source, alpha, binary)
    reading = read_words(model, learnt, tokens, binary)
    with stage:
        about = f"{source.digest[:16]}_{hash(tuple(tokens))}_{alpha}_{binary}"
        given = class_given(reading, learnt.classes)
        answers = [*learnt.classes, *(["none of them"] if alpha == 0 else [])]
        if revealed := LESSON.ask(
            "Which class will naive Bayes choose?", answers, given or "none of them", about
        ):
            show_reading(model, reading, learnt.classes)
    judged = naive_bayes_judged(source, alpha, binary)
    if broken:
        show_broken(source, chosen, binary)
    st.header("How often is it right?", anchor=False)
    show_judged(LESSON, "Naive Bayes", held_out_texts(source), judged, learnt.classes)
    show_curve(source)
    if revealed:
        LESSON.every_number(
            "the document", document_table, model, reading, learnt.classes, columns_of(reading)
        )
    LESSON.every_number("the words that tell most", vocabulary_table, model, learnt)
    LESSON.closing(
        code=[
            bags_of,
            held_out_places,
            class_counts,
            NaiveBayes,
            read_words,
            normalised,
            judge,
            learning_curve,
        ],
        notebook=notebook(source, alpha, binary, tokens),
        files=files_of(source),
        plot="from core.figures.documents.held_out import confusion_figure\n\n"
        "draw(confusion_figure(judged, learnt.classes))",
        try_this=PROMPTS[source.own or isinstance(source, StoredClassifiers)],
        sources=[
            "Dan Jurafsky and James Martin, Speech and Language Processing (3rd edition draft), chapter 4.",
            "Melvin Maron (1961), Automatic indexing: an experimental inquiry.",
            "Andrew McCallum and Kamal Nigam (1998), A comparison of event models for naive Bayes text classification.",
            "Edwin Wilson (1927), Probable inference, the law of succession, and statistical inference (the interval).",
            *credits_of(source),
        ],
    )


@cached(4, 2, "Learning from more and more documents", shared=is_sample)
def curve_of(documents: LabelledDocuments) -> LearningCurve:
    """Return how often both methods are right, by how many documents they have learnt from."""
    learnt, rest, _ = split_of(documents)
    return learning_curve(learnt, rest)


def show_curve(source: Learnt) -> None:
    """Draw the learning curve once the learner opens it; it takes documents to learn from."""
    if isinstance(source, StoredClassifiers):
        st.markdown("How it does with fewer documents cannot be shown either: nothing can be learnt again.")
        return
    if not (section := LESSON.section("curve", "How many documents does it take?")):
        return
    curve = curve_of(source)
    with section:
        said = said_of_curve(curve)
        LESSON.figure("learning_curve", learning_curve_figure(curve), said)
        LESSON.caption(said)
        shown = (
            "The bars are 95% intervals; the dotted line is always naming the most frequent class. Each number of documents "
            "holds those before it. α = 1 and λ = 1, whatever is chosen above."
        )
        left_out = (
            ""
            if len(curve.judged) > 1
            else " With so many classes logistic regression takes too long for a page."
        )
        st.caption(shown + left_out)
        LESSON.set_values(curve=said)
        LESSON.every_number("the learning curve", learning_curve_table, curve)


def class_given(reading: Reading, classes: Sequence[str]) -> str:
    """Return the class that is chosen, nothing where all are silenced."""
    posterior = reading.posteriors[-1]
    return "" if np.isnan(posterior).any() else classes[int(posterior.argmax())]


def columns_of(reading: Reading) -> list[int]:
    """Return the classes that stand side by side: of two the second first, of more those with the largest sums."""
    sums = reading.sums[-1]
    return [1, 0] if len(sums) == 2 else np.argsort(-sums, kind="stable")[:COLUMNS].tolist()


def show_reading(model: NaiveBayes, reading: Reading, classes: Sequence[str]) -> None:
    """Step through the document, and say what is chosen by which sums."""
    shown = columns_of(reading)
    frames = reading_frames(model, reading, classes, shown)
    LESSON.steps(frames, start=len(frames))
    LESSON.caption(decision(reading, classes))
    N, V = int(model.documents_.sum()), model.counts_.shape[1]
    first = frames[1]["said"] if reading.tokens else "No word of this document was learnt."
    LESSON.set_values(N=f"{N:,}", V=f"{V:,}", alpha=f"{model.alpha:g}", first=first, prior=frames[0]["said"])
    LESSON.set_values(posterior=frames[-1]["said"], columns=" and ".join(classes[c] for c in shown[:2]))


def decision(reading: Reading, classes: Sequence[str]) -> str:
    """Say which class is chosen, and which word moved the logarithms of the best two apart the most."""
    chosen, n = class_given(reading, classes), len(reading.tokens)
    if not chosen:
        return "Naive Bayes chooses no class: each is silenced by a word that it never said."
    p = reading.posteriors[-1].max()
    said = f"Naive Bayes chooses {chosen}, p = {percent(p)}"
    if not n:
        return f"{said}: no word of this document was learnt, so the prior decides."
    best, second = np.argsort(-reading.sums[-1], kind="stable")[:2]
    with np.errstate(invalid="ignore"):
        gaps = np.nan_to_num(reading.log_likelihoods[:, best] - reading.log_likelihoods[:, second], nan=0.0)
    place = int(gaps.argmax())
    if gaps[place] <= 0:
        return f"{said}: no word speaks for it rather than for {classes[second]}, so the prior decides."
    return f"{said}. No word speaks more for it, against {classes[second]}, than “{reading.tokens[place]}”."


def show_broken(source: Learnt, chosen: float, binary: bool) -> None:
    """Count the held-out documents in which a word gives their own class probability nought, and who decides then."""
    silenced = [silenced_of(source, alpha, binary) for alpha in (chosen, 0.0)]
    consequence(
        "Held-out documents that their own class cannot have written", *silenced, ".1%", more_is_better=False
    )
    whole, raw = (naive_bayes_judged(source, alpha, binary) for alpha in (chosen, 0.0))
    n = raw.documents
    st.markdown(
        f"A product with one factor 0 is 0, whatever the other words say. Of {n:,} held-out documents {raw.right:,} are "
        f"given their own class; with α = {chosen:g} it is {whole.right:,}. For {raw.undecided:,} every class is silenced."
    )


def notebook(source: Learnt, alpha: float, binary: bool, tokens: Sequence[str]) -> list[str]:
    """Return the cells that learn from the documents, or take what is stored, and read one."""
    stored = isinstance(source, StoredClassifiers)
    once = "\nlearnt, rest = learnt.binary, rest.binary  # each word once a document" if binary else ""
    model = (
        f"learnt.naive_bayes(alpha={alpha}, binary={binary})"
        if stored
        else f"NaiveBayes(alpha={alpha}).fit(learnt.X, learnt.y)"
    )
    judged = (
        f"judged = learnt.bayes_confusion(alpha={alpha}, binary={binary})"
        if stored
        else "from core.models.documents.held_out import judge\n\njudged = judge(model.posterior(rest.X), rest.y)"
    )
    return [
        first_cell(source) + ("" if stored else once),
        "from core.models.documents.naive_bayes import NaiveBayes, read_words\n\n"
        f"model = {model}\n"
        f"reading = read_words(model, learnt, {list(tokens)!r}, binary={binary})\nprint(reading.sums, reading.posteriors)",
        f"{judged}\nprint(judged.accuracy, judged.interval)",
    ]
