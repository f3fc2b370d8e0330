"""Skip-gram and CBOW: the fast training computes the simple step, and learns what the text holds."""

import pickle

import numpy as np
import pytest
import torch

from core.models.training_error import TrainingError
from core.models.word_vectors.cbow import Cbow
from core.models.word_vectors.fit_word_vectors import fit_word_vectors
from core.models.word_vectors.negative_sampling import training_step
from core.models.word_vectors.skipgram import SkipGram
from core.models.word_vectors.vector_tests import analogies
from core.models.word_vectors.window_blocks import EncodedText, blocks
from core.models.word_vectors.word2vec import State, encoded
from core.text.samples.microworld import ANALOGIES, microworld
from core.text.tokenization.tokens import words

MODELS = pytest.mark.parametrize("model", [SkipGram, Cbow])
SENTENCES = [words(sentence) for sentence in microworld(300, seed=1)]


@pytest.fixture(scope="module")
def world():
    return [words(sentence) for sentence in microworld(7500, seed=1)]


def simple_update(model, block, V, U, learning_rate):
    """Train a block pair by pair with `training_step`, every gradient taken from the vectors before the block."""
    new_V, new_U = V.copy(), U.copy()
    for chunk, row in np.ndindex(*block.centres.shape):
        centre, noise = block.centres[chunk, row].item(), block.negatives[chunk].numpy()
        near = block.around[chunk][block.sees[chunk, row] > 0].tolist()
        if isinstance(model, SkipGram):
            tasks = [([centre], context) for context in near]
        else:
            tasks = [(near, centre)] if near else []
        for given, found in tasks:
            step = training_step(V[given], U[found], U[noise], learning_rate)
            np.add.at(new_V, given, step.new_centre - step.centre)
            new_U[found] += step.new_context - step.context
            np.add.at(new_U, noise, step.new_negatives - step.negatives)
    return new_V, new_U


@MODELS
@pytest.mark.parametrize("window", [1, 4])
def test_the_fast_update_is_the_sum_of_simple_steps(model, window):
    generator = np.random.default_rng(4)
    text = EncodedText(generator.integers(0, 15, 70), np.array([9, 1, 20, 2, 38]))  # words occur many times
    block = next(blocks(text, window, 1, 32, np.arange(15), generator))
    negatives = block.negatives.shape[1]  # as many as each pair has: every weight is 1
    V, U = generator.normal(size=(2, 15, 6))
    expected = simple_update(model(), block, V, U, 0.01)
    fast = torch.tensor(V).float(), torch.tensor(U).float()
    model(negatives=negatives, window=window).update(block, *fast, 0.01)
    assert np.allclose(fast[0], expected[0], atol=1e-4)
    assert np.allclose(fast[1], expected[1], atol=1e-4)


@MODELS
def test_shared_negatives_count_as_many_as_each_pair_is_to_have(model):
    text = EncodedText(np.arange(20), np.array([20]))
    block = next(blocks(text, 3, 1, 32, np.arange(20), np.random.default_rng(1)))
    _, _, labels, weights = model(negatives=7, window=3).combinations(block, torch.zeros(20, 2))
    assert float((weights * (1 - labels)).sum() / (weights * labels).sum()) == pytest.approx(7)


@MODELS
def test_the_update_follows_the_gradient_that_torch_takes_of_the_loss(model):
    generator = np.random.default_rng(5)
    text = EncodedText(generator.integers(0, 40, 90), np.array([90]))
    block = next(blocks(text, 3, 1, 32, np.arange(40), generator))
    estimator = model(negatives=5, window=3)
    V, U = (torch.tensor(array).float() for array in generator.normal(size=(2, 40, 6)))
    v, u = V.clone().requires_grad_(), U.clone().requires_grad_()
    h, ids, labels, weights = estimator.combinations(block, v)
    signed = (h @ u[ids].transpose(1, 2)) * (2 * labels - 1)
    (-weights * torch.nn.functional.logsigmoid(signed)).sum().backward()
    estimator.update(block, V, U, 1e-3)
    assert torch.allclose(V, v.detach() - 1e-3 * v.grad, atol=1e-5)
    assert torch.allclose(U, u.detach() - 1e-3 * u.grad, atol=1e-5)


