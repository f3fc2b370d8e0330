"""Fine-tuning: story and lab show the stored runs as they are, say only what they bear, and train on a learner's own."""

import base64
import re

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression as Peer

from core.figures.pretraining.fine_tuning import COUNTING, map_all_steps
from core.figures.pretraining.fine_tuning_said import describe_interval, points_said, verdict
from core.lesson.lesson import Lesson
from core.models.pretraining.fine_tuning import FINE_TUNED, FROZEN, SCRATCH, WAYS, token_ids
from core.models.pretraining.fine_tuning_measured import (
    LONG,
    LONGER,
    SIZES,
    accuracy_difference,
    key_of,
    mean_interval,
    select_runs,
    stored_runs,
)
from core.models.pretraining.fine_tuning_runs import (
    MEASURED_AT,
    STEPS,
    FineTuningSettings,
    embed_texts,
    fit_three_ways,
    held_out_and_new,
    labelled,
    places_of,
    right_by_counting,
    task_of,
)
from core.text.samples.manners import SCRIPTURE, STAGE, TURNS, manners, turn_of
from pages.pretraining.fine_tuning import page as fine_tuning
from pages.pretraining.fine_tuning.page import AT_STEPS, KEYS, OWN, OWN_LABELS
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
    unpacked,
)

NAME = "fine_tuning"
OPENED = {"sizes": "true", "forgets": "true"}


def opened(**query):
    return open_lesson(NAME, **OPENED, **query)


# The story.


def bars(beat, *revealed, **changes):
    rows = picture(NAME, beat, *revealed, **changes)["panels"][0]["rows"]
    return {row["mark"].removeprefix("row."): row["to"] for row in rows}


def end_of(way, n, **settings):
    """The share right at the end, as stored: the mean over seeds and sentences."""
    return float(stored_runs()[key_of(way, FineTuningSettings(n, **settings))].right[:, -1].mean())


def test_the_shares_are_those_of_the_stored_runs_and_wait_for_the_guess():
    assert set(bars("ways").values()) == {0}
    shares = bars("ways", True)
    for key, way in KEYS.items():
        assert shares[key] == pytest.approx(end_of(way, SIZES[0]))
    ours = manners()
    counted = np.mean(
        [right_by_counting(ours.texts, ours.labels, SIZES[0], seed).mean() for seed in range(1, 6)]
    )
    assert shares["counting"] == pytest.approx(counted)
    assert document(NAME, "ways", True)["ask"]["answer"] == "fine"
    ends = accuracy_difference(
        *(stored_runs()[key_of(way, FineTuningSettings(SIZES[0]))] for way in (FINE_TUNED, FROZEN))
    )
    assert ends[1] < 0 < ends[2] and "too close to call" in said_in(document(NAME, "ways", True))


@pytest.mark.parametrize("step", AT_STEPS)
def test_the_share_after_a_step_is_that_of_the_run_on_the_map(step):
    run = stored_runs()[key_of(FINE_TUNED, FineTuningSettings(SIZES[0]))]
    told = document(NAME, "moves", step_made=step)["done"]
    assert f"<strong>{run.right[0, AT_STEPS.index(step)].mean():.0%}</strong>" in told
    points = picture(NAME, "moves", step_made=step)["panels"][0]["points"]
    assert len(points) == len(places_of(manners().labels).held)


def test_shuffled_labels_are_memorized_and_the_masked_loss_rises_with_the_rate():
    assert set(bars("random").values()) == {0}
    run = stored_runs()[key_of(FINE_TUNED, FineTuningSettings(SIZES[1], shuffled=True))]
    shown = bars("random", True)
    assert (shown["held_out"], shown["given_back"]) == pytest.approx(
        (run.right[:, -1].mean(), run.learnt.mean())
    )
    assert document(NAME, "random", True)["ask"]["answer"] == "all"
    told = said_in(document(NAME, "forgotten"))
    ends = []
    for rate in (1.0, 10.0):
        masked = stored_runs()[key_of(FINE_TUNED, FineTuningSettings(64, rate=rate))].masked
        ends.append(masked[:, -1].mean())
        assert f"{masked[:, -1].mean():.2f}" in told
    assert f"was {masked[:, 0].mean():.2f}" in told and masked[:, 0].mean() < ends[0] < ends[1]


def test_more_labels_are_read_off_the_runs():
    told = said_in(document(NAME, "more"))
    n = SIZES[-1]
    assert (
        f"fine-tuned gets {end_of(FINE_TUNED, n):.0%}" in told
        and f"From scratch gets {end_of(SCRATCH, n):.0%}" in told
    )
    longer = stored_runs()[key_of(SCRATCH, FineTuningSettings(LONG), STEPS * LONGER)]
    assert f"{longer.accuracy[:, -1].mean():.0%} after five times as many steps" in told


