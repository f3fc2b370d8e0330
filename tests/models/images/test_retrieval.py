"""Ranks and recall are scikit-learn's; twins have the same words; who is told apart by rounding alone is not."""

import numpy as np
import pytest
import torch
from sklearn.metrics import top_k_accuracy_score

from core.models.images.one_space import stored_space
from core.models.images.retrieval import (
    TWINS,
    picture_vectors,
    products_of,
    rank_scenes,
    ranks,
    recall,
    told_apart,
    twin_cosines,
    twins,
    varied_sentences,
)
from core.pictures.scenes_in_words import gallery, strip_articles


@pytest.mark.parametrize("k", [1, 2, 5])
def test_recall_is_scikit_learn_s_top_k_accuracy(k):
    products = torch.randn(40, 40, generator=torch.Generator().manual_seed(k))
    expected = top_k_accuracy_score(np.arange(40), products.numpy(), k=k, normalize=False)
    assert recall(products, k) == expected


def test_equal_numbers_find_nothing():
    assert ranks(torch.zeros(3, 3)).tolist() == [3, 3, 3]


def test_scenes_stand_in_the_order_of_their_cosines_with_the_sentence():
    model, scenes = stored_space(), gallery(12, 0)
    u = picture_vectors(model, scenes)
    ranking = rank_scenes(model, "a red circle above a blue ring", u)
    cosines = (u @ model.sentences(["a red circle above a blue ring"])[0]).numpy()
    np.testing.assert_allclose(ranking.products, cosines, atol=1e-6)
    assert (np.diff(ranking.products[ranking.order]) <= 0).all()
    assert [ranking.rank(i) for i in ranking.order] == list(range(1, 13))
    table = products_of(model, scenes)
    np.testing.assert_allclose(table, u @ model.sentences(varied_sentences(scenes)).T, atol=1e-6)


def singular(word):
    return word.removesuffix("s").removesuffix("e")


@pytest.mark.parametrize("change", TWINS)
def test_twins_differ_in_the_order_of_their_words_alone_and_a_bag_of_words_tells_none_apart(change):
    pairs = twins(gallery(40, 0), TWINS[change])
    assert len(pairs) > 10
    for pair in pairs:
        one, other = pair.sentences
        assert pair.scenes[0].scene.caption != pair.scenes[1].scene.caption
        assert not pair.scenes[1].scene.unseen
        assert sorted(map(singular, strip_articles(one).split())) == sorted(
            map(singular, strip_articles(other).split())
        )
    same = [pair for pair in pairs if sorted(pair.sentences[0].split()) == sorted(pair.sentences[1].split())]
    blind = twin_cosines(stored_space(), same, positions=False)
    assert len(same) > 5 and not told_apart(blind).any()


def test_two_sentences_are_told_apart_when_each_is_nearer_to_its_own_picture():
    right, one_wrong = [[0.9, 0.2], [0.8, 0.3]], [[0.9, 0.2], [0.8, 0.1]]
    rounding = [[0.5, 0.5], [0.5 - 1e-6, 0.5 + 1e-6]]
    assert told_apart(torch.tensor([right, one_wrong, rounding])).tolist() == [True, False, False]
