"""Naive Bayes: the story's votes from the counts again; the lab says what scikit-learn computes, on three sets."""

import re
from functools import cache

import numpy as np
import pytest
from sklearn.naive_bayes import MultinomialNB

from core.figures.documents.naive_bayes import logarithm
from core.lesson.footer import NUMBERS
from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.held_out import wilson
from core.models.stored import load_card, load_json, load_weights
from core.text.reading.labelled import read_lines
from core.text.tokenization.tokens import words
from core.words.numbers import percent
from pages.documents.naive_bayes.page import LUNCH, MESSAGE, OWN, SCHOOL, SILENCED, columns_of
from pages.documents.shared.labelled_source import EXAMPLE, WORDS_AT_MOST
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import (
    document,
    figure,
    figures,
    frames,
    guess,
    metrics,
    numbers,
    question,
    said,
    said_in,
    table_with,
)

EVERY = pytest.mark.parametrize("which", ["reviews", "two plays", "pasted"])


@cache
def opened(which, **query):
    return open_on("naive_bayes", which, **{"judged": "true", **query})


@cache
def peer(which, alpha=1.0, binary=False):
    learnt, rest, held = learnt_and_held_out(documents()[which].texts, documents()[which].labels)
    learnt, rest = (learnt.binary, rest.binary) if binary else (learnt, rest)
    with np.errstate(divide="ignore"):
        return MultinomialNB(alpha=alpha).fit(learnt.X, learnt.y), learnt, rest, held


def typed(app, which):
    key = "naive_bayes_sentence" if which == "reviews" else "naive_bayes_own_sentence"
    return words(app.text_input(key=key).value)[:WORDS_AT_MOST]


@EVERY
@pytest.mark.parametrize("binary", ["false", "true"])
def test_the_decision_is_scikit_learn_s(which, binary):
    app = opened(which, binary=binary)
    model, learnt, *_ = peer(which, 1.0, binary == "true")
    bag = learnt.counted(typed(app, which))
    bag = np.minimum(bag.toarray(), 1) if binary == "true" else bag
    p = model.predict_proba(bag)[0]
    best = learnt.classes[p.argmax()]
    assert f"Naive Bayes chooses {best}, p = {percent(p.max())}" in said(app)
    last = frames(app)[-1]
    assert last["said"].endswith(f"p({best} | document) = {percent(p.max())}.")
    sums = model.predict_joint_log_proba(bag)[0]
    assert logarithm(sums.max()) in last["said"]


@EVERY
def test_each_bar_is_a_logarithm_and_the_sums_add_them_up(which):
    app = opened(which)
    model, learnt, *_ = peer(which)
    steps = frames(app)
    known = [token for token in typed(app, which) if token in learnt.index]
    assert len(steps) == len(known) + 2
    *classes, posterior = steps[-1]["picture"]["columns"]
    for column in classes:
        c = learnt.classes.index(column["title"].split(" | ")[1].split(")")[0])
        terms = [model.class_log_prior_[c], *(model.feature_log_prob_[c, learnt.index[w]] for w in known)]
        assert column["values"] == pytest.approx(terms, abs=1e-3)
        written = [text.split(" → ")[-1] for text in column["texts"]]
        assert written == [logarithm(total) for total in np.cumsum(terms)]
    assert posterior["values"][0] == pytest.approx(
        np.exp(model.class_log_prior_[learnt.classes.index(posterior["title"].split("(")[1].split(" |")[0])]),
        abs=1e-3,
    )


@EVERY
def test_the_factor_of_every_word_is_that_of_the_two_classes_shown_first(which):
    app = opened(which)
    model, learnt, *_ = peer(which)
    steps = frames(app)
    shown = [
        learnt.classes.index(c["title"].split(" | ")[1].split(")")[0])
        for c in steps[-1]["picture"]["columns"][:2]
    ]
    for step, token in zip(steps[1:-1], steps[-1]["picture"]["rows"][1:], strict=True):
        logs = model.feature_log_prob_[shown, learnt.index[token]]
        factor = np.exp(abs(logs[0] - logs[1]))
        assert f"{factor:.2f} times as likely in {learnt.classes[shown[logs.argmax()]]}" in step["said"] or (
            factor < 1.005 and "as likely in either" in step["said"]
        )