@pytest.mark.parametrize(("model", "floor"), [(SkipGram(50, epochs=20), 0.95), (Cbow(50, epochs=20), 0.9)])
def test_the_micro_world_is_learnt_in_seconds(model, floor, world):
    score = analogies(model.fit(world).vectors_, {"micro-world": ANALOGIES})[0]
    assert score.asked == len(ANALOGIES) and score.accuracy >= floor


@MODELS
def test_the_same_seed_gives_the_same_vectors_and_another_seed_others(model):
    first, again, other = (model(20, epochs=1, seed=seed).fit(SENTENCES).input_ for seed in (1, 1, 2))
    assert np.array_equal(first, again) and not np.allclose(first, other)


def test_training_that_was_broken_off_ends_where_it_would_have_ended():
    whole = SkipGram(20, epochs=4).fit(SENTENCES)
    states = []

    def keep(now):
        if now.step == 2 * now.steps // 4:
            states.append(State(now.epoch, part.input_.copy(), part.output_.copy()))
            return False
        return True

    part = SkipGram(20, epochs=4)
    part.fit(SENTENCES, keep)
    assert part.epochs_ == 2
    assert np.array_equal(SkipGram(20, epochs=4).fit(SENTENCES, resume=states[0]).input_, whole.input_)


@MODELS
def test_reports_tell_the_way_from_the_first_step_to_the_last(model):
    seen = []
    fitted = model(20, epochs=30, snapshot_words=50).fit(SENTENCES, seen.append)
    assert (seen[0].share, seen[-1].share, seen[-1].epoch, seen[-1].seconds_left) == (0, 1, 30, 0)
    assert seen[0].loss == pytest.approx(6 * np.log(2), rel=1e-3)  # 1 + k = 6 coins thrown
    assert seen[-1].loss < 0.7 * seen[0].loss
    assert [now.step for now in seen] == sorted({now.step for now in seen})
    snapshots = [now.snapshot for now in seen if now.snapshot]
    assert 20 <= len(snapshots) <= 50
    assert snapshots[-1].words == fitted.vocabulary_.types[:50]
    assert np.array_equal(snapshots[-1].vectors, fitted.input_[:50])
    assert not np.array_equal(snapshots[0].vectors, fitted.input_[:50])


def test_the_learning_rate_falls_in_a_straight_line_to_almost_0(monkeypatch):
    rates = []
    monkeypatch.setattr(SkipGram, "update", lambda self, block, v, u, rate: rates.append(rate))
    SkipGram(8, epochs=40, learning_rate=0.5).fit(SENTENCES)
    expected = 0.5 * (1 - np.arange(len(rates)) / len(rates))
    assert len(rates) >= 40 and np.allclose(rates, expected, atol=0.005)  # an epoch may end a chunk earlier


@MODELS
@pytest.mark.parametrize(("rate", "steady"), [(0.025, 17), (0.05, 12), (0.1, 9)])
def test_a_block_holds_no_more_pairs_of_a_word_than_training_was_steady_with(model, rate, steady):
    fitted = model(8, epochs=1, learning_rate=rate, subsampling=0, window=2).fit(SENTENCES)
    share, noise = fitted.shares()[0], max(fitted.noise_.values())
    pairs = fitted.pairs_per_word() * (6 * share + 5 * noise)  # of the commonest word, a word of the block
    load = rate * pairs * fitted.block_size(np.ones(len(fitted.vocabulary_)))
    assert steady / 3 < load < steady


def test_losses_are_only_of_blocks_that_hold_a_pair():
    """Subsampling empties most blocks of a text of thirty tokens; their loss would be 0."""
    seen = []
    text = [
        words(each) for each in ("The cat sat on the mat.", "The dog sat on the log.", "A cat met a dog.")
    ]
    SkipGram(8, epochs=40, min_count=2).fit(text * 2, seen.append)
    known = [now.loss for now in seen if np.isfinite(now.loss)]
    assert known and min(known) > 0.5


