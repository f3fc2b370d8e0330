"""The parts of a score add up to it, and each is what its part of the stream makes of the key."""

import numpy as np
import pytest
import torch

from core.models.self_attention.attentive_models import BACK, BOTH, attentive_model
from core.models.self_attention.score_parts import keys_of_text, liked_tokens, score_parts

TEXT = "The king said to the queen, Come to the gate."


@pytest.mark.parametrize("name", [*BACK, BOTH])
@pytest.mark.parametrize("layer", [0, 3])
def test_the_parts_add_up_to_the_scaled_scores(name, layer):
    model = attentive_model(name)
    trace = model.trace(model.read(TEXT).ids)
    found = score_parts(model.network, trace, layer, 1, query=7)
    np.testing.assert_allclose(found.scores, trace.layers[layer].attention.scaled[1, 7], atol=1e-4)
    assert (np.abs(found.parts[2]).max() < 1e-5) == (layer == 0)  # no layer stands before the first


def test_tokens_that_are_alike_have_the_same_token_part_where_their_streams_have_one_length():
    model = attentive_model(BACK[0])
    with torch.no_grad():
        trace = model.trace(model.read("the the the the").ids)
    sd = trace.layers[0].stream.std(-1, unbiased=False)
    found = score_parts(model.network, trace, 0, 0, query=4).parts[0] * sd.double().numpy()
    assert found[2:5] == pytest.approx(found[2], rel=1e-3)


def test_the_lead_of_the_heaviest_key_is_how_far_its_score_stands_above_the_others():
    model = attentive_model(BACK[0])
    trace = model.trace(model.read(TEXT).ids)
    scaled = trace.layers[1].attention.scaled[2, 6, :7].double().numpy()
    s = int(scaled.argmax())
    lead = score_parts(model.network, trace, 1, 2, 6).lead(s, range(7))
    assert lead.sum() == pytest.approx(scaled[s] - np.delete(scaled, s).mean(), abs=1e-4)


def test_the_tokens_that_a_query_likes_are_ranked_by_the_scores_of_the_trace():
    model = attentive_model(BOTH)
    ids = model.read(TEXT).ids
    head = model.trace(ids).layers[2].attention
    read, keys = keys_of_text(model, TEXT, 2, 3)
    assert read == ids.tolist()
    liked = liked_tokens(head.query[3, 4].numpy(), keys, read)
    by_hand = {i: head.scaled[3, 4][ids == i].mean().item() for i in ids.tolist()}
    assert [each.token for each in liked] == sorted(by_hand, key=by_hand.get, reverse=True)
    assert liked[0].score == pytest.approx(max(by_hand.values()), rel=1e-4)
    assert sum(each.times for each in liked) == len(ids)
