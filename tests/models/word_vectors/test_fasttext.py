"""n-grams and hashes are gensim's, the step is torch's gradient, and a word is what its parts add up to."""

import gensim.models
import numpy as np
import pytest
import torch
from gensim.models.fasttext_inner import compute_ngrams, ft_hash_bytes
from hypothesis import given
from hypothesis import strategies as st

from core.models.word_vectors.fasttext import (
    FastText,
    Subwords,
    bucket,
    character_ngrams,
    fnv_hash,
    means,
    ngram_contributions,
)
from core.models.word_vectors.fit_subwords import fit_subwords, stored_subwords, without_ngrams
from core.models.word_vectors.projection import nearest
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.window_blocks import rows
from core.models.word_vectors.word_vectors import WordVectors
from core.text.samples.microworld import microworld
from core.text.tokenization.tokens import words

WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
WORLD = [["the", "kitten", "sleeps"], ["a", "horse", "runs"], ["the", "horse", "sleeps"]] * 20


@given(WORDS, st.integers(2, 4), st.integers(4, 6))
def test_the_ngrams_are_gensim_s(word, least, most):
    assert character_ngrams(word, least, most) == list(compute_ngrams(word, least, most))


@given(WORDS)
def test_the_hash_is_gensim_s(gram):
    assert fnv_hash(gram) == ft_hash_bytes(gram.encode("utf-8"))
    assert bucket(gram, 1000) == ft_hash_bytes(gram.encode("utf-8")) % 1000


def test_a_known_hash_by_hand():
    """FNV-1a of "a": (2166136261 xor 97) * 16777619 modulo 2 to the 32."""
    assert fnv_hash("a") == (2166136261 ^ 97) * 16777619 % 2**32 == 0xE40C292C


@given(st.lists(WORDS, min_size=1, max_size=6, unique=True), st.integers(1, 50))
def test_a_word_s_rows_are_its_own_and_its_ngrams_buckets(some, buckets):
    found = Subwords.of(some, 3, 6, buckets)
    order = np.arange(len(some))[::-1]
    chosen, counts = found.chosen(order)
    expected = [
        [w, *(len(some) + bucket(gram, buckets) for gram in character_ngrams(some[w]))] for w in order
    ]
    assert chosen.tolist() == [row for each in expected for row in each]
    assert counts.tolist() == [len(each) for each in expected]


def test_means_are_numpy_s():
    z = torch.randn(9, 4)
    found = means(z, torch.tensor([1, 5, 5, 8, 0]), torch.tensor([3, 2]))
    np.testing.assert_allclose(found[0], z[[1, 5, 5]].mean(dim=0), rtol=1e-6)
    np.testing.assert_allclose(found[1], z[[8, 0]].mean(dim=0), rtol=1e-6)


class Noted(FastText):
    """A model that keeps its first block with the matrices before and after it."""

    def update(self, block, input_, output, learning_rate):
        if not hasattr(self, "noted"):
            before = input_.clone(), output.clone() + torch.randn(output.shape) * 0.3
            output.copy_(before[1])
            super().update(block, input_, output, learning_rate)
            self.noted = block, before, (input_.clone(), output.clone()), learning_rate


def test_one_step_is_minus_the_gradient_that_torch_finds():
    """Each z_g moves by |G_w| times its own gradient, for each word that holds it: what the mean divides by, returns."""
    torch.manual_seed(0)
    model = Noted(6, 2, 3, 1, 0.01, subsampling=0, buckets=40).fit(WORLD)
    block, (z, u), (new_z, new_u), rate = model.noted
    z, u = z.double().requires_grad_(), u.double().requires_grad_()
    V = len(model.vocabulary_)
    each, counts = model.subwords_.chosen(np.arange(V))
    of_word = torch.repeat_interleave(torch.arange(V), counts)
    # The sum of a word's parts, each with a gradient scaled by nothing: |G_w| times that of the mean.
    sums = torch.zeros(V, 6, dtype=torch.double).index_add(0, of_word, z[each])
    vectors = sums / counts[:, None]
    vectors.retain_grad()
    found = model.combinations(block, model.noted[1][0])
    h, labels, weights = vectors[block.centres.clone()], found.labels.double(), found.weights.double()
    loss = mean_loss_sum(h, rows(u, found.words.clone()), labels, weights)
    loss.backward()
    expected_z = torch.zeros_like(z).index_add(0, each, vectors.grad[of_word])
    np.testing.assert_allclose(new_z.double() - z.detach(), -rate * expected_z, atol=1e-5)
    np.testing.assert_allclose(new_u.double() - u.detach(), -rate * u.grad, atol=1e-5)
    own = z.grad[:V]  # no other word holds the row of a word itself
    np.testing.assert_allclose((new_z.double() - z.detach())[:V], -rate * own * counts[:, None], atol=1e-5)
    assert float(expected_z.abs().max()) > 0.01


