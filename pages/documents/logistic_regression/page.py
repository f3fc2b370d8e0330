"""Logistic regression: what the story shows of weights learned from reviews, and the lab on any labelled documents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import streamlit as st

from core.figures.layer_bars import join_panels, make_panel, make_row
from core.lesson.cached import cached, is_sample
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.bag_of_words import Bags
from core.models.documents.held_out import judge
from core.models.documents.logistic_regression import (
    GradientDescent,
    LogisticRegression,
    WorkedDocument,
    gradient_descent,
    loss_and_gradient,
    safe_rate,
    work_document,
)
from core.models.documents.stored_classifiers import PENALTIES, StoredClassifiers, stored_classifiers
from core.models.documents.tf_idf import document_frequencies
from core.models.documents.two_weights import UNMOVED, TwoWeights, descend, minimum_of, two_weights
from core.text.reading.labelled import LabelledDocuments
from core.text.tokenization.tokens import words
from core.words.numbers import percent, plain_number, signed
from pages.documents.logistic_regression import LESSON
from pages.documents.logistic_regression.figures import (
    descent_frames,
    draw_score,
    draw_values,
    growth_figure,
    hue_of,
    large_sigmoid,
    losses_figure,
    shared_surface,
    sigmoid_figure,
    terms_table,
    weights_figure,
    weights_table,
    worked_document,
)
from pages.documents.shared.judging import show_judged
from pages.documents.shared.labelled_source import both_names, choose_class, sample_reviews, split_of
from pages.documents.shared.learnt import regression_judged, regression_of
from pages.documents.shared.learnt_source import (
    Learnt,
    credits_of,
    files_of,
    held_out_texts,
    learnt_source,
    type_words,
)

WORDS = LESSON.words
REVIEW, OWN = "Great handle, but the lid is dirty", "I love it, but it is a bit heavy"
EXAMPLES = (REVIEW, OWN)
SHOWN = ("great", "love", "the", "flimsy", "terrible", "blurred")  # words whose weights the story follows
GUESSED = ("great", "terrible", "blurred")
WORD = "great"
RATE, SLOW, FAST = 0.001, 0.0003, 0.01
SPEEDS = ("faster", "same", "jumps")
FOLLOWED = 30  # steps that are drawn for three learning rates
NEAR_0 = 0.5  # a smaller final weight has no way to go
STEPS_MADE = ("0", "1", "10", "100", "1000")
L2S = ("0.01", "1", "100")
FILMS = "classify_movies"
STRONGEST = 4  # words of each class on the last screen

MADE = Choice("made", "10", STEPS_MADE)
HELD_BACK = Choice("held_back", "1", L2S)
LINE = Text("sentence", OWN, 160)

# The lab's settings.
STEPS = 24
LISTED = 200  # words to choose from
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
FREE, LABEL = Switch("free"), Switch("label", True)
LAB = (FREE, Text("sentence", "", 2000), Switch("document"), Switch("strongest"), Switch("judged"))
PROMPTS = {  # on documents, and on stored weights
    False: {"slow": {"rate": 0.01}, "fast": {"rate": 0.2}, "strong": {"penalty": 100.0, "strongest": True}},
    True: {
        "weak": {"penalty": 0.01, "judged": True},
        "spam": {"learnt": "text messages", "strongest": True},
        "strong": {"penalty": 100.0, "strongest": True},
    },
}


# The story: what each beat shows.


@cache
def reviews_learned(l2: float = 1.0) -> LogisticRegression:
    """Return the classifier of the course's reviews: the weights at the lowest loss."""
    return regression_of(sample_reviews(), 1, l2)


def bags() -> Bags:
    """Return the reviews that are learned from, as bags of words."""
    return split_of(sample_reviews())[0]


@cache
def descended(rate: float, steps: int) -> GradientDescent:
    """Return gradient descent on the reviews, all weights at once."""
    return gradient_descent(bags().X, bags().y, 1.0, rate, steps)


