"""Which pairs are trained on, and the two losses that are added."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.models.fit_language_model import FitConfig
from core.models.pretraining.pair_training import (
    PairFitting,
    Passages,
    join_short_sentences,
    other_passage,
    pair_losses,
)
from core.models.pretraining.sentence_pairs import PairNetwork
from core.models.self_attention.masked_language_model import hide
from core.models.tokens.byte_pairs import BytePairs

SHAPE = {"vocabulary_size": 259, "context": 32, "layers": 1, "heads": 2, "width": 8}
MARKS = (256, 257, 258)


def drawn_passages():
    draw = np.random.default_rng(5)
    ids = [tuple(draw.integers(0, 256, draw.integers(3, 6)).tolist()) for _ in range(120)]
    return Passages(ids, np.repeat([0, 1, 2], 40))


def fitting(same_book=0.0, batch=16):
    torch.manual_seed(0)
    config = FitConfig(steps=60, batch=batch, muon_rate=0.02, adam_rate=0.01, warm_up=5)
    return PairFitting(PairNetwork(SHAPE), drawn_passages(), config, MARKS, 0.15, same_book)


def places_of(passages, ids):
    return {place for place, each in enumerate(passages.ids) if each == ids}


@pytest.mark.parametrize("same_book", [0.0, 1.0])
def test_half_of_the_pairs_follow_each_other_and_the_others_come_from_where_they_should(same_book):
    fit, n, right = fitting(same_book), 0, 0
    for step in range(40):
        fit.step_count = step
        pairs, y = fit.pairs()
        assert len({len(pair.ids) for pair in pairs}) == 1
        for pair, follows in zip(pairs, y.tolist(), strict=True):
            stop = pair.ids.index(258)
            a, b = pair.ids[1:stop], pair.ids[stop + 1 : -1]
            assert pair.segments == (0,) * (stop + 1) + (1,) * (len(b) + 1)
            firsts, seconds = places_of(fit.passages, a), places_of(fit.passages, b)
            assert any(i + 1 in seconds for i in firsts) == bool(follows)
            books = fit.passages.books
            if same_book and not follows:
                assert {books[i] for i in firsts} & {books[j] for j in seconds}
            n, right = n + 1, right + follows
    assert 0.4 < right / n < 0.6


def test_the_other_sentence_is_as_long_as_the_next_and_is_neither_of_the_two():
    passages, draw = drawn_passages(), np.random.default_rng(0)
    anywhere = np.ones(len(passages.books), dtype=bool)
    for place in passages.followed:
        other = other_passage(passages, int(place), anywhere, draw)
        assert other not in (place, place + 1)
        assert len(passages.ids[other]) == len(passages.ids[place + 1])
    assert 39 not in passages.followed and 119 not in passages.followed


def test_the_pairs_of_a_step_depend_on_the_seed_and_the_step_alone():
    one, other = fitting(0.5), fitting(0.5)
    one.step_count = other.step_count = 7
    assert one.pairs()[0] == other.pairs()[0]
    other.step_count = 8
    assert one.pairs()[0] != other.pairs()[0]


def test_both_losses_are_those_of_torch_and_marks_are_never_hidden():
    torch.manual_seed(1)
    network = PairNetwork(SHAPE)
    ids = torch.tensor([[257, 5, 6, 7, 258, 8, 9, 258], [257, 15, 16, 258, 17, 18, 19, 258]])
    segments = torch.tensor([[0, 0, 0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]])
    y = torch.tensor([1.0, 0.0])
    masked, following = pair_losses(network, ids, segments, y, 0.9, 256, torch.Generator().manual_seed(2))
    hidden = hide(ids, 0.9, 256, torch.Generator().manual_seed(2))
    places, shown = hidden.places & (ids < 257), torch.where(ids > 256, ids, hidden.shown)
    assert places.sum() < hidden.places.sum()
    h = network(shown, segments)
    ln_p = network.token_logits(h).log_softmax(-1)
    by_hand = -torch.stack([ln_p[i, t, ids[i, t]] for i, t in places.nonzero().tolist()]).mean()
    assert masked.item() == pytest.approx(by_hand.item(), rel=1e-5)
    p = torch.sigmoid(network.next_logit(h))
    assert following.item() == pytest.approx(functional.binary_cross_entropy(p, y).item(), rel=1e-5)


def test_a_network_learns_which_of_two_sentences_follows_where_that_can_be_told():
    draw = np.random.default_rng(1)
    ids = [tuple((100 * (place // 40) + draw.integers(0, 3, 4)).tolist()) for place in range(80)]
    torch.manual_seed(0)
    config = FitConfig(steps=120, batch=16, muon_rate=0.02, adam_rate=0.01, warm_up=5)
    fit = PairFitting(PairNetwork(SHAPE), Passages(ids, np.repeat([0, 1], 40)), config, MARKS, 0.15, 0.0)
    losses = [fit.step() for _ in range(120)]
    assert np.mean(losses[-20:]) < np.mean(losses[:20]) - 1


def test_a_short_sentence_goes_together_with_the_next():
    pairs = BytePairs(())
    found = join_short_sentences(["No.", "Why?", "It is late in the day.", "Oh."], pairs, least=8, most=100)
    assert [text for text, _ in found] == ["No. Why?", "It is late in the day."]
    assert all(pairs.decode(ids) == text for text, ids in found)
