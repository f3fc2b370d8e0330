"""Preferences: the story's numbers computed again, what the missing reference costs, and the lab."""

import re
from itertools import pairwise

import numpy as np
import pytest
from scipy.special import expit, softmax
from sklearn.linear_model import LogisticRegression

from core.models.generation.preferred_sentences import (
    COMPARED,
    PROMPT,
    REPEATED,
    reference,
    sentence_log_probabilities,
    simulated_votes,
    stored_log_probabilities,
)
from core.models.stored_language_models import encode, stored_language_model
from pages.generation.preferences import LESSON as STORY
from tests.lessons.lesson_page import document, metrics, open_lesson, picture, said, said_in, sent, table_with

LESSON = "preferences"
EVERY = COMPARED + REPEATED
GLAD, HARM = re.compile("joy|glad|happy|peace"), re.compile("death|sad|took")


def fit(features):
    """Return Bradley-Terry's weights by scikit-learn."""
    votes = simulated_votes()
    a, b = np.array(votes.pairs).T
    X, won, of = features[a] - features[b], np.array(votes.won), np.array(votes.of)
    model = LogisticRegression(C=np.inf, fit_intercept=False, solver="newton-cholesky", tol=1e-13)
    return model.fit(np.vstack([X, X]), np.repeat([1, 0], len(X)), np.concatenate([won, of - won])).coef_[0]


def counted(*sentences):
    """Return the glad words and the words of harm of each sentence."""
    return np.array([[len(GLAD.findall(each)), len(HARM.findall(each))] for each in sentences], dtype=float)


@pytest.fixture(scope="module")
def items():
    """A reward for each sentence, by scikit-learn with the first one at 0."""
    return np.array([0.0, *fit(np.eye(6)[:, 1:])])


@pytest.fixture(scope="module")
def weights():
    """The reward model's weights, by scikit-learn."""
    return fit(counted(*COMPARED))


def bars(data, panel):
    """Return where the bars of a panel end."""
    return np.array([row["to"] for row in data["panels"][panel]["rows"]])


def quality(p):
    """Return the perplexity of the mean ln p per token under the reference."""
    return np.exp(-(p @ [np.mean(sentence_log_probabilities(each)) for each in EVERY]))


def test_the_reference_is_the_gpt_s_probability_of_each_sentence():
    model, before = stored_language_model("word_gpt"), len(encode("word_gpt", PROMPT).ids)
    totals = [
        model.token_log_probabilities(encode("word_gpt", f"{PROMPT} {each}").ids)[before:].sum()
        for each in COMPARED
    ]
    assert np.exp(reference(COMPARED)) == pytest.approx(softmax(totals), abs=1e-6)
    assert bars(picture(LESSON, "learned"), 0) == pytest.approx(softmax(totals), abs=1e-6)


@pytest.mark.parametrize("beta", [0.05, 0.3, 2.0])
def test_the_trained_policy_is_the_closed_form(items, beta):
    expected = softmax(reference(COMPARED) + items / beta)
    assert bars(picture(LESSON, "direct", beta=str(beta)), 1) == pytest.approx(expected, abs=1e-6)
    told = said_in(document(LESSON, "direct", beta=str(beta)))
    moved = expected @ (np.log(expected) - reference(COMPARED))
    assert f"{moved:.2f} nats" in told and "less than a millionth" in told


def test_the_learned_policy_prefers_what_voters_like():
    told = said_in(document(LESSON, "learned"))
    assert "he put the men to death, with 87%" in told and "300 votes" in told and "57%" in told


def test_the_votes_are_near_what_bradley_terry_expects(items):
    told = said_in(document(LESSON, "votes"))
    assert f"{100 * expit(items[1] - items[5]):.0f}%" in told
    won = simulated_votes().won[simulated_votes().pairs.index((1, 5))]
    assert f"gave {won} of 20" in told and "All 15 pairs" in told


def test_the_reward_model_counts_two_kinds_of_words(weights):
    data = picture(LESSON, "rewards")
    assert bars(data, 0) == pytest.approx(fit_centred(), abs=1e-6)
    assert bars(data, 1) == pytest.approx(counted(*COMPARED) @ weights, abs=1e-6)
    told = said_in(document(LESSON, "rewards"))
    assert f"{-weights[1]:.2f}" in told and f"{weights[0]:.2f}" in told


def test_the_votes_leave_open_whether_a_glad_word_earns_anything(weights):
    votes, features = simulated_votes(), counted(*COMPARED)
    a, b = np.array(votes.pairs).T
    X, of = features[a] - features[b], np.array(votes.of)
    p = expit(X @ weights)
    error = np.sqrt(np.linalg.inv((X.T * (of * p * (1 - p))) @ X)[0, 0])
    low, high = weights[0] - 1.96 * error, weights[0] + 1.96 * error
    told = said_in(document(LESSON, "rewards"))
    assert low < 0 < high and "300 votes are too few to be sure that this is above 0" in told
    folded = str(document(LESSON, "rewards")).replace("−", "-")
    assert f"{low:.2f}" in folded and f"{high:.2f}" in folded


def fit_centred():
    """Return a reward for each sentence with the mean 0."""
    rewards = np.array([0.0, *fit(np.eye(6)[:, 1:])])
    return rewards - rewards.mean()


