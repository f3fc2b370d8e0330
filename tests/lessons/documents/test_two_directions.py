"""Bidirectional RNNs: the story's and the lab's probabilities are torch's, and its errors are counted from the tables."""

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
from pages.documents.two_directions.page import AT, OWN, SENTENCE, SHOWN_TAGS, WORDS_AT_MOST
from tests.lessons.documents.labelled_page import documents, open_on
from tests.lessons.lesson_page import (
    document,
    figures,
    frames,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
)
from tests.lessons.tokens.texts import PASTED

NAME = "two_directions"
OPENED = {"accuracy": "true", "classified": "true"}
HAMLET = "To be, or not to be: that is the question."
SENTENCES = {"default": SENTENCE, "Hamlet": HAMLET, "pasted": PASTED}
EVERY = pytest.mark.parametrize("which", SENTENCES)


@cache
def opened(which, cut="false", **query):
    app = open_lesson(NAME, tagged=SENTENCES[which], cut=cut, **OPENED, **query)
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


# The story.


def p_story(name, kept=0):
    """p(NOUN) and p(VERB) of the story's word by torch, after so many words."""
    words = tuple(corpus_words(SENTENCE))
    p = by_torch(name, words[: kept or len(words)])[AT]
    return {tag: float(p[load_tagger().states.index(tag)]) for tag in ("NOUN", "VERB")}


def test_the_network_from_the_left_keeps_its_tag_and_the_other_one_changes():
    left, cut_left = p_story(AHEAD), p_story(AHEAD, AT + 1)
    both, cut_both = p_story(BOTH), p_story(BOTH, AT + 1)
    assert left == pytest.approx(cut_left, abs=1e-6)
    assert "?" in str(picture(NAME, "play")["cards"][AT]["tag"])
    assert document(NAME, "play", True)["ask"]["answer"] == "NOUN" == max(left, key=left.get)
    assert f"{left['NOUN']:.0%} NOUN" in said_in(document(NAME, "play", True))
    assert f"still {left['NOUN']:.0%}" in said_in(document(NAME, "rest"))
    assert f"VERB {left['VERB']:.0%}" in said_in(document(NAME, "from_left"))
    assert f"gets {both['VERB']:.0%}" in said_in(document(NAME, "from_both"))
    told = said_in(document(NAME, "cut_off", True))
    assert f"only {cut_both['VERB']:.0%} instead of {both['VERB']:.0%}" in told
    assert document(NAME, "cut_off", True)["ask"]["answer"] == "both_move"
    assert [row["text"] for row in picture(NAME, "cut_off")["panels"][0]["rows"]][1::2] == ["?", "?"]
    p = [p_story(BOTH, kept)["VERB"] for kept in range(AT + 1, 8)]
    gains = dict(zip(corpus_words(SENTENCE)[AT + 1 :], np.diff(p), strict=True))
    assert max(gains, key=gains.get) == "the" and gains["the"] > sum(p[-1:]) / 2, "most of all from the"
    assert round(100 * cut_both["VERB"]) != round(100 * left["VERB"]), "trained apart"


def test_her_is_tagged_as_a_pronoun_although_play_is_tagged_as_a_noun():
    tags = found(tuple(corpus_words(SENTENCE)[: AT + 1])).tags[AHEAD]
    assert tags[AT - 1 :] == ("PRON", "NOUN") and "the network gives it PRON" in said_in(
        document(NAME, "play", True)
    )


def test_an_arrow_leads_from_each_word_to_each_of_its_two_states():
    drawn, words = picture(NAME, "from_both"), corpus_words(SENTENCE)
    arrows = {(each["from"], each["to"]) for each in drawn["arrows"]}
    for t in range(len(words)):
        assert {(f"word.{t}", f"ahead.{t}"), (f"word.{t}", f"back.{t}")} <= arrows
    assert {(f"ahead.{AT}", "p"), (f"back.{AT}", "p")} <= arrows
    place = {node["key"]: node["wide"] for node in drawn["nodes"]}
    for t in range(len(words)):
        (x, _, width, _), (left, *_) = place[f"ahead.{t}"], place[f"back.{t}"]
        assert x + width < left, "no state is above another one, as a second layer would be"
    card = load_card(NAME).config
    sizes = {
        name: load_recurrent_tagger(name).network.state_dict()["layer.weight_hh_l0"].shape[1]
        for name in DIRECTIONS
    }
    assert sizes[AHEAD] == card["units"] == 2 * sizes[BOTH], "each half as wide"


@pytest.mark.parametrize("kept", range(AT + 1, 8))
def test_what_arrives_later_moves_both_directions_alone(kept):
    told = document(NAME, "follow", so_far=str(kept))["done"]
    assert f"<strong>{p_story(BOTH, kept)['VERB']:.0%}</strong>" in told
    assert f"From the left it is {p_story(AHEAD)['VERB']:.0%}" in told


