"""ELMo: the story's numbers are torch's and the held-out counts', its verdicts are guarded; the lab meets any sentence."""

import json
import re
from functools import cache
from html import unescape

import numpy as np
import pytest
import torch
from scipy.stats import binomtest, chi2_contingency
from torch import nn
from torch.nn import functional

from core.models.documents.held_out import wilson
from core.models.pretraining.bidirectional_language_model import MARK
from core.models.pretraining.both_ways_surprise import BothWaysSurprise
from core.models.pretraining.elmo import (
    HMM_OF_AS_MANY,
    MIX,
    NOUN_VERB,
    READINGS,
    TAGS,
    USUAL_TAG,
    load_elmo,
)
from core.models.stored import load_card, load_json, load_weights
from core.text.samples.corpus_words import corpus_words
from pages.pretraining.elmo.figures import LEFT_ROWS, WHOLE_ROWS, format_probability, name_reading
from pages.pretraining.elmo.page import (
    SENTENCE,
    TIED,
    WORDS_AT_MOST,
    best_layer,
    describe_surprise,
)
from tests.lessons.lesson_page import (
    document,
    figures,
    guess,
    metrics,
    open_lesson,
    picture,
    question,
    said,
    said_in,
    sent,
    table_with,
)
from tests.lessons.tokens.texts import PASTED

STORY_SENTENCE = "They play in the play .".split()
HAMLET = "To be, or not to be: that is the question."
SENTENCES = {"default": SENTENCE, "a play": HAMLET, "pasted": PASTED}
EVERY = pytest.mark.parametrize("which", SENTENCES)
SURE = 0.001


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


def stored(task, reading):
    """u, gamma, W and b of a task's reading as they are stored."""
    weights = load_weights("bidirectional_lm")
    return (weights[f"{task}.{reading}.{name}"].astype(float) for name in ("u", "gamma", "W", "b"))


def scores_by_torch(words, task, reading):
    """z of every word (n, K), by the formula of the paper on torch's layers and the stored numbers."""
    u, gamma, W, b = stored(task, reading)
    layers, directions = READINGS[reading]
    h, s = layers_by_torch(tuple(words)), torch.from_numpy(u).softmax(0).numpy()
    vectors = [np.concatenate([h[j, d] for d in directions], axis=1) for j in layers]
    return gamma[0] * sum(w * vector for w, vector in zip(s, vectors, strict=True)) @ W.T + b


def softmax(z):
    return torch.from_numpy(z).softmax(-1).numpy()


def counts(task):
    return load_json("bidirectional_lm", "held_out")[task]


def error(task, reading):
    found = counts(task)
    return 1 - found["right"][reading] / found["n"]


def p_of(task, one, other):
    """p of McNemar's exact test, and whether the one is right more often."""
    alone = counts(task)["alone"]
    first, second = alone[one][other], alone[other][one]
    return binomtest(first, first + second).pvalue, first > second


def p_of_shares(one, other, n):
    """p of two shares of n examples each, by Pearson's chi-squared test."""
    table = [[one * n, n - one * n], [other * n, n - other * n]]
    return chi2_contingency(table, correction=False).pvalue


def rows(data, panel=0):
    return {row["mark"]: row for row in data["panels"][panel]["rows"]}


def shown_errors(data, panel=0):
    """The error rates of a panel by reading, as they are written."""
    arrows = {"1_left": "1→", "1_right": "1←"}
    found = {mark.removeprefix("row."): row["text"] for mark, row in rows(data, panel).items()}
    return {arrows.get(key, key): text for key, text in found.items()}


# The story.


def test_the_machine_is_drawn_apart_and_one_word_s_vectors_are_counted():
    data = picture("elmo", "machine")
    assert data["words"] == STORY_SENTENCE and data["layout"] == "apart" and data["tags"] == []
    layers = layers_by_torch(tuple(STORY_SENTENCE))[:, :, data["at"]]  # (3, 2, C)
    different = {vector.tobytes() for layer in layers for vector in layer}
    assert f"“play” has {len(different)} vectors" in said_in(document("elmo", "machine"))


