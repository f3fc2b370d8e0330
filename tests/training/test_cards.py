"""Every stored model is the one its card describes, and is as good as its card says."""

import re

import pytest

from core.models.stored import MODELS, load_card, sha256_of, stored_models
from core.training.published import PUBLISHED
from core.training.recipe import recipe, recipe_names


def test_every_stored_model_has_a_recipe():
    assert set(stored_models()) <= set(recipe_names())


@pytest.mark.parametrize("model", stored_models())
def test_hashes_in_the_card_are_those_of_the_files(model):
    card = load_card(model)
    assert card.sha256 == sha256_of(MODELS / model / "weights.safetensors")
    for name, digest in card.files.items():
        assert digest == sha256_of(MODELS / model / f"{name}.json")


def test_a_card_names_the_version_that_trained_the_model():
    assert [
        name for name in stored_models() if not re.fullmatch(r"\d+\.\d+\.\d+", load_card(name).version)
    ] == []


@pytest.mark.parametrize("model", stored_models())
def test_weights_are_at_most_8_megabytes(model):
    assert (MODELS / model / "weights.safetensors").stat().st_size <= 8 * 2**20


def test_a_card_says_what_published_models_of_its_kind_reach_and_where_that_stands():
    assert {name: load_card(name).published for name in stored_models()} == PUBLISHED
    assert all(re.search(r"\((?:\D+, )?(19|20)\d\d\)$", text) for text in PUBLISHED.values())


# These take longest; what they are measured by is tested with each model, and the first two share it with others.
LONG = {"word_gpt", "transformer_dutch", "bidirectional_lm", "sentence_pairs", "vit_shapes"}


@pytest.mark.parametrize(
    "model", [pytest.param(each, marks=pytest.mark.long if each in LONG else ()) for each in stored_models()]
)
def test_the_recorded_quality_is_what_the_stored_weights_measure(model):
    card = load_card(model)
    assert card.quality
    assert recipe(model).measure() == pytest.approx(card.quality, abs=2e-3)
