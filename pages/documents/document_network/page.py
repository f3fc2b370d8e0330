"""A neural text classifier: what the story shows of word vectors that learn two labels, and the lab."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache, partial

import numpy as np
import streamlit as st

from core.figures.documents.document_network import step_frames
from core.figures.documents.document_training import epochs_figure, epochs_table, step_table
from core.lesson.cached import cached, is_sample
from core.lesson.footer import source_of
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.documents.document_network import (
    Network,
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
    TrainedDocumentNetwork,
    fit_documents,
)
from core.models.documents.held_out import Judged, judge
from core.models.documents.sign_test import sign_test
from core.text.reading.labelled import LabelledDocuments
from core.text.samples.reviews import wrongly_labelled
from core.text.tokenization.tokens import words
from pages.documents.document_network import LESSON
from pages.documents.document_network.figures import draw_counts, draw_shares, draw_words, losses_figure
from pages.documents.shared.judging import show_judged
from pages.documents.shared.labelled_source import (
    as_lines,
    labelled_source,
    sample_reviews,
    split_of,
    type_document,
)
from pages.documents.shared.learnt import naive_bayes_of

WORDS = LESSON.words
REVIEW, OWN = "The handle is lovely, but the lid is flimsy", "I love it, but it is noisy"
SHOWN_TEXT = "great lovely love sturdy handy perfect flimsy dull blurred terrible weak dirty handle lid and"
SHOWN = tuple(SHOWN_TEXT.split())
EXAMPLES = (REVIEW, OWN, SHOWN_TEXT)
COUNTED = ("love", "great", "flimsy", "blurred", "handle", "lid")
D, H, SEED = 2, 4, 0  # two numbers a word, so that words are points
FAR, NEAR = 3.0, 1.3  # what the plane shows of trained words, of drawn ones
STEP = 3.0  # the learning rate of the one step
SIDED = 2 / 3  # of a word's documents, from which on it counts as one side's
MOVED = ("apart", "together", "mixed")
COST = ("little", "half", "all")
READ_TIMES = ("0", "1", "2", "5", "10")
TAKEN = 20  # words of a learner's review

READ = Choice("times", "1", READ_TIMES)
LINE = Text("review", OWN, 120)

# The lab's settings.
DIMENSIONS, UNITS = (2, 4, 6), (2, 4, 8)
RATES = (0.1, 0.3, 1.0, 3.0, 10.0)
DRAWN, TRAINED = "drawn", "trained"
BEGIN = Choice("begin", DRAWN, (DRAWN, TRAINED), {"as drawn": DRAWN})
FLAT, FROZEN = Switch("flat"), Switch("frozen")
LAB = (BEGIN, FLAT, FROZEN, Switch("judged"), Switch("training"), Text("sentence", "", 2000))
RIVALS = ("network", "bayes", "equal")


# The story: what each beat shows.


@cache
def trained_for(epochs: int, frozen: bool = False) -> TrainedDocumentNetwork:
    """Return the story's network after so many epochs."""
    learnt, rest, _ = split_of(sample_reviews())
    return fit_documents(learnt, rest, D, H, frozen, epochs, SEED)


def index_of() -> dict[str, int]:
    """Return the row of each word."""
    return split_of(sample_reviews())[0].index


@lru_cache(maxsize=256)
def counts_of(word: str) -> tuple[int, int]:
    """Return how many positive and how many negative reviews have a word."""
    learnt = split_of(sample_reviews())[0]
    has = learnt.X[:, learnt.index[word]].toarray()[:, 0] > 0
    return int((has & (learnt.y == 1)).sum()), int((has & (learnt.y == 0)).sum())


def side_of(word: str) -> str:
    """Return the label of most of a word's reviews, "both" where neither has two thirds."""
    positive, negative = counts_of(word)
    if max(positive, negative) < SIDED * (positive + negative):
        return "both"
    return "positive" if positive > negative else "negative"


