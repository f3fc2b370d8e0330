"""Fine-tuning: story and lab show the stored runs as they are, say only what they bear, and train on a learner's own."""

import base64

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression as Peer

from core.figures.pretraining.fine_tuning import COUNTING, map_all_steps
from core.figures.pretraining.fine_tuning_said import describe_interval, points_said, verdict
from core.lesson.lesson import Lesson
from core.models.pretraining.fine_tuning import FINE_TUNED, FROZEN, SCRATCH, WAYS, token_ids
from core.models.pretraining.fine_tuning_measured import (
    SEEDS,
    SIZES,
    accuracy_difference,
    key_of,
    mean_interval,
    select_runs,
    stored_runs,
)
from core.models.pretraining.fine_tuning_runs import (
    MEASURED_AT,
    FineTuningSettings,
    embed_texts,
    fit_three_ways,
    labelled,
    places_of,
    right_by_counting,
    task_of,
)
from core.text.samples.feelings import FEELING, WORDS, feelings
from core.text.tokenization.tokens import words
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


OURS = feelings()
HELD = places_of(OURS.labels, OURS.kinds).held
KINDS = [OURS.kinds[place] for place in HELD]


def right_at_end(way, n):
    """Which held-out sentences are right at the end, (R, N), as stored; of naive Bayes, as counted."""
    if way == COUNTING:
        given = (OURS.texts, OURS.labels, n)
        return np.stack([right_by_counting(*given, seed, kinds=OURS.kinds) for seed in SEEDS])
    return stored_runs()[key_of(way, FineTuningSettings(n))].right[:, -1]


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
    assert shares["counting"] == pytest.approx(right_at_end(COUNTING, SIZES[0]).mean())
    assert document(NAME, "ways", True)["ask"]["answer"] == "fine"


def test_frozen_is_as_good_with_few_labels_and_fine_tuned_better_with_many():
    for n, way in zip(SIZES, ("behind", "close", "ahead"), strict=True):
        ends = accuracy_difference(right_at_end(FINE_TUNED, n), right_at_end(FROZEN, n), KINDS)
        assert {"behind": ends[2] < 0, "close": ends[1] < 0 < ends[2], "ahead": ends[1] > 0}[way]
        assert points_said(ends) in str(document(NAME, "more"))
    fine, frozen = (right_at_end(way, SIZES[-1]).mean(axis=1) for way in (FINE_TUNED, FROZEN))
    assert (fine > frozen).all()  # with every seed
    told = said_in(document(NAME, "more"))
    assert f"With {SIZES[0]} labels frozen is at least as good" in told and f"with {SIZES[1]} the two" in told
    assert f"With {SIZES[2]} fine-tuned is better" in told


def test_no_word_that_tells_a_held_out_sentence_s_label_is_in_a_sentence_that_may_be_labelled():
    telling = {word for label in WORDS.values() for word in label}
    of = [telling & set(words(text)) for text in OURS.texts]
    assert {len(each) for each in of} == {3}
    assert not set.union(*(of[i] for i in HELD)) & set.union(
        *(of[i] for i in set(range(len(of))) - set(HELD))
    )
    assert abs(np.mean([OURS.labels[i] == FEELING for i in HELD]) - 0.5) < 0.01
    assert f"{len(HELD)} others" in said_in(document(NAME, "ways"))
    assert f"{len(set(KINDS))} held-out triples" in str(document(NAME, "ways", True))


def test_counting_fails_on_new_words_and_not_on_those_that_come_again():
    shown, n = bars("unseen"), SIZES[-1]
    again = np.mean([right_by_counting(OURS.texts, OURS.labels, n, seed).mean() for seed in SEEDS])
    assert shown["counting_again"] == pytest.approx(again) and again > 0.95
    assert shown["counting"] == pytest.approx(right_at_end(COUNTING, n).mean(), abs=1e-6)
    for way in (COUNTING, SCRATCH):
        assert all(abs(right_at_end(way, size).mean() - 0.5) < 0.08 for size in SIZES)
    assert f"{again:.0%}" in said_in(document(NAME, "unseen"))
    assert f"{end_of(FINE_TUNED, n):.0%}" in said_in(document(NAME, "unseen"))


@pytest.mark.parametrize("n", SIZES)
def test_pretrained_is_ahead_of_scratch_and_of_counting_by_the_interval_over_held_out_words(n):
    for way in (SCRATCH, COUNTING):
        d = right_at_end(FINE_TUNED, n).mean(axis=0) - right_at_end(way, n).mean(axis=0)
        by_kind = [
            np.mean([x for x, kind in zip(d, KINDS, strict=True) if kind == each]) for each in set(KINDS)
        ]
        assert np.mean(by_kind) > 2.2 * np.std(by_kind, ddof=1) / len(by_kind) ** 0.5