def test_layer_0_gives_both_plays_one_tag_and_layer_1_two():
    data, told = picture("elmo", "two_tags"), said_in(document("elmo", "two_tags"))
    classes = load_elmo().mixes[TAGS]["0"].classes
    assert [t for t, word in enumerate(STORY_SENTENCE) if word == "play"] == data["chosen"] == [1, 4]
    for layer, row in zip("012", data["tags"], strict=True):
        p = softmax(scores_by_torch(STORY_SENTENCE, TAGS, layer))
        assert [tag["text"] for tag in row] == [classes[k] for k in p.argmax(axis=1)]
        for t in data["chosen"]:
            assert row[t]["p"] == format_probability(float(p[t].max()))
    assert [row[t]["text"] for row in data["tags"] for t in (1, 4)] == ["NOUN", "NOUN", *["VERB", "NOUN"] * 2]
    assert data["tags"][0][1] == data["tags"][0][4]  # the same vector, so the same probability
    assert "as NOUN" in told and f"a VERB, with probability {data['tags'][1][1]['p']}" in told


def test_the_question_sends_the_error_rate_of_layer_0_and_no_other():
    asked = document("elmo", "best")
    bars = rows(asked["picture"]["data"])
    assert [bars[f"row.{j}"]["text"] for j in "012"] == [f"{error(TAGS, '0'):.1%}", "?", "?"]
    assert bars["row.1"]["to"] == bars["row.2"]["to"] and "measured" not in asked
    everything = json.dumps(asked, default=str)
    assert not any(f"{error(TAGS, j):.1%}" in everything for j in "12")


def test_layer_1_alone_tags_best_and_surely_so():
    revealed = document("elmo", "best", True)
    rates = {j: error(TAGS, j) for j in "012"}
    assert revealed["ask"]["answer"] == min(rates, key=rates.get) == "1"
    assert shown_errors(revealed["picture"]["data"]) == {j: f"{rate:.1%}" for j, rate in rates.items()}
    for other in "02":
        p, better = p_of(TAGS, "1", other)
        assert p < SURE and better
    one, two = counts(TAGS)["alone"]["1"]["2"], counts(TAGS)["alone"]["2"]["1"]
    assert f"right on {one:,} words where layer 2 is wrong, and wrong on {two:,}" in revealed["measured"]


def test_a_score_is_the_sum_of_its_layers_parts_and_can_be_checked_by_hand():
    data, told = picture("elmo", "sum"), said_in(document("elmo", "sum"))
    mix = load_elmo().mixes[TAGS][MIX]
    z = scores_by_torch(STORY_SENTENCE, TAGS, MIX)[1]
    for panel in data["panels"]:
        *parts, bias, total = panel["rows"]
        k = mix.classes.index(panel["title"].split()[0])  # “VERB for …”
        assert total["to"] == pytest.approx(z[k], abs=5e-3) == pytest.approx(bias["to"], abs=5e-3)
        ends = [0, *(row["to"] for row in (*parts, bias))]
        assert [row["from"] for row in (*parts, bias)] == ends[:-1]
        for row in parts:
            s, a = (float(each.strip("()").replace("−", "-")) for each in row["note"].split(" · ")[1:])
            by_calculator = round(mix.gamma, 3) * s * a
            shown = float(row["text"].replace("−", "-"))
            assert by_calculator == pytest.approx(shown, abs=0.01)  # of rounded factors
    verb, noun = (rows(data, place) for place in (0, 1))
    length = {
        (j, tag): bars[f"part.{tag}.{j}"]["to"] - bars[f"part.{tag}.{j}"]["from"]
        for j in range(3)
        for tag, bars in (("VERB", verb), ("NOUN", noun))
    }
    assert length[0, "NOUN"] > length[0, "VERB"]  # layer 0 prefers NOUN
    assert all(length[j, "VERB"] > length[j, "NOUN"] for j in (1, 2))
    assert mix.classes[int(z.argmax())] == "VERB"
    assert f"VERB gets {z[mix.classes.index('VERB')]:.2f}, NOUN {z[mix.classes.index('NOUN')]:.2f}" in told


def test_layer_0_has_the_largest_weight_and_the_highest_error_rate():
    shown = document("elmo", "graded")
    s = torch.from_numpy(next(stored(TAGS, MIX))).softmax(0).numpy()
    assert [rows(shown["picture"]["data"])[f"weight.{j}"]["text"] for j in range(3)] == [
        f"{w:.2f}" for w in s
    ]
    rates = [error(TAGS, j) for j in "012"]
    assert s.argmax() == 0 == np.argmax(rates)
    assert f"the largest weight, {s[0]:.2f}, and the highest error rate" in said_in(shown)
    again = load_weights("bidirectional_lm")[f"{TAGS}.again"].astype(float)
    assert (again.argmax(axis=1) == 0).all()
    assert f"the largest weight in {len(again)} of them" in shown["measured"]
    p, better = p_of(TAGS, MIX, "1")
    assert p < SURE and better  # "better than layer 1 alone"
    one, other = counts(TAGS)["alone"][MIX]["1"], counts(TAGS)["alone"]["1"][MIX]
    assert f"right on {one:,} words" in shown["measured"] and f"wrong on {other}" in shown["measured"]


