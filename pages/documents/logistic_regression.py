"""Logistic regression: down the loss over two weights, one document worked, the weights learnt, and none held short."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.figures.card import card
from core.figures.documents.logistic_regression import (
    descent_frames,
    growth_figure,
    shared_surface,
    sigmoid_figure,
    terms_table,
    weights_figure,
    weights_table,
    worked_document,
)
from core.figures.figure import Figure
from core.figures.worked import percent, plain_number, signed
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.lesson import Lesson
from core.models.documents.bag_of_words import Bags
from core.models.documents.held_out import judge
from core.models.documents.logistic_regression import (
    LogisticRegression,
    WorkedDocument,
    loss_and_gradient,
    work_document,
)
from core.models.documents.stored_classifiers import PENALTIES, StoredClassifiers
from core.models.documents.tf_idf import document_frequencies
from core.models.documents.two_weights import UNMOVED, TwoWeights, descend, minimum_of, two_weights
from core.text.reading.labelled import LabelledDocuments
from pages.documents.shared.judging import show_judged
from pages.documents.shared.labelled_source import both_names, choose_class, sample_reviews, split_of
from pages.documents.shared.learnt import regression_judged, regression_of
from pages.documents.shared.learnt_source import (
    credits_of,
    files_of,
    first_cell,
    held_out_texts,
    learnt_source,
    type_words,
)

LESSON = Lesson(
    __name__,
    title="Logistic regression",
    question="How does a machine learn what each word should count?",
    icon="spline",
)
STEPS = 24
LISTED = 200  # words to choose from
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
EQUAL = "neither"
STRONG = ("A penalty of 100: how much may a word still count?", {"penalty": 100.0})
PROMPTS = {  # on documents, and on stored weights
    False: [
        ("A learning rate of 0.01: how far do 24 steps come?", {"rate": 0.01}),
        ("A learning rate of 2: where does it land?", {"rate": 2.0}),
        STRONG,
    ],
    True: [
        ("A penalty of 0.01: is it right more often, or only surer?", {"penalty": 0.01}),
        ("Text messages: which words speak for spam?", {"learnt": "text messages"}),
        STRONG,
    ],
}


def picture() -> Figure:
    """The words with the strongest weights for and against a good review."""
    documents = sample_reviews()
    model, words = regression_of(documents, 1, 1.0), split_of(documents)[0].vocabulary
    return card(weights_figure(words, model.coef_, each=4))


def page() -> None:
    """Descent on two weights; one document worked; what was learnt; how often it is right; no penalty."""
    LESSON.open(
        r"p(y{=}1 \mid x) = \sigma(z) = \frac{1}{1 + e^{-z}}, \quad z = b + \sum_v w_v x_v \qquad "
        r"J = \sum_d -\ln p(y_d \mid x_d) + \frac{\lambda}{2} \lVert w \rVert^2 \qquad "
        r"w \leftarrow w - \eta \frac{\partial J}{\partial w}, \quad "
        r"\frac{\partial J}{\partial w_v} = \sum_d (p_d - y_d)\, x_{dv} + \lambda w_v",
        "$x_v$: how often the document has word $v$; $w_v$: the word's weight; $b$: what is added to every document; $y$: 1 "
        "for the class, 0 for the rest; $J$: the loss of all documents $d$; $\\eta$: the learning rate; $\\lambda$: the "
        "penalty on long weights; $x_{dv}, y_d, p_d$: those of document $d$; $\\lVert w \\rVert$: the "
        "length of all weights, without $b$.",
    )
    controls, stage = LESSON.stage()
    with controls:
        source = learnt_source(LESSON)
        c = choose_class(LESSON, source)
    if isinstance(source, StoredClassifiers):
        code, cells = show_stored(source, c, controls, stage)
    else:
        code, cells = show_lesson(source, c, controls, stage)
    LESSON.closing(
        code=code,
        notebook=cells,
        files=files_of(source),
        plot="from core.figures.documents.logistic_regression import weights_figure\n\n"
        "draw(weights_figure(learnt.vocabulary, model.coef_))",
        try_this=PROMPTS[isinstance(source, StoredClassifiers)],
        sources=[
            "Dan Jurafsky and James Martin, Speech and Language Processing (3rd edition draft), chapter 5.",
            "David Cox (1958), The regression analysis of binary sequences.",
            "Daniel Soudry et al. (2018), The implicit bias of gradient descent on separable data (weights without end).",
            "Dong Liu and Jorge Nocedal (1989), On the limited memory BFGS method for large scale optimization.",
            *credits_of(source),
        ],
    )


def choose_pair(documents: LabelledDocuments, c: int, learnt: Bags) -> tuple[int, int]:
    """Draw the choice of two words, at first the strongest for and against the class; return their columns.

    A word of the learner's own documents is not for the address.
    """
    listed, first, second = listed_words(documents, c)
    draw = LESSON.answer if documents.own else LESSON.select
    one = draw(f"one_{c}" if documents.own else "one", "One weight", listed, listed.index(first))
    others = [word for word in listed if word != one]
    at = others.index(second if second != one else first)
    other = draw(f"other_{c}" if documents.own else "other", "The other", others, at)
    return learnt.index[one], learnt.index[other]


@cached(8, 4, "Looking for words that tell", shared=is_sample)
def listed_words(documents: LabelledDocuments, c: int) -> tuple[list[str], str, str]:
    """Return the words that stand in the most documents, and of these the strongest for and against class c."""
    learnt, _, _ = split_of(documents)
    order = np.argsort(-document_frequencies(learnt.X), kind="stable")[:LISTED]
    w = regression_of(documents, c, 1.0).coef_[order]
    listed = [learnt.vocabulary[v] for v in order]
    up, down = int(w.argmax()), int(w.argmin())
    return listed, listed[up], listed[down if down != up else (up + 1) % len(listed)]


def show_stored(source: StoredClassifiers, c: int, controls, stage) -> tuple[list, list[str]]:
    """Show what weights that are stored without documents allow; return the code that ran and the notebook's cells."""
    with controls:
        tokens = type_words(LESSON, source)
        l2 = LESSON.select_slider("penalty", "Penalty λ", PENALTIES, value=1.0, width=150)
    model, both = source.regression(c, l2), both_names(source, c)
    with stage:
        likelier = both[int(work_document(model, source.index, tokens, 1).z > 0)]
        about = f"{source.name}_{c}_{hash(tuple(tokens))}_{l2}"
        if revealed := LESSON.ask("Which is the document likelier to be?", both, likelier, about):
            worked = show_document(model, source.index, tokens, both)
    st.markdown("The way down the loss needs documents, as do weights without a penalty: none is stored.")
    if revealed:
        st.header("What has it learnt?", anchor=False)
        show_weights(model, source, both)
        counts = source.arrays["counts"][1].sum(axis=0)  # of documents with each word
        LESSON.every_number("all weights", weights_table, source.vocabulary, model.coef_, counts)
        LESSON.every_number("the document", terms_table, worked)
    st.header("How often is it right?", anchor=False)
    show_judged(LESSON, "Logistic regression", None, regression_judged(source, c, l2), both)
    cells = [
        first_cell(source),
        "from core.models.documents.logistic_regression import work_document\n\n"
        f"model = learnt.regression({c}, {l2})\n"
        f"worked = work_document(model, learnt.index, {tokens!r}, y=1)\nprint(worked.terms, worked.z, worked.p)",
    ]
    return [work_document, LogisticRegression, StoredClassifiers.regression], cells


