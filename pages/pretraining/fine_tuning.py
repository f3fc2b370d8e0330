"""Fine-tuning: a few labelled sentences, a pretrained network, and what it learns from them, wins by, and forgets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import streamlit as st

from core.figures.card import small
from core.figures.figure import Figure
from core.figures.pretraining.fine_tuning import (
    COUNTING,
    curves_figure,
    ends_by_size,
    forgetting_figure,
    forgetting_table,
    parting_map,
    runs_table,
    sizes_figure,
    small_map,
)
from core.figures.pretraining.fine_tuning_said import (
    change_said,
    dealt_said,
    interval,
    longer_said,
    new_said,
    rates_said,
    shares_said,
    standings,
    verdicts,
    worth_said,
)
from core.lesson.break_it import consequence
from core.lesson.cached import cached, is_sample
from core.lesson.lesson import Lesson
from core.models.descent import Descent
from core.models.pretraining.fine_tuning import (
    FINE_TUNED,
    FROZEN,
    MODEL,
    SCRATCH,
    WAYS,
    SentenceClassifier,
    classifier,
    last_vectors,
    mean_vectors,
    padded,
)
from core.models.pretraining.fine_tuning_measured import (
    LONG,
    RATES,
    RATES_AT,
    SEEDS,
    SIZES,
    Measured,
    at_rates,
    difference,
    key_of,
    longer_from_scratch,
    mean_interval,
    measured_ways,
    stored_runs,
    three_ways,
)
from core.models.pretraining.fine_tuning_runs import (
    BATCH,
    BODY_RATE,
    STEPS,
    Progress,
    Settings,
    fit,
    fit_three_ways,
    places_of,
    right_by_counting,
)
from core.models.pretraining.forgetting import HIDDEN, masked_losses
from core.models.stored import load_card
from core.text.reading.labelled import LabelledDocuments
from core.text.samples.manners import TURNS, manners
from pages.documents.shared.labelled_source import as_lines, labelled_source

LESSON = Lesson(
    __name__,
    title="Fine-tune it live",
    question="What are a few labelled sentences worth to a network that has read before?",
    icon="wrench",
)
ABOUT = (
    "Sentences by a grammar of this course, as of scripture or as of the stage. One turn of phrase tells, among "
    f"{len(next(iter(TURNS.values())))} of either manner; the other half of a sentence says nothing."
)
FORMULA = (
    r"h = \frac{1}{T} \sum_{t=1}^{T} h_t \qquad p = \operatorname{softmax}(h W + b) \qquad "
    r"L = -\frac{1}{B} \sum \ln p_y \qquad \theta \leftarrow \theta - \eta\, \nabla_\theta L"
)
WHERE = (
    "$h_t$: the masked model's vector of token $t$ after its last layer; $h$: their mean, one vector a sentence; "
    "$W, b$: the task layer, new and at first nought; $p_y$: the probability of the label $y$; $B$: the sentences of a "
    r"step. $\theta$ is all weights when the model is **fine-tuned** or trained **from scratch**, $W$ and $b$ alone when it "
    "is **frozen**. BERT reads a token [CLS] put before the text instead of the mean; this model was pretrained without "
    "one, so the few labels would have to teach that token everything. AdamW takes the steps."
)
TOLD = (  # what the tour tells, as long as nothing is measured
    "n steps held fine frozen scratch counting verdicts measure whole broken verdict passages "
    "hidden before after forgotten rates"
).split()
our_sentences = cache(manners)  # all sessions share them
OURS = "This is measured on the course's own sentences alone."
LAYERS = tuple(range(load_card(MODEL).config["shape"]["layers"] + 1))


@dataclass(frozen=True)
class Asked:
    """What a training is asked for: the documents by their digest, the settings, and how many seeds."""

    digest: str
    settings: Settings
    seeds: int


def picture() -> Figure:
    """The held-out sentences' vectors after fine-tuning, on the map."""
    documents = our_sentences()
    held = places_of(documents.labels).held
    vectors = stored_runs()[key_of(FINE_TUNED, Settings(SIZES[1]))].vectors[-1].astype(np.float64)
    return small(small_map(vectors, [documents.labels[place] for place in held]))