def places_of(network: Network, chosen: Sequence[str]) -> dict[str, np.ndarray]:
    """Return words' vectors."""
    return {word: network.E[index_of()[word]] for word in chosen}


def base() -> dict[str, object]:
    """Return what all beats name: how many reviews and words, and how good network and naive Bayes are."""
    learnt, rest, _ = split_of(sample_reviews())
    last = trained_for(EPOCHS).epochs[-1]
    return {
        "N": len(learnt.y),
        "V": len(learnt.vocabulary),
        "held": len(rest.y),
        "review": REVIEW,
        "epochs": EPOCHS,
        "right": last.held_right,
        "learned": last.right,
    }


def apart(network: Network) -> bool:
    """Return whether a line separates the shown words of both labels: along the difference of their means."""
    places = places_of(network, SHOWN)
    sides = {
        side: np.array([places[w] for w in SHOWN if side_of(w) == side]) for side in ("positive", "negative")
    }
    way = sides["positive"].mean(axis=0) - sides["negative"].mean(axis=0)
    return bool((sides["positive"] @ way).min() > (sides["negative"] @ way).max())


def draw_network(network: Network, extent: float = FAR) -> dict:
    """Return the shown words as points."""
    return draw_words(places_of(network, SHOWN), {word: side_of(word) for word in SHOWN}, extent)


def ask_drawn(settings: Settings) -> Part:
    """Words as points drawn at random; the answer shows them after training."""
    network = trained_for(EPOCHS if settings.revealed else 0).network
    values = base() | {"revealed": settings.revealed}
    answer = "apart" if apart(trained_for(EPOCHS).network) else "mixed"
    return Part("word_plane", draw_network(network), values, {"begin": TRAINED}, choices=MOVED, answer=answer)


def show_mean(settings: Settings) -> Part:
    """The words of a review, drawn at random, and their mean."""
    step = one_step()
    places = dict(zip(step.words, step.before.E, strict=True))
    values = base() | {
        "n": int(step.counts.sum()),
        "different": len(step.words),
        "x": step.forward.x[0].tolist(),
    }
    sides = {word: side_of(word) for word in step.words}
    picture = draw_words(places, sides, NEAR, step.forward.x[0])
    return Part("word_plane", picture, values, {"sentence": REVIEW})


@cache
def one_step() -> DocumentStep:
    """Return one step on the review, of the network as it was drawn."""
    network = drawn_network(len(index_of()), 2, D, H, SEED)
    return document_step(network, index_of(), words(REVIEW), 1, STEP)


def show_output(settings: Settings) -> Part:
    """The probabilities that the network gives to the review, before it has learned."""
    step = one_step()
    p = step.forward.p[0]
    values = base() | {"p": float(p[1]), "loss": step.loss}
    shares = {"positive": float(p[1]), "negative": float(p[0])}
    picture = draw_shares(WORDS.label("title.p"), shares, {"positive": "blue", "negative": "vermillion"})
    return Part("layer_bars", picture, values, {"sentence": REVIEW})


def show_step(settings: Settings) -> Part:
    """How one step moves the words of the review."""
    step = one_step()
    places = dict(zip(step.words, step.before.E, strict=True))
    moves = dict(zip(step.words, step.after.E, strict=True))
    once = [word for word, n in zip(step.words, step.counts, strict=True) if n == 1]
    same = len({tuple((moves[word] - places[word]).round(9)) for word in once}) == 1
    values = base() | {"loss": step.loss, "after": step.loss_after, "same": same, "rate": STEP}
    picture = draw_words(places, {word: side_of(word) for word in step.words}, NEAR, None, moves)
    return Part("word_plane", picture, values, {"sentence": REVIEW})


def show_counts(settings: Settings) -> Part:
    """How many reviews of each label have a word."""
    counts = {word: counts_of(word) for word in COUNTED}
    values = base() | {"counts": counts}
    picture = draw_counts(WORDS.label("sum.counts"), counts)
    return Part("layer_bars", picture, values, {"training": True})