@EVERY
def test_the_held_out_accuracy_its_interval_and_the_confusion_are_counted(which):
    app = opened(which)
    model, _, rest, held = peer(which)
    given = model.predict(rest.X)
    right, n = int((given == rest.y).sum()), len(rest.y)
    low, high = wilson(right, n)
    assert (
        f"right on {right:,} of {n:,} held-out documents: {right / n:.1%}, "
        f"95% interval {low:.1%} to {high:.1%}" in said(app)
    )
    drawn = [int(text) for row in figure(app)["data"][0]["text"] for text in row]
    assert sum(drawn) == n
    if right < n:
        shown = table_with(app, "p(its label)")
        own = model.predict_proba(rest.X)[np.arange(n), rest.y]
        worst = min((p, place) for place, p in enumerate(own) if given[place] != rest.y[place])[1]
        assert shown["document"][0] == documents()[which].texts[np.flatnonzero(held)[worst]][:300]


@EVERY
def test_without_smoothing_words_rule_their_own_class_out(which):
    broken = opened(which, raw="true")
    _, learnt, rest, _ = peer(which)
    spoken = np.vstack([learnt.X[learnt.y == c].sum(axis=0) > 0 for c in range(len(learnt.classes))])
    silenced = [
        (rest.X[d].indices[~np.asarray(spoken)[rest.y[d], rest.X[d].indices]]).size > 0
        for d in range(len(rest.y))
    ]
    found = metrics(broken)
    assert found["with α"] == "0.0%"
    assert found["with nothing added"] == f"{np.mean(silenced):.1%}"
    assert numbers({"frames": frames(broken)}) != numbers({"frames": frames(opened(which))})


def test_the_default_break_silences_a_class_by_a_word_that_it_never_said():
    assert any("−∞ gives" in step["said"] for step in frames(opened("reviews", raw="true")))
    assert any("−∞ gives" in step["said"] for step in frames(opened("reviews", raw="true", sentence=PROMPT)))


PROMPT = SILENCED


def test_where_every_class_is_silenced_none_is_chosen_and_it_is_said():
    app = opened("reviews", raw="true", sentence=PROMPT)
    assert "Naive Bayes chooses no class" in said(app)
    assert "there is nothing to choose by" in frames(app)[-1]["said"]


def test_binary_counts_a_word_once():
    app = opened("reviews", binary="true", sentence="sturdy sturdy sturdy lid")
    assert frames(app)[-1]["picture"]["rows"] == ["the prior", "sturdy", "lid"]


def test_words_that_were_never_learnt_are_left_out_and_named():
    app = opened("reviews", sentence="a xylophone of lids")
    assert "“xylophone”" in frames(app)[-1]["notes"][0]
    none = opened("reviews", sentence="xylophone zzz")
    assert "no word of this document was learned, so the prior decides" in said(none)


def test_an_empty_field_reads_the_example_and_a_long_one_its_first_words():
    empty = opened("reviews", sentence=" ... ")
    assert "so the example is read" in said(empty)
    assert frames(empty)[-1]["picture"]["rows"][1:] == words(EXAMPLE)
    long = opened("reviews", sentence="lid " * 100)
    assert f"The first {WORDS_AT_MOST} of 100 words are read" in said(long)


def test_until_the_guess_no_step_is_sent():
    app = open_on("naive_bayes", "reviews", predict="true", below=NUMBERS)
    assert frames(app) == []
    assert "Naive Bayes chooses" not in said(app)
    assert question(app).options == ["negative", "positive"]
    assert frames(guess(app)) != []


def test_pasted_documents_are_taken_up_and_bad_ones_leave_those_before():
    app = open_on("naive_bayes", "reviews")
    app.session_state["naive_bayes_documents"] = True
    app = app.run()
    app.text_area(key="naive_bayes_pasted").set_value("no labels here")
    app = app.button(key="naive_bayes_use").click().run()
    assert "No line has a tab" in said(app) and "reviews:" in said(app)
    app.text_area(key="naive_bayes_pasted").set_value("a\tone two\nb\tthree four\n" * 8)
    app = app.button(key="naive_bayes_use").click().run()
    assert not app.exception
    assert "pasted documents: 8 a, 8 b" in said(app)
    assert app.session_state["labelled_own"].own
    assert "naive_bayes_own_sentence" not in app.query_params


