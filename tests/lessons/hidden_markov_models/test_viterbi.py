"""The Viterbi algorithm: the story's numbers can be checked by hand; the lab meets any sentence without an exception."""

import math
import re
from html import unescape
from itertools import product

import numpy as np
import pytest

from core.models.hidden_markov_models.decoding import decode, underflow
from core.models.hidden_markov_models.hmm_tables import ice_cream_diary, noun_verb_toy
from core.models.hidden_markov_models.tagger import load_tagger
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    mounted,
    open_lesson,
    picture,
    said,
    said_in,
    sent,
)

# The story. The diary's tables: start 0.6 and 0.4; hot to hot 0.5, cold to cold 0.8; hot emits 1, 2, 3 with 0.2, 0.3, 0.5,
# cold with 0.6, 0.3, 0.1.


def texts(data):
    return [[node["text"] for node in column] for column in data["nodes"]]


def edges(data, kind):
    return {(edge["t"], edge["i"], edge["j"]) for edge in data["edges"] if edge["kind"] == kind}


def test_five_days_have_32_paths_and_the_thick_one_is_the_most_probable_of_all():
    words, model = "3 1 3 2 1".split(), ice_cream_diary()
    decoded = decode(model, words)
    best = max(product(range(2), repeat=5), key=decoded.log_probability)
    data = picture("viterbi", "paths")
    assert data["faint"] and edges(data, "best") == {(t, best[t - 1], best[t]) for t in range(1, 5)}
    assert "32 such paths" in said_in(document("viterbi", "paths"))


def test_one_path_s_four_factors_stand_at_its_nodes_and_edge_and_multiply_to_the_product():
    data = picture("viterbi", "product")
    assert data["start"] == ["0.6", ""]
    assert texts(data) == [["0.3", ""], ["", "0.6"]]
    assert [edge["text"] for edge in data["edges"]] == ["0.5"]
    assert data["sum"] == "0.6 × 0.3 × 0.5 × 0.6 = 0.054"
    assert "0.054" in said_in(document("viterbi", "product"))


def test_day_1_alone_speaks_for_hot_and_the_question_does_not_hold_its_answer():
    asked = document("viterbi", "first_day")
    assert texts(asked["picture"]["data"]) == [["0.18", "0.12"], ["?", "?"]]
    assert asked["picture"]["data"]["edges"] == []
    assert "answer" not in asked["ask"] and [each["id"] for each in asked["ask"]["choices"]] == [
        "hot",
        "cold",
    ]
    revealed = document("viterbi", "first_day", True)
    assert revealed["ask"]["answer"] == "cold"
    assert edges(revealed["picture"]["data"], "best") == {(1, 1, 1)}
    assert "0.0576" in said_in(revealed)  # 0.4 x 0.3 x 0.8 x 0.6


def test_the_better_way_into_cold_is_kept_and_the_other_dropped():
    data = picture("viterbi", "keep")
    assert {(e["i"], e["kind"], e["text"]) for e in data["edges"]} == {
        (0, "dropped", "0.054"),
        (1, "kept", "0.0576"),
    }


def test_every_cell_has_one_pointer_and_the_best_path_follows_them_from_the_largest_last_score():
    lattice = decode(ice_cream_diary(), "3 1 3 2 1".split()).viterbi
    data = picture("viterbi", "pointers")
    pointers = edges(data, "way") | edges(data, "best")
    assert pointers == {(t, int(lattice.backpointers[t, j]), j) for t in range(1, 5) for j in range(2)}
    assert data["nodes"][4][1]["kind"] == "best" and lattice.final.argmax() == 1
    assert "18 ways in place of 32 paths" in said_in(document("viterbi", "pointers"))  # 2 + 4 x 4


def test_day_1_by_itself_is_more_probably_hot_though_the_best_pair_is_cold():
    joint = {
        path: decode(ice_cream_diary(), ["2", "1"]).log_probability(path)
        for path in product(range(2), repeat=2)
    }
    hot = sum(math.exp(p) for path, p in joint.items() if path[0] == 0)
    share = hot / sum(math.exp(p) for p in joint.values())
    assert max(joint, key=joint.__getitem__) == (1, 1) and 0.53 < share < 0.54
    told = said_in(document("viterbi", "first_day", True))
    assert "still a little more probably hot (54%)" in told


