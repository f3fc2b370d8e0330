"""The page on mixed layers: its rows, parts and sentences are torch's own, and it says only what was measured."""

from functools import cache

import numpy as np
import pytest
import torch
from scipy.stats import binomtest
from torch import nn
from torch.nn import functional

from core.figures.pretraining.layer_mix import LEFT_ROWS, NAMES, WHOLE_ROWS
from core.figures.pretraining.layer_mix_said import (
    TIED,
    said_of_left,
    said_of_mix,
    said_of_most,
    said_of_pieces,
    said_of_samples,
    said_of_weights,
    wanted,
)
from core.models.documents.held_out import wilson
from core.models.pretraining.bidirectional_language_model import MARK
from core.models.pretraining.elmo import BY_PIECES, MIX, READINGS, SENTIMENT, TAGS, HeldOut, load_elmo
from core.models.stored import load_card, load_json, load_weights
from core.text.samples.corpus_words import corpus_words
from pages.pretraining.elmo import SENTENCE, TASKS, WORDS_AT_MOST
from tests.lessons.lesson_page import (
    figures,
    guess,
    metrics,
    open_lesson,
    question,
    said,
    sent,
    table_with,
)
from tests.lessons.tokens.texts import PASTED

NAMED = {task: name for name, task in TASKS.items()}
HAMLET = "To be, or not to be: that is the question."
SENTENCES = {"default": SENTENCE, "a play": HAMLET, "pasted": PASTED}
EVERY = pytest.mark.parametrize("which", SENTENCES)


@cache
def opened(which, task=TAGS, **query):
    app = open_lesson("elmo", typed=SENTENCES[which], task=NAMED[task], **query)
    assert not app.exception
    return app


def words_of(which):
    return corpus_words(SENTENCES[which])[:WORDS_AT_MOST]


@cache
def layers_by_torch(words):
    """The normalised layers (3, 2, n, C) by torch's LSTMs of two layers with the stored weights, and no step of ours."""
    weights = {
        name: torch.from_numpy(array.astype(np.float32))
        for name, array in load_weights("bidirectional_lm").items()
    }
    table = weights["network.embedding.weight"]
    rows = [load_elmo().model.pieces.rows(word) for word in (MARK, *words, MARK)]
    x = torch.stack([table[each].sum(0) for each in rows])
    found = []
    for way in ("ahead", "back"):
        deep = nn.LSTM(table.shape[1], table.shape[1], num_layers=2)
        shallow = nn.LSTM(table.shape[1], table.shape[1])
        state = {
            f"{name}_l{j}": weights[f"network.{way}.{j}.{name}_l0"]
            for j in (0, 1)
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        }
        deep.load_state_dict(state)
        shallow.load_state_dict({name: tensor for name, tensor in state.items() if name.endswith("l0")})
        turned = x.flip(0) if way == "back" else x
        layers = [lstm(turned)[0] for lstm in (shallow, deep)]
        found.append(torch.stack([x, *(each.flip(0) if way == "back" else each for each in layers)]))
    h = torch.stack(found, dim=1)[:, :, 1:-1]
    return functional.layer_norm(h, h.shape[-1:]).detach().numpy()


def scores_by_torch(words, task, reading):
    """z of every word (n, K), by the formula of the paper on torch's layers and the stored numbers."""
    weights = load_weights("bidirectional_lm")
    u, gamma, W, b = (weights[f"{task}.{reading}.{name}"].astype(float) for name in ("u", "gamma", "W", "b"))
    layers, directions = READINGS[reading]
    h, s = layers_by_torch(tuple(words)), torch.from_numpy(u).softmax(0).numpy()
    vectors = [np.concatenate([h[j, d] for d in directions], axis=1) for j in layers]
    return gamma[0] * sum(w * vector for w, vector in zip(s, vectors, strict=True)) @ W.T + b


def softmax(z):
    return torch.from_numpy(z).softmax(-1).numpy()


@EVERY
@pytest.mark.parametrize("left", ["false", "true"])
def test_rows_of_tags_are_torch_s(which, left):
    data, words = sent(opened(which, left=left), "layer_mix"), words_of(which)
    assert data["words"] == words
    readings = LEFT_ROWS if left == "true" else WHOLE_ROWS
    assert [row["name"] for row in data["rows"]] == [NAMES[each] for each in readings]
    for row, reading in zip(data["rows"], readings, strict=True):
        p = softmax(scores_by_torch(words, TAGS, reading))
        np.testing.assert_allclose([cell[1] for cell in row["cells"]], p.max(axis=1), atol=1e-4)
        assert [cell[0] for cell in row["cells"]] == [data["classes"][k] for k in p.argmax(axis=1)]
    z = data["gamma"] * np.einsum("j,njk->nk", data["s"], data["parts"]) + data["b"]
    mix = "mix→" if left == "true" else MIX
    np.testing.assert_allclose(z, scores_by_torch(words, TAGS, mix), atol=5e-3)


