"""Which pairs are trained on, and the two losses that are added."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from core.models.fit_language_model import FitConfig
from core.models.pretraining.pair_training import (
    KINDS,
    OTHER_BOOK,
    SAME_BOOK,
    SWAPPED,
    PairFitting,
    Passages,
    draw_pairs,
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


def only(kind):
    return {each: float(each == kind) for each in KINDS}


def fitting(kind=OTHER_BOOK, batch=16):
    torch.manual_seed(0)
    config = FitConfig(steps=60, batch=batch, muon_rate=0.02, adam_rate=0.01, warm_up=5)
    passages = drawn_passages()
    return PairFitting(PairNetwork(SHAPE), passages, passages.followed, config, MARKS, 0.15, only(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_half_of_the_pairs_follow_each_other_and_the_others_are_of_the_kind_they_should_be(kind):
    passages = drawn_passages()
    drawn, books = (
        draw_pairs(passages, passages.followed, only(kind), np.random.default_rng(2)),
        passages.books,
    )
    follows = drawn.y == 1
    assert follows.sum() == (~follows).sum() == len(passages.followed) == 117
    assert (drawn.second[follows] == drawn.first[follows] + 1).all()
    first, second = drawn.first[~follows], drawn.second[~follows]
    assert ((books[first] == books[second]) == (kind != OTHER_BOOK)).all()
    apart = np.abs(first - second)
    assert (second == first - 1).all() if kind == SWAPPED else apart.min() > 1


def test_all_pairs_of_a_step_are_as_long_and_have_their_segments():
    fit, n, right = fitting(), 0, 0
    for step in range(40):
        fit.step_count = step
        pairs, y = fit.pairs()
        assert len({len(pair.ids) for pair in pairs}) == 1
        for pair in pairs:
            stop = pair.ids.index(258)
            assert pair.segments == (0,) * (stop + 1) + (1,) * (len(pair.ids) - stop - 1)
        n, right = n + len(pairs), right + int(y.sum())
    assert 0.4 < right / n < 0.6


def test_a_swapped_pair_comes_with_the_one_in_its_right_order():
    fit = fitting(SWAPPED)
    for step in range(10):
        fit.step_count = step
        pairs, y = fit.pairs()
        halves = []
        for pair in pairs:
            stop = pair.ids.index(258)
            halves.append((pair.ids[1:stop], pair.ids[stop + 1 : -1]))
        answers = dict(zip(halves, y.tolist(), strict=True))
        both = [each for each in halves if each[::-1] in answers]
        assert len(both) >= len(halves) / 2
        assert all(answers[each] != answers[each[::-1]] for each in both)


def test_a_sentence_of_another_book_is_as_long_as_the_next_one():
    passages, draw = drawn_passages(), np.random.default_rng(0)
    for place in passages.followed.tolist():
        other = other_passage(passages, place, False, draw)
        assert passages.books[other] != passages.books[place]
        assert len(passages.ids[other]) == len(passages.ids[place + 1])
        near = other_passage(passages, place, True, draw)
        assert abs(near - place) > 1 and passages.books[near] == passages.books[place]
    assert 39 not in passages.followed and 119 not in passages.followed
    assert other_passage(Passages([[1], [2], [3]], np.zeros(3, int)), 1, True, draw) is None


def test_of_a_long_first_sentence_the_end_is_trained_on_and_of_a_long_second_one_the_beginning():
    long = [tuple(range(start, start + 30)) for start in (0, 40, 80, 120)]
    config = FitConfig(steps=1, batch=2, muon_rate=0.02, adam_rate=0.01)
    passages = Passages(long, np.array([0, 0, 1, 1]))
    fit = PairFitting(PairNetwork(SHAPE), passages, passages.followed, config, MARKS, 0.15, only(SWAPPED))
    pairs = [pair.ids for pair in fit.pairs()[0]]
    ends = {(pair[1:15], pair[16:-1]) for pair in pairs}
    halves = [(each[-14:], each[:14]) for each in long]
    possible = {(halves[i][0], halves[j][1]) for i, j in ((0, 1), (1, 0), (2, 3), (3, 2))}
    assert ends and ends <= possible


def test_the_pairs_of_a_step_depend_on_the_seed_and_the_step_alone():
    one, other = fitting(SAME_BOOK), fitting(SAME_BOOK)
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
    passages = Passages(ids, np.repeat([0, 1], 40))
    fit = PairFitting(PairNetwork(SHAPE), passages, passages.followed, config, MARKS, 0.15, only(OTHER_BOOK))
    losses = [fit.step() for _ in range(120)]
    assert np.mean(losses[-20:]) < np.mean(losses[:20]) - 1


def test_a_short_sentence_goes_together_with_the_next():
    pairs = BytePairs(())
    found = join_short_sentences(["No.", "Why?", "It is late in the day.", "Oh."], pairs, least=8)
    assert [text for text, _ in found] == ["No. Why?", "It is late in the day."]
    assert all(pairs.decode(ids) == text for text, ids in found)
