"""Naive Bayes against logistic regression: the story's numbers and the lab's are those of scikit-learn's classifiers."""

from functools import cache

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression as PeerRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import MultinomialNB

from core.lesson.footer import NUMBERS
from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.stored_classifiers import COPIES, PENALTIES, stored_classifiers
from core.models.documents.tug_of_war import duplicate_features
from core.text.reading.labelled import read_lines
from core.text.tokenization.tokens import words
from core.words.numbers import percent, signed
from pages.documents.shared.labelled_source import EXAMPLE, WORDS_AT_MOST
from pages.documents.tug_of_war.page import METHODS, OWN_EXAMPLE, real_confidence
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import (
    document,
    figure,
    figures,
    guess,
    metrics,
    numbers,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    table_with,
)

NAMES = ("naive Bayes", "logistic regression")
EVERY = pytest.mark.parametrize("which", ["reviews", "two plays", "pasted"])
CLASS = {"reviews": 1, "two plays": 1, "pasted": 0}
FOLDS = {"again": "true", "sure": "true"}


@cache
def opened(which, **query):
    """Return the lab with its sections open."""
    return open_on("tug_of_war", which, **{**FOLDS, **query})


@cache
def peers(which, copies=1):
    learnt, rest, _ = learnt_and_held_out(documents()[which].texts, documents()[which].labels)
    X, y = duplicate_features(learnt.X, copies), (learnt.y == CLASS[which]).astype(int)
    regression = PeerRegression(C=1.0, solver="newton-cg", tol=1e-10, max_iter=10_000)
    models = MultinomialNB(alpha=1.0).fit(X, y), regression.fit(X, y)
    return models, learnt, duplicate_features(rest.X, copies), (rest.y == CLASS[which]).astype(int)


def typed(app, which):
    key = "tug_of_war_sentence" if which == "reviews" else "tug_of_war_own_sentence"
    return words(app.text_input(key=key).value)[:WORDS_AT_MOST]


def sums(which, tokens, copies=1):
    models, learnt, *_ = peers(which, copies)
    bag = duplicate_features(learnt.counted(tokens), copies)
    p = models[0].predict_log_proba(bag)[0]
    return np.array([p[1] - p[0], models[1].decision_function(bag)[0]])


def chance(z):
    return 1 / (1 + np.exp(-z))


def weights_of(word, copies=1):
    """Return what one occurrence of a word adds to both peers' scores."""
    models, learnt, *_ = peers("reviews", copies)
    V, column = len(learnt.index), learnt.index[word]
    columns = column + V * np.arange(copies)
    logs = models[0].feature_log_prob_
    return (logs[1] - logs[0])[columns].sum(), models[1].coef_[0, columns].sum()


# The story.


def test_the_story_opens_on_a_review_on_which_the_two_disagree():
    z = sums("reviews", words(EXAMPLE))
    shown = said_in(document("tug_of_war", "verdicts"))
    assert z[0] < 0 < z[1]
    assert f"{percent(chance(z[0]), 0)}, logistic regression gives it {percent(chance(z[1]), 0)}" in shown
    assert "one predicts negative and the other positive" in shown


@pytest.mark.parametrize("beat", ["counts", "weights"])
def test_the_bars_of_a_panel_add_up_to_the_peer_s_score(beat):
    z = sums("reviews", words(EXAMPLE))
    for panel, expected in zip(picture("tug_of_war", beat)["panels"], z, strict=False):
        *parts, total = [row["to"] for row in panel["rows"]]
        assert sum(parts) == pytest.approx(total)
        assert total == pytest.approx(expected, abs=2e-3)