def test_an_empty_field_leaves_the_turn_undone():
    assert "done" not in document("viterbi", "own", diary_sentence="  ")
    assert "done" in document("viterbi", "own", diary_sentence="3")


def test_the_neighbours_of_light_make_it_an_adjective():
    told = said_in(document("viterbi", "tags"))
    assert "10 words and 12 tags make about 6.2 · 10¹⁰ paths" in told and "1,308 ways" in told  # 12 + 9 x 144
    assert "“light”. The word by itself is more often a NOUN. Its neighbours make it an ADJ." in told
    decoded = decode(load_tagger(), "I saw her duck behind the light green plants .".split())
    at = decoded.emissions.words.index("light")
    assert at == 6  # the mark that the word is tied to
    assert decoded.tags([int(decoded.emissions.log_emission[at].argmax()), decoded.viterbi.path[at]]) == (
        "NOUN",
        "ADJ",
    )


def test_products_of_32_bits_are_0_from_the_day_that_the_story_names():
    words = "3 1 3 2 1".split() * 20
    products = underflow(ice_cream_diary(), words, np.float32)
    exact = decode(ice_cream_diary(), words).viterbi
    told = said_in(document("viterbi", "underflow"))
    assert f"From day {products.underflow + 1} on every score is 0" in told
    wrong = sum(a != b for a, b in zip(products.path, exact.path, strict=True))
    assert f"{wrong} days get other weather than on the best path" in told
    whole = picture("viterbi", "underflow", logarithms=True)["figure"]
    assert len(whole["data"]) == 2 and len(picture("viterbi", "underflow")["figure"]["data"]) == 1


@pytest.mark.parametrize(
    ("diary", "says"),
    [
        ("2 1 1", "Your best path has 41% of the probability"),
        ("3 2", "Another path is just as probable."),  # 0.3 x 0.5 x 0.3 both ways
        ("2 2 3", "Your best path has"),
        ("zwei Kugeln Eis", "start and transition probabilities decide at zwei, Kugeln and Eis"),
        ("1 " * 50, "We read the first 12 days."),
        ("<b>3</b> $x$", "The model knows only 1, 2 and 3"),
    ],
)
def test_a_diary_of_one_s_own_is_decoded_and_what_is_odd_in_it_is_said(diary, says):
    done = document("viterbi", "own", diary_sentence=diary)["done"]
    assert says in unescape(re.sub(r"<[^>]+>", "", done))
    assert "<b>" not in done


def test_the_story_s_beats_open_the_lab_at_what_they_show():
    link = document("viterbi", "underflow")["lab"]
    assert link == "viterbi?lab=true&viterbi_repeat=20&viterbi_multiply=true"
    assert "viterbi_model=tagger" in document("viterbi", "tags")["lab"]


# The lab.


def test_the_lattice_is_sent_the_scores_that_core_computes():
    app = open_lesson("viterbi", diary_sentence="2 1 3")
    scores = decode(ice_cream_diary(), "2 1 3".split()).viterbi.scores
    assert np.allclose(sent(app)["log"]["scores"], scores, rtol=1e-5)


def test_the_table_of_every_number_holds_the_same_scores():
    app = open_lesson("viterbi", model="toy", toy_sentence="they can fish")
    lattice = decode(noun_verb_toy(), "they can fish".split()).viterbi
    assert np.allclose(app.dataframe[0].value["ln score"], lattice.scores.ravel())


@pytest.mark.parametrize(
    "sentence", ["", "   ", "🦜 مرحبا", "9", "![a](http://b.c/d.png) <b>x</b> $y$", "1 " * 5000]
)
def test_any_sentence_is_drawn(sentence):
    app = open_lesson("viterbi", diary_sentence=sentence)
    assert not app.exception
    assert mounted(app)


def test_a_long_sentence_is_shown_in_windows_of_sixty_words():
    app = open_lesson("viterbi", repeat="40")
    assert sent(app)["total"] == 200
    assert len(sent(app)["words"]) == 60


def test_multiplying_in_32_bits_loses_the_path_of_a_long_sentence():
    app = open_lesson("viterbi", model="tagger", repeat="20", multiply="true")
    shown = metrics(app)
    assert shown["with logarithms"] == "100%"
    assert float(shown["with products in 32 bits"].rstrip("%")) < 60


def test_an_unseen_word_is_explained_by_its_ending():
    app = open_lesson("viterbi", model="tagger", tagger_sentence="It glimped quietly .")
    assert any("glimped" in text.value and "ped" in text.value for text in app.text)


