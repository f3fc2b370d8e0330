"""A network that reads documents: one training step with its numbers, what training comes to, and what it needs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from core.figures.card import card
from core.figures.documents.document_network import step_frames
from core.figures.documents.document_training import (
    embeddings_figure,
    epochs_table,
    step_table,
    training_figure,
)
from core.figures.figure import Figure
from core.figures.worked import percent, plain_number
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.footer import source_of
from core.lesson.lesson import Lesson
from core.lesson.plain import plain
from core.models.documents.document_network import (
    backward,
    drawn_network,
    forward,
    shares_of,
    softmax,
    stepped,
)
from core.models.documents.document_step import DocumentStep, document_step
from core.models.documents.fit_documents import (
    EPOCHS,
    RATE,
    STEPS_AN_EPOCH,
    Adam,
    Trained,
    fit_documents,
)
from core.models.documents.held_out import Judged, judge
from core.models.documents.sign_test import sign_test
from core.text.reading.labelled import LabelledDocuments
from pages.documents.shared.judging import show_judged
from pages.documents.shared.labelled_source import (
    as_lines,
    labelled_source,
    load_cell,
    sample_reviews,
    split_of,
    type_document,
)
from pages.documents.shared.learnt import naive_bayes_of

LESSON = Lesson(
    __name__,
    title="A network reads documents",
    question="How does a network learn what words mean for a label?",
    icon="network",
)
DIMENSIONS, UNITS = (2, 4, 6), (2, 4, 8)
RATES = (0.1, 0.3, 1.0, 3.0, 10.0)
DRAWN, TRAINED = "as drawn", "trained"
ANSWERS = ("the network", "naive Bayes", "both alike")


def picture() -> Figure:
    """Six words' embeddings after training, of which three are praise."""
    some = "lovely sturdy quiet dull flimsy noisy".split()
    network, learnt = trained_on(sample_reviews(), 6, 4, False, 0).network, split_of(sample_reviews())[0]
    return card(embeddings_figure(some, network.E[[learnt.index[word] for word in some]]))


def page() -> None:
    """One step forwards and backwards; the training beside naive Bayes; without hidden layer; with frozen embeddings."""
    LESSON.open(
        r"x = \frac{1}{n} \sum_i e(w_i) \quad a = \tanh(x W_1 + b_1) \quad p = \operatorname{softmax}(a W_2 + b_2) \quad "
        r"L = -\ln p_y \qquad \frac{\partial L}{\partial z} = p - y \quad \frac{\partial L}{\partial W_2} = a^\top "
        r"\frac{\partial L}{\partial z} \quad \frac{\partial L}{\partial h} = \frac{\partial L}{\partial z} W_2^\top "
        r"\odot (1 - a^2) \quad \frac{\partial L}{\partial e(w)} = \frac{c_w}{n}\, \frac{\partial L}{\partial h} W_1^\top",
        "$e(w)$: the embedding of a word, a row of $d$ numbers; $n$: the document's words; $c_w$: how often $w$ is one of "
        "them. $h = x W_1 + b_1$; $a$: the hidden layer's $H$ units; $z = a W_2 + b_2$; $p$: a probability for each class; "
        "$L$: the loss; $p_y$: the probability of the true class, and in $p - y$ the row $y$ has 1 there, else 0; "
        "$W_1, b_1, W_2, b_2$: the layers' weights; $\\odot$: number by number; $\\eta$: the learning "
        "rate. Every parameter $\\theta$ moves: $\\theta \\leftarrow \\theta - \\eta\\, \\partial L / "
        "\\partial \\theta$.",
    )
    controls, stage = LESSON.stage()
    with controls:
        documents = labelled_source(LESSON)
        _, tokens = type_document(LESSON, documents)
        y = choose_label(documents)
        begin = LESSON.choose("begin", "The network", [DRAWN, TRAINED])
        rate = LESSON.select_slider("rate", "Learning rate η", RATES, value=1.0, width=150)
        with LESSON.more():
            d = LESSON.select_slider("d", "Numbers in an embedding, d", DIMENSIONS, value=6)
            H = LESSON.select_slider("H", "Hidden units H", UNITS, value=4)
            seed = LESSON.number("seed", "Seed", 0, 99, 0)
        flat = LESSON.break_it(
            "flat",
            "Break it: no hidden layer",
            "The mean goes straight to the output: p = softmax(x W₂ + b₂).",
        )
        frozen = LESSON.break_it(
            "frozen", "Break it: freeze the embeddings", "They stay as they were drawn; all else is trained."
        )
    learnt, _, held = split_of(documents)
    units = 0 if flat else H
    if not learnt.vocabulary:
        stage.warning("There is no word in these documents, so there is nothing to read.")
    else:
        trained = trained_on(documents, d, units, frozen, seed)
        network = (
            trained.network
            if begin == TRAINED
            else drawn_network(len(learnt.vocabulary), len(learnt.classes), d, units, seed)
        )
        step = document_step(network, learnt.index, tokens, y, rate, frozen)
        with stage:
            show_step(step, learnt.classes, frozen, tokens)
        st.header("Does it read better than counting?", anchor=False)
        ours, peer = judged_of(documents, d, units, frozen, seed), naive_bayes_judged(documents)
        answer = ANSWERS[2] if ours.right == peer.right else ANSWERS[int(ours.right < peer.right)]
        about = f"{documents.digest[:16]}_{d}_{units}_{frozen}_{seed}"
        if LESSON.ask("Which is right on more held-out documents?", list(ANSWERS), answer, about):
            show_training(trained, ours, peer)
            if flat or frozen:
                show_broken(documents, (d, H, seed), flat, frozen)
            show_judged(LESSON, "The network", [documents.texts[i] for i in held], ours, learnt.classes)
            LESSON.every_number("the training", epochs_table, trained.epochs)
        if step.words:
            LESSON.every_number("the step", step_table, step)
    LESSON.closing(
        code=[
            *(shares_of, forward, softmax, backward, stepped, document_step, drawn_network),
            *(fit_documents, Adam, judge, sign_test),
        ],
        notebook=notebook(documents, tokens, y, rate, (d, units, seed), frozen, begin == TRAINED),
        files={"Documents": ("documents.tsv", partial(as_lines, documents))},
        plot="from core.figures.documents.document_training import training_figure\n\n"
        "draw(training_figure(trained.epochs, peer.accuracy))",
        try_this=[
            ("Take the step with the trained network: how large is p − y now?", {"begin": TRAINED}),
            ("A learning rate of 10: does the loss of this document still fall?", {"rate": 10.0}),
            ("Freeze the embeddings: what can the layers still learn?", {"frozen": True}),
        ],
        sources=[
            "Mohit Iyyer et al. (2015), Deep unordered composition rivals syntactic methods for text classification.",
            "Armand Joulin et al. (2017), Bag of tricks for efficient text classification.",
            "Quinn McNemar (1947), Note on the sampling error of the difference between correlated "
            "proportions or percentages.",
            "David Rumelhart, Geoffrey Hinton and Ronald Williams (1986), Learning representations by back-propagating "
            "errors.",
            "Diederik Kingma and Jimmy Ba (2015), Adam: a method for stochastic optimization.",
        ],
    )