def page() -> None:
    """Three ways to learn from the same sentences; how many labels it takes; what is forgotten."""
    LESSON.open(FORMULA, WHERE)
    LESSON.set_values(**dict.fromkeys(TOLD, "not known yet"), new=OURS, worth=OURS, standing="", longer="")
    controls, stage = LESSON.stage()
    with controls:
        documents = labelled_source(LESSON, our_sentences, ABOUT)
        more, trains = LESSON.more(), st.container(width=240)  # pixels, of what is watched too
        asked, way = choose(documents, more)
        given = (documents.texts, documents.labels, asked.settings, asked.seeds)
        with trains:
            bench = LESSON.train(fit_three_ways, given, asked, watch)
    found = runs_for(documents, asked, bench)
    with stage:
        revealed = bool(found) and ask(found, asked, bench.number)
        if not found:
            st.info("Nothing is stored for these sentences or settings. Press Train: it takes a minute.")
        if revealed:
            show_ways(documents, found, asked.settings, way)
    if revealed:
        if asked.settings.shuffled:
            show_shuffled(documents, asked, found[FINE_TUNED])
        if not documents.own:
            st.header("How many labels is it worth?", anchor=False)
            show_sizes(documents)
        st.header("What does it forget?", anchor=False)
        show_forgetting(found[FINE_TUNED])
        LESSON.every_number("the trainings", runs_table, found)
    LESSON.closing(
        code=[
            *(padded, last_vectors, mean_vectors, SentenceClassifier, classifier, fit, Descent.step),
            *(right_by_counting, masked_losses, mean_interval, difference),
        ],
        notebook=notebook(documents, asked.settings),
        plot="from core.figures.pretraining.fine_tuning import curves_figure\n"
        "from core.models.pretraining.fine_tuning_measured import Measured, mean_interval\n\n"
        "measured = {way: Measured.of([run]) for way, run in runs.items()}\n"
        "draw(curves_figure(measured, mean_interval(counted.mean(keepdims=True))))",
        files={"Sentences": ("sentences.tsv", as_lines(documents))},
        try_this=[
            (f"{SIZES[-1]} labels instead of {SIZES[0]}: who catches up?", {"n": SIZES[-1]}),
            ("Watch the frozen map: does it ever move?", {"n": SIZES[0], "way": FROZEN}),
            ("Deal the labels out at random: what does it still learn?", {"shuffled": True, "n": SIZES[1]}),
        ],
        sources=[
            "Jacob Devlin, Ming-Wei Chang, Kenton Lee and Kristina Toutanova (2019), BERT: Pre-training of Deep "
            "Bidirectional Transformers for Language Understanding.",
            "Jeremy Howard and Sebastian Ruder (2018), Universal Language Model Fine-tuning for Text Classification.",
            "Michael McCloskey and Neal Cohen (1989), Catastrophic interference in connectionist networks.",
            "Chiyuan Zhang et al. (2017), Understanding deep learning requires rethinking generalization.",
            "The sentences are this course's own: core/text/samples/manners.py.",
        ],
    )


def choose(documents: LabelledDocuments, more) -> tuple[Asked, str]:
    """Draw the settings, the rare ones in `more`, and return what a training is asked for and which way the map shows."""
    n = LESSON.select_slider("n", "Labelled sentences n", SIZES, value=SIZES[0], width=170)
    way = LESSON.choose("way", "On the map", list(WAYS), default=FINE_TUNED)
    shuffled = LESSON.break_it(
        "shuffled",
        "Break it: deal out the labels",
        "The n sentences keep their labels' numbers, but who gets which is drawn at random.",
    )
    with more:
        rate = LESSON.select_slider("rate", "Rate of the body, times", (0.1, 0.3, 1.0, 3.0, 10.0), value=1.0)
        layers = LESSON.select_slider("layers", "Layers frozen", LAYERS, value=0)
        seeds = LESSON.slider("seeds", "Seeds to train", 1, len(SEEDS), 3)
        st.caption("With another rate or frozen layers nothing is stored: press Train.")
    pool = len(places_of(documents.labels).pool)
    if pool < n:
        st.caption(f"Only {pool} of these can be learnt from, so n = {pool}.")
    return Asked(documents.digest, Settings(min(n, pool), rate, layers, shuffled), seeds), way