def test_love_occurs_in_positive_reviews_only_and_weighs_less_in_logistic_regression():
    _, learnt, *_ = peers("reviews")
    n = learnt.X[:, learnt.index["love"]].toarray()[:, 0]
    one, other = weights_of("love")
    assert (n[learnt.y == 1].sum(), n[learnt.y == 0].sum()) == (21, 0)
    assert f"21 times, negative reviews 0 times. So it adds {one:.2f}." in said_in(
        document("tug_of_war", "counts")
    )
    assert f"love adds {other:.2f} instead of {one:.2f}" in said_in(document("tug_of_war", "weights"))
    strong = [weights_of(word) for word in ("flimsy", "dull", "love")]
    assert all(abs(b) < abs(a) for a, b in strong)
    assert weights_of("flimsy")[0] + weights_of("dull")[0] < -weights_of("love")[0]


def test_the_start_of_logistic_regression_is_larger_and_tips_its_score():
    models = peers("reviews")[0]
    prior = np.subtract(*models[0].class_log_prior_[::-1])
    b = models[1].intercept_[0]
    assert 0 < prior < 0.1 < b
    assert sums("reviews", words(EXAMPLE))[1] - b + prior < 0 < sums("reviews", words(EXAMPLE))[1]


def test_copies_triple_each_word_of_naive_bayes_and_do_not_change_its_verdict():
    one, three = weights_of("love")[0], weights_of("love", COPIES)[0]
    before, after = (chance(sums("reviews", words(EXAMPLE), n)[0]) for n in (1, COPIES))
    answered = document("tug_of_war", "copied", True)
    assert answered["ask"]["answer"] == "triples" and three == pytest.approx(3 * one)
    assert f"They add {three:.2f}, three times as much" in said_in(answered)
    assert f"falls from {percent(before, 0)} to {percent(after, 0)}" in said_in(answered)
    assert after < before < 0.5


def test_before_the_answer_the_bars_of_the_copies_are_covered():
    panel = picture("tug_of_war", "copied")["panels"][1]
    assert {(row["to"], row["text"]) for row in panel["rows"]} == {(0.0, "?")}
    once, copies = picture("tug_of_war", "copied", True)["panels"]
    shown = copies["rows"]
    assert [row["name"] for row in shown] == [row["name"] for row in once["rows"]]
    assert shown[-1]["to"] == pytest.approx(sums("reviews", words(EXAMPLE), COPIES)[0], abs=2e-3)


def test_logistic_regression_shares_a_weight_among_copies_and_the_sum_grows_a_little():
    one, three = weights_of("love")[1], weights_of("love", COPIES)[1]
    assert one < three < 2 * one and 0.4 < three / COPIES / one < 0.6
    panel = picture("tug_of_war", "shared")["panels"][1]
    assert [row["to"] for row in panel["rows"]] == pytest.approx([one, *[three / 3] * 3, three], abs=2e-3)
    assert f"gives each {three / 3:.2f}, about half of the {one:.2f}" in said_in(
        document("tug_of_war", "shared")
    )


def test_the_loss_of_naive_bayes_doubles_while_it_makes_as_many_errors_and_is_more_confident_in_them():
    losses, wrong, sure = [], [], []
    for copies in (1, COPIES):
        models, _, X, y = peers("reviews", copies)
        losses.append([log_loss(y, model.predict_proba(X)[:, 1]) for model in models])
        p = models[0].predict_proba(X)
        wrong.append((p.argmax(axis=1) != y).sum())
        sure.append(p.max(axis=1)[p.argmax(axis=1) != y].mean())
    shown = said_in(document("tug_of_war", "loss"))
    assert f"from {losses[0][0]:.2f} to {losses[1][0]:.2f}" in shown
    assert f"hardly changes: {losses[0][1]:.2f} and {losses[1][1]:.2f}" in shown
    assert wrong[0] == wrong[1] and sure[1] > sure[0]
    assert losses[1][0] > 2 * losses[0][0] and losses[1][1] < 1.1 * losses[0][1]


