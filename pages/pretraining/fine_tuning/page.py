"""Fine-tuning: what the story shows of sixteen labels and a pretrained network, and the lab."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import streamlit as st
import torch
from scipy.sparse import csr_matrix

from core.figures.pretraining import name
from core.figures.pretraining.fine_tuning import (
    COUNTING,
    curves_figure,
    ends_by_size,
    forgetting_table,
    map_all_steps,
    parting_map,
    runs_table,
)
from core.figures.pretraining.fine_tuning import forgetting_figure as rates_figure
from core.figures.pretraining.fine_tuning import sizes_figure as intervals_figure
from core.figures.pretraining.fine_tuning_said import (
    change_said,
    dealt_said,
    points_said,
    rates_said,
    shares_said,
    standings,
    verdicts,
    worth_said,
)
from core.lesson.cached import cached, is_sample
from core.lesson.settings import Choice, Settings, Switch, Text
from core.lesson.story import Part, ask, do, end, look
from core.models.descent import Descent
from core.models.documents.logistic_regression import LogisticRegression
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
    token_ids,
)
from core.models.pretraining.fine_tuning_measured import (
    RATES,
    RATES_AT,
    SEEDS,
    SIZES,
    Ends,
    Measured,
    accuracy_difference,
    at_rates,
    key_of,
    mean_interval,
    measured_ways,
    select_runs,
    stored_runs,
)
from core.models.pretraining.fine_tuning_runs import (
    BATCH,
    BODY_RATE,
    MEASURED_AT,
    STEPS,
    ClassificationTask,
    FineTuningProgress,
    FineTuningSettings,
    embed_texts,
    fit,
    fit_three_ways,
    labelled,
    places_of,
    right_by_counting,
    task_of,
)
from core.models.pretraining.forgetting import HIDDEN, masked_losses
from core.models.stored import load_card
from core.text.reading.labelled import LabelledDocuments
from core.text.samples.feelings import feelings
from pages.documents.shared.labelled_source import as_lines, labelled_source
from pages.pretraining.fine_tuning import LESSON
from pages.pretraining.fine_tuning.figures import (
    draw_sentences,
    draw_shares,
    draw_ways,
    forgetting_figure,
    sizes_figure,
)

WORDS = LESSON.words
KEYS = {"fine": FINE_TUNED, "frozen": FROZEN, "scratch": SCRATCH}
GUESSED = ("fine", "scratch", "counting")
BARS = ("fine", "frozen", "scratch", "counting")
LEARNED = ("none", "half", "all")
OWN = "I lost my patience, my pleasure and my faith."
EXAMPLES = (OWN,)
OWN_LABELS = 256  # labelled sentences that the learner's sentence is classified by
AT_STEPS = tuple(map(str, MEASURED_AT))

STEP = Choice("step_made", "0", AT_STEPS)
LINE = Text("line", OWN, 120)

# The lab's settings.
our_sentences = cache(feelings)  # all sessions share them
SHUFFLED = Switch("shuffled")
MAPPED = Choice("way", "fine", tuple(KEYS), {name: key for key, name in KEYS.items()})
LAB = (
    SHUFFLED,
    MAPPED,
    Choice("n", str(SIZES[0]), tuple(map(str, SIZES))),
    Switch("sizes"),
    Switch("forgets"),
)


# The story: what each beat shows.


@cache
def counts_of(n: int) -> np.ndarray:
    """Return which held-out sentences naive Bayes is right on after n labels, for each seed (R, N)."""
    ours = our_sentences()
    given = (ours.texts, ours.labels, n)
    return np.stack([right_by_counting(*given, seed, kinds=ours.kinds) for seed in SEEDS])


def split_documents(documents: LabelledDocuments) -> ClassificationTask:
    """Return which documents are held out, whole kinds where they are known."""
    return places_of(documents.labels, documents.kinds)


def held_kinds(documents: LabelledDocuments) -> list[str]:
    """Return the kinds of the held-out documents, none where they are not known."""
    return [documents.kinds[place] for place in split_documents(documents).held] if documents.kinds else []


@cache
def gap_at(n: int, way: str) -> Ends:
    """Return by how much fine-tuning is right more often than another way after n labels, with the interval."""
    found = select_runs(stored_runs(), FineTuningSettings(n))
    runs = {name: each.right[:, -1] for name, each in found.items()}
    runs[COUNTING] = counts_of(n)
    return accuracy_difference(runs[FINE_TUNED], runs[way], held_kinds(our_sentences()))


@cache
def shares_at(n: int) -> dict[str, float]:
    """Return the share of held-out sentences that each way gets right after n labels, the mean over the seeds."""
    found = select_runs(stored_runs(), FineTuningSettings(n))
    shares = {key: float(found[name].accuracy[:, -1].mean()) for key, name in KEYS.items()}
    return shares | {"counting": float(counts_of(n).mean())}


@cache
def counted_at_random(n: int) -> float:
    """Return the share that naive Bayes gets right where sentences are held out at random, so that words come again."""
    ours = our_sentences()
    return float(np.mean([right_by_counting(ours.texts, ours.labels, n, seed).mean() for seed in SEEDS]))


def base() -> dict[str, object]:
    """Return what all beats name: the numbers of sentences, steps and seeds, and the shares with the fewest labels."""
    places = split_documents(our_sentences())
    n = SIZES[0]
    return {
        "n": n,
        "held": len(places.held),
        "steps": STEPS,
        "seeds": len(SEEDS),
        **shares_at(n),
        "parameters": load_card(MODEL).quality["parameters"],
    }


def first_held_out() -> list[str]:
    """Return the first held-out sentence of each label, in the order of the labels' names."""
    ours = our_sentences()
    held = split_documents(ours).held
    return [next(ours.texts[i] for i in held if ours.labels[i] == label) for label in ours.classes]


