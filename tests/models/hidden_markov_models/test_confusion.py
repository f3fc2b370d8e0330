"""Reading a confusion matrix, and what each piece of the stored tagger is worth."""

import numpy as np
import pytest

from core.models.hidden_markov_models.confusion import commonest_mistake, share_right
from core.models.hidden_markov_models.tagger import (
    load_counts,
    load_tagger,
    most_frequent_tags,
    tag_sentences,
    without_endings,
)
from core.models.stored import load_card, load_json


def test_the_stored_matrix_has_the_card_s_accuracy_on_its_diagonal():
    confusion = np.array(load_json("tagger", "confusion"))
    assert share_right(confusion) == pytest.approx(load_card("tagger").quality["accuracy"])


def test_the_commonest_mistake_is_never_the_right_tag():
    confusion, states = np.array(load_json("tagger", "confusion")), load_json("tagger", "states")
    assert commonest_mistake(confusion, states, "ADJ") == "ADV"
    assert all(commonest_mistake(confusion, states, tag) != tag for tag in states)


def test_neighbours_and_endings_are_each_worth_something_and_less_than_both():
    quality = load_card("tagger").quality
    whole, neither = quality["accuracy"], quality["accuracy_of_most_frequent_tag"]
    for one in ("accuracy_without_neighbours", "accuracy_without_endings"):
        assert neither < quality[one] < whole
        assert quality[f"{one}_on_unseen_words"] < quality["accuracy_on_unseen_words"]


def test_each_piece_is_taken_out_alone():
    model, counts = load_tagger(), load_counts()
    words = ["I saw her duck .".split(), "The wugs glimped .".split()]
    by_ending = most_frequent_tags(model, counts, words, endings=True)
    assert by_ending[0][2] == "DET"  # no neighbours: her, most often a determiner
    assert by_ending[1][2] == "VERB"  # but the ending is read
    assert most_frequent_tags(model, counts, words)[1][2] == "NOUN"
    assert tag_sentences(without_endings(model), words)[0] == tag_sentences(model, words)[0]