def show_lesson(documents: LabelledDocuments, c: int, controls, stage) -> tuple[list, list[str]]:
    """Show all that documents allow; return the code that ran and the notebook's cells."""
    learnt = split_of(documents)[0]
    with controls:
        pair = choose_pair(documents, c, learnt) if len(learnt.vocabulary) > 1 else None
        rate = LESSON.select_slider("rate", "Learning rate η", RATES, value=0.1, width=150)
        chosen = LESSON.select_slider("penalty", "Penalty λ", PENALTIES, value=1.0, width=150)
        broken = LESSON.break_it("free", "Break it: no penalty", "λ = 0: a longer weight costs nothing.")
    if pair is None:
        stage.warning("These documents have fewer than two different words, so there is nothing to weigh.")
    else:
        show_learning(documents, c, pair, (rate, chosen, broken), stage)
    code = [loss_and_gradient, LogisticRegression, two_weights, descend, minimum_of, work_document, judge]
    return code, notebook(documents, c, pair or (0, 0), rate, chosen, broken)


def show_learning(
    documents: LabelledDocuments, c: int, pair: tuple[int, int], settings: tuple[float, float, bool], stage
) -> None:
    """Show all that follows from the controls: the learning rate, the penalty, whether it is taken away."""
    rate, chosen, broken = settings
    learnt = split_of(documents)[0]
    names = [learnt.vocabulary[v] for v in pair]
    surface, least, path = descent(documents, c, pair, rate, chosen, 0.0 if broken else chosen)
    with stage:
        end = path[-1] if least is None else least
        far = np.abs(end).round(3)
        answer = EQUAL if far[0] == far[1] else names[int(far.argmax())]
        about = f"{documents.digest[:16]}_{c}_{pair}_{chosen}_{broken}"
        question = "Which of the two weights has to go farther from 0?"
        if revealed := LESSON.ask(question, [*names, EQUAL], answer, about):
            show_descent(surface, least, path, rate, names)
    model = regression_of(documents, c, 0.0 if broken else chosen)
    if broken and revealed:
        show_growth(documents, c, chosen)
    both = both_names(documents, c)
    if revealed:  # a weight of the two may be among the document's
        st.header("One document, worked", anchor=False)
        worked = show_document(model, learnt.index, type_words(LESSON, documents), both)
        st.header("What has it learnt?", anchor=False)
        show_weights(model, learnt, both)
        df = document_frequencies(learnt.X)
        LESSON.every_number("all weights", weights_table, learnt.vocabulary, model.coef_, df)
        LESSON.every_number("the document", terms_table, worked)
    st.header("How often is it right?", anchor=False)
    judged = regression_judged(documents, c, 0.0 if broken else chosen)
    show_judged(LESSON, "Logistic regression", held_out_texts(documents), judged, both)