def mean_loss_sum(h, u, labels, weights):
    signed = torch.bmm(h, u.transpose(1, 2)) * (2 * labels - 1)
    return -(weights * torch.nn.functional.logsigmoid(signed)).sum()


def test_without_buckets_the_vectors_are_those_of_one_row_a_word():
    model = FastText(6, 2, 3, 2, subsampling=0, buckets=0).fit(WORLD)
    assert model.input_.shape == (len(model.vocabulary_), 6)
    np.testing.assert_array_equal(model.vectors_.vectors, model.input_)
    assert model.parts("kitten")[0] == ["kitten"]
    with pytest.raises(ValueError, match="no vector"):
        model.vector("kittens")


def test_without_buckets_training_is_skip_gram_s():
    fast, plain = (
        kind(6, 2, 3, 2, subsampling=0, **more) for kind, more in ((FastText, {"buckets": 0}), (SkipGram, {}))
    )
    start = plain.fit(WORLD, lambda progress: False).input_.copy()
    fast.initial = lambda: (0, start.copy(), np.zeros_like(start))
    plain = SkipGram(6, 2, 3, 2, subsampling=0).fit(WORLD)
    np.testing.assert_allclose(fast.fit(WORLD).input_, plain.input_, atol=1e-5)


@pytest.mark.parametrize("word", ["kitten", "kittens", "hors", "🦜"])
def test_a_vector_is_the_mean_of_its_parts_and_their_shares_add_up_to_the_cosine(word):
    model = FastText(6, 2, 3, 5, subsampling=0, buckets=200).fit(WORLD)
    names, z = model.parts(word)
    assert names == [word] * (word in model.vocabulary_) + character_ngrams(word)
    np.testing.assert_allclose(model.vector(word), z.mean(axis=0))
    v, other = model.vector(word), model.vector("horse")
    cosine = v @ other / np.linalg.norm(v) / np.linalg.norm(other)
    assert ngram_contributions(model, word, "horse").sum() == pytest.approx(cosine)
    if word in model.vocabulary_:
        np.testing.assert_allclose(model.vectors_[word], v, atol=1e-5)


def test_the_nearest_of_an_unseen_word_may_be_any_and_of_a_seen_word_is_another():
    model = FastText(6, 2, 3, 5, subsampling=0, buckets=200).fit(WORLD)
    assert "kitten" not in [each.word for each in model.near("kitten", 9)]
    assert len(model.near("kittens", 3)) == 3


def test_training_goes_on_where_it_stopped():
    whole = FastText(6, 2, 3, 2, subsampling=0, buckets=40).fit(WORLD)
    states = []

    def report(progress):
        if progress.step == progress.steps // 2:
            states.append((1, half.input_.copy(), half.output_.copy()))

    half = FastText(6, 2, 3, 2, subsampling=0, buckets=40)
    half.fit(WORLD, report)
    again = FastText(6, 2, 3, 2, subsampling=0, buckets=40).fit(WORLD, resume=states[-1])
    np.testing.assert_array_equal(whole.input_, again.input_)


def test_the_call_that_makes_the_model_is_its_name():
    model = FastText(20, 3, least=2, most=4, buckets=100)
    assert repr(model).startswith(
        "FastText(dimension=20, window=3, negatives=5, epochs=5, learning_rate=0.025,"
    )
    assert repr(model).endswith("min_count=1, seed=1, least=2, most=4, buckets=100)")
    assert vars(without_ngrams(model)).items() <= vars(model).items()


def test_both_are_fitted_to_the_same_words_and_a_stop_ends_both():
    found = fit_subwords(lambda progress: None, WORLD, FastText(6, 2, 3, 2, buckets=40))
    assert found.vectors.words == found.skipgram.words
    stopped = fit_subwords(lambda progress: False, WORLD, FastText(6, 2, 3, 200, buckets=40))
    assert stopped.fasttext.epochs_ == 0


@pytest.fixture(scope="module")
def world():
    return [words(sentence) for sentence in microworld(3000, seed=1)]


def gensims(tokens, seed):
    trained = gensim.models.FastText(
        tokens, sg=1, workers=1, seed=seed, vector_size=32, window=4, epochs=8, min_count=1, bucket=5000
    ).wv
    return WordVectors(trained.index_to_key, trained.vectors)


def overlap(one, other):
    first, second = (nearest(vectors.subset(one.words).units, 10).rows for vectors in (one, other))
    return (first[:, :, None] == second[:, None, :]).any(axis=2).mean()


def test_neighbours_agree_with_gensim_s_as_its_own_of_another_seed(world):
    theirs, again = gensims(world, 1), gensims(world, 2)
    ours = FastText(32, 4, 5, 8, buckets=5000).fit(world).vectors_
    assert overlap(theirs, ours) >= overlap(theirs, again) - 0.1


def test_the_stored_vectors_hold_every_word_of_the_micro_world():
    both = stored_subwords("subwords")
    assert both.vectors.words == both.skipgram.words and len(both.vectors) == 369
    assert both.fasttext.input_.shape == (369 + both.fasttext.buckets, 32)
