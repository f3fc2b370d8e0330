"""The lesson on encoder and decoder: core's weights in its picture, no answer before a guess, breaks that cost."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from core.figures.transformers.encoder_decoder_said import said_by_length
from core.lesson.choices.translator_choice import DUTCH, FRENCH, TASKS, translator_of
from core.models.stored import load_card
from core.models.transformers.encoder_decoder import EncoderDecoder
from core.models.transformers.transformer_translation import greedy
from core.models.translation.seq2seq import START
from core.models.translation.translate import translated
from core.text.grammar.grammar import LONGEST
from pages.transformers.encoder_decoder import MODELS, best_head, cells, stored
from tests.lessons.lesson_page import (
    frames,
    guess,
    mounted,
    open_lesson,
    said,
    sent,
    unpacked,
    views,
)

WORDS = "the old man sold two books .".split()


def open_with(**query):
    return open_lesson("encoder_decoder", **query)


@pytest.fixture(scope="module")
def opened():
    return open_with(text_fr=" ".join(WORDS), layer="1", head="2")


@pytest.fixture(scope="module")
def made():
    translator = stored(MODELS[FRENCH])
    return greedy(translator.model, translator.source.encode(WORDS))


@pytest.mark.parametrize("label", MODELS)
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


def test_what_is_said_by_length_are_the_card_s_counts(opened):
    quality = load_card(MODELS[FRENCH]).quality
    right = round(quality["exact_match"] * quality["held_out_pairs"])
    assert (
        f"Of 1,000 held-out sentences of 3 to {LONGEST} words the transformer gets {right:,} right"
        in said(opened)
    )


@pytest.mark.parametrize("label", MODELS)
def test_the_page_says_by_which_pairs_the_recipe_was_chosen_and_how_both_do_on_others(label):
    page, quality = said(open_with(task=label)), load_card(MODELS[label]).quality
    assert "measured once" not in page
    assert (
        f"The transformer's recipe was chosen by these. Of others, drawn later, {quality['later_right']:,} and "
        f"{quality['later_recurrent_right']:,} of 1,000 are right"
    ) in page
    assert "were drawn when they stood" in load_card(MODELS[label]).description


def test_heads_begin_by_favouring_near_places_as_is_said_beside_their_errors():
    shape = replace(stored(MODELS[FRENCH]).model.config, heads=8)
    first = torch.stack(
        [EncoderDecoder(shape).decoder[0].cross_attention.distance_embedding.weight[:, 0] for _ in range(20)]
    ).mean(0)
    assert first[shape.farthest] > first[0] + 10
    assert "some began by favouring near places" in said(open_with(heads="true"))


@pytest.mark.parametrize("label", MODELS)
def test_the_transformer_is_as_good_as_the_recurrent_translator_on_longer_sentences_too(label):
    quality = load_card(MODELS[label]).quality
    assert quality["exact_match"] >= quality["recurrent_exact_match"]
    assert said_by_length(quality).count("too close to part them") == 2


@pytest.mark.parametrize("label", MODELS)
def test_all_three_attentions_have_a_number_for_each_distance_up_to_the_same_one(label):
    config, model = stored(MODELS[label]).model.config, stored(MODELS[label]).model
    assert config.cross_farthest == config.farthest
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
    app = open_with(text_fr=" ".join(WORDS), predict="true")
    assert not frames(app)
    for steps in (1, 2):
        app = guess(app)
        assert len(frames(app)) == steps
        assert not any(proto.component_name.endswith("attend_attention") for proto in mounted(app))
        assert not any("weight a" in each.value for each in app.dataframe)
        assert "→" not in said(app).replace("English →", "")


def test_without_cross_attention_hardly_a_sentence_is_right_and_it_is_said_that_nothing_is_added():
    app = open_with(cross="true")
    whole, broken = (float(m.value[:-1]) for m in app.metric if m.label.startswith("Exact match,"))
    assert broken < 5 < whole
    assert "adds nothing of it" in frames(app)[3]["said"]


def test_without_the_mask_nothing_is_struck_through():
    own = frames(open_with(mask="true", text_fr=" ".join(WORDS)))[3]["picture"]["panels"][1]
    assert np.isfinite(unpacked(own["values"])).all()
    assert own["title"] == "decoder: itself"


@pytest.mark.parametrize(
    "text", ["", "👍🏽", "<img src=x> $x$ `y`", "cat " * 80, "I"], ids=lambda text: ascii(text[:8])
)
def test_no_text_breaks_the_page(text):
    app = open_with(text_fr=text)
    assert not app.exception
    assert "not known here" in said(app) or not text


def test_dutch_is_translated_too_and_a_generated_sentence_is_judged():
    app = open_with(task=DUTCH, source="generated", length="6", seed="3", heads="true")
    assert not app.exception
    assert "Right" in said(app)
    assert "misalign" in said(app)


def test_the_best_head_is_that_of_the_card():
    errors = load_card(MODELS[DUTCH]).quality
    layer, head = best_head(MODELS[DUTCH])
    least = errors[f"alignment_error_layer_{layer}_head_{head}"]
    assert least == min(value for key, value in errors.items() if key.startswith("alignment_error_layer"))


def test_the_notebook_s_cells_print_the_heaviest_input_word_of_every_output_word(made, capsys):
    exec("\n".join(cells(MODELS[FRENCH], WORDS, 0, 1, None)), {})
    _, *printed = capsys.readouterr().out.splitlines()
    for line, word, row in zip(printed, made.words, made.cross(0, 1), strict=True):
        written, looked = stored(MODELS[FRENCH]).target.words[word], WORDS[int(row.argmax())]
        assert line.split() == [written, looked, f"{row.max():.3f}"]


@pytest.mark.parametrize(
    "beat, told", [(2, "learned from in the same pass"), (6, "and to which side; from 16 on")]
)
def test_the_tour_says_what_training_in_one_pass_gives_and_what_a_head_knows_of_places(beat, told):
    assert told in said(open_with(beat=f"encoder_decoder.{beat}"))


def test_one_pass_of_the_decoder_says_of_every_word_what_steps_say_one_by_one(made):
    model, source = stored(MODELS[FRENCH]).model, stored(MODELS[FRENCH]).source
    previous = torch.tensor([[START, *made.words[:-1]]])
    with torch.inference_mode():
        logits = model(torch.tensor([source.encode(WORDS)]), previous).logits[0]
    for t, step in enumerate(made.steps):
        np.testing.assert_allclose(logits[t], step.logits[0, -1], atol=1e-4)
