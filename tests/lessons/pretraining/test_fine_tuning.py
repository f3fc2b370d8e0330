"""The lesson on fine-tuning shows the stored runs as they are, says only what they bear, and trains on a learner's own."""

import base64
import re

import numpy as np
import pytest

from core.figures.pretraining.fine_tuning import COUNTING, on_one_map
from core.figures.pretraining.fine_tuning_said import interval, points_said, verdict
from core.models.pretraining.fine_tuning import FINE_TUNED, FROZEN, SCRATCH, WAYS
from core.models.pretraining.fine_tuning_measured import (
    LONG,
    LONGER,
    SIZES,
    difference,
    key_of,
    mean_interval,
    stored_runs,
    three_ways,
)
from core.models.pretraining.fine_tuning_runs import (
    MEASURED_AT,
    STEPS,
    Settings,
    fit_three_ways,
    held_out_and_new,
    labelled,
    places_of,
    right_by_counting,
)
from core.text.samples.manners import SCRIPTURE, STAGE, TURNS, manners, turn_of
from pages.pretraining import fine_tuning
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import (
    figures,
    guess,
    metrics,
    open_lesson,
    question,
    said,
    sent,
    table_with,
    unpacked,
)

NAME = "fine_tuning"


@pytest.mark.parametrize("n", SIZES)
def test_the_sentence_is_that_of_the_stored_runs(n):
    text, found = said(open_lesson(NAME, n=n)), three_ways(stored_runs(), Settings(n))
    for way, each in found.items():
        assert f"{way} {interval(mean_interval(each.right.mean(axis=2)[:, -1]))}" in text
    ours = manners()
    counted = [right_by_counting(ours.texts, ours.labels, n, seed).mean() for seed in range(1, 6)]
    assert f"{COUNTING} {interval(mean_interval(np.array(counted)))}" in text
    ends = difference(found[FINE_TUNED], found[FROZEN])
    assert verdict(ends, "ine-tuned", FROZEN)[1:] in text
    assert points_said(ends) in text


def test_every_comparison_is_in_one_of_the_two_lists_and_in_the_right_one():
    text = said(open_lesson(NAME))
    ahead, rest = text.partition("Where it is not")[::2]
    ahead = ahead.partition("Where fine-tuning is ahead")[2]
    for n in SIZES:
        found = three_ways(stored_runs(), Settings(n))
        for way in (FROZEN, SCRATCH):
            ends = difference(found[FINE_TUNED], found[way])
            assert f"{n} labels: {verdict(ends, FINE_TUNED, way)}" in (ahead if ends[1] > 0 else rest)


@pytest.mark.parametrize("way", WAYS)
def test_the_map_is_fitted_once_and_holds_every_step(way):
    view = sent(open_lesson(NAME, way=way), "map")
    vectors = stored_runs()[key_of(way, Settings(SIZES[0]))].vectors.astype(float)
    held = places_of(manners().labels).held
    _, places = on_one_map(vectors)
    shown = unpacked(view["places"]).reshape(len(vectors), len(held), 2)
    np.testing.assert_allclose(shown, places, atol=1e-3)
    assert len(view["words"]) == len(held)
    assert list(view["frames"]) == ([] if way == FROZEN else [f"step {step}" for step in MEASURED_AT])


def test_the_curves_are_means_over_the_seeds():
    drawn = {trace["name"]: trace for trace in figures(open_lesson(NAME))[0]["data"] if trace.get("name")}
    for way in WAYS:
        accuracy = stored_runs()[key_of(way, Settings(SIZES[0]))].accuracy
        y = np.frombuffer(base64.b64decode(drawn[way]["y"]["bdata"]), "<f8")
        np.testing.assert_allclose(y, accuracy.mean(axis=0))


def test_the_answer_is_nowhere_before_the_guess():
    app = open_lesson(NAME, predict="true")
    assert question(app)
    assert not app.exception
    assert "held-out ones are right" not in said(app)
    assert not figures(app)
    best = max(WAYS, key=lambda way: stored_runs()[key_of(way, Settings(SIZES[0]))].accuracy[:, -1].mean())
    app = guess(app, best)
    assert "held-out ones are right" in said(app)


def test_nor_is_it_there_with_the_labels_dealt_out():
    app = open_lesson(NAME, predict="true", shuffled="true")
    assert question(app)
    assert not figures(app)