def weights_of(w: np.ndarray) -> dict[str, float]:
    """Return the weights of the words that the story follows."""
    return {word: float(w[bags().index[word]]) for word in SHOWN}


def base() -> dict[str, object]:
    """Return what all beats name: how many reviews, words, and the review with its score."""
    worked, learnt = work_document(reviews_learned(), bags().index, words(REVIEW), 1), bags()
    return {
        "N": len(learnt.y),
        "V": len(learnt.vocabulary),
        "review": REVIEW,
        "b": worked.b,
        "z": worked.z,
        "p": worked.p,
        "rate": RATE,
    }


def read(text: str) -> WorkedDocument:
    """Return a text's way through the classifier of the reviews."""
    return work_document(reviews_learned(), bags().index, words(text), 1)


def score_of(text: str) -> dict:
    """Return the bars of a text's score."""
    worked = read(text)
    total = WORDS.label("sum.score", z=worked.z, p=worked.p)
    return draw_score(worked, WORDS.label("title.score"), 3.0, total)


def ask_weights(settings: Settings) -> Part:
    """Six words; the answer shows their learned weights."""
    found = weights_of(reviews_learned().coef_)
    farthest = max(GUESSED, key=lambda word: abs(found[word]))
    n = bags().X[:, bags().index[farthest]].toarray()[:, 0]
    values = base() | {"revealed": settings.revealed, "farthest": farthest, "weight": found[farthest]}
    values |= {"great": found[WORD], "the": found["the"]}
    values |= {"negative": int(n[bags().y == 0].sum()), "count": int(n.sum())}
    picture = draw_values(WORDS.label("title.weights"), found, 2.4, told=settings.revealed)
    return Part("layer_bars", picture, values, {"strongest": True}, choices=GUESSED, answer=farthest)


def show_score(settings: Settings) -> Part:
    """A review's score: b, and the weights of its words."""
    values = base() | dict(zip(("word", "term"), strongest_term(read(REVIEW)), strict=True))
    return Part("layer_bars", score_of(REVIEW), values, {"sentence": REVIEW, "document": True})


def strongest_term(worked: WorkedDocument) -> tuple[str, float]:
    """Return the word that adds most to a score, in size, and what it adds."""
    v = int(np.abs(worked.terms).argmax())
    return worked.tokens[v], float(worked.terms[v])


def show_sigmoid(settings: Settings) -> Part:
    """The score on the sigmoid."""
    figure = large_sigmoid(read(REVIEW))
    return Part("figure", {"figure": figure.to_dict()}, base(), {"sentence": REVIEW, "document": True})


def show_loss(settings: Settings) -> Part:
    """What the review costs, by its label."""
    p = base()["p"]
    losses = {"positive": -float(np.log(p)), "negative": -float(np.log(1 - p))}
    rows = [
        make_row(WORDS.label(f"row.{name}"), f"row.{name}", loss, f"{loss:.2f}", hue=hue)
        for (name, loss), hue in zip(losses.items(), ("blue", "vermillion"), strict=True)
    ]
    picture = join_panels(make_panel(WORDS.label("title.loss"), 1.6, rows))
    values = base() | losses | {"start": float(np.log(2))}
    return Part("layer_bars", picture, values, {"sentence": REVIEW, "document": True})


def show_pulls(settings: Settings) -> Part:
    """The slope at the start, where every weight is 0, with the sign turned: what each word's weight is pulled by."""
    _, slope, _ = loss_and_gradient(np.zeros(len(bags().vocabulary)), 0.0, bags().X, bags().y, 1.0)
    pulls = weights_of(-slope)
    n = bags().X[:, bags().index[WORD]].toarray()[:, 0]
    values = base() | {
        "word": WORD,
        "positive": int(n[bags().y == 1].sum()),
        "negative": int(n[bags().y == 0].sum()),
        "pull": pulls[WORD],
        "moved": RATE * pulls[WORD],
    }
    picture = draw_values(WORDS.label("title.pulls"), pulls, 30, digits=1)
    return Part("layer_bars", picture, values)