@pytest.mark.parametrize(
    "text", ["a b", "🦜 🎉", "早上好。", "مرحبا بالعالم", "<b>x</b> $a$ `c` ![i](j)", "{{x}}"]
)
@pytest.mark.parametrize("raw", ["false", "true"])
def test_no_text_breaks_the_page(text, raw):
    open_on("naive_bayes", "reviews", sentence=text, raw=raw)


def test_documents_of_any_kind_leave_the_page_standing():
    for lines in ("<b>\t$x$ `a`\n*i*\t![i](j)\n" * 6, "好\t早上\n坏\t!!!\n" * 6, "a\t...\nb\t...\n" * 6):
        app = open_on("naive_bayes", "reviews")
        app.session_state["labelled_own"] = read_lines(lines)
        assert not app.run().exception


def test_the_columns_of_two_classes_stay_and_of_more_those_with_the_largest_sums_come_first():
    sums = {2: np.array([[-1.0, -3.0]]), 4: np.array([[-4.0, -2.0, -9.0, -3.0]])}
    for n, shown in ((2, [1, 0]), (4, [1, 3, 0])):
        assert columns_of(type("Read", (), {"sums": sums[n]})()) == shown


@EVERY
def test_the_learning_curve_ends_where_all_documents_are_learnt(which):
    app = opened(which, curve="true")
    model, learnt, rest, _ = peer(which)
    share = (model.predict(rest.X) == rest.y).mean()
    n = len(learnt.y)
    drawn = next(
        f for f in figures(app) if f["layout"]["xaxis"]["title"].get("text") == "documents learned from"
    )
    assert numbers({"y": drawn["data"][0]["y"]})[-1] == pytest.approx(share)
    assert drawn["layout"]["xaxis"]["ticktext"][-1] == f"{n:,}"
    assert f"From 10 documents to {n:,}, naive Bayes goes from" in said(app) or n == 10
    assert f"{share:.1%}" in said(app)


# The story.


@cache
def messages():
    """Return the stored counts of the text messages, n(w, c), the number of each class's messages, and the words."""
    weights = load_weights("classify_sms")
    words_of = load_json("classify_sms", "vocabulary")["words"]
    return weights["counts"][0].astype(float), weights["documents"].astype(float), words_of


def vote(word, alpha=1.0):
    """Return ln p(w | spam) - ln p(w | ham), divided out here."""
    counts, _, vocabulary = messages()
    v = vocabulary.index(word)
    p = (counts[:, v] + alpha) / (counts.sum(axis=1) + alpha * counts.shape[1])
    return float(np.log(p[1] / p[0]))


def p_spam(message):
    """Return p(spam | message) with 1 added to each count."""
    _, documents_of, vocabulary = messages()
    odds = np.log(documents_of[1] / documents_of[0])
    return float(1 / (1 + np.exp(-(odds + sum(vote(w) for w in words(message) if w in vocabulary)))))


def bars_of(beat, revealed=False, **changes):
    made = document("naive_bayes", beat, revealed, **changes)
    return [row for panel in made["picture"]["data"]["panels"] for row in panel["rows"]], said_in(made), made


def test_each_bar_is_a_word_s_vote_and_they_are_not_sent_before_the_guess():
    rows, said_of, made = bars_of("votes", True)
    assert [row["name"] for row in rows] == words(MESSAGE)
    assert [row["to"] for row in rows] == pytest.approx([vote(w) for w in words(MESSAGE)])
    assert f"{p_spam(MESSAGE):.0%}" in said_of and made["ask"]["answer"] == "spam"
    assert vote("prize") == max(map(vote, words(MESSAGE)))
    assert vote("me") < 0 > vote("i")
    hidden, *_ = bars_of("votes")
    assert {(row["to"], row["text"]) for row in hidden} == {(0, "?")}


