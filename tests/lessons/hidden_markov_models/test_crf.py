"""CRF: the story's numbers from sums over all paths and the card, its conclusions, and the lab."""

from itertools import pairwise, product
from math import exp, log

import numpy as np
import pytest

from core.models.hidden_markov_models.crf_tagger import CRF, DROPPED, MEMM, NAME, VARIANTS, shared_crf
from core.models.hidden_markov_models.tagger import load_tagger
from core.models.stored import load_card, load_json
from pages.hidden_markov_models.crf.page import (
    BACK,
    GLIMPED,
    MACHINE,
    NEW,
    SMALL,
    choose_word,
    count_misread,
    read_machine,
    read_sentence,
    small_fit,
    small_rows,
    tag_both,
)
from tests.lessons.lesson_page import document, metrics, open_lesson, picture, said, said_in, sent

LESSON = "crf"
QUALITY = load_card(NAME).quality
GERMAN = (
    "Der Hund schläft. Die Katze sieht den Vogel. Wir lesen heute viele Bücher.",
    "Straße",
    "Ärger, Öl!",
)


def read(text):
    """Return a number that a picture shows."""
    return float(text.replace("−", "-").replace("%", "").replace("less than ", "").replace("<", ""))


def small_scores():
    """Return the score of every path of the small sentence, from the weights by hand."""
    crf, words = small_fit().crf, SMALL.split()
    scores = {}
    for path in product(range(5), repeat=len(words)):
        total = sum(crf.transition[i, j] for i, j in pairwise(path))
        for word, tag in zip(words, path, strict=True):
            names = [f"word={word}"] + [f"suffix={word[-k:]}" for k in (1, 2, 3, 4) if k < len(word)]
            total += sum(crf.weights[crf.features.index(name), tag] for name in names if name in crf.features)
        scores[path] = total
    return scores


def test_the_first_sentence_is_one_that_the_hmm_gets_wrong_and_its_word_alone_prefers_the_wrong_tag():
    cards = {card["word"]: card for card in picture(LESSON, "work")["cards"]}
    assert cards["back"]["tag"] == "VERB" and cards["back"]["struck"]["tag"] == "ADV"
    assert [card["word"] for card in cards.values() if card["struck"]] == ["back"]
    crf = shared_crf()
    weights = crf.weights[crf.index["word=back"]]
    assert weights[crf.states.index("ADV")] > weights[crf.states.index("VERB")]
    rows = [row["name"] for row in picture(LESSON, "work")["panels"][0]["rows"]]
    assert {"neighbouring tags", "previous word to", "next word the"} <= set(rows)


def test_bars_of_a_word_add_up_to_its_score_and_the_word_was_never_seen():
    crf, tagger = shared_crf(), load_tagger()
    words = NEW.replace(".", " .").split()
    assert words[GLIMPED] == "glimped" and "glimped" not in tagger.index and "word=glimped" not in crf.index
    for panel in picture(LESSON, "sum")["panels"]:
        tag = panel["title"].split()[-1]
        *bars, total = [read(row["text"]) for row in panel["rows"]]
        assert sum(bars) == pytest.approx(total, abs=0.03)
        assert total == pytest.approx(crf.scores(words)[GLIMPED, crf.states.index(tag)], abs=0.006)
    told = said_in(document(LESSON, "sum"))
    assert "4 of them are suffixes inside each other" in told
    ed, d = (crf.weights[crf.index[f"suffix={each}"]] for each in ("ed", "d"))
    verb, adj = crf.states.index("VERB"), crf.states.index("ADJ")
    assert ed[verb] - ed[adj] > 2 and abs(d[verb] - d[adj]) < 1  # what the lecturer's note says


def test_the_lattice_and_the_partition_function_are_those_of_all_paths():
    scores = small_scores()
    best = max(scores, key=scores.get)
    log_z = log(sum(map(exp, scores.values())))
    data = picture(LESSON, "lattice")
    assert tuple(next(j for j in range(5) if node[j]["kind"] == "best") for node in data["nodes"]) == best
    for t in range(3):
        for j in range(5):
            expected = score_until(t, j)
            assert read(data["nodes"][t][j]["text"]) == pytest.approx(expected, abs=0.051)
    told = said_in(document(LESSON, "partition"))
    assert f"{log_z:.2f}" in told and f"{scores[best]:.2f}" in told and "all 125 paths" in told
    assert f"{exp(scores[best] - log_z):.0%}" in told
    rows = picture(LESSON, "partition")["panels"][0]["rows"]
    expected = sorted((exp(score - log_z) for score in scores.values()), reverse=True)
    assert [row["share"] for row in rows[:-1]] == pytest.approx(expected[:5], abs=1e-6)
    assert rows[-1]["share"] == pytest.approx(sum(expected[5:]), abs=1e-6)