def ask_ways(settings: Settings) -> Part:
    """Four ways to learn from a few labels; the answer shows how often each is right."""
    shares = shares_at(SIZES[0])
    shown = {key: shares[key] for key in BARS}
    values = base() | {"revealed": settings.revealed, "example": first_held_out()}
    others = {"frozen": FROZEN, "scratch": SCRATCH, "counting": COUNTING}
    values["said"] = {key: points_said(gap_at(SIZES[0], name)) for key, name in others.items()}
    values["kinds"] = len(set(held_kinds(our_sentences())))
    answer = max(GUESSED, key=shares.get)
    picture = draw_shares(WORDS.label("title.right"), shown, settings.revealed)
    return Part("layer_bars", picture, values, choices=GUESSED, answer=answer)


def show_three(settings: Settings) -> Part:
    """The three ways: what is pretrained, what is trained."""
    return Part("machine", draw_ways(), base())


def do_steps(settings: Settings) -> Part:
    """The held-out sentences as points after the chosen step."""
    run = stored_runs()[key_of(FINE_TUNED, FineTuningSettings(SIZES[1]))]
    _, places = map_all_steps(run.vectors.astype(float))
    at = AT_STEPS.index(settings.step_made)
    ours = our_sentences()
    labels = [ours.labels[place] for place in split_documents(ours).held]
    values = base() | {"step": int(settings.step_made), "now": float(run.right[0, at].mean())}
    values["labels"] = SIZES[1]
    picture = draw_sentences(places[at], labels, places.reshape(-1, 2))
    return Part("word_plane", picture, values, {"way": "fine", "n": str(SIZES[1])})


def show_new(settings: Settings) -> Part:
    """Counting where the words come again and where they do not, and the network with and without pretraining."""
    n = SIZES[-1]
    right = {"counting_again": counted_at_random(n)}
    right |= {key: shares_at(n)[key] for key in ("counting", "scratch", "fine")}
    values = base() | {"most": n, "new": right, "kinds": len(set(held_kinds(our_sentences())))}
    return Part("layer_bars", draw_shares(WORDS.label("title.new"), right), values, {"n": str(n)})


def show_sizes_story(settings: Settings) -> Part:
    """How often each way is right by the number of labels."""
    ends = {key: {n: shares_at(n)[key] for n in SIZES} for key in BARS}
    values = base() | {"most": SIZES[-1], "ends": {key: by_n[SIZES[-1]] for key, by_n in ends.items()}}
    values |= {"labels": SIZES[1], "middle": shares_at(SIZES[1])}
    values["said"] = [points_said(gap_at(n, FROZEN)) for n in SIZES]
    found = [select_runs(stored_runs(), FineTuningSettings(n)) for n in SIZES]
    values["larger"] = [
        int((each[FINE_TUNED].accuracy[:, -1] > each[FROZEN].accuracy[:, -1]).sum()) for each in found
    ]
    values["kinds"] = len(set(held_kinds(our_sentences())))
    return Part("figure", {"figure": sizes_figure(ends).to_dict()}, values, {"sizes": True})