@pytest.mark.parametrize("n", SIZES)
def test_labels_dealt_out_are_learnt_less_well_than_true_ones(n):
    app = open_lesson(NAME, n=n, shuffled="true")
    whole, broken = (stored_runs()[key_of(FINE_TUNED, Settings(n, shuffled=each))] for each in (False, True))
    shares = [f"{each.accuracy[:, -1].mean():.1%}" for each in (whole, broken)]
    assert [value for label, value in metrics(app).items() if "Right on held-out" in label] == shares
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
        fine = stored_runs()[key_of(FINE_TUNED, Settings(n))].right[seed - 1, -1]
        new = [bool(r) for place, r in zip(task.held, fine, strict=True) if turn_in(place) not in learnt]
        cases, right = cases + len(new), right + sum(new)
    of, share = (
        f"{cases / (5 * len(task.held)):.1%} of 5 x {len(task.held)} cases",
        f"fine-tuned {right / cases:.1%}",
    )
    assert f"{of}; of these are right: {share}" in said(open_lesson(NAME, n=n))


def test_what_a_network_knew_before_tells_most_where_no_label_showed_the_turn():
    """So says the tour: the same shape and labels, and what it read before."""
    ours = manners()
    turns = [turn_of(*pair) for pair in zip(ours.texts, ours.labels, strict=True)]
    for n in SIZES:
        new = held_out_and_new(turns, ours.labels, n, range(1, 6))
        fine, scratch = (
            stored_runs()[key_of(way, Settings(n))].right[:, -1] for way in (FINE_TUNED, SCRATCH)
        )
        assert fine[new].mean() > scratch[new].mean()


def test_a_seed_s_trainings_are_compared_and_more_steps_from_scratch_are_told():
    text, runs = said(open_lesson(NAME)), stored_runs()
    fine, frozen = (runs[key_of(way, Settings(SIZES[0]))].accuracy[:, -1] for way in (FINE_TUNED, FROZEN))
    assert f"larger with {sum(a > b for a, b in zip(fine, frozen, strict=True))} of 5 seeds" in text
    longer = runs[key_of(SCRATCH, Settings(LONG), STEPS * LONGER)]
    ends = difference(runs[key_of(FINE_TUNED, Settings(LONG))], longer)
    assert f"are right; {verdict(ends, FINE_TUNED, 'such a one')}" in text


def test_forgetting_is_the_change_of_the_masked_loss():
    text = said(open_lesson(NAME))
    each = stored_runs()[key_of(FINE_TUNED, Settings(SIZES[0]))]
    before, after = each.masked[:, 0].mean(), each.masked[:, -1].mean()
    assert f"at {before:.2f} nats a hidden token before and at {after:.2f} after" in text


def test_other_settings_are_not_stored_and_it_says_so():
    app = open_lesson(NAME, rate=3.0)
    assert not app.exception
    assert "Press Train" in said(app)
    assert not figures(app)


@pytest.mark.parametrize("which", ["pasted", "two plays"])
def test_on_a_learner_s_own_it_waits_for_training(which):
    app = open_on(NAME, which)
    assert "Press Train" in said(app)
    if which == "pasted":
        pool = len(places_of(documents()[which].labels).pool)
        assert f"Only {pool} of these can be learnt from" in said(app)


def test_what_a_learner_trained_is_shown_with_their_own_sentences(monkeypatch):
    """A short training in this process stands for one in the pool."""
    own = documents()["pasted"]
    n = len(places_of(own.labels).pool)
    result = fit_three_ways(lambda _: True, own.texts, own.labels, Settings(n), seeds=1)
    asked = fine_tuning.Asked(own.digest, Settings(n), 1)
    bench = type("Bench", (), {"result": result, "settings": asked, "number": 1, "job": None})
    monkeypatch.setattr(fine_tuning.Lesson, "train", lambda *_: bench)
    app = open_on(NAME, "pasted")
    right = result[FINE_TUNED][0].right[-1].mean()
    assert f"With {n} labelled sentences" in said(app)
    assert f"fine-tuned {right:.1%}" in said(app)
    assert len(sent(app, "map")["groups"]) == len(own.classes)
    assert table_with(app, "run")["share"].between(0, 1).all()
