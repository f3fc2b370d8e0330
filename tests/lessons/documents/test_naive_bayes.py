"""The page on naive Bayes says what scikit-learn computes, on the reviews, on two plays and on pasted documents."""

from functools import cache

import numpy as np
import pytest
from sklearn.naive_bayes import MultinomialNB

from core.figures.documents.naive_bayes import logarithm
from core.figures.worked import percent
from core.lesson.footer import NUMBERS
from core.models.documents.bag_of_words import learnt_and_held_out
from core.models.documents.held_out import wilson
from core.text.reading.labelled import read_lines
from core.text.tokenization.tokens import words
from pages.documents.naive_bayes import PROMPTS, columns_of
from pages.documents.shared.labelled_source import EXAMPLE, WORDS_AT_MOST
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import (
    figure,
    figures,
    frames,
    guess,
    metrics,
    numbers,
    question,
    said,
    table_with,
)

EVERY = pytest.mark.parametrize("which", ["reviews", "two plays", "pasted"])


@cache
def opened(which, **query):
    return open_on("naive_bayes", which, **query)


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
    name = "Held-out documents that their own class cannot have written"
    assert found[f"{name}, whole"] == "0.0%"
    assert found[f"{name}, broken"] == f"{np.mean(silenced):.1%}"
    assert numbers({"frames": frames(broken)}) != numbers({"frames": frames(opened(which))})


def test_the_default_break_silences_a_class_by_a_word_that_it_never_said():
    assert any("−∞ silences it" in step["said"] for step in frames(opened("reviews", raw="true")))
    assert any(
        "−∞ silences it" in step["said"] for step in frames(opened("reviews", raw="true", sentence=PROMPT))
    )


PROMPT = PROMPTS[False][2][1]["sentence"]


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
    assert "no word of this document was learnt, so the prior decides" in said(none)


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
        f for f in figures(app) if f["layout"]["xaxis"]["title"].get("text") == "documents learnt from"
    )
    assert numbers({"y": drawn["data"][0]["y"]})[-1] == pytest.approx(share)
    assert drawn["layout"]["xaxis"]["ticktext"][-1] == f"{n:,}"
    assert f"From 10 documents to {n:,}, naive Bayes goes from" in said(app) or n == 10
    assert f"{share:.1%}" in said(app)