def ask_shuffled(settings: Settings) -> Part:
    """How many shuffled labels are given back; the answer adds how many held-out sentences are right."""
    n = SIZES[1]
    run = stored_runs()[key_of(FINE_TUNED, FineTuningSettings(n, shuffled=True))]
    learned, right = float(run.learnt.mean()), float(run.accuracy[:, -1].mean())
    values = base() | {"revealed": settings.revealed, "labels": n, "learned": learned, "right": right}
    values["with_true"] = shares_at(n)["fine"]
    shown = {"held_out": right, "given_back": learned}
    picture = draw_shares(WORDS.label("title.shuffled"), shown, settings.revealed)
    answer = "all" if learned > 0.9 else "half" if learned < 0.6 else "none"
    return Part(
        "layer_bars", picture, values, {"shuffled": True, "n": str(n)}, choices=LEARNED, answer=answer
    )


def show_forgotten(settings: Settings) -> Part:
    """The masked loss while the model is fine-tuned, with three learning rates."""
    rates = at_rates(stored_runs())
    losses = {
        WORDS.label("rate.times", rate=rate): each.masked.mean(axis=(0, 2)) for rate, each in rates.items()
    }
    slow, normal, fast = (float(each[-1]) for each in losses.values())
    values = base() | {
        "before": float(next(iter(losses.values()))[0]),
        "slow": slow,
        "normal": normal,
        "fast": fast,
        "labels": RATES_AT,
        "slow_right": float(rates[RATES[0]].accuracy[:, -1].mean()),
        "normal_right": float(rates[RATES[1]].accuracy[:, -1].mean()),
        "fast_right": float(rates[RATES[2]].accuracy[:, -1].mean()),
    }
    figure = forgetting_figure({name: each.tolist() for name, each in losses.items()}, MEASURED_AT)
    return Part("figure", {"figure": figure.to_dict()}, values, {"forgets": True})


@cache
def frozen_classifier() -> LogisticRegression:
    """Return a logistic regression on the frozen vectors of some labelled sentences."""
    torch.set_num_threads(1)
    task = task_of(our_sentences().texts, our_sentences().labels, our_sentences().kinds)
    places, y = labelled(task, OWN_LABELS, SEEDS[0])
    vectors = embed_texts(frozen_body(), [task.ids[place] for place in places]).numpy().astype(float)
    return LogisticRegression(1.0).fit(csr_matrix(vectors), y)


@cache
def frozen_body() -> SentenceClassifier:
    """Return the pretrained network, frozen."""
    return classifier(FROZEN, 2, SEEDS[0])


def do_own(settings: Settings) -> Part:
    """The learner's sentence, classified by its frozen vector."""
    torch.set_num_threads(1)
    ids = token_ids([settings.line])
    ids = ids if ids[0] else token_ids([OWN])
    vector = embed_texts(frozen_body(), ids).numpy().astype(float)
    p = frozen_classifier().posterior(csr_matrix(vector))[0]
    classes = sorted(set(our_sentences().labels))
    values = base() | {"own": float(p[1]), "label": classes[int(p[1] > 0.5)], "sure": float(p.max())}
    values["labels"] = OWN_LABELS
    shown = {f"class_{i}": float(each) for i, each in enumerate(p)}
    picture = draw_shares(WORDS.label("title.own"), shown)
    return Part("layer_bars", picture, values)


def show_answer(settings: Settings) -> Part:
    """How often each way is right after a few labels."""
    shares = shares_at(SIZES[0])
    shown = {key: shares[key] for key in BARS}
    return Part("layer_bars", draw_shares(WORDS.label("title.right"), shown), base())


STORY = (
    ask("ways", ask_ways),
    look("three", show_three),
    do("moves", do_steps, STEP),
    look("unseen", show_new),
    look("more", show_sizes_story),
    ask("random", ask_shuffled),
    look("forgotten", show_forgotten),
    do("own", do_own, LINE),
    end("answer", show_answer),
)


# The lab: three ways to learn from the same sentences; how many labels it takes; what is forgotten.


@dataclass(frozen=True)
class Asked:
    """What a training is asked for: the documents by their digest, the settings, and how many seeds."""

    digest: str
    settings: FineTuningSettings
    seeds: int


