"""Tug-of-war: what each word adds in naive Bayes and in logistic regression, a word said often, and features doubled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.figures.card import card
from core.figures.documents.tug_of_war import METHODS, pulls_figure, pulls_table, repeated_figure
from core.figures.figure import Figure
from core.figures.worked import percent, signed
from core.lesson.break_it import consequence
from core.lesson.lesson import Lesson
from core.models.documents.logistic_regression import LogisticRegression
from core.models.documents.naive_bayes import NaiveBayes
from core.models.documents.stored_classifiers import COPIES, PENALTIES, StoredClassifiers
from core.models.documents.tug_of_war import Pulls, copied, how_sure, log_ratios, mean_loss, pulls
from core.text.tokenization.tokens import words
from pages.documents.shared.labelled_source import (
    EXAMPLE,
    both_names,
    choose_class,
    sample_reviews,
    split_of,
)
from pages.documents.shared.learnt import held_out_number, naive_bayes_against_rest, regression_of, sure_of
from pages.documents.shared.learnt_source import (
    Learnt,
    credits_of,
    files_of,
    first_cell,
    learnt_source,
    type_words,
    words_of,
)

LESSON = Lesson(
    __name__,
    title="Tug-of-war",
    question="Two methods add up the same words: who counts what?",
    icon="arrow-left-right",
)
TIMES = np.arange(11)
TWICE = "Great great great, but the handle is flimsy"


def picture() -> Figure:
    """Both methods' terms on a short review."""
    bayes, regression = both_of(sample_reviews(), 1, 1.0, 1.0, 1)
    index = split_of(sample_reviews())[0].index
    return card(pulls_figure(pulls(bayes, regression, index, words(EXAMPLE)[1:5]), "positive"))


def page() -> None:
    """Both sums, word by word; doubled features; a word said often; who knows how sure it may be."""
    LESSON.open(
        r"z_{NB} = \ln \frac{p(1)}{p(0)} + \sum_v x_v \ln \frac{p(v \mid 1)}{p(v \mid 0)} \qquad "
        r"z_{LR} = b + \sum_v x_v w_v \qquad p(1 \mid x) = \frac{1}{1 + e^{-z}}",
        "$1$: the class, $0$: the rest; $x_v$: how often the document says word $v$; $p(v \\mid c)$: of naive Bayes, by "
        "counting; $w_v$ and $b$: of logistic regression, learnt all together.",
    )
    controls, stage = LESSON.stage()
    with controls:
        source = learnt_source(LESSON)
        c = choose_class(LESSON, source)
        tokens = type_words(LESSON, source)
        alpha = LESSON.slider("alpha", "α of naive Bayes", 0.1, 5.0, 1.0, 0.1, width=130)
        l2 = LESSON.select_slider("penalty", "λ of the regression", PENALTIES, value=1.0, width=130)
        broken = LESSON.break_it(
            "copies",
            "Break it: every feature three times",
            "Each word stands in the table with two doubles that always come along, and both methods learn again.",
        )
    learnt, both = words_of(source), both_names(source, c)
    n = COPIES if broken else 1
    bayes, regression = both_of(source, c, alpha, l2, n)
    pulled = pulls(bayes, regression, learnt.index, tokens, n)
    with stage:
        about = f"{source.digest[:16]}_{c}_{hash(tuple(tokens))}_{alpha}_{l2}_{n}"
        surer = METHODS[int(abs(pulled.z[1]) > abs(pulled.z[0]))]
        if revealed := LESSON.ask("Which of the two will be surer of this document?", METHODS, surer, about):
            show_pulls(pulled, both)
    if broken:
        show_copies(source, c, alpha, l2)
    if revealed and pulled.tokens:
        st.header("Say it again", anchor=False)
        show_repeated(pulled, both, source.own)
    st.header("How sure may they be?", anchor=False)
    show_sure(source, c, alpha, l2, n)
    if revealed:
        LESSON.every_number("both sums", pulls_table, pulled, bayes, learnt.index, both, n)
    LESSON.closing(
        code=[log_ratios, pulls, Pulls.said, copied, mean_loss, how_sure, NaiveBayes, LogisticRegression],
        notebook=notebook(source, c, alpha, l2, n, tokens),
        files=files_of(source),
        plot="from core.figures.documents.tug_of_war import pulls_figure\n\n"
        f"draw(pulls_figure(pulled, learnt.classes[{c}]))",
        try_this=[
            ("Write one word of your document three times: whose sum does it pull farther?", {})
            if source.own or isinstance(source, StoredClassifiers)
            else ("One word three times: whose sum does it pull farther?", {"sentence": TWICE}),
            ("A strong penalty: how far may a word still pull?", {"penalty": 100.0}),
            ("Every feature three times: whose words add three times as much?", {"copies": True}),
        ],
        sources=[
            "Andrew Ng and Michael Jordan (2002), On discriminative vs. generative classifiers: a comparison of logistic "
            "regression and naive Bayes.",
            "Dan Jurafsky and James Martin, Speech and Language Processing (3rd edition draft), the "
            "chapters on naive Bayes and logistic regression.",
            "Pedro Domingos and Michael Pazzani (1997), On the optimality of the simple Bayesian "
            "classifier under zero-one loss.",
            *credits_of(source),
        ],
    )


def both_of(
    source: Learnt, c: int, alpha: float, l2: float, copies: int
) -> tuple[NaiveBayes, LogisticRegression]:
    """Return both classifiers of class c (1) against the rest (0), of features that stand there so many times."""
    return naive_bayes_against_rest(source, c, alpha, copies), regression_of(source, c, l2, copies)