def score_until(t, j):
    """Return the best score of the small sentence's first words whose last tag is j."""
    crf, words = small_fit().crf, SMALL.split()
    scores = crf.scores(words)
    every = [
        sum(scores[place, tag] for place, tag in enumerate(path))
        + sum(crf.transition[a, b] for a, b in pairwise(path))
        for path in ((*before, j) for before in product(range(5), repeat=t))
    ]
    return max(every)


def test_the_last_word_prefers_a_noun_and_the_step_makes_it_a_verb():
    crf = small_fit().crf
    noun, verb = crf.states.index("NOUN"), crf.states.index("VERB")
    scores = crf.scores(SMALL.split())[2]
    assert scores.argmax() == noun
    assert crf.transition[noun, verb] - crf.transition[noun, noun] > scores[noun] - scores[verb] > 0
    from pages.hidden_markov_models.hmm_counting import TEXT

    assert "walk/NOUN" in TEXT and "walk/VERB" not in TEXT
    assert "trained on the 8 sentences" in said_in(document(LESSON, "lattice"))


def test_training_brings_the_expected_counts_to_the_observed_ones_up_to_the_penalty():
    def counts(iterations):
        panels = picture(LESSON, "gradient", iterations=str(iterations))["panels"]
        return [[read(row["text"]) for row in panel["rows"]] for panel in panels]

    observed, first = counts(0)
    assert observed == [7, 1, 7, 3, 6]
    assert first[0] == pytest.approx(8 / 5, abs=0.05)  # eight words in -s, five tags
    last = counts(14)[1]
    assert np.abs(np.subtract(last, observed)).sum() < 0.2 * np.abs(np.subtract(first, observed)).sum()
    crf = small_fit().crf
    gap = observed[0] - last[0]
    assert gap == pytest.approx(crf.weights[crf.index["suffix=s"], crf.states.index("VERB")], abs=0.06)
    assert "the L2 penalty" in said_in(document(LESSON, "gradient", iterations="14"))
    assert "L2 penalty" not in said_in(document(LESSON, "gradient", iterations="1"))
    assert len(small_rows().order) == 8


def test_label_bias_gives_each_word_its_share_of_the_training_words_and_costs_two_of_five():
    for letters in ("rib", "rob"):
        found = read_machine(letters, True)
        assert [state[0] for state in found.tags] == list("rib")
        assert found.share == pytest.approx(3 / 5, abs=0.01)
        free = read_machine(letters, False)
        assert "".join(state[0] for state in free.tags) == letters and free.share > 0.9
    assert (count_misread(True), count_misread(False)) == (2, 0)
    asked = document(LESSON, "bias", True)
    assert asked["ask"]["answer"] == "rib"
    told = said_in(asked)
    assert "with 60%" in told and "misreads 2 of its 5" in told and "CRF misreads 0" in told
    assert not picture(LESSON, "bias")["paths"] and len(picture(LESSON, "bias", True)["paths"]) == 2
    assert {edge["text"] for edge in picture(LESSON, "bias", True)["edges"]} == {"1"}
    assert {edge["text"] for edge in picture(LESSON, "bias")["edges"]} == {""}
    assert len(MACHINE) == 5


def test_what_is_said_of_held_out_words_stands_in_the_card():
    for other in ("hmm", MEMM):
        for of in ("words", "unseen_words"):
            assert QUALITY[f"crf_minus_{other}_on_{of}_low"] > 0, (
                "The CRF is better than both, also on unseen words."
            )
    told = said_in(document(LESSON, "measured"))
    for model in ("hmm", CRF, MEMM):
        assert f"{1 - QUALITY[f'{model}_on_words']:.1%}" in told
    assert QUALITY["hmm_on_words"] == pytest.approx(load_card("tagger").quality["accuracy_on_words"])
    assert QUALITY["hmm_on_unseen_words"] == pytest.approx(
        load_card("tagger").quality["accuracy_on_unseen_words"]
    )
    assert load_card(NAME).corpus["training_sha256"] == load_card("tagger").corpus["training_sha256"]
    assert 0 < QUALITY["crf_minus_memm_on_words"] < 0.2 * QUALITY["crf_minus_hmm_on_words"], (
        "It costs little."
    )


def test_without_suffixes_unseen_words_fall_and_the_answer_is_not_there_before_the_guess():
    before, after = document(LESSON, "suffix"), document(LESSON, "suffix", True)
    wrong = 1 - QUALITY["no_suffix_on_unseen_words"]
    assert after["ask"]["answer"] == "about_25" and wrong == pytest.approx(0.25, abs=0.05)
    assert f"{wrong:.1%}" in said_in(after) and f"{wrong:.1%}" not in str(before)
    assert QUALITY["crf_minus_no_suffix_on_unseen_words_low"] > 0.05
    assert len(picture(LESSON, "suffix")["panels"][0]["rows"]) == 2


