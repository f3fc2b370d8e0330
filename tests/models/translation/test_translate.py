"""Greedy and beam search, forced attention and forced beginnings, on a small untrained model."""

import itertools

import pytest
import torch

from core.models.translation.seq2seq import END, SCORES, START, Seq2Seq, Seq2SeqConfig
from core.models.translation.translate import beam, greedy, greedy_all, onto, rescored

SOURCE = [5, 9, 7, 4]


def model_of(score="additive", target_words=9, seed=0):
    torch.manual_seed(seed)
    model = Seq2Seq(Seq2SeqConfig(12, target_words, embedding=6, hidden=8, score=score)).eval()
    for parameter in model.parameters():  # far from zero, so that choices depend on the input
        parameter.data *= 3
    return model


def log_p(model, words):
    return rescored(model, SOURCE, words).log_probability


@pytest.mark.parametrize("score", SCORES)
def test_greedy_takes_the_most_probable_word_at_every_step(score):
    found = greedy(model_of(score), SOURCE, limit=8)
    assert found.words == found.steps.probabilities[0].argmax(-1).tolist()
    assert found.log_probability == pytest.approx(log_p(model_of(score), found.words), abs=1e-4)


def test_many_sentences_at_once_are_translated_as_each_alone():
    model = model_of()
    words, weights = greedy_all(model, torch.tensor([SOURCE, [6, 8, 0, 0]]), limit=8)
    for row, attended, source in zip(words.tolist(), weights, (SOURCE, [6, 8]), strict=True):
        alone = greedy(model, source, limit=8)
        n = len(alone.words)
        assert row[:n] == alone.words
        assert torch.allclose(attended[:n, : len(source)], alone.steps.weights[0], atol=1e-5)


@pytest.mark.parametrize("t", [0, 2, 4])
def test_forced_attention_changes_only_what_follows(t):
    model = model_of()
    free = greedy(model, SOURCE, limit=8)
    for s in range(4):
        bound = greedy(model, SOURCE, forced={t: onto(s, 4)}, limit=8)
        assert bound.words[:t] == free.words[:t]
        assert torch.equal(bound.steps.weights[:, :t], free.steps.weights[:, :t])
        assert torch.equal(bound.steps.state[:, : t + 1], free.steps.state[:, : t + 1])
        assert torch.equal(bound.steps.weights[0, t], onto(s, 4))


def test_a_forced_beginning_is_kept_and_what_follows_is_as_if_it_had_been_chosen():
    model = model_of()
    found = greedy(model, SOURCE, prefix=[6, 3, 8], limit=8)
    assert found.words[:3] == [6, 3, 8]
    assert torch.allclose(found.steps.logits, rescored(model, SOURCE, found.words).steps.logits, atol=1e-5)
    again = greedy(model, SOURCE, prefix=found.words, limit=8)
    assert again.words == found.words


@pytest.mark.parametrize("score", ["none", "dot"])
def test_a_beam_of_one_is_greedy(score):
    model = model_of(score)
    assert list(beam(model, SOURCE, width=1, limit=6)[-1][0].words) == greedy(model, SOURCE, limit=6).words


def test_a_beam_as_wide_as_all_beginnings_finds_the_most_probable_sentence():
    model, limit = model_of(target_words=5), 4
    words = [w for w in range(5) if w != END]
    all_sentences = [
        (*beginning, end)
        for n in range(limit)
        for beginning in itertools.product(words, repeat=n)
        for end in ([END] if n < limit - 1 else range(5))
    ]
    best = max(all_sentences, key=lambda sentence: log_p(model, sentence))
    found = beam(model, SOURCE, width=5**limit, limit=limit)[-1][0]
    assert found.words == best
    assert found.log_probability == pytest.approx(log_p(model, best), abs=1e-4)


def test_each_beginning_kept_extends_its_parent():
    history = beam(model_of(), SOURCE, width=3, limit=6)
    for before, after in itertools.pairwise(history):
        for beginning in after:
            parent = before[beginning.parent]
            assert beginning.words[: len(parent.words)] == parent.words
            assert beginning.log_probability <= parent.log_probability + 1e-6
            assert (beginning.words == parent.words) == parent.finished


def test_a_beam_keeps_a_forced_beginning():
    assert all(b.words[:2] == (6, 3) for b in beam(model_of(), SOURCE, width=3, prefix=[6, 3], limit=6)[-1])


def test_start_is_what_the_decoder_reads_first():
    model = model_of()
    encoded = model.encode(torch.tensor([SOURCE]))
    step = model.decode(torch.tensor([[START]]), model.first_state(encoded), encoded)
    assert torch.allclose(greedy(model, SOURCE, limit=1).steps.logits, step.logits, atol=1e-6)