def watch(reports: list[Progress]) -> None:
    """Draw how far the training is; how often it is right unless that is to be predicted."""
    if not reports:
        st.progress(0.0, "Reading the sentences")
        return
    now = reports[-1]
    right = "" if LESSON.get_state("predict") else f", right on {now.right:.1%} held out"
    st.progress(now.share, f"{now.way}, seed {now.seed}{right}")


def runs_for(documents: LabelledDocuments, asked: Asked, bench) -> dict[str, Measured]:
    """Return the learner's own runs of these settings, else the stored ones; none where there are neither."""
    own = bench.result is not None and replace(bench.settings, seeds=asked.seeds) == asked
    if own and (trained := measured_ways(bench.result)):
        return trained
    at = asked.settings
    if documents.own or at.n not in SIZES or at.rate != 1 or at.frozen_layers:
        return {}
    if at.shuffled:
        return {FINE_TUNED: stored_runs()[key_of(FINE_TUNED, at)]}
    return three_ways(stored_runs(), at)


@cached(8, 4, False, shared=is_sample)
def counted(given: LabelledDocuments, n: int, seeds: int, shuffled: bool = False) -> np.ndarray:
    """Return which held-out texts naive Bayes is right on, learnt from the same n texts and labels, (R, N)."""
    return np.stack([right_by_counting(given.texts, given.labels, n, k, shuffled) for k in SEEDS[:seeds]])


def ask(found: dict[str, Measured], asked: Asked, number: int) -> bool:
    """Ask which way is right on the most held-out sentences; by their true labels where only those are stored."""
    n, true = asked.settings.n, replace(asked.settings, shuffled=False)
    ways = found if len(found) == len(WAYS) else three_ways(stored_runs(), true)
    best = max(WAYS, key=lambda way: float(ways[way].accuracy[:, -1].mean()))
    question = f"Trained on {n} labelled sentences, which is right on the most held-out ones?"
    return LESSON.ask(question, list(WAYS), best, f"{asked.digest[:16]}_{true}_{number}")


def show_ways(documents: LabelledDocuments, found: dict[str, Measured], at: Settings, way: str) -> None:
    """Draw the curves and the map, and say how often each way is right at the end."""
    n, seeds = at.n, len(found[FINE_TUNED].right)
    counts = counted(documents, n, seeds, at.shuffled)
    by_counting = mean_interval(counts.mean(axis=1))
    ends = {name: mean_interval(each.accuracy[:, -1]) for name, each in found.items()}
    left, right = st.columns([1, 1], gap="medium")
    with left:
        alt = f"Right on held-out sentences by step, at the end {shares_said(ends)}"
        LESSON.figure("curves", curves_figure(found, by_counting), alt)
    shown = way if way in found else FINE_TUNED
    held = places_of(documents.labels).held
    texts, labels = ([each[i] for i in held] for each in (documents.texts, documents.labels))
    with right:
        LESSON.view("map", parting_map(shown, found[shown].vectors, texts, labels), "map")
    of, shares = len(held), shares_said({**ends, COUNTING: by_counting})
    LESSON.caption(f"With {n} labelled sentences, of {of} held-out ones are right: {shares}.")
    told = verdicts(found)
    st.markdown(
        f"{told} In brackets: 95% intervals, of a share over {seeds} seed{'s' * (seeds > 1)}, of a difference over the "
        f"held-out sentences, the seeds as they are. A seed draws the {n} sentences, the batches of {min(BATCH, n)} and "
        f"first weights. {STEPS} steps each."
    )
    LESSON.set_values(n=n, held=of, seeds=seeds, steps=STEPS, counting=interval(by_counting), verdicts=told)
    for name, field in ((FINE_TUNED, "fine"), (FROZEN, "frozen"), (SCRATCH, "scratch")):
        LESSON.set_values(**{field: interval(ends[name]) if name in ends else "not measured here"})
    if not documents.own and len(found) == len(WAYS):
        right = {name: each.right[:, -1] for name, each in found.items()}
        new = new_said(documents.texts, documents.labels, n, {**right, COUNTING: counts})
        LESSON.set_values(new=new)
        st.markdown(new)