@cached(48, 16, "Going down the loss", shared=is_sample)
def descent(
    documents: LabelledDocuments, c: int, pair: tuple[int, int], rate: float, chosen: float, l2: float
) -> tuple[TwoWeights, np.ndarray | None, np.ndarray]:
    """Return the surface over two weights at a penalty, its lowest place, and the path (steps + 1, 2) from nought.

    The others stand where the penalty that was chosen has them.
    """
    learnt = split_of(documents)[0]
    y = (learnt.y == c).astype(int)
    surface = two_weights(regression_of(documents, c, chosen), learnt.X, y, pair, l2)
    return surface, minimum_of(surface), descend(surface, np.zeros(2), rate, STEPS)


def show_descent(
    surface: TwoWeights, least: np.ndarray | None, path: np.ndarray, rate: float, names: Sequence[str]
) -> None:
    """Step down the loss, and say how near the lowest place the steps have come and whether any went up."""
    frames = descent_frames(surface, path, rate, names)
    LESSON.steps(frames, start=len(frames), shared=shared_surface(surface, least, path, names))
    losses, n = surface.loss(path), len(path) - 1
    rose = int((np.diff(losses) > UNMOVED).sum())
    lowest = float("nan") if least is None else float(surface.loss(least))
    said = f"{n} steps of η = {rate:g} bring J from {losses[0]:,.2f} to {losses[-1]:,.2f}"
    said += "; there is no lowest place." if least is None else f"; its lowest is {lowest:,.2f}."
    if rose:
        said += f" {rose} of them {'goes' if rose == 1 else 'go'} up: the rate is too large."
    LESSON.caption(said)
    safe = surface.safe_rate
    st.caption(
        f"Below η = {safe:.3g} no step can go up on this surface. All other weights, and b, stand where they were learnt."
    )
    LESSON.set_values(
        one=names[0],
        other=names[1],
        rate=f"{rate:g}",
        start=f"{losses[0]:,.2f}",
        safe=f"{safe:.3g}",
        slope=", ".join(signed(g) for g in surface.gradient(path[0])),
        first=f"{frames[1]['said']}" if n else "",
    )