def lab() -> None:
    """Three ways to learn from the same sentences; how many labels it takes; what is forgotten."""
    LESSON.open_lab(asks=True)
    controls, stage = LESSON.stage()
    with controls:
        documents = labelled_source(LESSON, our_sentences, WORDS.label("about"))
        asked, way = choose(documents)
        given = (documents.texts, documents.labels, asked.settings, asked.seeds, documents.kinds)
        with st.container(width=240):  # pixels, of what is watched too
            bench = LESSON.train(fit_three_ways, given, asked, watch)
    found = runs_for(documents, asked, bench)
    with stage:
        revealed = bool(found) and ask_best(found, asked, bench.number)
        if not found:
            st.info(WORDS.label("press_train"))
        if revealed:
            show_ways(documents, found, asked.settings, way)
    if revealed:
        if asked.settings.shuffled:
            show_shuffled(documents, asked, found[FINE_TUNED])
        if not documents.own and (box := LESSON.fold("sizes")):
            with box:
                show_sizes(documents)
        if box := LESSON.fold("forgets"):
            with box:
                show_forgetting(found[FINE_TUNED])
        LESSON.every_number(WORDS.label("table.runs"), runs_table, found)
    at = asked.settings
    LESSON.close_lab(
        code=[
            *(padded, last_vectors, mean_vectors, SentenceClassifier, classifier, fit, Descent.step),
            *(right_by_counting, masked_losses, mean_interval, accuracy_difference),
        ],
        parameters={
            "own": bool(documents.own),
            "n": at.n,
            "rate": at.rate,
            "frozen_layers": at.frozen_layers,
            "shuffled": at.shuffled,
        },
        prompts={
            "labels": {"n": SIZES[-1]},
            "frozen": {"n": SIZES[0], "way": "frozen"},
            "shuffled": {"shuffled": True, "n": SIZES[1]},
        },
        files={WORDS.label("sentences"): ("sentences.tsv", as_lines(documents))},
    )


def choose(documents: LabelledDocuments) -> tuple[Asked, str]:
    """Draw the settings and return what a training is asked for and which way the map shows."""
    n = LESSON.select_slider("n", WORDS.label("n"), SIZES, value=SIZES[0], width=170)
    way = KEYS[LESSON.draw(MAPPED)]
    shuffled = LESSON.draw(SHUFFLED)
    with LESSON.options():
        rate = LESSON.select_slider("rate", WORDS.label("rate"), (0.1, 0.3, 1.0, 3.0, 10.0), value=1.0)
        frozen = tuple(range(load_card(MODEL).config["shape"]["layers"] + 1))
        layers = LESSON.select_slider("layers", WORDS.label("layers"), frozen, value=0)
        seeds = LESSON.slider("seeds", WORDS.label("seeds"), 1, len(SEEDS), 3)
        st.caption(WORDS.label("not_stored"))
    pool = len(split_documents(documents).pool)
    if pool < n:
        st.caption(WORDS.label("pool", pool=pool))
    return Asked(documents.digest, FineTuningSettings(min(n, pool), rate, layers, shuffled), seeds), way


def watch(reports: list[FineTuningProgress]) -> None:
    """Draw how far the training is; how often it is right unless that is to be predicted."""
    if not reports:
        st.progress(0.0, WORDS.label("progress.start"))
        return
    now = reports[-1]
    right = None if LESSON.get_state("predict") else float(now.right)
    st.progress(now.share, WORDS.label("progress", way=name(now.way), seed=now.seed, right=right))


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
    return select_runs(stored_runs(), at)


@cached(8, 4, shared=is_sample)
def counted(given: LabelledDocuments, n: int, seeds: int, shuffled: bool = False) -> np.ndarray:
    """Return which held-out texts naive Bayes is right on, learnt from the same n texts and labels, (R, N)."""
    texts = (given.texts, given.labels, n)
    return np.stack([right_by_counting(*texts, k, shuffled, given.kinds) for k in SEEDS[:seeds]])


def ask_best(found: dict[str, Measured], asked: Asked, number: int) -> bool:
    """Ask which way is right on the most held-out sentences; by their true labels where only those are stored."""
    n, true = asked.settings.n, replace(asked.settings, shuffled=False)
    ways = found if len(found) == len(WAYS) else select_runs(stored_runs(), true)
    best = max(WAYS, key=lambda way: float(ways[way].accuracy[:, -1].mean()))
    about = f"{asked.digest[:16]}_{true}_{number}"
    return LESSON.ask(WORDS.label("guess", n=n), [name(way) for way in WAYS], name(best), about)