def test_the_left_half_of_layer_1_is_hardly_better_than_layer_0_and_both_halves_are_best():
    shown = document("elmo", "directions")
    order = ("1", "1←", "1→", "0")
    assert shown_errors(shown["picture"]["data"]) == {each: f"{error(TAGS, each):.1%}" for each in order}
    assert 0 < error(TAGS, "0") - error(TAGS, "1→") < 0.005  # "hardly better"
    alone = counts(TAGS)["alone"]
    assert f"right on {alone['1→']['0']:,} words where layer 0" in shown["measured"]
    assert f"wrong on {alone['0']['1→']:,} where layer 0" in shown["measured"]
    for one, other in (("1→", "0"), ("1←", "0"), ("1", "1→"), ("1", "1←"), (MIX, "mix→")):
        p, better = p_of(TAGS, one, other)
        assert p < SURE and better, (one, other)


def test_of_words_that_can_be_noun_and_verb_the_layers_that_read_the_context_are_surely_better():
    shown = document("elmo", "decided")
    rates = {j: error(NOUN_VERB, j) for j in "012"}
    usual = 1 - load_card("bidirectional_lm").quality[USUAL_TAG]
    assert shown_errors(shown["picture"]["data"]) == {
        **{j: f"{rate:.1%}" for j, rate in rates.items()},
        "usual": f"{usual:.1%}",
    }
    for one in "12":
        p, better = p_of(NOUN_VERB, one, "0")
        assert p < SURE and better and rates[one] < rates["0"] / 2
    n, alone, told = counts(NOUN_VERB)["n"], counts(NOUN_VERB)["alone"], said_in(shown)
    assert f"right on {alone['1']['0']:,} of {n:,} words" in shown["measured"]
    assert f"right on {alone['2']['0']:,} and wrong on {alone['0']['2']}" in shown["measured"]
    p, _ = p_of(NOUN_VERB, "1", "2")
    assert p > 0.05 and f"too close to call (p = {p:.2f})" in shown["measured"]
    assert f"gets {rates['0']:.1%} wrong, like the usual tag" in told and abs(rates["0"] - usual) < 0.01
    assert f"only {rates['1']:.1%} and {rates['2']:.1%} wrong" in told


def test_telling_noun_from_verb_layer_0_no_longer_has_the_largest_weight():
    told = said_in(document("elmo", "decided"))
    s = torch.from_numpy(next(stored(NOUN_VERB, MIX))).softmax(0).numpy()
    again = load_weights("bidirectional_lm")[f"{NOUN_VERB}.again"].astype(float)
    assert (
        "layer 0 no longer has the largest" in told and s.argmax() != 0 and (again.argmax(axis=1) != 0).all()
    )
    for_tags = torch.from_numpy(next(stored(TAGS, MIX))).softmax(0).numpy()
    assert again[:, 0].max() < for_tags[0]
    app = opened("default", NOUN_VERB, learning="true")
    assert f"**{s[0]:.2f}**, and at most {again[:, 0].max():.2f} in {len(again)} bootstrap samples" in said(
        app
    )
    assert {1, 2} <= set(again.argmax(axis=1))  # which of the two has more depends on the sample


def test_the_words_that_can_be_noun_and_verb_were_both_in_training():
    forms = load_elmo().forms
    assert forms >= {"play", "plan", "work", "love"} and not forms & {"the", "dog", "they"}
    assert all(form == form.lower() for form in forms)


def test_pretraining_pays_where_labels_are_few():
    shown = document("elmo", "others")
    same = 1 - load_card("bidirectional_lm").quality[HMM_OF_AS_MANY]
    hmm = 1 - load_card("two_directions").quality["HMM"]
    tags, n = error(TAGS, MIX), counts(TAGS)["n"]
    assert tags < same and p_of_shares(tags, same, n) < SURE
    assert p_of_shares(tags, hmm, n) > 0.05  # "draw level"
    shares = {"hmm_same": f"{same:.1%}", MIX: f"{tags:.1%}", "hmm": f"{hmm:.1%}"}
    assert shown_errors(shown["picture"]["data"]) == shares
    assert n == load_card("two_directions").corpus["held_out_tokens"]
    told = said_in(shown)
    assert "learned its tags from 6,000 sentences" in told and "all 51,606 sentences" in told
    read = sum(each["training words"] for each in load_card("bidirectional_lm").corpus.values())
    assert f"it has read {read / 1e6:.1f} million words" in shown["measured"]