def show_growth(documents: LabelledDocuments, c: int, chosen: float) -> None:
    """Measure how long the weights get without a penalty, and say why they do."""
    whole, free = regression_of(documents, c, chosen), regression_of(documents, c, 0.0)
    lengths = free.lengths_
    LESSON.figure(
        "growth",
        growth_figure(whole.lengths_, lengths, chosen),
        f"Without a penalty the weights' length is {lengths[-1]:,.1f} after {len(lengths)} steps.",
    )
    consequence("Length of all weights", whole.lengths_[-1], lengths[-1], ",.1f", more_is_better=None)
    learnt = split_of(documents)[0]
    wrong = int(((free.decision(learnt.X) > 0) != (learnt.y == c)).sum())
    N = f"{len(learnt.y):,}"
    half = lengths[len(lengths) // 2]
    why = (
        f"All {N} documents are on their right side, so twice as long weights would make each surer: J is "
        f"{plain_number(free.loss_, 2)}, falls for ever, and has no lowest place."
        if not wrong
        else f"{wrong:,} of {N} documents {'is' if wrong == 1 else 'are'} still on the wrong side after the last step."
    )
    st.markdown(
        f"The steps are those of L-BFGS, which learns all weights at once. Without a penalty their length is {half:,.1f} "
        f"halfway and {lengths[-1]:,.1f} after {len(lengths)} steps. {why}"
    )
    LESSON.set_values(why=why, steps=len(lengths))


def brief(value: float) -> str:
    """Return a number with three digits after the point, a very small one with two that tell.

    >>> brief(0.6169), brief(0.0000123)
    ('0.617', '1.2·10⁻⁵')
    """
    return f"{value:.3f}" if value >= 0.001 or value == 0 else plain_number(value, 2)


def show_document(
    model: LogisticRegression, index: dict[str, int], tokens: list[str], both: tuple[str, str]
) -> WorkedDocument:
    """Work one document: its z, its probability, its loss if its label is the one chosen, and what it pulls at."""
    is_one = LESSON.toggle("label", f"Its true label is {both[1]}", True)
    worked = work_document(model, index, tokens, int(is_one))
    alt = f"The sigmoid at z = {signed(worked.z)} is {worked.p:.3f}."
    LESSON.figure("sigmoid", sigmoid_figure(worked, both[1]), alt)
    for line in worked_document(worked):
        st.latex(line)
    LESSON.caption(
        f"p({both[1]}) = {percent(worked.p)}. If its label is {both[worked.y]} it costs {brief(worked.loss)}, and pulls the "
        f"weight of each of its words {'up' if worked.y else 'down'} by {brief(abs(worked.p - worked.y))} for every time it "
        "stands there."
    )
    own = percent(worked.p if worked.y else 1 - worked.p, 2)
    LESSON.set_values(
        z=signed(worked.z, 4), p=percent(worked.p, 2), own=own, label=both[worked.y], loss=brief(worked.loss)
    )
    return worked


def show_weights(model: LogisticRegression, learnt: Bags | StoredClassifiers, both: tuple[str, str]) -> None:
    """Draw the strongest weights and name the two at the ends."""
    w = model.coef_
    LESSON.figure(
        "weights", weights_figure(learnt.vocabulary, w), "The words with the largest weights of either sign."
    )
    up, down = int(w.argmax()), int(w.argmin())
    said = []
    if w[up] > 0:
        said.append(f"“{learnt.vocabulary[up]}” speaks most for {both[1]}, {signed(w[up], plus='+')}")
    if w[down] < 0:
        said.append(f"“{learnt.vocabulary[down]}” for {both[0]}, {signed(w[down])}")
    LESSON.caption("; ".join(said) + "." if said else "Every weight is 0: nothing could be told apart.")


def notebook(
    documents: LabelledDocuments, c: int, pair: tuple[int, int], rate: float, chosen: float, broken: bool
) -> list[str]:
    """Return the cells that learn the weights and go down the two."""
    return [
        first_cell(documents),
        "from core.models.documents.logistic_regression import LogisticRegression\n\n"
        f"y = (learnt.y == {c}).astype(int)\nmodel = LogisticRegression(l2={chosen}).fit(learnt.X, y)\n"
        "print(model.loss_, model.lengths_[-1], model.intercept_)",
        "from core.models.documents.two_weights import descend, minimum_of, two_weights\n\n"
        f"surface = two_weights(model, learnt.X, y, {pair!r}, l2={0.0 if broken else chosen})\n"
        f"path = descend(surface, [0, 0], rate={rate}, steps={STEPS})\nprint(path[-1], minimum_of(surface))",
    ]