def show_ways(
    documents: LabelledDocuments, found: dict[str, Measured], at: FineTuningSettings, way: str
) -> None:
    """Draw the curves and the map, and say how often each way is right at the end."""
    n, seeds = at.n, len(found[FINE_TUNED].right)
    counts = counted(documents, n, seeds, at.shuffled)
    by_counting = mean_interval(counts.mean(axis=1))
    ends = {name: mean_interval(each.accuracy[:, -1]) for name, each in found.items()}
    left, right = st.columns([1, 1], gap="medium")
    with left:
        alt = WORDS.label("curves.alt", shares=shares_said(ends))
        LESSON.figure("curves", curves_figure(found, by_counting), alt)
    shown = way if way in found else FINE_TUNED
    held = split_documents(documents).held
    texts, labels = ([each[i] for i in held] for each in (documents.texts, documents.labels))
    with right:
        LESSON.view("map", parting_map(shown, found[shown].vectors, texts, labels), "map")
    shares = shares_said({**ends, COUNTING: by_counting})
    values = {
        "n": n,
        "held": len(held),
        "shares": shares,
        "seeds": seeds,
        "batch": min(BATCH, n),
        "steps": STEPS,
    }
    LESSON.caption(WORDS.label("says.ways", **values))
    told = verdicts(found, held_kinds(documents))
    st.markdown(f"{told} {WORDS.label('says.intervals', **values, kinds=bool(documents.kinds))}")


def show_shuffled(documents: LabelledDocuments, asked: Asked, broken: Measured) -> None:
    """Set fine-tuning on true labels beside that on labels dealt out at random."""
    true = FineTuningSettings(asked.settings.n)
    share = float(broken.accuracy[:, -1].mean())
    if not documents.own and true.n in SIZES:
        whole = float(stored_runs()[key_of(FINE_TUNED, true)].accuracy[:, -1].mean())
        LESSON.compare("shuffled", whole, share, ".1%")
    st.markdown(dealt_said(broken, true.n, documents.labels, documents.kinds))


def show_sizes(documents: LabelledDocuments) -> None:
    """Draw how often each way is right by the number of labelled sentences, and say where fine-tuning does not win."""
    runs = stored_runs()
    by_n = {n: select_runs(runs, FineTuningSettings(n)) for n in SIZES}
    counts = {n: counted(documents, n, len(SEEDS)) for n in SIZES}
    ends = ends_by_size(by_n, counts)
    worth, (ahead, rest) = worth_said(ends), standings(by_n, counts, held_kinds(documents))
    LESSON.figure("by_labels", intervals_figure(ends), WORDS.label("by_labels.alt", worth=worth))
    LESSON.caption(worth)
    for title, each in (("ahead", ahead), ("not_ahead", rest)):
        lines = each or [WORDS.label("nowhere")]
        st.markdown("\n".join((f"**{WORDS.label(title)}**\n", *(f"- {line}" for line in lines))))
    st.markdown(WORDS.label("says.rates"))


def show_forgetting(found: Measured) -> None:
    """Draw the masked loss while the model is fine-tuned, with three rates, and say how much it has forgotten."""
    rates = at_rates(stored_runs())
    told = rates_said(rates)
    LESSON.figure("forgetting", rates_figure(rates), WORDS.label("forgetting.alt", told=told))
    if found.masked.size:
        before, ends = float(found.masked[:, 0].mean()), mean_interval(found.forgotten)
        values = {"before": before, "after": before + ends[0], "rise": change_said(ends)}
        LESSON.caption(WORDS.label("says.forgotten", **values))
    else:
        st.info(WORDS.label("nothing_forgotten"))
    values = {
        "labels": RATES_AT,
        "seeds": len(SEEDS),
        "rate": f"{BODY_RATE:g}",
        "times": ", ".join(f"{rate:g}" for rate in RATES),
        "told": told,
        "passages": next(iter(rates.values())).masked.shape[2],
        "hidden": HIDDEN,
    }
    st.markdown(WORDS.label("says.passages", **values))
    LESSON.every_number(WORDS.label("table.forgotten"), forgetting_table, rates)