def way_gone(w: np.ndarray) -> dict[str, float]:
    """Return how much of the way from 0 to its final weight each word has gone, but for words whose weight ends near 0."""
    now, end = weights_of(w), weights_of(reviews_learned().coef_)
    return {word: now[word] / end[word] for word in SHOWN if abs(end[word]) > NEAR_0}


def do_descend(settings: Settings) -> Part:
    """The weights after as many steps as are chosen."""
    steps = int(settings.made)
    down = descended(RATE, int(STEPS_MADE[-1]))
    learned = (down.w[steps] @ bags().X.T + down.b[steps] > 0) == (bags().y == 1)
    gone = way_gone(down.w[steps])
    first, last = max(gone, key=gone.get), min(gone, key=gone.get)
    values = base() | {
        "steps": steps,
        "J": float(down.losses[steps]),
        "J0": float(down.losses[0]),
        "lowest": reviews_learned().loss_,
        "right": float(np.mean(learned)),
        "first": first,
        "last": last,
        "gone_first": gone[first],
        "gone_last": gone[last],
    }
    total = WORDS.label("sum.loss", J=values["J"], steps=steps)
    picture = draw_values(WORDS.label("title.weights"), weights_of(down.w[steps]), 2.4, digits=3, sum_=total)
    return Part("layer_bars", picture, values)


def ask_rate(settings: Settings) -> Part:
    """The loss after each step for two learning rates; the answer adds a large one."""
    rates = {"slow": SLOW, "good": RATE, "fast": FAST}
    found = {name: descended(rate, FOLLOWED).losses for name, rate in rates.items()}
    values = base() | {"revealed": settings.revealed, "slow": SLOW, "fast": FAST, "steps": FOLLOWED}
    values |= {"end_slow": float(found["slow"][-1]), "end_good": float(found["good"][-1])}
    values |= {
        "second": float(found["fast"][2]),
        "safe": safe_rate(bags().X, 1.0),
        "J0": float(found["good"][0]),
    }
    rose = bool((np.diff(found["fast"]) > 0).any() and found["fast"][-1] > found["fast"][0])
    drawn = {
        f"η = {rates[name]:g}": losses if settings.revealed or name != "fast" else losses[:0]
        for name, losses in found.items()
    }
    picture = {"figure": losses_figure(drawn).to_dict()}
    return Part("figure", picture, values, choices=SPEEDS, answer="jumps" if rose else "faster")


def do_penalty(settings: Settings) -> Part:
    """The learned weights under the chosen penalty."""
    l2 = float(settings.held_back)
    model, both = reviews_learned(l2), {"weak": 0.01, "strong": 100.0}
    right = regression_judged(sample_reviews(), 1, l2)
    values = base() | {
        "l2": l2,
        "length": float(np.linalg.norm(model.coef_)),
        "right": right.accuracy,
        "held": right.documents,
        "own": float(np.mean((model.decision(bags().X) > 0) == (bags().y == 1))),
    }
    for name, each in both.items():
        values[name] = float(np.linalg.norm(reviews_learned(each).coef_))
    picture = draw_values(WORDS.label("title.weights"), weights_of(model.coef_), 8)
    return Part("layer_bars", picture, values, {"free": True})


def show_right(settings: Settings) -> Part:
    """How many held-out sentences about films are labelled right: by this method and by two others."""
    stored = stored_classifiers(FILMS)
    found, bayes = stored.regression_confusion(1, 1.0), stored.bayes_confusion(1.0)
    low, high = found.interval
    shares = {"regression": found.accuracy, "bayes": bayes.accuracy, "always": found.largest}
    values = (
        base()
        | shares
        | {
            "n": found.documents,
            "low": low,
            "high": high,
            "learned": int(stored.documents.sum()),
            "V": len(stored.vocabulary),
        }
    )
    hues = {"regression": "blue", "bayes": "green", "always": "grey"}
    rows = [
        make_row(WORDS.label(f"row.{name}"), f"row.{name}", share, percent(share), hue=hues[name])
        for name, share in shares.items()
    ]
    picture = join_panels(make_panel(WORDS.label("title.right"), 1.2, rows))
    return Part("layer_bars", picture, values, {"judged": True})


