"""The encoder-decoder transformer: every number of the story by hand, and the lab shows what core computes."""

import json
import re
from dataclasses import replace
from math import exp

import numpy as np
import pytest
import torch
from scipy.stats import binomtest, fisher_exact

from core.lesson.choices.translator_choice import DUTCH, FRENCH, TASKS, held_out_pairs, translator_of
from core.models.stored import load_card
from core.models.transformers.broken_encoder_decoder import without_cross_attention
from core.models.transformers.encoder_decoder import EncoderDecoder, EncoderDecoderConfig
from core.models.transformers.transformer_translation import added_by, greedy
from core.models.translation.bottleneck import wilson
from core.models.translation.seq2seq import START
from core.models.translation.translate import translated
from core.text.grammar.grammar import LONGEST
from pages.transformers.encoder_decoder import FRENCH_MODEL, HEAD, LAYER
from pages.transformers.encoder_decoder.figures import by_length, head_errors, three_attentions
from pages.transformers.encoder_decoder.page import (
    MEASURED,
    MODELS,
    SHORT,
    describe_heads,
    length_table,
    say,
    step_frame,
    stored,
    weights_table,
)
from tests.lessons.lesson_page import (
    document,
    frames,
    guess,
    metrics,
    mounted,
    open_lesson,
    picture,
    said,
    said_in,
    sent,
    try_prompt,
    unpacked,
    views,
)

LESSON = "encoder_decoder"
QUEEN = "the queen sold the white car .".split()
WORDS = "the old man sold two books .".split()
OF_BOTH = pytest.mark.parametrize("label", MODELS)


def words(beat, revealed=False, /, **changes):
    return said_in(document(LESSON, beat, revealed, **changes))


def nodes(beat, revealed=False, /, **changes):
    return {each["key"]: each for each in picture(LESSON, beat, revealed, **changes)["nodes"]}


# The story: the model written again, layer by layer, from its arrays.


def norm(x, layer):
    return torch.nn.functional.layer_norm(x, x.shape[-1:], layer.weight, layer.bias)