def show_shuffled(documents: LabelledDocuments, asked: Asked, broken: Measured) -> None:
    """Set fine-tuning on true labels beside that on labels dealt out at random."""
    true = Settings(asked.settings.n)
    share = float(broken.accuracy[:, -1].mean())
    if not documents.own and true.n in SIZES:
        whole = float(stored_runs()[key_of(FINE_TUNED, true)].accuracy[:, -1].mean())
        consequence("Right on held-out sentences, fine-tuned", whole, share, ".1%")
    said = dealt_said(broken, true.n, documents.labels)
    LESSON.set_values(verdict=said)
    st.markdown(said)


def show_sizes(documents: LabelledDocuments) -> None:
    """Draw how often each way is right by the number of labelled sentences, and say where fine-tuning does not win."""
    runs = stored_runs()
    by_n = {n: three_ways(runs, Settings(n)) for n in SIZES}
    counts = {n: counted(documents, n, len(SEEDS)) for n in SIZES}
    ends = ends_by_size(by_n, counts)
    worth, (ahead, rest) = worth_said(ends), standings(by_n, counts)
    LESSON.figure("sizes", sizes_figure(ends), f"Right on held-out sentences. {worth}")
    LESSON.caption(worth)
    for title, each in (("Where fine-tuning is ahead", ahead), ("Where it is not", rest)):
        st.markdown("\n".join((f"**{title}**\n", *(f"- {line}" for line in each or ["nowhere"]))))
    longer = longer_said(by_n[LONG][FINE_TUNED], longer_from_scratch(runs))
    st.markdown(f"{longer} All ways share the rates of the steps, which were not tuned for each of them.")
    among = f"In {len(rest)} of {len(rest + ahead)} comparisons fine-tuning is not ahead: they are listed below the picture."
    LESSON.set_values(worth=worth, longer=longer, standing=among)


def show_forgetting(found: Measured) -> None:
    """Draw the masked loss while the model is fine-tuned, with three rates, and say how much it has forgotten."""
    rates = at_rates(stored_runs())
    told = rates_said(rates)
    LESSON.figure("forgetting", forgetting_figure(rates), f"Masked loss while fine-tuning. {told}")
    if found.masked.size:
        before, ends = float(found.masked[:, 0].mean()), mean_interval(found.forgotten)
        rise, after = change_said(ends), before + ends[0]
        LESSON.caption(
            f"The fine-tuned model of the picture at the top filled gaps at {before:.2f} nats a hidden token before and at "
            f"{after:.2f} after: {rise}."
        )
        LESSON.set_values(forgotten=rise, before=f"{before:.2f}", after=f"{after:.2f}")
    else:
        st.info("Nothing of this body was trained, so it has forgotten nothing.")
    P = next(iter(rates.values())).masked.shape[2]
    st.markdown(
        f"The figure: the course's sentences, {RATES_AT} of them labelled, {len(SEEDS)} seeds, the body's rate "
        f"{BODY_RATE:g} times {', '.join(f'{rate:g}' for rate in RATES)}. {told}. The passages are the "
        f"ends of {P} plays, which the masked model never trained on; the same {HIDDEN} tokens of each are hidden "
        "before and after. Intervals of the loss are over the passages."
    )
    LESSON.set_values(rates=told, passages=P, hidden=HIDDEN)
    LESSON.every_number("what is forgotten", forgetting_table, rates)


def notebook(documents: LabelledDocuments, at: Settings) -> list[str]:
    """Return the cells that train the three ways with one seed, and count words."""
    read = (
        'from core.text.reading.labelled import read_lines\n\ndocuments = read_lines(open("sentences.tsv", '
        'encoding="utf-8").read())  # the file beside this button'
        if documents.own
        else "from core.text.samples.manners import manners\n\ndocuments = manners()"
    )
    return [
        read,
        "from core.models.pretraining.fine_tuning import WAYS\n"
        "from core.models.pretraining.fine_tuning_runs import Settings, fit, right_by_counting, task_of\n\n"
        "task = task_of(documents.texts, documents.labels)\n"
        f"runs = {{way: fit(way, task, {at!r}, seed=1) for way in WAYS}}\n"
        f"counted = right_by_counting(documents.texts, documents.labels, {at.n}, seed=1)\n"
        "print({way: run.right.mean(axis=1) for way, run in runs.items()}, counted.mean())",
        "fine = runs[WAYS[0]]\nprint(fine.masked.mean(axis=1))  # nats a hidden token, by step",
    ]