def do_own(settings: Settings) -> Part:
    """The score of the learner's review."""
    worked = read(settings.sentence)
    known = len(worked.tokens)
    word, term = strongest_term(worked) if known else ("", 0.0)
    values = base() | {"known": known, "z": worked.z, "own_p": worked.p, "word": word, "term": term}
    return Part("layer_bars", score_of(settings.sentence), values, {"document": True})


def show_answer(settings: Settings) -> Part:
    """The words of film reviews with the strongest weights, four for each class."""
    stored = stored_classifiers(FILMS)
    w = stored.regression(1, 1.0).coef_
    order = np.argsort(w)
    chosen = [*order[::-1][:STRONGEST], *order[:STRONGEST][::-1]]
    rows = [
        make_row(stored.vocabulary[v], f"row.{k}", float(w[v]), signed(w[v], 2, "+"), hue=hue_of(w[v]))
        for k, v in enumerate(chosen)
    ]
    picture = join_panels(make_panel(WORDS.label("title.films"), 3, rows, least=-3))
    values = base() | {"most": stored.vocabulary[order[-1]], "least": stored.vocabulary[order[0]]}
    return Part("layer_bars", picture, values, {"strongest": True})


STORY = (
    ask("weights", ask_weights),
    look("score", show_score),
    look("sigmoid_of", show_sigmoid),
    look("loss", show_loss),
    look("pulls", show_pulls),
    do("descend", do_descend, MADE),
    ask("rate_of", ask_rate),
    do("penalised", do_penalty, HELD_BACK),
    look("right", show_right),
    do("own", do_own, LINE),
    end("answer", show_answer),
)


# The lab: descent on two weights; one document worked; what was learned; how often it is right; no penalty.


def lab() -> None:
    """Descent on two weights; one document worked; what was learned; how often it is right; no penalty."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        source = learnt_source(LESSON)
        c = choose_class(LESSON, source)
    show = show_stored if isinstance(source, StoredClassifiers) else show_documents
    parameters = show(source, c, controls, stage)
    stored = isinstance(source, StoredClassifiers)
    code = [work_document, LogisticRegression, StoredClassifiers.regression]
    if not stored:
        code = [loss_and_gradient, LogisticRegression, two_weights, descend, minimum_of, work_document, judge]
    LESSON.close_lab(
        code=code,
        parameters={"stored": source.name if stored else "", "own": bool(source.own), "c": c, **parameters},
        prompts=PROMPTS[stored],
        credits=credits_of(source),
        files=files_of(source),
    )


def choose_pair(documents: LabelledDocuments, c: int, learnt: Bags) -> tuple[int, int]:
    """Draw the choice of two words, at first the strongest for and against the class; return their columns.

    A word of the learner's own documents is not for the address.
    """
    listed, first, second = listed_words(documents, c)
    draw = LESSON.answer if documents.own else LESSON.select
    one = draw(f"one_{c}" if documents.own else "one", WORDS.label("one"), listed, listed.index(first))
    others = [word for word in listed if word != one]
    at = others.index(second if second != one else first)
    other = draw(f"other_{c}" if documents.own else "other", WORDS.label("other"), others, at)
    return learnt.index[one], learnt.index[other]


@cached(8, 4, shared=is_sample)
def listed_words(documents: LabelledDocuments, c: int) -> tuple[list[str], str, str]:
    """Return the words that are in the most documents, and of these the strongest for and against class c."""
    learnt, _, _ = split_of(documents)
    order = np.argsort(-document_frequencies(learnt.X), kind="stable")[:LISTED]
    w = regression_of(documents, c, 1.0).coef_[order]
    listed = [learnt.vocabulary[v] for v in order]
    up, down = int(w.argmax()), int(w.argmin())
    return listed, listed[up], listed[down if down != up else (up + 1) % len(listed)]


def choose_penalty() -> float:
    """Draw the penalty."""
    return LESSON.select_slider("penalty", WORDS.label("penalty"), PENALTIES, value=1.0, width=150)


def show_stored(source: StoredClassifiers, c: int, controls, stage) -> dict:
    """Show what weights that are stored without documents allow; return the notebook's parameters."""
    with controls:
        tokens = type_words(LESSON, source)
        l2 = choose_penalty()
        LESSON.options()
    model, both = source.regression(c, l2), both_names(source, c)
    with stage:
        likelier = both[int(work_document(model, source.index, tokens, 1).z > 0)]
        about = f"{source.name}_{c}_{hash(tuple(tokens))}_{l2}"
        if revealed := LESSON.ask(WORDS.label("guess.class"), both, likelier, about):
            worked = show_document(model, source.index, tokens, both)
    st.markdown(WORDS.label("no_documents"))
    if revealed:
        counts = source.arrays["counts"][1].sum(axis=0)  # of documents with each word
        show_strongest(model, source, both, counts)
        LESSON.every_number(WORDS.label("table.document"), terms_table, worked)
    show_accuracy(source, c, l2, both)
    return {"pair": (0, 1), "rate": 0.1, "penalty": l2, "free": False, "tokens": list(tokens)}