def test_neighbouring_words_and_suffixes_matter_about_equally():
    gain = QUALITY["no_neighbours_on_words"] - QUALITY["hmm_on_words"]
    assert QUALITY["crf_minus_no_neighbours_on_words"] > 0.5 * QUALITY["crf_minus_hmm_on_words"] > gain
    drops = [QUALITY[f"crf_minus_{each}_on_words"] for each in ("no_neighbours", "no_suffix")]
    assert abs(drops[0] - drops[1]) < 0.2 * max(drops), "Suffixes matter as much."
    told = said_in(document(LESSON, "answer"))
    assert f"without them it gets {1 - QUALITY['no_suffix_on_words']:.1%} wrong" in told
    assert (
        f"{1 - QUALITY['no_neighbours_on_words']:.1%}" in told
        and f"{1 - QUALITY['crf_on_words']:.1%}" in told
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_model_has_no_weight_for_what_it_was_trained_without(variant):
    crf = shared_crf(variant)
    kinds = DROPPED.get(variant, ())
    dropped = np.array([feature.split("=")[0] in kinds for feature in crf.features])
    assert not crf.weights[dropped].any() and crf.weights[~dropped].any(axis=1).mean() > 0.9
    losses = load_json(NAME, "losses")[variant]
    assert losses[-1] < 0.1 * losses[0] and losses[-11] - losses[-1] < 0.05 * losses[-1]


def test_the_fold_says_how_much_the_loss_still_fell_in_the_last_ten_iterations():
    told, losses = document(LESSON, "measured")["measured"], load_json(NAME, "losses")
    for model in (CRF, "no_suffix"):
        assert f"{1 - losses[model][-1] / losses[model][-11]:.0%}" in told
    assert f"{len(losses[CRF]) - 1} iterations" in told


@pytest.mark.parametrize(
    "typed, told",
    [
        ("The old dog was here.", "give 6 words the same tags"),
        ("The dog sleeps.", "differ on 1 word"),
        ("He books the flight.", "differ on 1 word"),
        ("Stop", "1 word"),
        ("😀", "1 word"),
        *((text, "feature") for text in GERMAN),
    ],
)
def test_a_sentence_of_ones_own(typed, told):
    shown = document(LESSON, "own", mine=typed)
    assert told in shown["done"] and shown["picture"]["data"]["cards"]


def test_an_empty_field_shows_the_example():
    assert picture(LESSON, "own", mine="   ") == picture(LESSON, "own")


def test_the_framed_word_is_one_on_which_the_taggers_differ():
    found, others = tag_both(read_sentence(BACK))
    t = choose_word(shared_crf(), found, others)
    assert found.words[t] == "back" and found.tags[t] != others[t]
    assert read_sentence("", BACK) == read_sentence(BACK)


def test_the_lab_shows_both_taggers_and_what_decides_the_chosen_word():
    app = open_lesson(LESSON, sentence=BACK, below="numbers")
    assert not app.exception
    (line,) = sent(app, "tagged_text")["sentences"]
    assert [word["differs"] for word in line if word["word"] == "back"] == ["ADV"]
    assert "The HMM differs on **1 word**" in said(app) and "For back, VERB leads ADV" in said(app)


def test_the_lab_s_break_it_measures_what_the_suffixes_are_worth():
    app = open_lesson(LESSON, variant="no_suffix")
    assert not app.exception
    shown = metrics(app)
    assert shown["CRF"] == f"{QUALITY['crf_on_unseen_words']:.1%}"
    assert shown["chosen model"] == f"{QUALITY['no_suffix_on_unseen_words']:.1%}"


def test_without_suffixes_an_unseen_adjective_becomes_a_noun_as_the_prompt_promises():
    tags = {variant: dict(zip(*both(variant), strict=True)) for variant in (CRF, "no_suffix")}
    assert tags[CRF]["blorfy"] == "ADJ" and tags["no_suffix"]["blorfy"] != "ADJ"


def both(variant):
    """Return the words of the sentence of unseen words, and their tags."""
    found = tag_both(read_sentence(NEW), variant)[0]
    return found.words, found.tags


def test_the_lab_trains_on_tagged_sentences_and_refuses_what_is_not_tagged():
    app = open_lesson(
        LESSON, sentence=SMALL, train="true", tagged="old/ADJ dogs/NOUN walk/VERB | a/DET walk/NOUN"
    )
    assert not app.exception
    assert "old/ADJ dogs/NOUN walk/VERB" in said(app) and "2 sentences" in said(app)
    app = open_lesson(LESSON, train="true", tagged="no tags at all")
    assert not app.exception and "is not a word with its tag" in said(app)


def test_the_lab_s_machine_misreads_two_of_five_words_where_each_step_is_normalized_alone():
    app = open_lesson(LESSON, bias="true", stepwise="true")
    assert not app.exception
    assert metrics(app)["one sum for the word"] == "5" and metrics(app)["each step alone"] == "3"
    assert "spells **rib**" in said(app)
