"""Counts of parameters agree with the networks that are stored, and with the formula of the feed-forward model."""

import pytest

from core.models.parameter_counts import counts_by_window, parameter_count, saved_by_tying
from core.models.stored import load_json
from core.models.stored_language_models import character_models, stored_language_model

CARDS = [card for card in character_models() if "shape" in load_json(card.model, "network")]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.model)
def test_the_count_is_that_of_the_stored_model(card):
    described = load_json(card.model, "network")
    counted = parameter_count(described["network"], described["shape"])
    assert counted == card.quality["parameters"] == stored_language_model(card.model).parameters


@pytest.mark.parametrize("layers", [1, 2, 4])
def test_the_feed_forward_model_grows_as_its_formula_says(layers):
    V, C, M = 10, 2, 3
    shape = {"vocabulary_size": V, "embedding": C, "hidden": M, "layers": layers}
    deeper = (layers - 1) * (M * M + M)
    expected = [n * C * (M + V) + (V + 1) * C + M + deeper + M * V + V for n in (1, 5, 9)]
    assert counts_by_window("feed-forward", shape, [1, 5, 9]) == expected


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