@pytest.mark.parametrize("line", [OWN, "🦜", "the", "早上好", "word " * 40])
def test_an_own_sentence_is_classified_by_scikit_learn_s_weights_too(line):
    torch.set_num_threads(1)
    task = task_of(manners().texts, manners().labels)
    places, y = labelled(task, OWN_LABELS, 1)
    body = fine_tuning.frozen_body()
    X = embed_texts(body, [task.ids[place] for place in places]).numpy().astype(float)
    peer = Peer(C=1.0, solver="newton-cg", tol=1e-10, max_iter=10_000).fit(X, y)
    p = peer.predict_proba(embed_texts(body, token_ids([line[:120]])).numpy().astype(float))[0]
    told = document(NAME, "own", line=line)["done"]
    assert f"{p.max():.0%}" in told and ("scripture", "stage")[p.argmax()] in told


# The lab.


@pytest.mark.parametrize("n", SIZES)
def test_the_sentence_is_that_of_the_stored_runs(n):
    text, found = said(opened(n=n)), select_runs(stored_runs(), FineTuningSettings(n))
    for way, each in found.items():
        assert f"{way} {describe_interval(mean_interval(each.right.mean(axis=2)[:, -1]))}" in text
    ours = manners()
    counted = [right_by_counting(ours.texts, ours.labels, n, seed).mean() for seed in range(1, 6)]
    assert f"{COUNTING} {describe_interval(mean_interval(np.array(counted)))}" in text
    ends = accuracy_difference(found[FINE_TUNED], found[FROZEN])
    assert verdict(ends, "ine-tuned", FROZEN)[1:] in text
    assert points_said(ends) in text


def test_every_comparison_is_in_one_of_the_two_lists_and_in_the_right_one():
    text = said(opened())
    ahead, rest = text.partition("Where it is not")[::2]
    ahead = ahead.partition("Where fine-tuning is ahead")[2]
    for n in SIZES:
        found = select_runs(stored_runs(), FineTuningSettings(n))
        for way in (FROZEN, SCRATCH):
            ends = accuracy_difference(found[FINE_TUNED], found[way])
            assert f"{n} labels: {verdict(ends, FINE_TUNED, way)}" in (ahead if ends[1] > 0 else rest)


@pytest.mark.parametrize("way", WAYS)
def test_the_map_is_fitted_once_and_holds_every_step(way):
    view = sent(opened(way=way), "map")
    vectors = stored_runs()[key_of(way, FineTuningSettings(SIZES[0]))].vectors.astype(float)
    held = places_of(manners().labels).held
    _, places = map_all_steps(vectors)
    shown = unpacked(view["places"]).reshape(len(vectors), len(held), 2)
    np.testing.assert_allclose(shown, places, atol=1e-3)
    assert len(view["words"]) == len(held)
    assert list(view["frames"]) == ([] if way == FROZEN else [f"step {step}" for step in MEASURED_AT])


def test_the_curves_are_means_over_the_seeds():
    drawn = {trace["name"]: trace for trace in figures(opened())[0]["data"] if trace.get("name")}
    for way in WAYS:
        accuracy = stored_runs()[key_of(way, FineTuningSettings(SIZES[0]))].accuracy
        y = np.frombuffer(base64.b64decode(drawn[way]["y"]["bdata"]), "<f8")
        np.testing.assert_allclose(y, accuracy.mean(axis=0))


def test_the_answer_is_nowhere_before_the_guess():
    app = opened(predict="true")
    assert question(app)
    assert not app.exception
    assert "held-out ones are right" not in said(app)
    assert not figures(app)
    best = max(
        WAYS, key=lambda way: stored_runs()[key_of(way, FineTuningSettings(SIZES[0]))].accuracy[:, -1].mean()
    )
    app = guess(app, best)
    assert "held-out ones are right" in said(app)


def test_nor_is_it_there_with_the_labels_dealt_out():
    app = opened(predict="true", shuffled="true")
    assert question(app)
    assert not figures(app)


@pytest.mark.parametrize("n", SIZES)
def test_labels_dealt_out_are_learnt_less_well_than_true_ones(n):
    app = opened(n=n, shuffled="true")
    whole, broken = (
        stored_runs()[key_of(FINE_TUNED, FineTuningSettings(n, shuffled=each))] for each in (False, True)
    )
    shares = [f"{each.accuracy[:, -1].mean():.1%}" for each in (whole, broken)]
    assert [value for label, value in metrics(app).items() if label.startswith("Right on held-out")] == shares
    assert broken.accuracy[:, -1].mean() < whole.accuracy[:, -1].mean()
    assert f"as they were dealt out it gives back {broken.learnt.mean():.1%}" in said(app)
    stage = np.mean([manners().labels[place] == "stage" for place in places_of(manners().labels).held])
    assert f"always the most frequent label would be right on {max(stage, 1 - stage):.1%}" in said(app)


