"""A word's vectors in its sentences are the model's own streams, and nearest uses are judged as by hand."""

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import cosine_similarity

from core.models.pretraining.uses import (
    Use,
    cosines,
    counted_context,
    mean_of_context,
    measure_senses,
    on_one_map,
    place_of,
    read_alone,
    right_by_nearest,
    use_vectors,
    uses_of,
)
from core.models.self_attention.attentive_models import attentive_model
from core.models.word_vectors.word_vectors import WordVectors
from core.text.samples.senses import SENSES
from core.text.tokenization.tokens import words

USES = [Use("light", "In the house there was no light."), Use("light", "The bag was so light that he ran.")]
BOTH = pytest.mark.parametrize("name", ["word_masked", "word_gpt"])


def test_every_sentence_has_its_word_once_after_the_beginning_and_every_word_two_senses_of_five():
    for word, senses in SENSES.items():
        assert [len(texts) for texts in senses.values()] == [5, 5]
        texts = [text for each in senses.values() for text in each]
        assert len(set(texts)) == 10
        for text in texts:
            assert words(text).count(word) == 1 and words(text)[0] != word
            assert place_of(attentive_model("word_masked"), Use(word, text)) is not None


@BOTH
def test_the_last_layer_is_the_stream_that_the_final_norm_reads_and_the_static_vector_the_table_s_row(name):
    model = attentive_model(name)
    vectors = use_vectors(model, USES)
    assert len(vectors) == model.network.config.layers + 2 == 6
    for i, use in enumerate(USES):
        start, stop = place_of(model, use)
        assert stop == start + 1
        read = model.read(use.sentence)
        assert read.tokens[start] == " light"
        with torch.inference_mode():
            logits = model.network(read.ids[None])[0][0, start].numpy()
            last = model.network.final_norm(torch.tensor(vectors[-1, i], dtype=torch.float32))
            own = (model.network.token_embedding.weight @ last).numpy()
        np.testing.assert_allclose(own, logits, atol=1e-3)
        row = model.network.token_embedding.weight[read.ids[start]].numpy()
        np.testing.assert_allclose(vectors[0, i], row, atol=1e-6)


def test_a_word_of_several_tokens_is_their_mean_and_a_sentence_without_it_is_refused():
    model, use = attentive_model("word_masked"), Use("bank", "They were on the bank of the river.")
    start, stop = place_of(model, use)
    assert stop - start > 1
    ids = model.read(use.sentence).ids[start:stop]
    own = model.network.token_embedding.weight[ids].mean(0).numpy()
    np.testing.assert_allclose(use_vectors(model, [use])[0, 0], own, atol=1e-6)
    assert place_of(model, Use("bank", "No such banks here.")) is None
    with pytest.raises(ValueError, match="does not have the word “bank”"):
        use_vectors(model, [Use("bank", "No such banks here.")])


def test_a_causal_model_s_vector_does_not_know_what_follows_and_a_masked_model_s_does():
    endings = [Use("light", f"He saw a light {end}") for end in ("in the house of God.", "thing, and ran.")]
    similarity = {
        name: cosines(use_vectors(attentive_model(name), endings))[-1, 0, 1]
        for name in ("word_gpt", "word_masked")
    }
    assert similarity["word_gpt"] == pytest.approx(1, abs=1e-5)
    assert similarity["word_masked"] < 0.99


def test_cosines_are_scikit_learn_s():
    vectors = np.random.default_rng(1).normal(size=(3, 5, 4))
    for similarity, layer in zip(cosines(vectors), vectors, strict=True):
        np.testing.assert_allclose(similarity, cosine_similarity(layer), atol=1e-12)


def test_the_nearest_use_counts_and_equally_near_ones_share():
    similarity = np.array([[1, 0.9, 0.9, 0.1], [0.9, 1, 0.2, 0.1], [0.9, 0.2, 1, 0.8], [0.1, 0.1, 0.8, 1]])
    assert right_by_nearest(similarity, ["a", "a", "b", "b"]).tolist() == [0.5, 1.0, 0.0, 1.0]


def test_one_map_has_the_last_layer_s_principal_components_for_all_layers():
    vectors = np.random.default_rng(2).normal(size=(3, 6, 5))
    projection, places = on_one_map(vectors)
    units = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    units -= units.mean(axis=1, keepdims=True)
    own = PCA(2, svd_solver="full").fit(units[-1])
    for layer, shown in zip(units, places, strict=True):
        np.testing.assert_allclose(np.abs(shown), np.abs(own.transform(layer)), atol=1e-9)
    np.testing.assert_allclose(projection.variance, own.explained_variance_ratio_)


def test_uses_beyond_the_first_are_put_on_the_map_of_the_first():
    vectors = np.random.default_rng(3).normal(size=(3, 7, 5))
    first, places = on_one_map(vectors[:, :6])[1], on_one_map(vectors, 6)[1]
    np.testing.assert_allclose(places[:, :6], first, atol=1e-12)
    assert places.shape == (3, 7, 2)


def test_context_words_are_counted_or_averaged_without_the_word_itself():
    uses = [Use("bank", "The bank of the river"), Use("bank", "zzz bank")]
    assert counted_context(uses).tolist() == [[2, 1, 1, 0], [0, 0, 0, 1]]
    vectors = WordVectors(["the", "river", "bank"], np.float32([[1, 0], [0, 3], [9, 9]]))
    np.testing.assert_allclose(mean_of_context(uses, vectors), [[2 / 3, 1], [0, 0]])


def test_the_measure_adds_words_up_and_without_a_sentence_only_a_draw_is_left():
    senses = {word: SENSES[word] for word in ("kind", "bear")}
    model = attentive_model("word_masked")
    vectors = WordVectors(["the", "a", "was"], np.float32(np.eye(3)))
    measure, alone = (measure_senses(model, senses, vectors, each) for each in (False, True))
    for place, word in enumerate(senses):
        uses = uses_of(word, senses)
        named = [use.sense for use in uses]
        by_hand = [right_by_nearest(layer, named).sum() for layer in cosines(use_vectors(model, uses))]
        np.testing.assert_allclose(measure.right[:, place], by_hand)
    assert measure.right[-1].sum() > 15 > measure.right[0].sum()
    np.testing.assert_allclose(alone.right, 10 * 4 / 9)
    one, two = (use_vectors(model, uses_of(word, senses)) for word in senses)
    between = [cosine_similarity(a, b).mean() for a, b in zip(one, two, strict=True)]
    np.testing.assert_allclose(measure.between, between, atol=1e-9)
    assert read_alone(USES)[0].sentence == " light"