def test_the_errors_are_counted_from_the_confusions():
    told, tags = said_in(document(NAME, "errors")), load_json(NAME, "shape")["tags"]
    confusion = {way: np.array(each) for way, each in load_json(NAME, "confusion").items()}
    for way in WAYS:
        assert f"{1 - np.trace(confusion[way]) / confusion[way].sum():.1%}" in told
    wrong = {way: confusion[way].sum() - np.trace(confusion[way]) for way in WAYS}
    assert 0.4 < 1 - wrong[BOTH] / wrong[AHEAD] < 0.5, "almost half of the errors"
    n = {way: each.sum(axis=1) for way, each in confusion.items()}
    rates = {way: 1 - each.diagonal() / n[way] for way, each in confusion.items()}
    falls = dict(zip(tags, rates[AHEAD] - rates[BOTH], strict=True))
    assert set(sorted(falls, key=falls.get)[-4:]) == set(SHOWN_TAGS) and max(falls, key=falls.get) == "PRT"
    shares = {tag: 1 - rates[BOTH][i] / rates[AHEAD][i] for i, tag in enumerate(tags) if rates[AHEAD][i]}
    assert max(shares, key=shares.get) == "ADP", "prepositions lose the largest share"
    shown = [rates[AHEAD][tags.index(tag)] for tag in SHOWN_TAGS]
    assert shown == sorted(shown, reverse=True)
    marks = [confusion[way][tags.index(".")] for way in (AHEAD, BOTH)]
    assert all(each[tags.index(".")] == each.sum() for each in marks), "which both networks get right"
    assert f"{marks[0].sum():,} of the" in document(NAME, "errors")["measured"]


def test_the_accuracy_of_to_is_the_card_s():
    told, quality = said_in(document(NAME, "kinds")), load_card(NAME).quality
    assert f"From the left {quality[f'{AHEAD}, to']:.0%} of all to are right" in told
    assert f"with both directions {quality[f'{BOTH}, to']:.0%}." in told


def test_the_kinds_are_drawn_from_the_confusions():
    tags = load_json(NAME, "shape")["tags"]
    confusion = {way: np.array(each) for way, each in load_json(NAME, "confusion").items()}
    for panel, way in zip(picture(NAME, "kinds")["panels"], (AHEAD, BOTH), strict=True):
        for row, tag in zip(panel["rows"], SHOWN_TAGS, strict=True):
            counts = confusion[way][tags.index(tag)]
            assert row["to"] == pytest.approx(1 - counts[tags.index(tag)] / counts.sum())


def test_many_more_words_are_right_in_both_directions_alone():
    only, other = next((a, b) for one, two, a, b in load_json(NAME, "alone") if {one, two} == {AHEAD, BOTH})
    assert binomtest(only, only + other).pvalue < 0.001


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (OWN, "<strong>VERB</strong> in both"),
        ("🦜", "The training texts did not have"),
        ("the " * 20, "the first 12 words"),
    ],
)
def test_an_own_sentence_gets_words_that_fit_it(typed, told):
    assert told in document(NAME, "own", tagged=typed)["done"]


# The lab.


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
    assert f"furthest apart at “{words[t]}”: {left} from the left, **{both}** in both directions." in said(
        opened(which)
    )
    differ = int((p[AHEAD].argmax(axis=1) != p[BOTH].argmax(axis=1)).sum())
    n = f"{len(words)} word{'' if len(words) == 1 else 's'}"
    many = f"give {differ} of {n} different tags" if differ else "agree on every tag"
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
        f"**{moved.max():.2f}** in both directions and" in shown
    )
    t = int(moved.argmax())
    before, after = (by_torch(BOTH, each)[t] for each in (words, words[:kept]))
    tag = load_tagger().states[before.argmax()]
    assert f"{before.max():.2f}" == metrics(app)["Its tag, complete sentence"], tag
    assert metrics(app)["Its tag, cut off"] == f"{after[before.argmax()]:.2f}"


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
    shown = said(open_lesson(NAME, sentence=document, **OPENED)).replace("−", "-")
    number = r"([+-]?\d+\.\d+)"
    pattern = (
        rf"left adds {number} for .*? from the right {number}\. With the bias {number} "
        rf"that makes {number}: p = \*\*{number}"
    )
    say = re.search(pattern, shown)
    ahead, back, b, total, p = map(float, say.groups())
    assert ahead + back + b == pytest.approx(total, abs=0.016)
    assert 1 / (1 + np.exp(-total)) == pytest.approx(p, abs=0.011)  # of two classes


def test_held_out_reviews_are_right_as_the_card_says():
    quality = load_card("review_readers").quality
    left, both = (round(200 * quality[name]) for name in (AHEAD, BOTH))
    assert (
        f"Of 200 held-out documents the network from the left gets {left} right, both directions {both}."
        in said(opened("default"))
    )


def test_the_two_classifiers_are_too_close_to_call_on_the_reviews():
    p = re.search(r"too close to call \(sign test, p = ([0-9.]+)\)", said(opened("default")))[1]
    assert float(p) > 0.05


@pytest.mark.parametrize("which", ["two plays", "pasted"])
def test_a_learner_s_own_documents_are_trained_on_when_they_say_so(which):
    app = open_on(NAME, which, **OPENED)
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
    app = open_lesson(NAME, tagged=typed, cut=cut, **OPENED)
    assert not app.exception
    assert len(figures(app)) >= 2
    if typed.count("word") > WORDS_AT_MOST:
        assert f"The first {WORDS_AT_MOST} of 60 words and signs are read." in said(app)
    if not typed.strip():
        assert "There is no word in the field" in said(app)
    if typed == "Go" and cut == "true":
        assert "There is nothing after the only word." in said(app)


def test_a_cut_that_moves_nobody_is_named():
    still = "Here what comes later moves no tagger"
    assert still in said(open_lesson(NAME, tagged="Go home", cut="true"))
    assert still not in said(open_lesson(NAME, cut="true"))