@EVERY
def test_a_rating_is_the_sum_of_its_words_shares(which):
    app, words = opened(which, SENTIMENT), words_of(which)
    z = scores_by_torch(words, SENTIMENT, MIX)
    p = softmax(z.mean(axis=0))[1]
    assert f"rates the sentence p(positive) = {p:.2f}" in said(app)
    shares = table_with(app, "layer 1 ←")["mix"].to_numpy()
    b = load_weights("bidirectional_lm")[f"{SENTIMENT}.{MIX}.b"].astype(float)
    assert 1 / (1 + np.exp(-(shares.sum() + b[1] - b[0]))) == pytest.approx(p, abs=1e-5)
    t = int(np.abs(shares).argmax())
    assert f"“{words[t]}” moves the mix furthest" in said(app)


@EVERY
def test_the_sentence_counts_the_tags_that_differ(which):
    words = words_of(which)
    tags = {each: scores_by_torch(words, TAGS, each).argmax(axis=1) for each in ("0", "1", "2", MIX)}
    zero, one, two = ((tags[j] != tags[MIX]).sum() or "none" for j in "012")
    told = f"layer 0 alone tags {zero} otherwise, layer 1 alone {one}, layer 2 alone {two}."
    assert told in said(opened(which))


def test_weights_by_hand_change_what_the_page_says_they_change():
    app = opened("default", weights="1 0 0")
    words = words_of("default")
    data = sent(app, "layer_mix")
    assert data["s"] == [1, 0, 0]
    z = data["gamma"] * np.array(data["parts"])[:, 0] + data["b"]
    changed = int((z.argmax(axis=1) != scores_by_torch(words, TAGS, MIX).argmax(axis=1)).sum())
    assert f"With s = 1.00, 0.00, 0.00, set by hand, {changed} of {len(words)} tags are others" in said(app)
    rated = opened("default", SENTIMENT, weights="0 0 2")
    assert "With s = 0.00, 0.00, 1.00, set by hand, p(positive) is" in said(rated)
    assert "set by hand" not in said(opened("default"))


@pytest.mark.parametrize(
    "typed", ["1 2", "a b c", "0 0 0", "-1 1 1", "nan 1 1", "inf 0 0", "1e308 1e308 1e308"]
)
def test_what_are_no_weights_leaves_the_learned_ones(typed):
    data = sent(open_lesson("elmo", weights=typed), "layer_mix")
    assert data["s"] == data["learned"]


@pytest.mark.parametrize("task", [TAGS, SENTIMENT])
def test_what_is_said_of_held_out_examples_is_the_card_s(task):
    app, quality = opened("default", task), load_card("bidirectional_lm").quality
    found = HeldOut(**load_json("bidirectional_lm", "held_out")[task])
    for j in "012":
        assert f"layer {j} {found.share(j):.1%}" in said(app)
        assert found.share(j) == pytest.approx(quality[f"{task} right, layer {j}"], abs=2e-3)
    low, high = wilson(found.right[MIX], found.n)
    assert f"the mix {found.share(MIX):.1%} (95% interval {low:.1%} to {high:.1%})" in said(app)
    beside = (
        load_card("two_directions").quality["both"]
        if task == TAGS
        else load_card("classify_movies").quality["logistic regression"]
    )
    assert f"{beside:.1%}" in said(app)
    table = table_with(app, "95% from").set_index("reading")
    assert table.loc["mix", "right"] == found.right[MIX] and table.loc["mix", "of"] == found.n


def test_of_sentiment_the_page_says_what_the_pieces_tell_and_the_vectors_do_not():
    share = load_card("bidirectional_lm").quality[BY_PIECES]
    told = said_of_pieces(HeldOut(**load_json("bidirectional_lm", "held_out")[SENTIMENT]), share)
    assert f"gets {share:.1%}" in told and told in said(opened("default", SENTIMENT))
    assert "on the pieces" not in said(opened("default", TAGS))
    known = HeldOut(1000, {MIX: 700}, {})
    for other, verdict in ((0.8, "finds less."), (0.71, "cannot be told."), (0.6, "finds more.")):
        assert said_of_pieces(known, other).endswith(verdict)


def test_the_same_examples_are_held_out_as_of_the_models_beside():
    held_out = load_json("bidirectional_lm", "held_out")
    assert held_out[TAGS]["n"] == load_card("two_directions").corpus["held_out_tokens"]
    assert held_out[SENTIMENT]["n"] == load_card("classify_movies").corpus["held out"]


