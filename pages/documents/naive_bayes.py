"""Naive Bayes: count words by class, add their logarithms up for any sentence, and see how often that is right."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.figures.card import card
from core.figures.documents.naive_bayes import posterior_figure, reading_frames
from core.figures.documents.naive_bayes_tables import document_table, vocabulary_table
from core.figures.figure import Figure
from core.figures.worked import percent
from core.lesson.break_it import consequence
from core.lesson.kept_with_text import kept_with_text
from core.lesson.lesson import Lesson
from core.models.documents.bag_of_words import bags_of, held_out_places
from core.models.documents.held_out import Judged, judge
from core.models.documents.naive_bayes import NaiveBayes, Reading, class_counts, normalised, read_words
from core.text.reading.labelled import LabelledDocuments
from pages.documents.parts.judging import show_judged
from pages.documents.parts.labelled_source import (
    as_lines,
    labelled_source,
    load_cell,
    sample_reviews,
    split_of,
    type_document,
)
from pages.documents.parts.learnt import bags_read, naive_bayes_of

LESSON = Lesson(
    __name__,
    title="Naive Bayes",
    question="Can counting words tell what a document is about?",
    icon="🗳️",
)
COLUMNS = 3  # classes whose bars stand side by side
DENIED = "The handle is not sturdy, I cannot call it lovely"
PROMPTS = {  # the reviews', and those for documents of one's own
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
        documents = labelled_source(LESSON)
        _, tokens = type_document(LESSON, documents)
        chosen = LESSON.slider("alpha", "α, added to every count", 0.1, 5.0, 1.0, 0.1, width=200)
        binary = LESSON.toggle(
            "binary", "Binary", help="Each word counts once a document, however often it comes."
        )
        broken = LESSON.break_it(
            "raw", "Break it: add nothing", "α = 0: one word that a class never said silences it."
        )
    alpha = 0.0 if broken else chosen
    learnt, _ = bags_read(documents, binary)
    model = naive_bayes_of(documents, alpha, binary)
    reading = read_words(model, learnt, tokens, binary)
    with stage:
        about = f"{documents.digest[:16]}_{hash(tuple(tokens))}_{alpha}_{binary}"
        given = class_given(reading, learnt.classes)
        answers = [*learnt.classes, *(["none of them"] if alpha == 0 else [])]
        if revealed := LESSON.ask(
            "Which class will naive Bayes choose?", answers, given or "none of them", about
        ):
            show_reading(model, reading, learnt.classes)
    judged = judged_of(documents, alpha, binary)
    if broken:
        show_broken(documents, chosen, binary)
    st.header("How often is it right?", anchor=False)
    show_judged(
        LESSON, "Naive Bayes", [documents.texts[i] for i in split_of(documents)[2]], judged, learnt.classes
    )
    if revealed:
        LESSON.every_number(
            "the document", document_table, model, reading, learnt.classes, columns_of(reading)
        )
    LESSON.every_number("the words that tell most", vocabulary_table, model, learnt)
    LESSON.closing(
        code=[bags_of, held_out_places, class_counts, NaiveBayes, read_words, normalised, judge],
        notebook=notebook(documents, alpha, binary, tokens),
        files={"Documents": ("documents.tsv", as_lines(documents))},
        plot="from core.figures.documents.held_out import confusion_figure\n\n"
        "draw(confusion_figure(judged, learnt.classes))",
        try_this=PROMPTS[documents.own],
        sources=[
            "Dan Jurafsky and James Martin, Speech and Language Processing (3rd edition draft), chapter 4.",
            "Melvin Maron (1961), Automatic indexing: an experimental inquiry.",
            "Andrew McCallum and Kamal Nigam (1998), A comparison of event models for naive Bayes text classification.",
            "Edwin Wilson (1927), Probable inference, the law of succession, and statistical inference (the interval).",
        ],
    )


@kept_with_text(24, 8, "Reading the held-out documents")
def judged_of(documents: LabelledDocuments, alpha: float, binary: bool) -> Judged:
    """Return the held-out documents judged."""
    rest = bags_read(documents, binary)[1]
    return judge(naive_bayes_of(documents, alpha, binary).posterior(rest.X), rest.y)


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
    LESSON.says(decision(reading, classes))
    N, V = int(model.documents_.sum()), model.counts_.shape[1]
    first = frames[1]["said"] if reading.tokens else "No word of this document was learnt."
    LESSON.tell(N=f"{N:,}", V=f"{V:,}", alpha=f"{model.alpha:g}", first=first, prior=frames[0]["said"])
    LESSON.tell(posterior=frames[-1]["said"], columns=" and ".join(classes[c] for c in shown[:2]))


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


def show_broken(documents: LabelledDocuments, chosen: float, binary: bool) -> None:
    """Count the held-out documents in which a word gives their own class probability nought, and who decides then."""
    rest = bags_read(documents, binary)[1]
    silenced = []
    for alpha in (chosen, 0.0):
        joint = naive_bayes_of(documents, alpha, binary).joint_log_probability(rest.X)
        silenced.append(float(np.isneginf(joint[np.arange(len(rest.y)), rest.y]).mean()))
    consequence(
        "Held-out documents that their own class cannot have written", *silenced, ".1%", more_is_better=False
    )
    whole, raw = (judged_of(documents, alpha, binary) for alpha in (chosen, 0.0))
    n = len(rest.y)
    st.markdown(
        f"A product with one factor 0 is 0, whatever the other words say. Of {n:,} held-out documents {raw.right:,} are "
        f"given their own class; with α = {chosen:g} it is {whole.right:,}. For {raw.undecided:,} every class is silenced."
    )


def notebook(documents: LabelledDocuments, alpha: float, binary: bool, tokens: Sequence[str]) -> list[str]:
    """Return the cells that learn from the documents and read one."""
    once = "\nlearnt, rest = learnt.binary, rest.binary  # each word once a document" if binary else ""
    return [
        load_cell(documents) + once,
        "from core.models.documents.naive_bayes import NaiveBayes, read_words\n\n"
        f"model = NaiveBayes(alpha={alpha}).fit(learnt.X, learnt.y)\n"
        f"reading = read_words(model, learnt, {list(tokens)!r}, binary={binary})\nprint(reading.sums, reading.posteriors)",
        "from core.models.documents.held_out import judge\n\n"
        "judged = judge(model.posterior(rest.X), rest.y)\nprint(judged.accuracy, judged.interval)",
    ]