def show_documents(documents: LabelledDocuments, c: int, controls, stage) -> dict:
    """Show all that documents allow; return the notebook's parameters."""
    learnt = split_of(documents)[0]
    with controls:
        pair = choose_pair(documents, c, learnt) if len(learnt.vocabulary) > 1 else None
        rate = LESSON.select_slider("rate", WORDS.label("rate"), RATES, value=0.1, width=150)
        with LESSON.options():
            chosen = choose_penalty()
        free = LESSON.draw(FREE)
    if pair is None:
        stage.warning(WORDS.label("too_few"))
    else:
        show_learning(documents, c, pair, (rate, chosen, free), stage)
    return {"pair": pair or (0, 0), "rate": rate, "penalty": chosen, "free": free, "tokens": words(REVIEW)}


def show_learning(
    documents: LabelledDocuments, c: int, pair: tuple[int, int], settings: tuple[float, float, bool], stage
) -> None:
    """Show all that follows from the controls: the learning rate, the penalty, whether it is taken away."""
    rate, chosen, free = settings
    learnt, both = split_of(documents)[0], both_names(documents, c)
    names = [learnt.vocabulary[v] for v in pair]
    l2 = 0.0 if free else chosen
    surface, least, path = descent(documents, c, pair, rate, chosen, l2)
    with stage:
        far = np.abs(path[-1] if least is None else least).round(3)
        neither = WORDS.label("neither")
        answer = neither if far[0] == far[1] else names[int(far.argmax())]
        about = f"{documents.digest[:16]}_{c}_{pair}_{chosen}_{free}"
        if revealed := LESSON.ask(WORDS.label("guess.weight"), [*names, neither], answer, about):
            show_descent(surface, least, path, rate, names)
    if free and revealed:
        show_growth(documents, c, chosen)
    if revealed:  # a weight of the two may be among the document's
        model = regression_of(documents, c, l2)
        if box := LESSON.fold("document"):
            with box:
                worked = show_document(model, learnt.index, type_words(LESSON, documents), both)
                LESSON.every_number(WORDS.label("table.document"), terms_table, worked)
        show_strongest(model, learnt, both, document_frequencies(learnt.X))
    show_accuracy(documents, c, l2, both)


def show_accuracy(source: Learnt, c: int, l2: float, both: tuple[str, str]) -> None:
    """Say how often the classifier is right on held-out documents."""
    if box := LESSON.fold("judged"):
        with box:
            judged = regression_judged(source, c, l2)
            show_judged(LESSON, WORDS.label("method"), held_out_texts(source), judged, both)


