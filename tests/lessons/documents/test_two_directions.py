"""The page on two directions: tags and probabilities as torch has them, cuts that move what they can, sums that add up."""

import re
from functools import cache

import numpy as np
import pytest
import torch
from scipy.stats import binomtest
from torch import nn

from core.models.documents.recurrent_tagger import AHEAD, BOTH, DIRECTIONS, load_recurrent_tagger
from core.models.documents.three_taggers import HMM, WAYS, tag_three_ways
from core.models.hidden_markov_models.tagger import load_tagger
from core.models.stored import load_card, load_json
from core.text.samples.corpus_words import corpus_words
from pages.documents.two_directions import SENTENCE, WORDS_AT_MOST
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import (
    figures,
    frames,
    guess,
    metrics,
    open_lesson,
    question,
    said,
    sent,
    table_with,
)
from tests.lessons.tokens.texts import PASTED

NAME = "two_directions"
HAMLET = "To be, or not to be: that is the question."
SENTENCES = {"default": SENTENCE, "Hamlet": HAMLET, "pasted": PASTED}
EVERY = pytest.mark.parametrize("which", SENTENCES)


@cache
def opened(which, cut="false", **query):
    app = open_lesson(NAME, tagged=SENTENCES[which], cut=cut, **query)
    assert not app.exception
    return app


@cache
def found(words):
    return tag_three_ways(load_tagger(), {name: load_recurrent_tagger(name) for name in DIRECTIONS}, words)


def words_of(which):
    return tuple(corpus_words(SENTENCES[which])[:WORDS_AT_MOST])


def by_torch(name, words):
    """p(tag) of every word by torch's own GRU with the stored weights, and nothing of the course's reading."""
    tagger = load_recurrent_tagger(name)
    state = tagger.network.state_dict()
    both = name == BOTH
    H = state["layer.weight_hh_l0"].shape[1]
    gru = nn.GRU(state["embedding.weight"].shape[1], H, bidirectional=both)
    gru.load_state_dict({k.removeprefix("layer."): v for k, v in state.items() if k.startswith("layer.")})
    x = torch.stack([state["embedding.weight"][tagger.pieces.rows(word)].sum(0) for word in words])
    z = gru(x)[0] @ state["output.weight"].T + state["output.bias"]
    return z.softmax(-1).detach().numpy()


@EVERY
def test_the_table_s_probabilities_are_torch_s_and_sum_to_one(which):
    table, words = table_with(opened(which), "NOUN"), words_of(which)
    tags = list(load_tagger().states)
    p = table[tags].to_numpy().reshape(len(words), len(WAYS), len(tags))
    np.testing.assert_allclose(p.sum(axis=2), 1, atol=1e-5)
    for place, way in enumerate(WAYS):
        if way != HMM:
            np.testing.assert_allclose(p[:, place], by_torch(way, words), atol=1e-5)


@EVERY
def test_the_picture_has_every_word_its_tags_and_what_they_are_worth(which):
    shared, words = sent(opened(which), "attend_steps")["shared"], words_of(which)
    whole = found(words)
    assert shared["words"] == list(words)
    for row, way in zip(shared["rows"], WAYS, strict=True):
        assert row["tags"] == list(whole.tags[way])
        assert row["sure"] == [f"{p:.2f}" for p in whole.sure(way)]
    assert shared["differ"] == [
        len({row["tags"][t] for row in shared["rows"]}) > 1 for t in range(len(words))
    ]
    assert len(frames(opened(which))) == len(words)


@EVERY
def test_the_sentence_says_where_the_networks_are_furthest_apart(which):
    words = words_of(which)
    p = {name: by_torch(name, words) for name in (AHEAD, BOTH)}
    apart = np.abs(p[AHEAD] - p[BOTH]).sum(axis=1) / 2
    t, tags = int(apart.argmax()), load_tagger().states
    left, both = (f"{tags[p[name][t].argmax()]} {p[name][t].max():.2f}" for name in (AHEAD, BOTH))
    assert f"furthest apart at “{words[t]}”: {left} from the left, {both} from both ends." in said(
        opened(which)
    )
    differ = int((p[AHEAD].argmax(axis=1) != p[BOTH].argmax(axis=1)).sum())
    many = f"give {differ} of {len(words)} words another tag" if differ else "agree on every tag"
    assert many in said(opened(which))


@EVERY
@pytest.mark.parametrize("kept", [1, 4])
def test_a_cut_moves_nothing_from_the_left_and_what_torch_says_from_both_ends(which, kept):
    app, words = opened(which, "true", kept=str(kept)), words_of(which)
    assert np.abs(by_torch(AHEAD, words)[:kept] - by_torch(AHEAD, words[:kept])).max() < 1e-6
    moved = np.abs(by_torch(BOTH, words)[:kept] - by_torch(BOTH, words[:kept])).sum(axis=1) / 2
    those = "that word" if kept == 1 else f"those {kept} words"
    shown = said(app)
    assert (
        f"Cut off after “{words[kept - 1]}”, the probabilities of {those} move by at most 0.00 from the left, "
        f"{moved.max():.2f} from both ends and" in shown
    )
    t = int(moved.argmax())
    before, after = (by_torch(BOTH, each)[t] for each in (words, words[:kept]))
    tag = load_tagger().states[before.argmax()]
    measure = f"p({tag}) of “{words[t]}” by both directions"
    assert metrics(app)[f"{measure}, whole"] == f"{before.max():.2f}"
    assert metrics(app)[f"{measure}, broken"] == f"{after[before.argmax()]:.2f}"