def heads_by_hand(attention, x, memory, hide):
    """Return the weights (H, T, S) of an attention and what it adds (T, C)."""
    H, C = attention.heads, x.shape[-1]
    q, k, v = (
        (side @ matrix.weight.T).view(-1, H, C // H).transpose(0, 1)
        for side, matrix in (
            (x, attention.to_query),
            (memory, attention.to_key),
            (memory, attention.to_value),
        )
    )
    distance = torch.arange(len(memory))[None] - torch.arange(len(x))[:, None]
    table = attention.distance_embedding.weight
    bias = table[distance.clamp(-attention.farthest, attention.farthest) + attention.farthest]
    scores = q @ k.transpose(1, 2) / (C // H) ** 0.5 + bias.permute(2, 0, 1)
    if hide:
        scores = scores.masked_fill(torch.ones(len(x), len(x)).triu(1).bool(), -torch.inf)
    weights = scores.softmax(-1)
    gathered = (weights @ v).transpose(0, 1).reshape(len(x), C)
    return scores, weights, gathered @ attention.project.weight.T


@pytest.fixture(scope="module")
@torch.no_grad()
def by_hand():
    """Return what is computed of the story's sentence when "voiture" is written."""
    model, source, target = (
        stored(FRENCH_MODEL).model,
        stored(FRENCH_MODEL).source,
        stored(FRENCH_MODEL).target,
    )
    french = ["<start>", "la", "reine", "a", "vendu", "la"]
    x, y = model.source_embedding.weight[source.encode(QUEEN)], None
    encoder = []
    for block in model.encoder:
        normed = norm(x, block.norm_before_attention)
        _, weights, added = heads_by_hand(block.attention, normed, normed, False)
        encoder.append(weights)
        x = x + added
        x = x + block.feed_forward(norm(x, block.norm_before_feed_forward))
    memory = norm(x, model.encoder_norm)
    y = model.target_embedding.weight[[target.ids[word] for word in french]]
    for block in model.decoder:
        before = y
        normed = norm(y, block.norm_before_attention)
        _, _, own = heads_by_hand(block.attention, normed, normed, True)
        y = y + own
        scores, weights, cross = heads_by_hand(
            block.cross_attention, norm(y, block.norm_before_cross_attention), memory, False
        )
        y = y + cross
        fed = block.feed_forward(norm(y, block.norm_before_feed_forward))
        y = y + fed
    logits = norm(y[-1], model.decoder_norm) @ model.target_embedding.weight.T
    return {
        "encoder": encoder,
        "block": [before[-1], own[-1], cross[-1], fed[-1], y[-1]],
        "scores": scores[HEAD, -1],
        "weights": weights[HEAD, -1],
        "p": logits.softmax(-1),
        "target": target,
    }


def test_the_whole_machine_shows_the_most_probable_next_word(by_hand):
    best = int(by_hand["p"].argmax())
    assert by_hand["target"].words[best] == "voiture"
    (bar,) = nodes("whole")["next"]["bars"]
    assert (bar["name"], bar["text"]) == ("voiture", f"{by_hand['p'][best]:.0%}")
    assert "after la it predicts voiture with 100%" in words("whole")
    wires = [each["to"] for each in picture(LESSON, "whole")["arrows"] if each["from"].startswith("bus")]
    assert {"decoder.1.cross", "decoder.2.cross"} <= set(wires)


def test_the_encoder_s_article_attends_to_the_noun_on_its_right(by_hand):
    weights = by_hand["encoder"][0][2, 3]
    drawn = picture(LESSON, "encoder")
    bars = [each["value"] for each in drawn["rows"][0]["bars"]]
    np.testing.assert_allclose(bars, weights, atol=1e-4)
    assert drawn["tokens"][int(weights.argmax())]["text"] == "car" and int(weights.argmax()) > 3
    assert "the gives car the weight 0.86" in words("encoder") and f"{weights[5]:.2f}" == "0.86"


def test_a_decoder_block_adds_three_vectors_and_the_numbers_add_up_as_they_are_shown(by_hand):
    drawn = nodes("block")
    keys = ("before", "added.masked", "added.cross", "added.feed_forward", "after")
    shown = [[float(each["text"].replace("−", "-")) for each in drawn[key]["cells"]] for key in keys]
    for row, vector in zip(shown, by_hand["block"], strict=True):
        assert row == pytest.approx(vector[:2].tolist(), abs=0.006)
    assert np.sum(shown[:4], 0) == pytest.approx(shown[4], abs=1e-9), "the room can add them up"
    assert "22.85 + 6.43 + 23.08 + 44.97 = 97.33" in words("block")


def test_cross_attention_skips_the_colour_and_comes_back_and_no_weight_is_sent_before(by_hand):
    asked, answered = document(LESSON, "fetch"), document(LESSON, "fetch", True)
    assert int(by_hand["weights"].argmax()) == QUEEN.index("car")
    assert answered["ask"]["answer"] == "car" and "car gets a weight of 1.00" in said_in(answered)
    assert f"{by_hand['weights'][5]:.2f}" == "1.00"
    assert "weight." not in json.dumps([each["key"] for each in asked["picture"]["data"]["nodes"]])
    assert all(
        each["kind"] == "open" for each in asked["picture"]["data"]["arrows"] if "english" in each["from"]
    )
    made = greedy(stored(FRENCH_MODEL).model, stored(FRENCH_MODEL).source.encode(QUEEN))
    assert QUEEN[int(made.cross(LAYER, HEAD)[6].argmax())] == "white"
    assert stored(FRENCH_MODEL).target.words[made.words[6]] == "blanche"


def test_the_score_is_a_scaled_dot_product_and_softmax_makes_its_weight(by_hand):
    scores, drawn = by_hand["scores"], nodes("score")
    order = scores.argsort(descending=True)
    assert [each["text"] for each in drawn["scores"]["bars"]] == [f"{scores[s]:.1f}" for s in order]
    assert [each["text"] for each in drawn["weights"]["bars"]] == [
        f"{by_hand['weights'][s]:.2f}" for s in order
    ]
    product, root, added, total = map(
        float, re.match(r"([\d.]+) / (\d) \+ ([\d.]+) = ([\d.]+)", drawn["product"]["note"]).groups()
    )
    assert product / root + added == pytest.approx(total, abs=0.006)
    assert total == pytest.approx(float(scores.max()), abs=0.006)
    less = float(scores[order[0]] - scores[order[1]])
    assert "about 650,000 times less weight" in words("score") and exp(less) == pytest.approx(
        650_000, rel=0.05
    )
    assert "by 13.4" in words("score") and f"{less:.1f}" == "13.4"


def test_the_map_runs_down_the_diagonal_and_crosses_once():
    drawn = picture(LESSON, "map")
    best = [max(range(7), key=lambda s, row=row: row[s]["shade"]) for row in drawn["cells"]]
    assert best == [0, 1, 2, 2, 3, 5, 4, 6]
    names = [each["text"] for each in drawn["rows"]]
    assert len(set(names)) == len(names) == 8, "a row for each word"


@pytest.fixture(scope="module")
def held_out():
    return held_out_pairs(FRENCH, seed=3, count=MEASURED, lengths=SHORT)


def test_the_head_s_share_of_right_words_is_the_card_s_and_about_that_on_other_pairs(held_out):
    error = load_card(FRENCH_MODEL).quality["alignment_error_layer_2_head_2"]
    assert f"{1 - error:.0%} of the time" in words("map")
    translator, right, n = stored(FRENCH_MODEL), 0, 0
    for pair in held_out:
        made = greedy(translator.model, translator.source.encode(pair.source))
        chosen = made.cross(LAYER, HEAD).argmax(1)
        for t in {t for t, _ in pair.links}:
            right, n = right + ((t, int(chosen[t])) in pair.links), n + 1
    assert right / n == pytest.approx(1 - error, abs=0.05)


def test_without_the_wire_the_same_words_come_out_for_every_sentence(held_out):
    translator = stored(FRENCH_MODEL)
    deaf = without_cross_attention(translator.model)
    written = {
        tuple(translator.target.decode(greedy(deaf, translator.source.encode(pair.source)).words))
        for pair in held_out[:12]
    }
    (only,) = written
    assert f"It writes {' '.join(only[:10])} …" in words("deaf", True)
    assert all(tuple(pair.target) != only for pair in held_out)
    assert "It now gets 0 of 60 new sentences right, before it was 60" in words("deaf", True)
    asked = json.dumps(document(LESSON, "deaf"))
    assert only[2] + " " + only[3] not in asked and "heureuse" not in asked


def test_one_pass_trains_a_prediction_for_each_word_and_hides_each_answer():
    drawn = picture(LESSON, "training")
    T = len(drawn["tokens"])
    assert T == 6 and "one pass trains 6 predictions" in words("training")
    for t, row in enumerate(drawn["cells"]):
        assert [each["kind"] for each in row] == ["seen"] * (t + 1) + ["masked"] * (T - t - 1)
        assert [s for s, each in enumerate(row) if each["framed"]] == ([t + 1] if t + 1 < T else [])
    assert drawn["side"]["texts"] == [*drawn["tokens"][1:], "<end>"]
    measured = re.sub("<[^>]*>", "", document(LESSON, "training")["measured"])
    assert "it still gets 60 of 60" in measured


@pytest.mark.parametrize(
    ("line", "step", "told"),
    [
        (
            "The old king bought two red books.",
            7,
            "gives “books” the weight 1.00. The translation is “Le vieux",
        ),
        ("The old king bought two red books.", 4, "It is right."),
        ("Heute war es kalt", 1, "does not know “heute” and 3 more words"),
        ("The zebra sold the white car.", 1, "does not know “zebra”, so it guesses"),
        ("🦜 مرحبا", 1, "and 1 more word, so it guesses"),
        ("<b>x</b>", 1, "does not know"),
        ("", 1, "It is right."),
        ("a " * 60, 1, "We read the first 12 words."),
        ("The the the", 1, "Our grammar does not make this sentence"),
    ],
)
def test_any_sentence_gets_an_honest_line(line, step, told):
    done = document(LESSON, "own", line=line, step=step).get("done")
    assert (done is None and not line) or told in re.sub("<[^>]*>", "", done)


def test_the_answer_says_what_ran_through_the_wire():
    assert "7 vectors of 128" in nodes("answer")["memory"]["note"]
    assert "one vector per word" in words("answer")


# The lab.


def open_with(**query):
    return open_lesson(LESSON, **query)


@pytest.fixture(scope="module")
def opened():
    return open_with(text_fr=" ".join(WORDS), layer="1", head="2", recurrent="true", lengths="true")


@pytest.fixture(scope="module")
def made():
    translator = stored(MODELS[FRENCH])
    return greedy(translator.model, translator.source.encode(WORDS))


@OF_BOTH
def test_both_translators_know_the_same_words(label):
    ours, other = stored(MODELS[label]), translator_of(TASKS[label].models["additive"])
    assert (ours.source.words, ours.target.words) == (other.source.words, other.target.words)


def test_the_picture_holds_one_head_s_weights_of_all_three_attentions(opened, made):
    steps = frames(opened)
    assert len(steps) == len(made.words)
    _, own, cross = steps[2]["picture"]["panels"]
    np.testing.assert_allclose(
        unpacked(cross["values"]), made.steps[2].cross[0].weights[0, 1].flatten(), atol=1e-6
    )
    weights = made.steps[2].attention[0].weights[0, 1]
    np.testing.assert_allclose(np.nan_to_num(unpacked(own["values"])), weights.flatten(), atol=1e-6)
    shared = unpacked(sent(opened, "steps")["shared"]["values"])
    np.testing.assert_allclose(shared, made.encoded.attention[0].weights[0, 1].flatten(), atol=1e-6)


def test_cross_attention_stands_beside_the_recurrent_translator_s_on_the_same_sentence(opened, made):
    ours, other = (view for view in views(opened) if "heads" in view)
    recurrent = translated(translator_of(TASKS[FRENCH].models["additive"]), WORDS)
    np.testing.assert_allclose(unpacked(ours["heads"][0]["weights"]), made.cross(0, 1).flatten(), atol=1e-6)
    np.testing.assert_allclose(unpacked(other["heads"][0]["weights"]), recurrent.weights.flatten(), atol=1e-6)
    assert ours["inputs"] == other["inputs"] == WORDS
    assert "Largest weight on an aligned word. transformer, block 1, head 2: " in said(opened)


@OF_BOTH
def test_both_translators_are_too_close_to_call_up_to_the_longest_sentence_in_training_and_beyond(label):
    quality = load_card(MODELS[label]).quality
    counts = [[], []]  # right up to the longest in training, and beyond, by either translator
    for ranges in by_length(quality).values():
        for longer, right in enumerate(counts):
            found = [each for at, each in ranges.items() if (int(at.split("–")[0]) > LONGEST) == longer]
            right.append(round(sum(each.value * each.n for each in found)))
    longer = [quality["later_longer_right"], quality["later_recurrent_longer_right"]]
    n, m = quality["held_out_pairs"], quality["longer_pairs"]
    assert min(counts[0]) > 0.99 * n
    for (ours, other), of in ((counts[0], n), (counts[1], m), (longer, m)):
        assert fisher_exact([[ours, of - ours], [other, of - other]])[1] > 0.05
    page = said(open_with(task="dutch" if label == DUTCH else "french", lengths="true"))
    assert "they are **too close to call** too" in page
    assert f"{quality['later_right']:,} (transformer) and {quality['later_recurrent_right']:,}" in page
    assert "were drawn when they stood" in load_card(MODELS[label]).description
    only, recurrent_only = quality["joined_only"], quality["joined_recurrent_only"]
    assert only - recurrent_only == quality["joined_right"] - quality["joined_recurrent_right"]
    assert only > recurrent_only and binomtest(only, only + recurrent_only).pvalue < 0.001
    assert f"{quality['joined_right']} and {quality['joined_recurrent_right']} are right" in page
    assert "the transformer is **better**" in page


def test_heads_begin_by_favouring_near_places_as_is_said_beside_their_errors():
    shape = replace(stored(MODELS[FRENCH]).model.config, heads=8)
    first = torch.stack(
        [EncoderDecoder(shape).decoder[0].cross_attention.distance_embedding.weight[:, 0] for _ in range(20)]
    ).mean(0)
    assert first[shape.farthest] > first[0] + 10
    assert "some began training with a preference for near words" in said(open_with(heads="true"))


@OF_BOTH
def test_all_three_attentions_have_a_number_for_each_distance_up_to_the_same_one(label):
    config, model = stored(MODELS[label]).model.config, stored(MODELS[label]).model
    assert config.cross_farthest == config.farthest == 16
    for block in model.decoder:
        for attention in (block.attention, block.cross_attention, model.encoder[0].attention):
            bias = attention.bias(40, 40)
            assert (bias[:, 0, config.farthest :] == bias[:, 0, -1:]).all()
            assert (bias[:, 0, config.farthest - 1] != bias[:, 0, -1]).all()
            assert (bias[:, 0, -1] != bias[:, -1, 0]).all()  # as far to the other side
            assert attention.distance_embedding.weight.std() > 0.1


@pytest.mark.parametrize("t", [0, 3, 5])
def test_the_formula_adds_the_head_s_number_for_the_distance_of_the_heaviest_weight(opened, made, t):
    s = int(made.cross(0, 1)[t].argmax())
    attention = stored(MODELS[FRENCH]).model.decoder[0].cross_attention
    formula = frames(opened)[t]["formulas"][0]
    distance, scaled, sign, added = re.search(
        r"b_\{(-?\d+)\} = (-?[\d.]+) ([+-]) ([\d.]+) = ", formula
    ).groups()
    assert int(distance) == s - t
    assert float(scaled) == pytest.approx(float(made.steps[t].cross[0].scaled[0, 1, t, s]), rel=1e-3)
    own_number = attention.distance_embedding.weight[s - t + attention.farthest, 1].item()
    assert float(sign + added) == pytest.approx(own_number, rel=1e-3)


def test_all_steps_together_are_small(opened):
    assert len(json.dumps(sent(opened, "steps"))) < 60_000


def test_a_prediction_hides_the_row_and_all_that_follows():
    app = open_with(text_fr=" ".join(WORDS), predict="true", recurrent="true")
    assert not frames(app)
    for steps in (1, 2):
        app = guess(app)
        assert len(frames(app)) == steps
        assert not any(proto.component_name.endswith("attend_attention") for proto in mounted(app))
        assert not any("weight a" in each.value for each in app.dataframe)
        assert "→" not in said(app).replace("English →", "")


def test_without_cross_attention_hardly_a_sentence_is_right_and_it_is_said_that_nothing_is_added():
    app = open_with(cross="true")
    whole, broken = (float(value[:-1]) for value in metrics(app).values())
    assert broken < 5 < whole
    assert "adds nothing of it" in frames(app)[3]["said"]
    assert "words differ" in said(app)


def test_without_the_mask_nothing_is_struck_through_and_nothing_changes():
    app = open_with(mask="true", text_fr=" ".join(WORDS))
    own = frames(app)[3]["picture"]["panels"][1]
    assert np.isfinite(unpacked(own["values"])).all()
    assert own["title"] == say("panel.decoder")
    assert list(metrics(app).values()) == ["100.0%", "100.0%"]
    assert "the same translation" in said(app)


@pytest.mark.parametrize(
    "text", ["", "👍🏽", "<img src=x> $x$ `y`", "cat " * 80, "I"], ids=lambda text: ascii(text[:8])
)
def test_no_text_breaks_the_lab(text):
    app = open_with(text_fr=text, recurrent="true")
    assert not app.exception
    assert "do not know the right translation" in said(app) or not text


@pytest.mark.parametrize("task", ["dutch", DUTCH])
def test_dutch_is_translated_too_and_a_generated_sentence_is_judged(task):
    app = open_with(task=task, source="generated", length="6", seed="3", heads="true")
    assert not app.exception
    assert "Right to the last word" in said(app)
    assert "misalign" in said(app)


def test_the_best_head_is_that_of_the_card():
    errors = head_errors(load_card(FRENCH_MODEL).quality)
    assert min(errors, key=errors.get) == (LAYER + 1, HEAD + 1)
    found = describe_heads(
        {"alignment_error_layer_1_head_2": 0.25, "recurrent_alignment_error": 0.5, "held_out_pairs": 9}
    )
    assert (found["k"], found["head"], found["least"], found["recurrent"]) == (1, 2, "25.0%", "50.0%")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_prompt_brings_all_that_it_names(number):
    app = try_prompt(open_with(text_fr=" ".join(WORDS)), LESSON, number).run()
    assert not app.exception
    assert app.session_state["encoder_decoder_task"] == ("dutch" if number == 2 else "french")
    assert bool(metrics(app)) == (number == 3)


def test_one_pass_of_the_decoder_says_of_every_word_what_steps_say_one_by_one(made):
    model, source = stored(MODELS[FRENCH]).model, stored(MODELS[FRENCH]).source
    previous = torch.tensor([[START, *made.words[:-1]]])
    with torch.inference_mode():
        logits = model(torch.tensor([source.encode(WORDS)]), previous).logits[0]
    for t, step in enumerate(made.steps):
        np.testing.assert_allclose(logits[t], step.logits[0, -1], atol=1e-4)


# What the lab draws and says, of a small model with random numbers.

SHAPE = EncoderDecoderConfig(9, 9, 2, 2, heads=2, width=8, farthest=3, cross_farthest=2)


def written(source=(4, 5, 6), limit=3):
    torch.manual_seed(7)
    found = greedy(EncoderDecoder(SHAPE).eval(), list(source), limit)
    return found, list("abc")[: len(source)], [f"w{word}" for word in found.words]


def test_the_three_panels_have_the_words_of_their_own_rows_and_columns():
    found, inputs, outputs = written()
    encoder, own, cross = three_attentions(say, found, 2, 1, 0, inputs, outputs)["panels"]
    assert "values" not in encoder
    assert (encoder["rows"], encoder["columns"]) == (inputs, inputs)
    assert (own["rows"], own["columns"]) == (outputs, ["<start>", *outputs[:2]])
    assert (cross["rows"], cross["columns"]) == (outputs, inputs)
    assert cross["room"] == {"rows": 3, "columns": 3, "letters": len("<start>")}
    hidden = unpacked(own["values"]).reshape(3, 3)
    assert np.isnan(hidden[np.triu_indices(3, 1)]).all()
    np.testing.assert_allclose(np.nansum(hidden, 1), 1, rtol=1e-5)


def test_a_step_says_its_heaviest_word_and_what_is_not_added():
    found, inputs, outputs = written()
    row = found.steps[1].cross[0].weights[0, 0, -1]
    told = step_frame(found, 1, 0, 0, inputs, outputs)["said"]
    assert f"gives {float(row.max()):.1%} to “{inputs[int(row.argmax())]}”" in told
    assert "adds nothing" in step_frame(found, 1, 0, 0, inputs, outputs, heard=False)["said"]
    first = step_frame(found, 0, 0, 0, inputs, outputs)
    assert "has only <start>" in first["said"] and "has read “<start>”" in first["notes"][0]
    one, inputs, outputs = written((4,))
    assert "has one input word to attend to, “a”" in step_frame(one, 0, 0, 0, inputs, outputs)["said"]


def test_every_row_of_the_table_is_a_share_and_its_formula_ends_in_its_weight():
    found, inputs, outputs = written()
    table, formula = weights_table(found, 1, 1, inputs, outputs)
    np.testing.assert_allclose(table.groupby("step")["weight a"].sum(), 1, rtol=1e-5)
    np.testing.assert_allclose(table["scaled"], table["score q·k"] / 2, rtol=1e-5)
    np.testing.assert_allclose(table["scaled"] + table["added b"], table["sum e"], rtol=1e-5)
    assert formula(4, "weight a").split(" = ")[-1].startswith(f"{table['weight a'][4]:.4g}")
    assert formula(4, "input") is None
    torch.manual_seed(7)
    numbers = EncoderDecoder(SHAPE).decoder[1].cross_attention.distance_embedding.weight[:, 1]  # -2 .. 2
    np.testing.assert_allclose(
        table["added b"], numbers[table["s − t"].to_numpy() + 2].detach(), rtol=1e-4, atol=1e-7
    )


def test_what_a_decoder_block_adds_is_the_difference_of_its_stream():
    found, _, _ = written()
    torch.manual_seed(7)
    model = EncoderDecoder(SHAPE).eval()
    before, added = added_by(model, found, 2, 1)
    with torch.no_grad():
        y = model.target_embedding(torch.tensor([[START, *found.words[:2]]]))
        for block in model.decoder:
            y, *_ = block(y, model.own_mask(3), found.encoded)
    np.testing.assert_allclose(before + sum(added), y[0, -1], rtol=1e-5, atol=1e-6)


def test_a_card_s_counts_are_shares_with_wilsons_interval():
    card = {
        "pairs_3_to_25_words": 40,
        "right_3_to_25_words": 39,
        "recurrent_right_3_to_25_words": 40,
    }
    assert by_length(card)["transformer"]["3–25"] == wilson(39, 40)
    table, formula = length_table(card)
    assert table["right"].tolist() == [39, 40]
    assert table["95% from"][0] == pytest.approx(0.8712, abs=1e-4)
    assert r"\frac{39}{40} = 0.9750" in formula(0, "share right")