@cached(48, 16, shared=is_sample)
def descent(
    documents: LabelledDocuments, c: int, pair: tuple[int, int], rate: float, chosen: float, l2: float
) -> tuple[TwoWeights, np.ndarray | None, np.ndarray]:
    """Return the surface over two weights at a penalty, its lowest place, and the path (steps + 1, 2) from 0.

    The others are fixed where the penalty that was chosen has them.
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
    LESSON.steps(frames, start=1, shared=shared_surface(surface, least, path, names))
    losses = surface.loss(path)
    values = {
        "steps": len(path) - 1,
        "rate": rate,
        "first": float(losses[0]),
        "last": float(losses[-1]),
        "least": None if least is None else float(surface.loss(least)),
        "rose": int((np.diff(losses) > UNMOVED).sum()),
        "safe": surface.safe_rate,
    }
    LESSON.say("says.descent", values)
    st.caption(WORDS.label("cut", **values))


def show_growth(documents: LabelledDocuments, c: int, chosen: float) -> None:
    """Measure how long the weights get without a penalty, and say why they do."""
    with_penalty, free = regression_of(documents, c, chosen), regression_of(documents, c, 0.0)
    lengths, learnt = free.lengths_, split_of(documents)[0]
    values = {
        "wrong": int(((free.decision(learnt.X) > 0) != (learnt.y == c)).sum()),
        "N": len(learnt.y),
        "steps": len(lengths),
        "half": float(lengths[len(lengths) // 2]),
        "last": float(lengths[-1]),
        "J": plain_number(free.loss_, 2),
    }
    figure = growth_figure(with_penalty.lengths_, lengths, chosen)
    LESSON.figure("growth", figure, WORDS.label("growth.alt", **values))
    LESSON.compare("length", with_penalty.lengths_[-1], lengths[-1], ",.1f", more_is_better=None)
    st.markdown(WORDS.markdown("says.growth", **values))


def brief(value: float) -> str:
    """Return a number with three digits after the point, a very small one with two that tell.

    >>> brief(0.6169), brief(0.0000123)
    ('0.617', '1.2·10⁻⁵')
    """
    return f"{value:.3f}" if value >= 0.001 or value == 0 else plain_number(value, 2)


def show_document(
    model: LogisticRegression, index: dict[str, int], tokens: list[str], both: tuple[str, str]
) -> WorkedDocument:
    """Work one document: its z, its probability, its loss if its label is the one chosen, and its slope."""
    is_one = LESSON.toggle("label", WORDS.label("label", name=both[1]), True)
    worked = work_document(model, index, tokens, int(is_one))
    values = {
        "name": both[1],
        "p": percent(worked.p),
        "label": both[worked.y],
        "loss": brief(worked.loss),
        "up": bool(worked.y),
        "pull": brief(abs(worked.p - worked.y)),
        "z": worked.z,
    }
    LESSON.figure("sigmoid", sigmoid_figure(worked, both[1]), WORDS.label("sigmoid.alt", **values))
    for line in worked_document(worked):
        st.latex(line)
    LESSON.say("says.document", values)
    return worked


def show_strongest(
    model: LogisticRegression, learnt: Bags | StoredClassifiers, both: tuple[str, str], documents: np.ndarray
) -> None:
    """Draw the strongest weights and name the two at the ends."""
    LESSON.every_number(
        WORDS.label("table.weights"), weights_table, learnt.vocabulary, model.coef_, documents
    )
    if not (box := LESSON.fold("strongest")):
        return
    w = model.coef_
    up, down = int(w.argmax()), int(w.argmin())
    values = {
        "both": both,
        "up": learnt.vocabulary[up] if w[up] > 0 else "",
        "down": learnt.vocabulary[down] if w[down] < 0 else "",
        "most": float(w[up]),
        "least": float(w[down]),
    }
    with box:
        LESSON.figure("weights_drawn", weights_figure(learnt.vocabulary, w), WORDS.label("weights_drawn.alt"))
        LESSON.say("says.weights", values)