def test_predict_first_hides_the_lattice_until_a_guess_is_made():
    app = open_lesson("viterbi", predict="true")
    assert not mounted(app)
    guess(app, "hot")
    assert mounted(app)


BROKEN_ON = [("diary", "3 1 3 2 1"), ("toy", "they watch can fish"), ("tagger", "I saw her duck .")]


@pytest.mark.parametrize(("model", "sentence"), BROKEN_ON)
def test_32_bits_empty_the_lattice_of_a_long_sentence_and_say_so(model, sentence):
    query = {"model": model, f"{model}_sentence": sentence, "repeat": "40"}
    whole, broken = open_lesson("viterbi", **query), open_lesson("viterbi", multiply="true", **query)
    assert not any(all(cell is None for cell in row) for row in sent(whole)["log"]["scores"])
    assert any(all(cell is None for cell in row) for row in sent(broken)["log"]["scores"])
    assert "on every product is 0 in 32 bits" in said(broken)
    assert metrics(broken)["with products in 32 bits"] != "100%"


@pytest.mark.parametrize(("model", "sentence"), BROKEN_ON)
def test_on_a_short_sentence_32_bits_lose_nothing_and_the_page_says_when_they_would(model, sentence):
    query = {"model": model, f"{model}_sentence": sentence}
    app = open_lesson("viterbi", multiply="true", **query)
    whole = open_lesson("viterbi", **query)
    last = [
        np.array(sent(each)["log"]["scores"][-1], dtype=float) for each in (app, whole)
    ]  # None, −inf, is nan
    assert np.allclose(*last, atol=1e-3, equal_nan=True)
    assert "Nothing is lost on" in said(app)
    dead = int(re.search(r"Repeat the sentence: from word (\d+)", said(app))[1])
    n = len(sentence.split())
    longer = open_lesson("viterbi", multiply="true", repeat=str(min(40, dead // n + 1)), **query)
    assert f"From word **{dead}**," in said(longer)


def test_the_tables_of_every_score_can_be_opened_before_any_guess():
    app = open_lesson("viterbi", predict="true", tables="probabilities")
    shown = [text for figure in figures(app)[:2] for text in figure["data"][1]["text"]]
    assert shown == ["0.6", "0.4", "0.5", "0.5", "0.2", "0.8", "0.5", "0.2", "0.3", "0.1", "0.6", "0.3"]
    assert "−0.51" in [
        text for figure in figures(open_lesson("viterbi"))[:2] for text in figure["data"][1]["text"]
    ]


def test_how_often_the_neighbours_overrule_is_counted():
    decoded = decode(ice_cream_diary(), "3 1 3 2 1".split())
    rows = zip(decoded.viterbi.path, decoded.emissions.log_emission.tolist(), strict=True)
    other = sum(emitted[state] < max(emitted) for state, emitted in rows)
    assert other > 0
    sentence = f"For {other} of 5 words its state is not the one that emits the word most readily"
    assert sentence in said(open_lesson("viterbi"))


@pytest.mark.parametrize("words", ["blorf", "blorf blorf wug"])
def test_a_word_that_every_state_emits_equally_overrules_none(words):
    decoded = decode(noun_verb_toy(), words.split())
    assert (np.ptp(decoded.emissions.log_emission, axis=1) == 0).all()
    shown = said(open_lesson("viterbi", model="toy", toy_sentence=words))
    assert "Every word has the state that emits it most readily" in shown


def test_a_sentence_too_short_to_be_repeated_long_enough_is_to_be_typed_longer():
    app = open_lesson("viterbi", diary_sentence="3", multiply="true")
    dead = int(said(app).partition("A sentence of ")[2].split()[0])
    assert dead > 40 and "Nothing is lost on 1 word:" in said(app)
    assert "From word" not in said(open_lesson("viterbi", diary_sentence="3", multiply="true", repeat="40"))
    longer = open_lesson("viterbi", diary_sentence="3 3 3 3", multiply="true", repeat="40")
    assert f"From word **{dead}**," in said(longer)


def test_a_path_has_not_all_of_the_probability_and_not_nothing():
    certain = open_lesson("viterbi", model="tagger", tagger_sentence="the dog .")
    assert "The best path has **more than 99.9%** of the probability of all paths" in said(certain)
    assert "The best path has **less than 0.1%**" in said(open_lesson("viterbi", repeat="40"))