def choose_label(documents: LabelledDocuments) -> int:
    """Draw the choice of the label that the document has, and return its number.

    The labels of a learner's own documents are not for the address.
    """
    classes, label = list(documents.classes), "Its true label"
    if documents.own:
        return classes.index(LESSON.answer("own_label", label, classes, 0))
    return classes.index(LESSON.select("label", label, classes, 0, width=150))


@cached(24, 8, "Training the network", shared=is_sample)
def trained_on(documents: LabelledDocuments, d: int, H: int, frozen: bool, seed: int) -> Trained:
    """Return the network trained on the documents that are not held out; without a hidden layer where H is 0."""
    learnt, rest, _ = split_of(documents)
    return fit_documents(learnt, rest, d, H, frozen, seed=seed)


@cached(24, 8, "Reading the held-out documents", shared=is_sample)
def judged_of(documents: LabelledDocuments, d: int, H: int, frozen: bool, seed: int) -> Judged:
    """Return the held-out documents judged by the network."""
    return judge(trained_on(documents, d, H, frozen, seed).posteriors, split_of(documents)[1].y)


@cached(4, 4, "Reading the held-out documents", shared=is_sample)
def naive_bayes_judged(documents: LabelledDocuments) -> Judged:
    """Return the held-out documents judged by naive Bayes, which has learnt from the same ones."""
    rest = split_of(documents)[1]
    return judge(naive_bayes_of(documents, 1.0, False).posterior(rest.X), rest.y)


def show_step(step: DocumentStep, classes: Sequence[str], frozen: bool, tokens: Sequence[str]) -> None:
    """Step through one training step, and say what it does to the loss."""
    if not step.words:
        st.info(
            "No word of this document was learnt, so there is nothing to take a step on. Type another one."
        )
        LESSON.set_values(
            before="–", after="–", label=plain(classes[step.y]), words="no word", moved="–", mean="", error=""
        )
        return
    frames = step_frames(step, classes, source_of, frozen)
    LESSON.steps(frames)
    change = "falls" if step.loss_after < step.loss else "does not fall"
    LESSON.caption(
        f"One step of η = {step.rate:g} on this document: its loss {change}, from {step.loss:.3f} to {step.loss_after:.3f}."
    )
    if unknown := [word for word in dict.fromkeys(tokens) if word not in step.words][:8]:
        listed = ", ".join(f"“{word[:30]}”" for word in unknown)
        st.text(f"In no document that was learnt from, so left out: {listed}.")
    LESSON.set_values(
        before=f"{step.loss:.3f}",
        after=f"{step.loss_after:.3f}",
        label=plain(classes[step.y]),
        words="one word" if len(step.words) == 1 else f"{len(step.words)} different words",
        moved=frames[-1]["said"],
        mean=frames[1]["said"],
        error=frames[[each["name"] for each in frames].index("the loss")]["said"],
    )