def test_the_highest_reward_is_of_a_sentence_that_nobody_compared(weights):
    before, after = document(LESSON, "unseen"), document(LESSON, "unseen", True)
    rewards = counted(*EVERY) @ weights
    assert after["ask"]["answer"] == "joy_joy" and EVERY[int(rewards.argmax())].startswith("joy joy joy")
    assert [row["text"] for row in before["picture"]["data"]["panels"][0]["rows"]][6:] == ["?"] * 3
    assert bars(after["picture"]["data"], 0) == pytest.approx(rewards, abs=1e-6)
    assert f"{rewards[8]:.2f}" in said_in(after) and f"{rewards[8]:.2f}" not in said_in(before)
    assert f"{rewards[8] / rewards[:6].max():.1f} times" in said_in(after)
    best = after["picture"]["data"]["panels"][0]["rows"][int(rewards[:6].argmax())]
    assert f"of {best['name']}." in said_in(after)


def test_with_a_weaker_tie_the_reward_rises_and_the_text_repeats_itself(weights):
    rewards, start = counted(*EVERY) @ weights, reference(EVERY)
    different = [len(set(pairs)) / len(pairs) for pairs in map(bigrams, EVERY)]
    found = []
    for tie in (0.02, 0.05, 0.2, 0.5, 1.0):
        p = softmax(start + rewards / tie)
        told = said_in(document(LESSON, "hacking", tie=str(tie)))
        share = p @ different
        assert (
            f"{100 * share:.0f}% of the bigrams" if share < 0.995 else "more than 99% of the bigrams"
        ) in told
        assert ("The reward still rises while the text gets worse" in told) == (p[6:].sum() > 0.5)
        found.append((p @ rewards, p @ different, quality(p)))
    reward, distinct, perplexity = map(list, zip(*found, strict=True))
    assert reward == sorted(reward, reverse=True)
    assert distinct == sorted(distinct) and perplexity == sorted(perplexity, reverse=True)
    low, high = found[0], found[-1]
    assert low[1] < 0.55 < 0.99 < high[1] and low[2] > 5 * high[2]


def bigrams(sentence):
    """Return a sentence's pairs of neighbours."""
    read = sentence.strip(".").split()
    return list(pairwise(read))


def test_without_the_reference_the_text_is_no_language(weights):
    rewards, start = counted(*EVERY) @ weights, reference(EVERY)
    tied, untied = softmax(start + rewards / 0.5), softmax(rewards / 0.5)
    data = picture(LESSON, "without")
    assert bars(data, 0) == pytest.approx(tied, abs=1e-6) and bars(data, 1) == pytest.approx(untied, abs=1e-6)
    told = said_in(document(LESSON, "without"))
    assert f"rises from {quality(tied):.0f} to {quality(untied):.0f}" in told
    assert quality(untied) > 20 * quality(tied) and untied.argmax() == 8


@pytest.mark.parametrize(
    "sentence, glad, harm",
    [
        ("he was glad and full of joy.", "2 glad words", "0 words"),
        ("the war was evil.", "0 glad words", "2 words"),
        ("Der König war froh.", "0 glad words", "1 word of harm"),
        ("Er gab den Armen Brot.", "0 glad words", "0 words"),
        ("Alle Leute kamen in die Stadt.", "0 glad words", "0 words"),
        ("😀", "0 glad words", "0 words"),
        ("joy", "1 glad word", "0 words"),
    ],
)
def test_a_sentence_of_ones_own(sentence, glad, harm):
    done = re.sub("<[^>]+>", "", document(LESSON, "own", mine=sentence)["done"])
    assert glad in done and harm in done


def test_a_sentence_of_ones_own_is_kept_for_nobody():
    document(LESSON, "own", mine="the old king sang to his daughter.")
    open_lesson(LESSON, sentences="the old king sang. / the old king wept.")
    before = stored_log_probabilities.cache_info().misses
    sentence_log_probabilities("the old king sang.")
    assert stored_log_probabilities.cache_info().misses == before <= len(EVERY)


def test_of_no_sentence_the_beat_shows_its_own():
    assert picture(LESSON, "own", mine="  ")["panels"][0]["rows"][0]["name"].startswith("he gave")


def test_a_strong_tie_writes_language_and_a_weak_one_does_not():
    told = said_in(document(LESSON, "answer"))
    assert (
        "its most probable sentence is the people were glad with great joy (42%)" in told
        and "96% to joy and joy and joy" in told
    )


def test_the_lab_asks_and_shows_the_closed_form():
    app = open_lesson(LESSON, below="numbers")
    assert not app.exception and "Press Train" in said(app)
    table = table_with(app, "reward")
    assert table["p* (closed form)"].sum() == pytest.approx(1)
    assert len(sent(app, "layer_bars")["panels"]) == 1


def test_the_lab_s_break_it_measures_what_the_missing_reference_costs():
    found = metrics(open_lesson(LESSON, sentences="joy joy joy joy. / he took all the gold.", untied="true"))
    assert float(found["without it"]) > 5 * float(found["with the reference"])


def test_a_training_s_progress_is_told_in_numbers():
    assert STORY.words.label("progress", step=1200, loss=0.5) == "Step 1,200, loss 0.5000"


@pytest.mark.parametrize("typed", ["/", "one", "a / a", "😀 / 早上好", "Er kam. / Sie ging. / Es regnet."])
def test_the_lab_reads_any_ranking(typed):
    app = open_lesson(LESSON, sentences=typed)
    assert not app.exception
    several = len({each.strip() for each in typed.split("/") if each.strip()}) > 1
    assert ("at least two sentences" in said(app)) == (not several)