OWN = [
    (
        "They love this love .",
        "Layer 1 is the first to give “love” different tags. Layer 0 has NOUN each time.",
    ),
    (
        "The actors play well, but the play is a bore.",
        "We read the first 10 tokens. Layer 1 is the first to give “play” different tags.",
    ),
    ("We saw a dog and a cat .", "Every layer gives “a” one and the same tag each time."),
    ("Heute war es sehr kalt .", "No word occurs twice yet."),
    ("!!! 🦜 ...", "No word occurs twice yet."),
    ("مرحبا يا مرحبا", "“مرحبا”"),
    ("a b c d e f g h i j k l", "We read the first 10 tokens. No word occurs twice yet."),
    ("<b>a</b> <b>a</b>", "“b”"),
]


@pytest.mark.parametrize(("typed", "says"), OWN)
def test_a_sentence_of_one_s_own_is_tagged_and_its_repeated_word_is_named(typed, says):
    shown = document("elmo", "own", typed=typed)
    done = unescape(re.sub(r"<[^>]+>", "", shown["done"]))
    assert says in done and "<b>" not in shown["done"]
    words = corpus_words(typed)[:10]
    classes = load_elmo().mixes[TAGS]["0"].classes
    for layer, row in zip("012", shown["picture"]["data"]["tags"], strict=True):
        best = scores_by_torch(words, TAGS, layer).argmax(axis=1)
        assert [tag["text"] for tag in row] == [classes[k] for k in best]


def test_the_last_beat_answers_in_one_bold_sentence_with_both_tasks_error_rates():
    shown = document("elmo", "answer")
    assert re.match(r"<p><strong>[^.]+\.</strong>", shown["words"])
    for panel, task in enumerate((TAGS, NOUN_VERB)):
        assert shown_errors(shown["picture"]["data"], panel) == {
            j: f"{error(task, j):.1%}" for j in (MIX, "2", "1", "0")
        }
    kinds = [[row["kind"] for row in panel["rows"]] for panel in shown["picture"]["data"]["panels"]]
    assert kinds == [["best", "plain", "best", "plain"], ["best", "best", "best", "plain"]]
    tags, both = shown["picture"]["data"]["panels"]
    assert tags["most"] == both["most"]  # one scale
    for j in "12":  # "by far, and for all tags together by less"
        assert error(NOUN_VERB, "0") - error(NOUN_VERB, j) > 2 * (error(TAGS, "0") - error(TAGS, j)) > 0


def test_the_story_s_beats_open_the_lab_at_what_they_show():
    assert document("elmo", "decided")["lab"] == "elmo?lab=true&elmo_task=noun_or_verb"
    assert document("elmo", "directions")["lab"] == "elmo?lab=true&elmo_left=true"
    assert document("elmo", "two_tags")["lab"] == "elmo?lab=true&elmo_typed=They+play+in+the+play+."


# The lab.


@cache
def opened(which, task=TAGS, **query):
    app = open_lesson("elmo", typed=SENTENCES[which], task=task, **query)
    assert not app.exception
    return app


def words_of(which):
    return corpus_words(SENTENCES[which])[:WORDS_AT_MOST]


@EVERY
@pytest.mark.parametrize("left", ["false", "true"])
def test_rows_of_tags_are_torch_s(which, left):
    data, words = sent(opened(which, left=left), "layer_mix"), words_of(which)
    assert data["words"] == words
    readings = LEFT_ROWS if left == "true" else WHOLE_ROWS
    assert [row["name"] for row in data["rows"]] == [name_reading(each) for each in readings]
    for row, reading in zip(data["rows"], readings, strict=True):
        p = softmax(scores_by_torch(words, TAGS, reading))
        np.testing.assert_allclose([cell[1] for cell in row["cells"]], p.max(axis=1), atol=1e-4)
        assert [cell[0] for cell in row["cells"]] == [data["classes"][k] for k in p.argmax(axis=1)]
    z = data["gamma"] * np.einsum("j,njk->nk", data["s"], data["parts"]) + data["b"]
    mix = "mix→" if left == "true" else MIX
    np.testing.assert_allclose(z, scores_by_torch(words, TAGS, mix), atol=5e-3)


