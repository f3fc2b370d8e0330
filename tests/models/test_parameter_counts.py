"""Counts of parameters agree with the networks that are stored, and with the formula of the feed-forward model."""

import pytest

from core.models.feedforward_language_model import FeedForwardConfig, growth_with_window
from core.models.parameter_counts import counts_by_window, parameter_count, runs_by_window, saved_by_tying
from core.models.stored import load_json
from core.models.stored_language_models import character_models, stored_language_model

CARDS = character_models()


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.model)
def test_the_count_is_that_of_the_stored_model(card):
    described = load_json(card.model, "network")
    if described["network"] == "n-gram":
        counted = runs_by_window(stored_language_model(card.model).model)[-1]
    else:
        counted = parameter_count(described["network"], described["shape"])
    assert counted == card.quality["parameters"] == stored_language_model(card.model).parameters


def test_the_feed_forward_model_grows_as_its_formula_says():
    shape = {"vocabulary_size": 10, "embedding": 2, "hidden": 3}
    config = FeedForwardConfig(**shape)
    assert counts_by_window("feed-forward", shape, [1, 5, 9]) == growth_with_window(config, [1, 5, 9])


def test_a_recurrent_network_does_not_grow_and_a_gpt_by_one_embedding_a_place():
    recurrent = {"vocabulary_size": 10, "cell": "gru", "width": 4}
    assert len(set(counts_by_window("recurrent", recurrent, [1, 8, 64]))) == 1
    gpt = {"vocabulary_size": 10, "layers": 2, "heads": 2, "width": 8}
    one, nine = counts_by_window("gpt", gpt, [1, 9])
    assert nine - one == 8 * 8


def test_tying_saves_one_matrix_of_the_size_of_the_embedding():
    network = stored_language_model("char_gru").network
    shape = load_json("char_gru", "network")["shape"]
    assert saved_by_tying("recurrent", shape) == network.embedding.weight.numel()
    assert saved_by_tying("feed-forward", load_json("char_feedforward", "network")["shape"]) == 0