@pytest.mark.parametrize("n", SIZES)
def test_new_turns_of_phrase_are_counted_by_hand(n):
    """Each turn is found again by its longest run of plain words."""
    ours, task = manners(), places_of(manners().labels)
    plain = {
        turn: max(re.split(r"\{\w+\}", turn), key=len).strip().lower()
        for turn in (*TURNS[SCRIPTURE], *TURNS[STAGE])
    }

    def turn_in(place):
        found = [turn for turn in TURNS[ours.labels[place]] if plain[turn] in ours.texts[place].lower()]
        return max(found, key=lambda turn: len(plain[turn]))

    cases, right = 0, 0
    for seed in range(1, 6):
        learnt = {turn_in(place) for place in labelled(task, n, seed)[0]}
        fine = stored_runs()[key_of(FINE_TUNED, FineTuningSettings(n))].right[seed - 1, -1]
        new = [bool(r) for place, r in zip(task.held, fine, strict=True) if turn_in(place) not in learnt]
        cases, right = cases + len(new), right + sum(new)
    of, share = (
        f"{cases / (5 * len(task.held)):.1%} of 5 x {len(task.held)} cases",
        f"fine-tuned {right / cases:.1%}",
    )
    assert f"{of}; of these are right: {share}" in said(opened(n=n))


def test_what_a_network_knew_before_tells_most_where_no_label_showed_the_turn():
    """So says the tour: the same shape and labels, and what it read before."""
    ours = manners()
    turns = [turn_of(*pair) for pair in zip(ours.texts, ours.labels, strict=True)]
    for n in SIZES:
        new = held_out_and_new(turns, ours.labels, n, range(1, 6))
        fine, scratch = (
            stored_runs()[key_of(way, FineTuningSettings(n))].right[:, -1] for way in (FINE_TUNED, SCRATCH)
        )
        assert fine[new].mean() > scratch[new].mean()


def test_a_seed_s_trainings_are_compared_and_more_steps_from_scratch_are_told():
    text, runs = said(opened()), stored_runs()
    fine, frozen = (
        runs[key_of(way, FineTuningSettings(SIZES[0]))].accuracy[:, -1] for way in (FINE_TUNED, FROZEN)
    )
    assert f"larger with {sum(a > b for a, b in zip(fine, frozen, strict=True))} of 5 seeds" in text
    longer = runs[key_of(SCRATCH, FineTuningSettings(LONG), STEPS * LONGER)]
    ends = accuracy_difference(runs[key_of(FINE_TUNED, FineTuningSettings(LONG))], longer)
    assert f"are right; {verdict(ends, FINE_TUNED, 'such a one')}" in text


def test_forgetting_is_the_change_of_the_masked_loss():
    text = said(opened())
    each = stored_runs()[key_of(FINE_TUNED, FineTuningSettings(SIZES[0]))]
    before, after = each.masked[:, 0].mean(), each.masked[:, -1].mean()
    assert f"at {before:.2f} nats per hidden token before and at {after:.2f} after" in text


def test_other_settings_are_not_stored_and_it_says_so():
    app = opened(rate=3.0)
    assert not app.exception
    assert "Press Train" in said(app)
    assert not figures(app)


@pytest.mark.parametrize("which", ["pasted", "two plays"])
def test_on_a_learner_s_own_it_waits_for_training(which):
    app = open_on(NAME, which, **OPENED)
    assert "Press Train" in said(app)
    if which == "pasted":
        pool = len(places_of(documents()[which].labels).pool)
        assert f"Only {pool} of these can be learned from" in said(app)


def test_what_a_learner_trained_is_shown_with_their_own_sentences(monkeypatch):
    """A short training in this process stands for one in the pool."""
    own = documents()["pasted"]
    n = len(places_of(own.labels).pool)
    result = fit_three_ways(lambda _: True, own.texts, own.labels, FineTuningSettings(n), seeds=1)
    asked = fine_tuning.Asked(own.digest, FineTuningSettings(n), 1)
    bench = type("Bench", (), {"result": result, "settings": asked, "number": 1, "job": None})
    monkeypatch.setattr(Lesson, "train", lambda *_: bench)
    app = open_on(NAME, "pasted")
    right = result[FINE_TUNED][0].right[-1].mean()
    assert f"With {n} labelled sentences" in said(app)
    assert f"fine-tuned {right:.1%}" in said(app)
    assert len(sent(app, "map")["groups"]) == len(own.classes)
    assert table_with(app, "run")["share"].between(0, 1).all()