def test_the_counts_that_are_said_are_those_that_are_stored():
    counts, documents_of, vocabulary = messages()
    said_of = bars_of("word")[1]
    free = counts[:, vocabulary.index("free")]
    for each in (*free, *counts.sum(axis=1)):
        assert f"{each:,.0f}" in said_of
    assert f"is {np.exp(vote('free')):.0f} times as likely in spam" in said_of
    assert (
        f"{documents_of[1]:,.0f} are spam: {documents_of[1] / documents_of.sum():.0%}" in bars_of("prior")[1]
    )
    assert counts[0, vocabulary.index("prize")] == 0


@pytest.mark.parametrize(("beat", "message"), [("sum", MESSAGE), ("lunch", LUNCH), ("own", OWN)])
def test_the_bars_begin_where_the_one_before_ended_and_the_last_is_their_sum(beat, message):
    rows = bars_of(beat)[0]
    assert [row["from"] for row in rows[1:-1]] == pytest.approx([row["to"] for row in rows[:-2]])
    assert rows[-1]["to"] == pytest.approx(rows[-2]["to"])
    assert 1 / (1 + np.exp(-rows[-1]["to"])) == pytest.approx(p_spam(message))


def test_free_is_outvoted_by_lunch_and_by_the_prior():
    assert vote("free") > 0 > vote("lunch") and vote("tomorrow") < 0
    assert p_spam(LUNCH) < 0.05 and f"Ham gets {1 - p_spam(LUNCH):.0%}" in bars_of("lunch")[1]


def test_with_nothing_added_one_word_leaves_nothing_of_ham():
    counts, _, vocabulary = messages()
    columns = [vocabulary.index(w) for w in words(SCHOOL)]
    never = [w for w in words(SCHOOL) if counts[0, vocabulary.index(w)] == 0]
    assert never == ["prize"] and counts[1, columns].min() > 0
    one, zero = bars_of("zero", True)[0]
    assert one["to"] == pytest.approx(1 - p_spam(SCHOOL)) and one["to"] > 0.99
    assert zero["to"] == 0
    assert bars_of("zero")[0][1]["text"] == "?"


def test_a_repeated_word_counts_as_often_as_it_is_written():
    rows = bars_of("naive")[0]
    assert [row["to"] for row in rows] == pytest.approx([p_spam("free " * n) for n in (0, 1, 2, 3, 5)])


def test_the_accuracy_is_the_card_s_and_the_errors_add_up():
    rows, said_of, _ = bars_of("right")
    quality = load_card("classify_sms").quality
    assert rows[0]["to"] == pytest.approx(quality["naive Bayes"])
    assert rows[1]["to"] == pytest.approx(quality["always the most frequent class"])
    lost, ham, missed, spam = map(
        int, re.search(r"(\d+) of (\d+) wanted.* (\d+) of (\d+) spam", said_of).groups()
    )
    assert 1 - (lost + missed) / (ham + spam) == pytest.approx(quality["naive Bayes"])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("win a prize now", "labelled spam"),
        ("see you at home later", "labelled ham"),
        ("Ich komme heute später. Wir essen bei Oma. Bis dann!", "knows no word"),
        ("a xylophone prize", "xylophone was never counted, so it has no vote"),
        ("Gratis Preis für dich! an", "gratis, preis, für and 1 other word were never counted, so they have"),
        ("早上好", "knows no word"),
        pytest.param("free " * 30, "Only the first 12 words", id="one word 30 times"),
    ],
)
def test_what_is_said_of_a_learner_s_message_follows_the_sum(line, told):
    rows, _, made = bars_of("own", line=line)
    done = re.sub(r"<[^>]+>", "", made["done"])
    assert told in done
    if "labelled" in done:
        assert ("labelled spam" in done) == (rows[-1]["to"] > 0)


def test_the_strongest_words_are_told_in_order():
    votes = [row["to"] for row in bars_of("answer")[0]]
    assert votes == sorted(votes, reverse=True) and votes[3] > 0 > votes[4]
    _, _, vocabulary = messages()
    every = [vote(w) for w in vocabulary if w.isalpha() and len(w) > 3]
    assert (max(every), min(every)) == (pytest.approx(votes[0]), pytest.approx(votes[-1]))