def show_pulls(pulled: Pulls, both: Sequence[str]) -> None:
    """Draw both sums' terms, and say what they add up to and over which word they part."""
    alt = "What each word adds to both sums: " + ", ".join(
        f"{m} {signed(z)}" for m, z in zip(METHODS, pulled.z, strict=True)
    )
    LESSON.figure("pulls", pulls_figure(pulled, both[1]), alt)
    (zb, zr), (pb, pr) = pulled.z, pulled.p
    said = (
        f"Naive Bayes adds up to {signed(zb, plus='+')}, p({both[1]}) = {percent(pb)}; logistic regression to "
        f"{signed(zr, plus='+')}, {percent(pr)}."
    )
    if len(pulled.tokens):
        place = int(np.abs(pulled.terms[0] - pulled.terms[1]).argmax())
        one, other = (signed(value, plus="+") for value in pulled.terms[:, place])
        said += f" They part most over “{pulled.tokens[place]}”: {one} and {other}."
        LESSON.set_values(word=pulled.tokens[place], bayes=one, regression=other)
    else:
        said += " No word of this document was learnt."
    LESSON.caption(said)
    agree = (zb > 0) == (zr > 0)
    LESSON.set_values(
        agree="They agree." if agree else "They do not agree.", begin=signed(pulled.begin[0], plus="+")
    )
    LESSON.set_values(b=signed(pulled.begin[1], plus="+"), zb=signed(zb, plus="+"), zr=signed(zr, plus="+"))


def show_copies(source: Learnt, c: int, alpha: float, l2: float) -> None:
    """Measure what both lose on held-out documents when every feature is there three times."""
    losses = np.stack([sure_of(source, c, alpha, l2, n)[:, 2] for n in (1, COPIES)])
    consequence("Naive Bayes: mean loss of a held-out document", *losses[:, 0], ".3f", more_is_better=False)
    st.markdown(
        f"The doubles say nothing new. Naive Bayes believes each of them: what the words add is {COPIES} times as much. "
        f"Logistic regression learns that they come together and shares a weight among them. {COPIES} equal parts pay "
        f"1/{COPIES} of the penalty, so it learns what it would at λ / {COPIES}: its mean loss goes from "
        f"{losses[0, 1]:.3f} to {losses[1, 1]:.3f}."
    )
    LESSON.set_values(loss=f"{losses[0, 1]:.3f}", loss_copies=f"{losses[1, 1]:.3f}")


def show_repeated(pulled: Pulls, both: Sequence[str], own: bool) -> None:
    """Draw both probabilities against how often a word is said, and what every further time adds."""
    names = list(pulled.tokens)
    first = int(np.abs(pulled.each[0]).argmax())
    draw = (
        LESSON.answer if own else LESSON.select
    )  # a word of the learner's own documents is not for the address
    token = draw("own_word" if own else "word", "A word to say again", names, first)
    place = names.index(token)
    p = pulled.said(place, TIMES)
    alt = f"Both probabilities when “{token}” is said 0 to {TIMES[-1]} times"
    LESSON.figure("repeated", repeated_figure(TIMES, p, both[1], token), alt)
    one, other = (signed(value, plus="+") for value in pulled.each[:, place])
    more = "naive Bayes" if abs(pulled.each[0, place]) > abs(pulled.each[1, place]) else "logistic regression"
    LESSON.caption(
        f"Each time “{token}” is said adds {one} to naive Bayes and {other} to logistic regression: it counts more in "
        f"{more}. Said {TIMES[-1]} times, p({both[1]}) is {percent(p[0, -1])} and {percent(p[1, -1])}."
    )
    LESSON.set_values(
        again=token,
        each_bayes=one,
        each_regression=other,
        p_bayes=percent(p[0, -1]),
        p_regression=percent(p[1, -1]),
    )


def show_sure(source: Learnt, c: int, alpha: float, l2: float, n: int) -> None:
    """Compare how sure both are on held-out documents with how often they are right."""
    held, said = held_out_number(source), []
    for method, (right, sure, _) in zip(METHODS, sure_of(source, c, alpha, l2, n), strict=True):
        said.append(f"{method} is right on {percent(right)} and on average {percent(sure)} sure")
        key = method.split()[0]
        LESSON.set_values(**{f"right_{key}": percent(right), f"sure_{key}": percent(sure)})
    LESSON.caption(f"Of {held:,} held-out documents {said[0]}; {said[1]}.")


def notebook(source: Learnt, c: int, alpha: float, l2: float, n: int, tokens: Sequence[str]) -> list[str]:
    """Return the cells that learn both classifiers and add both sums up."""
    if isinstance(source, StoredClassifiers):
        return [
            first_cell(source),
            f"bayes, regression = learnt.against_rest({c}, {alpha}, {n}), learnt.regression({c}, {l2}, {n})",
            "from core.models.documents.tug_of_war import pulls\n\n"
            f"pulled = pulls(bayes, regression, learnt.index, {list(tokens)!r}, copies={n})\n"
            "print(pulled.terms, pulled.z, pulled.p)",
        ]
    return [
        first_cell(source),
        "from core.models.documents.logistic_regression import LogisticRegression\n"
        "from core.models.documents.naive_bayes import NaiveBayes\n"
        "from core.models.documents.tug_of_war import copied, pulls\n\n"
        f"X, y = copied(learnt.X, {n}), (learnt.y == {c}).astype(int)\n"
        f"bayes, regression = NaiveBayes({alpha}).fit(X, y), LogisticRegression({l2}).fit(X, y)",
        f"pulled = pulls(bayes, regression, learnt.index, {list(tokens)!r}, copies={n})\n"
        "print(pulled.terms, pulled.z, pulled.p)",
    ]