def test_the_words_of_a_map_leave_out_the_commonest_unless_hardly_any_is_left(world):
    fitted = SkipGram(4, epochs=1).fit(world[:2000])
    shown = fitted.map_words(20)
    shares = dict(zip(fitted.vocabulary_.types, fitted.shares(), strict=True))
    assert len(shown) == 20 and max(shares[word] for word in shown) <= 0.002 and "the" not in shown
    few = SkipGram(4, epochs=1).fit([["a", "b", "c", "d"]] * 5)
    assert few.map_words(3) == ["a", "b", "c"]


def test_a_model_is_written_as_the_call_that_makes_it():
    model = Cbow(7, window=3, negatives=2, epochs=4, learning_rate=0.05, subsampling=0.0, min_count=2, seed=9)
    room = {"Cbow": Cbow}
    exec(f"made = {model!r}", room)
    assert vars(room["made"]) == vars(model)


def test_training_stops_when_the_report_says_so():
    seen = []
    fitted = SkipGram(20, epochs=1000).fit(SENTENCES, lambda now: seen.append(now) or len(seen) < 3)
    assert len(seen) == 3 and fitted.epochs_ < 1000 and np.isfinite(fitted.vectors_.vectors).all()


def test_what_a_worker_process_sends_back_can_be_pickled():
    fitted = fit_word_vectors(
        lambda now: pickle.dumps(now) and None, "The cat sat. The dog sat.", Cbow(4, epochs=2)
    )
    assert pickle.dumps(fitted) and fitted.vectors_.words == ("the", "sat", "cat", "dog")


def test_the_model_that_was_asked_to_be_fitted_stays_as_it_is():
    asked = SkipGram(4, epochs=1)
    fit_word_vectors(None, SENTENCES, asked)
    assert not hasattr(asked, "input_")


@MODELS
@pytest.mark.parametrize("window", [1, 10])
@pytest.mark.parametrize("subsampling", [0, 1e-3])
@pytest.mark.parametrize("sentences", [1, 3, 30])
def test_a_text_of_a_few_sentences_can_be_trained_on(model, window, subsampling, sentences):
    fitted = model(8, window, epochs=50, subsampling=subsampling).fit(SENTENCES[:sentences])
    assert np.isfinite(fitted.input_).all()


@pytest.mark.parametrize("text", [[], [[]], [["one"]], [["one"], ["two"]], [["same", "same"]]])
def test_a_text_without_pairs_is_answered_with_a_sentence(text):
    with pytest.raises(TrainingError, match="No sentence holds two different words"):
        SkipGram().fit(text)


def test_a_learning_rate_beyond_reason_is_answered_with_a_sentence():
    with pytest.raises(TrainingError, match="lower learning rate"):
        SkipGram(20, epochs=20, learning_rate=50).fit(SENTENCES)


def test_rare_words_are_left_out():
    vocabulary, text = encoded([["a", "b", "rare", "a"], ["b", "c"]], min_count=2)
    assert (vocabulary.types, text.ids.tolist(), text.lengths.tolist()) == (("a", "b"), [0, 1, 0, 1], [3, 1])


def test_a_worked_step_uses_the_vectors_that_were_learnt():
    fitted = SkipGram(8, epochs=2).fit(SENTENCES)
    step = fitted.step("king", "throne", ["the", "cow"])
    ids = fitted.vocabulary_
    assert step.dot == pytest.approx(
        float(fitted.input_[ids["king"]] @ fitted.output_[ids["throne"]]), abs=1e-6
    )
    window = Cbow(8, epochs=2).fit(SENTENCES).step("king", ["the", "throne"], ["cow"])
    assert window.centre.shape == (2, 8) and window.v == pytest.approx(window.centre.mean(axis=0))