@EVERY
def test_of_nouns_and_verbs_the_lab_shows_the_words_that_can_be_both_and_no_others(which):
    app, words = opened(which, NOUN_VERB), words_of(which)
    data, asked = sent(app, "layer_mix"), [word.lower() in load_elmo().forms for word in words]
    assert data["asked"] == asked
    best = scores_by_torch(words, NOUN_VERB, MIX).argmax(axis=1)
    for row, reading in zip(data["rows"], WHOLE_ROWS, strict=True):
        best = scores_by_torch(words, NOUN_VERB, reading).argmax(axis=1)
        tags = [data["classes"][k] if is_asked else "" for k, is_asked in zip(best, asked, strict=True)]
        assert [cell[0] for cell in row["cells"]] == tags
    told = (
        f"ELMo tags {sum(asked)} token"
        if any(asked)
        else "No word here was both a noun and a verb in training"
    )
    assert told in said(app)
    assert not any(asked) or asked[data["first"]]


@EVERY
def test_the_sentence_counts_the_tags_that_differ(which):
    words = words_of(which)
    tags = {each: scores_by_torch(words, TAGS, each).argmax(axis=1) for each in ("0", "1", "2", MIX)}
    zero, one, two = ((tags[j] != tags[MIX]).sum() or "none" for j in "012")
    first = zero if zero == "none" else f"**{zero}**"
    told = f"Layer 0 alone tags {first} of them differently, layer 1 alone {one}, layer 2 alone {two}."
    assert told in said(opened(which))


def test_weights_by_hand_change_what_the_page_says_they_change():
    app = opened("default", weights="1 0 0")
    words = words_of("default")
    data = sent(app, "layer_mix")
    assert data["s"] == [1, 0, 0]
    z = data["gamma"] * np.array(data["parts"])[:, 0] + data["b"]
    changed = int((z.argmax(axis=1) != scores_by_torch(words, TAGS, MIX).argmax(axis=1)).sum())
    assert (
        f"With your weights 1.00, 0.00 and 0.00, the top row changes {changed} tags of {len(words)}"
        in said(app)
    )
    both = opened("default", NOUN_VERB, weights="0 0 2")
    asked = sum(sent(both, "layer_mix")["asked"])
    told = said(both)
    assert (
        "With your weights 0.00, 0.00 and 1.00, the top row changes" in told
        and f"of {asked}. It still" in told
    )
    assert "With your weights" not in said(opened("default"))


@pytest.mark.parametrize(
    "typed", ["1 2", "a b c", "0 0 0", "-1 1 1", "nan 1 1", "inf 0 0", "1e308 1e308 1e308"]
)
def test_what_are_no_weights_leaves_the_learned_ones(typed):
    app = open_lesson("elmo", weights=typed)
    data = sent(app, "layer_mix")
    assert data["s"] == data["learned"] and "Type three numbers" in said(app)


def test_an_old_address_names_its_task_in_words():
    assert len(sent(open_lesson("elmo", task="part-of-speech tags"), "layer_mix")["classes"]) == 12
    assert len(sent(open_lesson("elmo", task="noun_or_verb"), "layer_mix")["classes"]) == 2
    assert len(sent(open_lesson("elmo", task="sentiment"), "layer_mix")["classes"]) == 12  # a task that was


@pytest.mark.parametrize("task", [TAGS, NOUN_VERB])
def test_error_rates_of_all_readings_and_of_other_models_are_drawn_and_said(task):
    app = opened("default", task, errors="true")
    found, quality = counts(task), load_card("bidirectional_lm").quality
    assert all(f"{error(task, j):.1%}" in said(app) for j in ("0", "1", "2", MIX, "mix→"))
    for j in "012":
        assert 1 - error(task, j) == pytest.approx(quality[f"{task} right, layer {j}"], abs=2e-3)
    drawn = figures(app)[0]["data"][0]
    assert len(drawn["y"]) == len(READINGS) + (2 if task == TAGS else 1)
    at = list(drawn["y"]).index("layer 1")
    assert drawn["x"][at] == pytest.approx(error(task, "1"))
    low, high = wilson(found["right"]["1"], found["n"])
    assert drawn["x"][at] + drawn["error_x"]["array"][at] == pytest.approx(1 - low)
    assert drawn["x"][at] - drawn["error_x"]["arrayminus"][at] == pytest.approx(1 - high)
    card, key = ("two_directions", "both") if task == TAGS else ("bidirectional_lm", USUAL_TAG)
    assert f"{1 - load_card(card).quality[key]:.1%}" in said(app)
    table = table_with(app, "95% from").set_index("vector")
    assert table.loc["ELMo", "right"] == found["right"][MIX] and table.loc["ELMo", "of"] == found["n"]


