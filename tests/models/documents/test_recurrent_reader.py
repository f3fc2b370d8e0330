"""A reader's states are torch's in both directions, its tags and classes add up, and it cannot see what is not read."""

import numpy as np
import pytest
import torch
from torch import nn

from core.models.documents.fit_reader import ReaderFitting, batch_equal_lengths
from core.models.documents.recurrent_classifier import fit_classifiers
from core.models.documents.recurrent_reader import ReaderConfig, RecurrentReader, read_pieces
from core.models.documents.recurrent_tagger import AHEAD, BOTH
from core.models.documents.word_pieces import UNKNOWN, learn_pieces
from core.models.fit_language_model import FitConfig

PIECES = torch.tensor([[2, 5], [3, 0], [4, 6], [2, 0], [1, 5]])


def reader(directions, of_documents=False, seed=3):
    torch.manual_seed(seed)
    return RecurrentReader(ReaderConfig(7, 3, of_documents, directions, width=4, units=6)).eval()


@pytest.mark.parametrize("directions", [1, 2])
def test_the_states_are_those_of_torch_s_gru_with_the_same_weights(directions):
    network = reader(directions)
    gru = nn.GRU(4, 6 // directions, bidirectional=directions == 2)
    gru.load_state_dict(network.layer.state_dict())
    x = torch.stack([network.embedding.weight[row].sum(0) for row in PIECES])
    np.testing.assert_allclose(read_pieces(network, PIECES).states, gru(x)[0].detach().numpy(), atol=1e-5)


@pytest.mark.parametrize("directions", [1, 2])
def test_word_by_word_a_sentence_has_the_tags_that_it_has_in_a_batch(directions):
    network = reader(directions)
    together = network(PIECES[None]).softmax(-1)[0].detach().numpy()
    np.testing.assert_allclose(read_pieces(network, PIECES).tag_probabilities, together, atol=1e-5)


@pytest.mark.parametrize("directions", [1, 2])
def test_a_document_s_class_is_what_both_directions_say_added_up(directions):
    network = reader(directions, of_documents=True)
    reading = read_pieces(network, PIECES)
    together = network(PIECES[None]).softmax(-1)[0].detach().numpy()
    np.testing.assert_allclose(reading.class_probabilities, together, atol=1e-5)
    ahead, back = reading.evidence
    z = ahead[-1] + reading.b + (0 if back is None else back[0])
    np.testing.assert_allclose(np.exp(z) / np.exp(z).sum(), together, atol=1e-5)


def test_what_comes_after_a_word_moves_the_state_from_the_right_alone():
    network, other = reader(2), PIECES.clone()
    other[-1] = torch.tensor([3, 6])
    one, two = read_pieces(network, PIECES), read_pieces(network, other)
    np.testing.assert_array_equal(one.ahead[:-1], two.ahead[:-1])
    assert (np.abs(one.back[:-1] - two.back[:-1]).max(axis=1) > 1e-6).all()


def test_the_last_state_from_the_left_has_read_as_far_as_the_first_from_the_right():
    network, other = reader(2), PIECES.clone()
    other[0] = torch.tensor([3, 6])
    one, two = read_pieces(network, PIECES), read_pieces(network, other)
    assert np.abs(one.ahead[-1] - two.ahead[-1]).max() > 1e-6
    np.testing.assert_array_equal(one.back[1:], two.back[1:])


def test_batches_hold_every_text_once_and_one_length_each():
    lengths = [3, 1, 3, 2, 2, 3, 3, 3]
    cut = batch_equal_lengths(lengths, size=2, seed=1)
    assert sorted(place for places in cut for place in places) == list(range(len(lengths)))
    assert all(len({lengths[place] for place in places}) == 1 for places in cut)
    assert max(map(len, cut)) == 2


def test_a_fit_learns_what_only_the_next_word_tells():
    words = [["a", "b", "a", "c"], ["a", "c", "a", "b"]] * 8  # the tag of a: whether b or c follows
    pieces = learn_pieces(words, least=1, longest=0)
    tags = [[int(after == "b") for after in [*sentence[1:], "."]] for sentence in words]
    examples = [(pieces.of(s), torch.tensor(t)) for s, t in zip(words, tags, strict=True)]
    right = {}
    for directions in (1, 2):
        torch.manual_seed(0)
        network = RecurrentReader(ReaderConfig(len(pieces.names), 2, False, directions, 8, 16))
        fitting = ReaderFitting(network, examples, FitConfig(60, batch=8, warm_up=1, adam_rate=0.05))
        while not fitting.done:
            fitting.step()
        network.eval()
        given = [read_pieces(network, rows).tag_probabilities.argmax(axis=1)[0] for rows, _ in examples]
        right[directions] = np.mean([g == t[0] for g, t in zip(given, tags, strict=True)])
    assert right[2] == 1.0
    assert right[1] == 0.5


def test_the_row_of_the_unknown_word_is_learnt():
    pieces = learn_pieces([["a", "b"]] * 4, least=1, longest=0)
    examples = [(pieces.of(["a", "b"]), torch.tensor([0, 1]))] * 4
    network = RecurrentReader(ReaderConfig(len(pieces.names), 2, False, 1, 4, 4))
    before = network.embedding.weight[UNKNOWN].clone()
    fitting = ReaderFitting(network, examples, FitConfig(20, batch=4, warm_up=1))
    while not fitting.done:
        fitting.step()
    assert (network.embedding.weight[UNKNOWN] != before).any()
    assert (network.embedding.weight[0] == 0).all()


def test_classifiers_are_trained_in_both_ways_and_end_when_they_are_told_to():
    texts = [f"{word} thing {i % 3}" for i in range(10) for word in ("good", "bad")]
    labels = ["+", "-"] * 10
    reports = []
    found = fit_classifiers(lambda now: reports.append(now) or True, texts, labels)
    assert list(found) == [AHEAD, BOTH]
    assert {now.network for now in reports} == {AHEAD, BOTH}
    for each in found.values():
        assert each.posteriors.shape == (4, 2)
        np.testing.assert_allclose(each.posteriors.sum(axis=1), 1, atol=1e-6)
        assert each.classes[each.read(["good", "thing"]).class_probabilities.argmax()] == "+"
    told = []
    fit_classifiers(lambda now: told.append(now) or False, texts, labels)
    assert [now.network for now in told] == [AHEAD, BOTH]