def do_read(settings: Settings) -> Part:
    """The words after as many epochs as are chosen."""
    times = int(settings.times)
    trained = trained_for(times)
    values = base() | {
        "times": times,
        "separated": apart(trained.network),
        "own": trained.epochs[-1].right,
        "held_right": trained.epochs[-1].held_right,
    }
    return Part("word_plane", draw_network(trained.network), values, {"training": True})


def ask_frozen(settings: Settings) -> Part:
    """The accuracy with trained embeddings; the answer adds that with frozen ones."""
    frozen = trained_for(EPOCHS, True).epochs[-1].held_right
    largest = max(np.bincount(split_of(sample_reviews())[1].y)) / base()["held"]
    values = base() | {"revealed": settings.revealed, "frozen": frozen, "largest": float(largest)}
    shares = {"trained": values["right"], "frozen": frozen if settings.revealed else 0.0}
    picture = draw_shares(WORDS.label("title.right"), shares, {"frozen": "grey"})
    if not settings.revealed:
        picture["panels"][0]["rows"][1]["text"] = WORDS.label("hidden")
    lost = values["right"] - frozen
    answer = "all" if frozen < largest + 0.05 else "half" if lost > 0.1 else "little"
    return Part("layer_bars", picture, values, {"frozen": True}, choices=COST, answer=answer)


def show_overfit(settings: Settings) -> Part:
    """The loss by epoch on the reviews learned from and on held-out ones."""
    epochs = trained_for(EPOCHS).epochs
    losses, held = [each.loss for each in epochs], [each.held_loss for each in epochs]
    learnt, _, places = split_of(sample_reviews())
    wrong = np.delete(np.array(wrongly_labelled()), list(places))
    given = forward(trained_for(EPOCHS).network, shares_of(learnt.X)).p.argmax(axis=1)
    values = base() | {
        "least": float(min(held)),
        "best": int(np.argmin(held)),
        "last": float(held[-1]),
        "wrong": int(wrong.sum()),
        "by_heart": int((given == learnt.y)[wrong].sum()),
    }
    return Part("figure", {"figure": losses_figure(losses, held).to_dict()}, values, {"training": True})


def show_right(settings: Settings) -> Part:
    """How many held-out reviews are labelled right: by the network, by naive Bayes, by one label always."""
    rest = split_of(sample_reviews())[1]
    ours = judge(trained_for(EPOCHS).posteriors, rest.y)
    peer = naive_bayes_judged(sample_reviews())
    test = sign_test(ours.given == ours.y, peer.given == peer.y)
    low, high = ours.interval
    shares = {"network": ours.accuracy, "bayes": peer.accuracy, "always": ours.largest}
    values = base() | shares | {"low": low, "high": high, "p": test.p, "clear": test.p < 0.05}
    picture = draw_shares(WORDS.label("title.right"), shares, {"bayes": "green", "always": "grey"})
    return Part("layer_bars", picture, values, {"judged": True})


def do_own(settings: Settings) -> Part:
    """The words of the learner's review as points, their mean, and its probability."""
    network, index = trained_for(EPOCHS).network, index_of()
    tokens = words(settings.review)[:TAKEN]
    known = list(dict.fromkeys(token for token in tokens if token in index))
    shown = known or words(REVIEW)
    step = document_step(network, index, tokens if known else shown, 1, 1.0)
    places = dict(zip(step.words, step.before.E, strict=True))
    p = float(step.forward.p[0, 1])
    far = max(places, key=lambda word: float(np.linalg.norm(places[word])))
    unknown = [token[:20] for token in dict.fromkeys(tokens) if token not in index]
    values = base() | {"known": len(known), "p": p, "far": far, "unknown": unknown[:3]}
    picture = draw_words(places, {word: side_of(word) for word in step.words}, FAR, step.forward.x[0])
    return Part("word_plane", picture, values, {"begin": TRAINED, "sentence": settings.review})


def show_answer(settings: Settings) -> Part:
    """The words after training."""
    values = base() | {"frozen": trained_for(EPOCHS, True).epochs[-1].held_right}
    return Part("word_plane", draw_network(trained_for(EPOCHS).network), values, {"training": True})