@pytest.mark.parametrize("step", AT_STEPS)
def test_the_share_after_a_step_is_that_of_the_run_on_the_map(step):
    run = stored_runs()[key_of(FINE_TUNED, FineTuningSettings(SIZES[1]))]
    told = document(NAME, "moves", step_made=step)["done"]
    assert f"<strong>{run.right[0, AT_STEPS.index(step)].mean():.0%}</strong>" in told
    points = picture(NAME, "moves", step_made=step)["panels"][0]["points"]
    assert len(points) == len(HELD)


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
    assert f"better: {end_of(FINE_TUNED, n):.0%} against {end_of(FROZEN, n):.0%}" in told


@pytest.mark.parametrize("line", [OWN, "🦜", "the", "早上好", "word " * 40])
def test_an_own_sentence_is_classified_by_scikit_learn_s_weights_too(line):
    torch.set_num_threads(1)
    task = task_of(OURS.texts, OURS.labels, OURS.kinds)
    places, y = labelled(task, OWN_LABELS, 1)
    body = fine_tuning.frozen_body()
    X = embed_texts(body, [task.ids[place] for place in places]).numpy().astype(float)
    peer = Peer(C=1.0, solver="newton-cg", tol=1e-10, max_iter=10_000).fit(X, y)
    p = peer.predict_proba(embed_texts(body, token_ids([line[:120]])).numpy().astype(float))[0]
    told = document(NAME, "own", line=line)["done"]
    sure = "more than 99%" if p.max() > 0.995 else f"{p.max():.0%}"
    assert sure in told and ("feeling", "thing")[p.argmax()] in told
    assert line != OWN or set(words(OWN)) & set(" ".join(KINDS).split()) == {"patience", "pleasure", "faith"}


# The lab.


@pytest.mark.parametrize("n", SIZES)
def test_the_sentence_is_that_of_the_stored_runs(n):
    text, found = said(opened(n=n)), select_runs(stored_runs(), FineTuningSettings(n))
    for way, each in found.items():
        assert f"{way} {describe_interval(mean_interval(each.right.mean(axis=2)[:, -1]))}" in text
    counted = right_at_end(COUNTING, n).mean(axis=1)
    assert f"{COUNTING} {describe_interval(mean_interval(counted))}" in text
    ends = accuracy_difference(right_at_end(FINE_TUNED, n), right_at_end(FROZEN, n), KINDS)
    assert verdict(ends, "ine-tuned", FROZEN)[1:] in text
    assert points_said(ends) in text


def test_every_comparison_is_in_one_of_the_two_lists_and_in_the_right_one():
    text = said(opened())
    ahead, rest = text.partition("Where it is not")[::2]
    ahead = ahead.partition("Where fine-tuning is ahead")[2]
    for n in SIZES:
        for way in (FROZEN, SCRATCH, COUNTING):
            ends = accuracy_difference(right_at_end(FINE_TUNED, n), right_at_end(way, n), KINDS)
            assert f"{n} labels: {verdict(ends, FINE_TUNED, way)}" in (ahead if ends[1] > 0 else rest)


@pytest.mark.parametrize("way", WAYS)
def test_the_map_is_fitted_once_and_holds_every_step(way):
    view = sent(opened(way=way), "map")
    vectors = stored_runs()[key_of(way, FineTuningSettings(SIZES[0]))].vectors.astype(float)
    _, places = map_all_steps(vectors)
    shown = unpacked(view["places"]).reshape(len(vectors), len(HELD), 2)
    np.testing.assert_allclose(shown, places, atol=1e-3)
    assert len(view["words"]) == len(HELD)
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
    assert f"it gives back {broken.learnt.mean():.1%}" in said(app)
    share = np.mean([OURS.labels[place] == FEELING for place in HELD])
    assert f"predicting the most frequent label would get {max(share, 1 - share):.1%} right" in said(app)


def test_a_seed_s_trainings_are_compared():
    fine, frozen = (right_at_end(way, SIZES[0]).mean(axis=1) for way in (FINE_TUNED, FROZEN))
    assert (
        f"larger with {sum(a > b for a, b in zip(fine, frozen, strict=True))} of {len(SEEDS)} seeds"
        in said(opened())
    )


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
