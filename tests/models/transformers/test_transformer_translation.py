"""Translating with a transformer: it learns, one pass tells what greedy search writes, heads are scored by hand."""

import itertools

import numpy as np
import pytest
import torch

from core.models.fit_language_model import FitConfig
from core.models.transformers.encoder_decoder import EncoderDecoder, EncoderDecoderConfig
from core.models.transformers.fit_encoder_decoder import TranslationFitting
from core.models.transformers.transformer_translation import (
    given_right,
    greedy,
    greedy_all,
    heads_of,
    judge_pairs,
    misaligned_by_head,
    written_right,
)
from core.models.translation.alignment import misaligned
from core.models.translation.fit_translation import encoded_pairs, outcomes, pad_sentences, words_before
from core.models.translation.seq2seq import END, Seq2Seq, Seq2SeqConfig
from core.models.translation.translate import greedy as recurrent_greedy
from core.text.grammar.pairs import Pair, TranslationVocabulary

REVERSED = [
    Pair(tuple(w), tuple(reversed(w)), frozenset((n - 1 - i, i) for i in range(n)))
    for n in (2, 3, 4)
    for w in itertools.product("abcd", repeat=n)
]
WORDS = TranslationVocabulary.of(pair.source for pair in REVERSED)
SIDES = encoded_pairs(REVERSED, WORDS, WORDS)


def fitting(steps=150):
    torch.manual_seed(1)
    shape = EncoderDecoderConfig(len(WORDS), len(WORDS), 1, 1, heads=2, width=32, farthest=4)
    return TranslationFitting(EncoderDecoder(shape), *SIDES, FitConfig(steps, 32, warm_up=10))


@pytest.fixture(scope="module")
def fitted():
    torch.set_num_threads(1)
    fit = fitting()
    losses = [fit.step() for _ in range(fit.config.steps)]
    assert losses[-1] < losses[0] / 3
    return fit.model.eval()


def test_it_learns_to_turn_words_round(fitted):
    assert np.mean(written_right(fitted, REVERSED, WORDS, WORDS)) > 0.4


def test_a_fit_that_is_resumed_is_the_fit_that_never_stopped():
    whole, first, second = fitting(6), fitting(6), fitting(6)
    losses = [whole.step() for _ in range(6)]
    kept = [first.step() for _ in range(3)]
    second.resume(first.state())
    assert kept + [second.step() for _ in range(3)] == losses


def test_one_pass_of_the_decoder_tells_what_greedy_search_writes(fitted):
    found = judge_pairs(fitted, REVERSED, WORDS, WORDS, batch=50)
    assert found.right == written_right(fitted, REVERSED, WORDS, WORDS)
    assert found.right == given_right(fitted, REVERSED, WORDS, WORDS)
    assert sum(found.right) > 0
    assert found.aligned == sum(len(pair.target) for pair in REVERSED)


def test_one_pass_tells_the_same_of_a_recurrent_translator():
    torch.manual_seed(5)
    model = Seq2Seq(Seq2SeqConfig(len(WORDS), len(WORDS), 8, 8)).eval()
    pairs = [
        Pair(pair.source, tuple(made))
        for pair in REVERSED[:20]
        for made in [WORDS.decode(greedy_words(model, pair))]
    ] + REVERSED[:5]
    found, each = judge_pairs(model, pairs, WORDS, WORDS), outcomes(model, pairs, WORDS, WORDS)
    assert found.right == [outcome.right for outcome in each]


def greedy_words(model, pair):
    return recurrent_greedy(model, WORDS.encode(pair.source), limit=8).words


def test_greedy_search_alone_and_in_a_batch_write_the_same_words(fitted):
    sources = [WORDS.encode(pair.source) for pair in REVERSED[::17]]
    together = greedy_all(fitted, pad_sentences(sources), limit=9)
    for row, source in zip(together.tolist(), sources, strict=True):
        alone = greedy(fitted, source, limit=9).words
        assert row[: len(alone)] == alone
        assert not any(row[len(alone) :])


def test_each_step_writes_its_likeliest_word_and_keeps_what_it_computed(fitted):
    source = WORDS.encode("abca")
    made = greedy(fitted, source)
    assert made.finished
    assert made.words[-1] == END
    pass_over_all = fitted(torch.tensor([source]), words_before(torch.tensor([made.words])))
    for t, step in enumerate(made.steps):
        assert step.logits.shape[1] == t + 1
        assert int(step.logits[0, -1].argmax()) == made.words[t]
        p = float(pass_over_all.logits[0, t].softmax(-1)[made.words[t]])
        assert made.probability(t) == pytest.approx(p, abs=1e-5)
    weights = pass_over_all.cross[0].weights[0, 1].detach().numpy()
    np.testing.assert_allclose(made.cross(0, 1), weights, atol=1e-5)


def test_a_search_that_never_ends_is_stopped(fitted):
    made = greedy(fitted, WORDS.encode("ab"), limit=1)
    assert len(made.words) == 1
    assert not made.finished


def test_each_head_is_scored_by_its_own_weights(fitted):
    pairs = REVERSED[:40]
    sources, targets = (pad_sentences(ids) for ids in encoded_pairs(pairs, WORDS, WORDS))
    with torch.inference_mode():
        weights = heads_of(fitted(sources, words_before(targets)))
    expected = [
        sum(
            len(misaligned(weights[i, 0, h, : len(p.target), : len(p.source)], p.links))
            for i, p in enumerate(pairs)
        )
        for h in range(2)
    ]
    assert misaligned_by_head(weights, pairs).tolist() == [expected]
    assert judge_pairs(fitted, pairs, WORDS, WORDS).misaligned.tolist() == [expected]