def test_on_real_reviews_naive_bayes_is_too_confident_and_logistic_regression_is_not():
    found, stored = real_confidence(), stored_classifiers("classify_movies")
    confusion = stored.bayes_confusion(1.0).confusion
    n, (bayes, regression) = stored.held_out, (found[method] for method in METHODS)
    assert np.trace(confusion) / n == pytest.approx(bayes["right"], abs=1e-3)
    margin = 1.96 * np.sqrt(bayes["right"] * (1 - bayes["right"]) / n)
    assert bayes["gap"] > 3 * margin and abs(regression["gap"]) < margin
    assert bayes["right"] - regression["right"] < np.sqrt(2) * margin  # too close to call
    assert round(100 * bayes["gap"]) == 7
    shown = said_in(document("tug_of_war", "confidence"))
    assert f"On {n:,} held-out sentences" in shown and "7 percentage points too confident" in shown


@pytest.mark.parametrize(
    "text",
    [EXAMPLE, OWN_EXAMPLE, "not bad at all", "I love it. It is dull. The lid is flimsy.", "love " * 200],
)
def test_the_sentence_of_the_learner_gets_the_peers_scores(text):
    z = sums("reviews", words(text)[:WORDS_AT_MOST])
    made = document("tug_of_war", "yours", sentence=text)
    ends = [panel["rows"][-1]["to"] for panel in made["picture"]["data"]["panels"]]
    assert ends == pytest.approx(z, abs=0.05)
    agree = z[0] * z[1] > 0
    assert f"and they {'agree' if agree else 'disagree'}." in said_in(made)
    assert ("The signs differ" in made["done"]) == (not agree)
    assert ("We read the first 20 words" in said_in(made)) == (len(words(text)) > WORDS_AT_MOST)


def test_a_word_that_was_left_out_is_named():
    assert "do not contain it: “bad”." in said_in(document("tug_of_war", "yours", sentence="not bad at all"))
    many = said_in(document("tug_of_war", "yours", sentence="bad qqa qqb qqc qqd love"))
    assert "do not contain them: “bad”, “qqa” and “qqb” and 2 more." in many


@pytest.mark.parametrize(
    "text", ["Heute war es sehr kalt. Der Hund schlief. Wir gingen nicht.", "مرحبا", "🦜", "zzz", "5 $x$"]
)
def test_a_text_without_a_known_word_is_told_so(text):
    _, learnt, *_ = peers("reviews")
    known = [word for word in words(text) if word in learnt.index]
    shown = said_in(document("tug_of_war", "yours", sentence=text))
    assert ("Neither classifier knows a word" in shown) == (not known)


def test_an_empty_sentence_is_no_answer():
    made = document("tug_of_war", "yours", sentence=" ")
    assert "done" not in made
    assert made["picture"]["data"] == picture("tug_of_war", "yours")


# The lab.


@EVERY
@pytest.mark.parametrize("copies", ["false", "true"])
def test_the_terms_that_are_shown_add_up_to_the_sums_that_are_scikit_learn_s(which, copies):
    app = opened(which, copies=copies)
    z = sums(which, typed(app, which), COPIES if copies == "true" else 1)
    table = table_with(app, NAMES[0])
    for place, method in enumerate(NAMES):
        *terms, total = table[method]
        assert sum(terms) == pytest.approx(total)
        assert total == pytest.approx(z[place], abs=2e-3)
        drawn = numbers(figure(app)["data"][place]["x"])
        assert drawn == pytest.approx([*terms, total])


@EVERY
def test_the_sentence_says_both_sums_and_where_they_differ(which):
    app = opened(which)
    z = sums(which, typed(app, which))
    shown, name = said(app), peers(which)[1].classes[CLASS[which]]
    assert f"Naive Bayes scores {signed(z[0], 2)}, logistic regression {signed(z[1], 2)}: p({name})" in shown
    assert f"**{percent(chance(z[0]))}** and **{percent(chance(z[1]))}**" in shown
    table = table_with(app, NAMES[0])[1:-1]
    apart = (table[NAMES[0]] - table[NAMES[1]]).abs()
    assert f"They differ most on “{table['word'][apart.idxmax()]}”" in shown