def show_training(trained: Trained, ours: Judged, peer: Judged) -> None:
    """Draw loss and accuracy by epoch, and set the network beside naive Bayes on the same documents."""
    first, last = trained.epochs[0], trained.epochs[-1]
    LESSON.figure(
        "training",
        training_figure(trained.epochs, peer.accuracy),
        f"The loss of the documents learnt goes from {first.loss:.3f} to {last.loss:.3f}; of those held out "
        f"{last.held_right:.1%} are right at the end.",
    )
    n = len(ours.y)
    test = sign_test(ours.given == ours.y, peer.given == peer.y)
    LESSON.caption(
        f"After {EPOCHS} epochs the network is right on {ours.right:,} of {n:,} held-out documents, naive Bayes on "
        f"{peer.right:,}."
    )
    low, high = peer.interval
    st.markdown(
        f"Naive Bayes: {peer.accuracy:.1%}, 95% interval {low:.1%} to {high:.1%}. The network alone is right on "
        f"{test.one:,} of these documents, naive Bayes alone on {test.other:,}: were both equally good, luck would split "
        f"them at least so unevenly in {percent(test.p, 0)} of cases. Of the documents learnt the network gets "
        f"{last.right:.1%} right."
    )
    st.caption(
        f"An epoch reads every document once, in {STEPS_AN_EPOCH} batches or fewer; Adam takes the steps, of rate {RATE:g}."
    )
    LESSON.set_values(
        right=f"{ours.accuracy:.1%}",
        luck=percent(test.p, 0),
        peer=f"{peer.accuracy:.1%}",
        learnt=f"{last.right:.1%}",
        fitted=overfitting(last.right, ours.accuracy),
        epochs=EPOCHS,
        loss=f"{last.loss:.3f}",
    )


def overfitting(learnt: float, held_out: float) -> str:
    """Say what it is called to be better on what was learnt from, if the network is.

    >>> overfitting(0.5, 0.5)
    'It is no better on what it has learnt from than on what it has not.'
    """
    if learnt > held_out:
        return "Better on what it has learnt from than on what it has not: that is overfitting."
    return "It is no better on what it has learnt from than on what it has not."


def show_broken(documents: LabelledDocuments, sizes: tuple[int, int, int], flat: bool, frozen: bool) -> None:
    """Set the accuracy of the whole network beside that of the broken one, with their intervals."""
    d, H, seed = sizes
    whole = judged_of(documents, d, H, False, seed)
    broken = judged_of(documents, d, 0 if flat else H, frozen, seed)
    consequence("Right on held-out documents", whole.accuracy, broken.accuracy, ".1%")
    (low, high), (from_, to) = whole.interval, broken.interval
    test = sign_test(whole.given == whole.y, broken.given == broken.y)
    taken = " and ".join(["the hidden layer"] * flat + ["what the embeddings learn"] * frozen)
    verdict = (
        f"On the same documents the whole network alone is right on {test.one:,}, the broken one alone on "
        f"{test.other:,}: if {taken} changed nothing, luck would split them at least so unevenly in "
        f"{plain_number(test.p, 2)} of all cases."
    )
    st.markdown(f"95% intervals: whole {low:.1%} to {high:.1%}, broken {from_:.1%} to {to:.1%}. {verdict}")
    LESSON.set_values(verdict=verdict)


def notebook(
    documents: LabelledDocuments,
    tokens: Sequence[str],
    y: int,
    rate: float,
    sizes: tuple[int, int, int],
    frozen: bool,
    trained: bool,
) -> list[str]:
    """Return the cells that take the step, train the network and set it beside naive Bayes."""
    d, H, seed = sizes
    network = (
        f"fit_documents(learnt, rest, d={d}, H={H}, frozen={frozen}, seed={seed}).network"
        if trained
        else f"drawn_network(len(learnt.vocabulary), len(learnt.classes), d={d}, H={H}, seed={seed})"
    )
    return [
        load_cell(documents),
        "from core.models.documents.document_network import drawn_network\n"
        "from core.models.documents.document_step import document_step\n\n"
        + ("from core.models.documents.fit_documents import fit_documents\n" if trained else "")
        + f"network = {network}\n"
        f"step = document_step(network, learnt.index, {list(tokens)!r}, y={y}, rate={rate}, frozen={frozen})\n"
        "print(step.loss, step.loss_after)",
        "from core.models.documents.fit_documents import fit_documents\n"
        "from core.models.documents.held_out import judge\n"
        "from core.models.documents.naive_bayes import NaiveBayes\n\n"
        f"trained = fit_documents(learnt, rest, d={d}, H={H}, frozen={frozen}, seed={seed})\n"
        "ours = judge(trained.posteriors, rest.y)\n"
        "peer = judge(NaiveBayes(1.0).fit(learnt.X, learnt.y).posterior(rest.X), rest.y)\n"
        "print(ours.accuracy, ours.interval, peer.accuracy, peer.interval)",
    ]