STORY = (
    ask("drawn_words", ask_drawn),
    look("mean_of", show_mean),
    look("output", show_output),
    look("step", show_step),
    look("counts", show_counts),
    do("read", do_read, READ),
    ask("freeze", ask_frozen),
    look("overfit", show_overfit),
    look("right", show_right),
    do("own", do_own, LINE),
    end("answer", show_answer),
)


# The lab: one step forwards and backwards; the training beside naive Bayes; no hidden layer; frozen embeddings.


def lab() -> None:
    """One step forwards and backwards; the training beside naive Bayes; no hidden layer; frozen embeddings."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        documents = labelled_source(LESSON)
        _, tokens = type_document(LESSON, documents)
        y = choose_label(documents)
        begin = LESSON.draw(BEGIN)
        rate = LESSON.select_slider("rate", WORDS.label("rate"), RATES, value=1.0, width=150)
        with LESSON.options():
            d = LESSON.select_slider("d", WORDS.label("d"), DIMENSIONS, value=6)
            hidden = LESSON.select_slider("H", WORDS.label("H"), UNITS, value=4)
            seed = LESSON.number("seed", WORDS.label("seed"), 0, 99, 0)
        flat, frozen = LESSON.draw(FLAT), LESSON.draw(FROZEN)
    learnt = split_of(documents)[0]
    units = 0 if flat else hidden
    if not learnt.vocabulary:
        stage.warning(WORDS.label("no_words"))
    else:
        network = (
            trained_on(documents, d, units, frozen, seed).network
            if begin == TRAINED
            else drawn_network(len(learnt.vocabulary), len(learnt.classes), d, units, seed)
        )
        step = document_step(network, learnt.index, tokens, y, rate, frozen)
        with stage:
            show_update(step, learnt.classes, frozen, tokens)
        if step.words:
            LESSON.every_number(WORDS.label("table.step"), step_table, step)
        show_measured(documents, (d, hidden, seed), flat, frozen)
    LESSON.close_lab(
        code=[
            *(shares_of, forward, softmax, backward, stepped, document_step, drawn_network),
            *(fit_documents, Adam, judge, sign_test),
        ],
        parameters={
            "own": bool(documents.own),
            "d": d,
            "H": units,
            "seed": seed,
            "frozen": frozen,
            "begin": begin,
            "rate": rate,
            "y": y,
            "tokens": list(tokens),
        },
        prompts={
            "trained": {"begin": TRAINED},
            "large": {"rate": 10.0},
            "frozen": {"frozen": True, "training": True},
        },
        files={WORDS.label("documents"): ("documents.tsv", partial(as_lines, documents))},
    )


def choose_label(documents: LabelledDocuments) -> int:
    """Draw the choice of the label that the document has, and return its number.

    The labels of a learner's own documents are not for the address.
    """
    classes, label = list(documents.classes), WORDS.label("label")
    if documents.own:
        return classes.index(LESSON.answer("own_label", label, classes, 0))
    return classes.index(LESSON.select("label", label, classes, 0, width=150))


@cached(24, 8, shared=is_sample)
def trained_on(
    documents: LabelledDocuments, d: int, H: int, frozen: bool, seed: int
) -> TrainedDocumentNetwork:
    """Return the network trained on the documents that are not held out; without a hidden layer where H is 0."""
    learnt, rest, _ = split_of(documents)
    return fit_documents(learnt, rest, d, H, frozen, seed=seed)


@cached(24, 8, shared=is_sample)
def judged_of(documents: LabelledDocuments, d: int, H: int, frozen: bool, seed: int) -> Judged:
    """Return the held-out documents judged by the network."""
    return judge(trained_on(documents, d, H, frozen, seed).posteriors, split_of(documents)[1].y)


@cached(4, 4, shared=is_sample)
def naive_bayes_judged(documents: LabelledDocuments) -> Judged:
    """Return the held-out documents judged by naive Bayes, which has learned from the same ones."""
    rest = split_of(documents)[1]
    return judge(naive_bayes_of(documents, 1.0, False).posterior(rest.X), rest.y)


def show_update(step: DocumentStep, classes: Sequence[str], frozen: bool, tokens: Sequence[str]) -> None:
    """Step through one training step, and say what it does to the loss."""
    if not step.words:
        st.info(WORDS.label("unread"))
        return
    LESSON.steps(step_frames(step, classes, source_of, WORDS.label, frozen))
    values = {"rate": step.rate, "before": step.loss, "after": step.loss_after}
    LESSON.say("says.step", values)
    if unknown := [word for word in dict.fromkeys(tokens) if word not in step.words][:8]:
        st.text(WORDS.label("left_out", words=[f"“{word[:30]}”" for word in unknown]))


def show_measured(
    documents: LabelledDocuments, sizes: tuple[int, int, int], flat: bool, frozen: bool
) -> None:
    """Show the training and how often network and naive Bayes are right; what a missing piece costs."""
    d, hidden, seed = sizes
    units = 0 if flat else hidden
    if flat or frozen:
        show_without(documents, sizes, flat, frozen)
    box, judging = LESSON.fold("training"), LESSON.fold("judged")
    if not box and not judging:
        return
    learnt, _, held = split_of(documents)
    trained = trained_on(documents, d, units, frozen, seed)
    ours, peer = judged_of(documents, d, units, frozen, seed), naive_bayes_judged(documents)
    answer = RIVALS[2] if ours.right == peer.right else RIVALS[int(ours.right < peer.right)]
    about = f"{documents.digest[:16]}_{d}_{units}_{frozen}_{seed}"
    names = {each: WORDS.label(f"rival.{each}") for each in RIVALS}
    with box or judging:
        if not LESSON.ask(WORDS.label("guess"), list(names.values()), names[answer], about):
            return
    if box:
        with box:
            show_training(trained, ours, peer)
        LESSON.every_number(WORDS.label("table.training"), epochs_table, trained.epochs)
    if judging:
        with judging:
            texts = [documents.texts[i] for i in held]
            show_judged(LESSON, WORDS.label("method"), texts, ours, learnt.classes)


def show_training(trained: TrainedDocumentNetwork, ours: Judged, peer: Judged) -> None:
    """Draw loss and accuracy by epoch, and set the network beside naive Bayes on the same documents."""
    first, last = trained.epochs[0], trained.epochs[-1]
    test = sign_test(ours.given == ours.y, peer.given == peer.y)
    values = {
        "first": first.loss,
        "last": last.loss,
        "held_right": last.held_right,
        "epochs": EPOCHS,
        "ours": ours.right,
        "peer": peer.right,
        "n": len(ours.y),
        "interval": list(peer.interval),
        "share": peer.accuracy,
        "one": test.one,
        "other": test.other,
        "p": test.p,
        "learned": last.right,
        "batches": STEPS_AN_EPOCH,
        "rate": RATE,
    }
    LESSON.figure("epochs", epochs_figure(trained.epochs, peer.accuracy), WORDS.label("epochs.alt", **values))
    LESSON.say("says.training", values)
    st.markdown(WORDS.markdown("says.compared", **values))


def show_without(documents: LabelledDocuments, sizes: tuple[int, int, int], flat: bool, frozen: bool) -> None:
    """Set the accuracy of the network beside that without hidden layer or with frozen embeddings."""
    d, hidden, seed = sizes
    complete = judged_of(documents, d, hidden, False, seed)
    changed = judged_of(documents, d, 0 if flat else hidden, frozen, seed)
    LESSON.compare("right", complete.accuracy, changed.accuracy, ".1%")
    test = sign_test(complete.given == complete.y, changed.given == changed.y)
    values = {
        "ends": [*complete.interval, *changed.interval],
        "p": test.p,
        "one": test.one,
        "other": test.other,
    }
    st.markdown(WORDS.markdown("says.without", **values))