def test_the_lab_names_words_that_it_leaves_out():
    assert any(
        "do not contain it: “bad”." in each.value for each in opened("reviews", sentence="not bad").text
    )


@EVERY
def test_copied_features_raise_the_loss_that_is_scikit_learn_s(which):
    app = opened(which, copies="true")
    losses = []
    for copies in (1, COPIES):
        models, _, X, y = peers(which, copies)
        losses.append([log_loss(y, model.predict_proba(X)[:, 1], labels=[0, 1]) for model in models])
    found = list(metrics(app).values())
    assert [float(each) for each in found[:2]] == pytest.approx([losses[0][0], losses[1][0]], abs=6e-4)
    assert f"from {losses[0][1]:.3f} to {losses[1][1]:.3f}" in said(app)
    assert numbers(figure(app)) != numbers(figure(opened(which)))


@EVERY
def test_how_confident_both_are_and_how_often_right(which):
    models, _, X, y = peers(which)
    shown = said(opened(which))
    for method, model in zip(NAMES, models, strict=True):
        p = model.predict_proba(X)
        right, sure = (p.argmax(axis=1) == y).mean(), p.max(axis=1).mean()
        assert f"{method} is right on {percent(right)} of {len(y)} held-out document" in shown
        assert f"on average {percent(sure)} confident" in shown


def test_on_200_reviews_neither_gap_is_called():
    assert said(opened("reviews")).count("The difference is too close to call.") == 2


def test_what_is_almost_certain_is_not_said_to_be_certain():
    shown = said(open_lesson("tug_of_war", learnt="news", copies="true", **FOLDS))
    assert "naive Bayes is right on" in shown and "100.0% confident" not in shown


def test_a_word_repeated_is_the_word_typed_twice():
    app = opened("reviews", sentence="the lid is dull", word="dull")
    two = sums("reviews", "the lid is dull dull".split())
    lines = figures(app)[1]["data"]
    assert [numbers(line["y"])[2] for line in lines] == pytest.approx(chance(two), abs=1e-3)


def test_until_the_guess_neither_sum_is_sent():
    asked = open_on("tug_of_war", "reviews", predict="true", below=NUMBERS)
    assert figures(asked) == [] and "Naive Bayes scores" not in said(asked)
    z = sums("reviews", typed(opened("reviews"), "reviews"))
    assert question(asked).options == list(NAMES)
    assert "Right." in said(guess(asked, NAMES[int(abs(z[1]) > abs(z[0]))]))


def test_words_of_own_documents_are_not_in_the_address():
    assert not any("word" in name or "sentence" in name for name in opened("pasted").query_params)


@pytest.mark.parametrize("text", ["🦜 🎉", "早上好。", "<b>x</b> $a$ `c`", " ", "lid " * 90, "zzz"])
@pytest.mark.parametrize("copies", ["false", "true"])
def test_no_text_breaks_the_page(text, copies):
    open_on("tug_of_war", "reviews", sentence=text, copies=copies)


def test_documents_without_words_do_not_break_the_page():
    app = open_on("tug_of_war", "reviews", **FOLDS)
    for lines in ("a\tword\nb\tword\n" * 6, "a\t...\nb\t!!!\n" * 6):
        app.session_state["labelled_own"] = read_lines(lines)
        app = app.run()
        assert not app.exception
    assert "The classifiers know no word of this document" in said(app)


def test_with_a_weaker_penalty_logistic_regression_is_too_confident_as_well():
    stored = stored_classifiers("classify_movies")
    gaps = {}
    for l2 in PENALTIES:
        right, sure, _ = stored.sure(1, 1.0, l2)[1]
        gaps[l2] = sure - right
    assert abs(gaps[1.0]) < 0.03 < min(gap for l2, gap in gaps.items() if l2 < 1)