def test_the_verdicts_follow_the_intervals():
    names = ("0", "1", "2", MIX)
    near = {one: dict.fromkeys(names, 20) for one in names}
    even = HeldOut(100, {"0": 50, "1": 60, "2": 60, MIX: 61}, near)
    assert wanted(even) == TIED and "cannot be told" in said_of_mix(even)
    clear = {one: {other: 40 if one > other else 2 for other in names} for one in names}
    sure = HeldOut(100, {"0": 10, "1": 40, "2": 80, MIX: 90}, clear)
    assert wanted(sure) == "layer 2" and "10.00 percentage points more than layer 2" in said_of_mix(sure)
    s = np.array([0.2, 0.5, 0.3])
    ends = np.stack([s - 0.05, s + 0.05], axis=1)
    assert said_of_weights(TAGS, s, ends).endswith("layer 1 has the most weight.")
    assert said_of_weights(TAGS, s, ends + np.array([-0.1, 0.1])).endswith("cannot be told.")


@pytest.mark.parametrize("task", [TAGS, SENTIMENT])
def test_how_often_a_layer_has_the_most_weight_in_samples_drawn_again_is_counted_on_the_page(task):
    most = load_weights("bidirectional_lm")[f"{task}.again"].astype(float).argmax(axis=1).tolist()
    told = said_of_samples(load_elmo().again[task])
    assert told.startswith(
        f"Of {len(most)} samples drawn again layer {max(most, key=most.count)} has the most"
    )
    assert all(f"layer {j}" in told and f"in {most.count(j)}" in told for j in set(most))
    assert told in said(opened("default", task))
    assert "each fitted from other first numbers" in said(opened("default", task))


def test_where_the_layer_with_most_weight_is_not_the_best_alone_the_page_says_what_a_weight_means():
    elmo = load_elmo()
    told = said_of_most(elmo.mixes[TAGS][MIX].s, elmo.weight_ends(TAGS), elmo.held_out[TAGS])
    assert elmo.mixes[TAGS][MIX].s.argmax() == 0 and wanted(elmo.held_out[TAGS]) == "layer 1"
    assert told.startswith("Alone layer 1 is better") and told in said(opened("default", TAGS))
    ends = elmo.weight_ends(SENTIMENT)
    assert said_of_most(elmo.mixes[SENTIMENT][MIX].s, ends, elmo.held_out[SENTIMENT]) == ""


def test_until_the_guess_neither_rows_nor_weights_are_sent():
    app = open_lesson("elmo", predict="true")
    assert set(question(app).options) == {"layer 0", "layer 1", "layer 2", TIED}
    assert not any("95% from" in table.value for table in app.dataframe)
    assert "held-out words each layer" not in said(app) and len(figures(app)) == 1
    guess(app, wanted(load_elmo().held_out[TAGS]))
    assert "Right." in said(app) and sent(app, "layer_mix")["rows"]


@pytest.mark.parametrize("task", [TAGS, SENTIMENT])
def test_from_the_left_only_the_page_says_what_is_lost(task):
    found = HeldOut(**load_json("bidirectional_lm", "held_out")[task])
    shown = metrics(opened("default", task, left="true"))
    assert list(shown.values()) == [f"{found.share(MIX):.1%}", f"{found.share('mix→'):.1%}"]
    one, other = found.alone[MIX]["mix→"], found.alone["mix→"][MIX]
    told = said_of_left(found)
    assert f"right on {one:,} where the one from the left is wrong, and wrong on {other:,}" in told
    assert told in said(opened("default", task, left="true"))
    sure = binomtest(one, one + other).pvalue < 0.05
    assert ("cannot be told" in told) != sure and ("do help" in told) == (sure and one > other)


@pytest.mark.parametrize("task", [TAGS, SENTIMENT])
def test_the_numbers_learned_with_a_task_are_counted(task):
    weights = load_weights("bidirectional_lm")
    n = sum(weights[f"{task}.{MIX}.{name}"].size for name in ("u", "gamma", "W", "b"))
    assert f"only the {n:,} numbers of a mix were learned" in said(opened("default", task))


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "早上好 👍🏽 <b>$a$ `c`</b> [x](y)"},
        {"typed": "dog " * 60},
        {"typed": "?", "task": NAMED[SENTIMENT], "left": "true", "weights": "0 1 0"},
        {"typed": "x" * 300},
    ],
    ids=str,
)
def test_no_sentence_breaks_the_page(query):
    assert not open_lesson("elmo", "...", **query).exception