def test_the_accuracies_are_the_card_s_and_the_counts_add_up_to_them():
    shown, quality = said(opened("default")), load_card(NAME).quality
    confusion = {way: np.array(each) for way, each in load_json(NAME, "confusion").items()}
    n = load_card(NAME).corpus["held_out_tokens"]
    assert n == load_card("tagger").corpus["held_out_tokens"]
    assert load_card(NAME).corpus == load_card("tagger").corpus  # the same sentences
    for way in WAYS:
        assert confusion[way].sum() == n
        assert np.trace(confusion[way]) / n == pytest.approx(quality[way])
        assert f"{quality[way]:.1%}" in shown
    assert quality[HMM] == pytest.approx(load_card("tagger").quality["accuracy"])
    for one, other, alone, others in load_json(NAME, "alone"):
        assert alone - others == np.trace(confusion[one]) - np.trace(confusion[other])


@pytest.mark.parametrize(
    "document", ["Flimsy and dull, but I love the handle", "not cheap", "qzxw", "I love it"]
)
def test_what_both_states_say_adds_up_to_the_probability(document):
    shown = said(open_lesson(NAME, sentence=document)).replace("−", "-")
    number = r"([+-]?\d+\.\d+)"
    pattern = (
        rf"says {number} for .*? from the right {number}; with b, {number}, .*? makes {number}: p = {number}"
    )
    say = re.search(pattern, shown)
    ahead, back, b, total, p = map(float, say.groups())
    assert ahead + back + b == pytest.approx(total, abs=0.016)
    assert 1 / (1 + np.exp(-total)) == pytest.approx(p, abs=0.011)  # of two classes


def test_held_out_reviews_are_right_as_the_card_says():
    quality = load_card("review_readers").quality
    left, both = (round(200 * quality[name]) for name in (AHEAD, BOTH))
    assert (
        f"Of 200 held-out documents the network from the left is right on {left}, that from both ends on {both}."
        in said(opened("default"))
    )


def test_luck_could_set_the_two_so_far_apart_on_the_reviews():
    shown = said(opened("default"))
    only = int(re.search(r"On (\d+) only one of the two is right", shown)[1])
    quality = load_card("review_readers").quality
    left, both = (round(200 * quality[name]) for name in (AHEAD, BOTH))
    alone = (only + both - left) // 2
    p = binomtest(alone, only).pvalue
    assert (
        p > 0.05 and f"at least so unevenly in {p:.0%} of cases, so this difference proves nothing" in shown
    )


@pytest.mark.parametrize("which", ["two plays", "pasted"])
def test_a_learner_s_own_documents_are_trained_on_when_they_say_so(which):
    app = open_on(NAME, which)
    assert "Press Train" in said(app)
    assert "held-out documents the network" not in said(app)
    assert [button for button in app.button if button.key == f"{NAME}_train"]
    assert len(documents()[which].classes) >= 2


def test_until_the_guess_no_tag_is_on_the_page_nor_sent():
    app = opened("default", predict="true")
    assert not frames(app)
    assert "furthest apart at" not in said(app)
    assert "held-out words the HMM" not in said(app)
    words = words_of("default")
    answer = words[int(found(words).apart.argmax())]
    assert answer in question(app).options
    shown = guess(open_lesson(NAME, tagged=SENTENCE, predict="true"), answer)
    assert frames(shown)
    assert f"furthest apart at “{answer}”" in said(shown)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "Go",
        "...",
        "🦜 🎉",
        "早上好。",
        "مرحبا بالعالم",
        "<b>x</b> $a$ `c`",
        "word " * 60,
        "the the the",
    ],
)
@pytest.mark.parametrize("cut", ["false", "true"])
def test_no_sentence_breaks_the_page(typed, cut):
    app = open_lesson(NAME, tagged=typed, cut=cut)
    assert not app.exception
    assert len(figures(app)) >= 2
    if typed.count("word") > WORDS_AT_MOST:
        assert f"The first {WORDS_AT_MOST} of 60 words and signs are read." in said(app)
    if not typed.strip():
        assert "There is no word in the field" in said(app)
    if typed == "Go" and cut == "true":
        assert "There is nothing after the only word." in said(app)


def test_of_one_word_the_tour_says_so_and_a_cut_that_moves_nobody_is_named():
    assert "This sentence has 1 word." in said(open_lesson(NAME, tagged="Go", beat="two_directions.1"))
    still = "Here what comes later hardly moves anyone"
    assert still in said(open_lesson(NAME, tagged="Go home", cut="true"))
    assert still not in said(open_lesson(NAME, cut="true"))