def test_the_verdicts_on_noun_or_verb_hold():
    p, better = p_of(NOUN_VERB, MIX, "mix→")
    assert p < 0.01 and better
    usual = 1 - load_card("bidirectional_lm").quality[USUAL_TAG]
    assert (
        error(NOUN_VERB, MIX) < usual
        and p_of_shares(error(NOUN_VERB, MIX), usual, counts(NOUN_VERB)["n"]) < SURE
    )
    assert f"{len(load_elmo().forms)} word forms" in said(opened("default", NOUN_VERB, errors="true"))


def test_the_best_layer_is_named_only_where_the_sign_test_is_sure():
    assert best_layer(TAGS) == "1" and best_layer(NOUN_VERB) == TIED


@pytest.mark.parametrize("task", [TAGS, NOUN_VERB])
def test_the_weights_of_every_bootstrap_sample_are_drawn(task):
    app = opened("default", task, learning="true")
    again = load_weights("bidirectional_lm")[f"{task}.again"].astype(float)
    bars, points = next(
        each["data"] for each in figures(app) if len(each["data"]) == 2 and "text" not in each
    )
    assert bars["type"] == "bar" and len(points["x"]) == again.size
    assert "from another random initialization" in said(app)


def test_until_the_guess_neither_rows_nor_weights_are_sent():
    app = open_lesson("elmo", predict="true", errors="true", learning="true")
    assert set(question(app).options) == {"layer 0", "layer 1", "layer 2", "too close to call"}
    assert not any("95% from" in table.value for table in app.dataframe)
    assert "held-out words wrong" not in said(app)
    guess(app, "layer 1")
    assert "Right." in said(app) and sent(app, "layer_mix")["rows"]


@pytest.mark.parametrize("task", [TAGS, NOUN_VERB])
def test_from_the_left_only_the_lab_compares_both_shares(task):
    shown = metrics(opened("default", task, left="true"))
    assert shown == {
        "with both directions": f"{1 - error(task, MIX):.1%}",
        "from the left only": f"{1 - error(task, 'mix→'):.1%}",
    }


@pytest.mark.parametrize("task", [TAGS, NOUN_VERB])
def test_the_numbers_learned_with_a_task_are_counted(task):
    weights = load_weights("bidirectional_lm")
    n = sum(weights[f"{task}.{MIX}.{name}"].size for name in ("u", "gamma", "W", "b"))
    assert f"learned only {n:,} parameters" in said(opened("default", task, errors="true"))


def test_surprisal_of_the_sentence_and_of_a_text_is_said():
    app = open_lesson("elmo", "The dog barks. " * 40, surprise="true")
    assert "The directions differ most at" in said(app)
    assert "of the text the perplexity is" in said(app)
    quality = load_card("bidirectional_lm").quality
    assert f"{quality['perplexity from the right, Brown corpus']:.0f} from the right" in said(app)


@pytest.mark.parametrize(
    ("bits", "verdict"),
    [
        (np.array([[1.0] * 4, [2.0] * 4]), "few"),
        (np.array([[1.0] * 50 + [1.5] * 50, [2.0] * 100]), "left"),
        (np.array([[3.0] * 50 + [2.5] * 50, [2.0] * 100]), "right"),
        (np.array([[1.0, 3.0] * 50, [3.0, 1.0] * 50]), "close"),
    ],
)
def test_a_direction_is_called_better_only_where_the_interval_excludes_0(bits, verdict):
    assert describe_surprise(BothWaysSurprise(bits))[1]["verdict"] == verdict


@pytest.mark.parametrize(
    "query",
    [
        {"typed": ""},
        {"typed": "早上好 👍🏽 <b>$a$ `c`</b> [x](y)"},
        {"typed": "dog " * 60},
        {"typed": "?", "task": NOUN_VERB, "left": "true", "weights": "0 1 0"},
        {"typed": "x" * 300},
    ],
    ids=str,
)
def test_no_sentence_breaks_the_lab(query):
    app = open_lesson("elmo", "...", errors="true", learning="true", surprise="true", **query)
    assert not app.exception
    assert "no words that we can read" in said(app) or "perplexity" in said(app)
