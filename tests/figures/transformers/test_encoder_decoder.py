"""What is drawn and said of a transformer that translates, from numbers worked by hand."""

import numpy as np
import torch
from pytest import approx

from core.figures.transformers.encoder_decoder import (
    START,
    by_length,
    head_errors,
    length_rows,
    three_attentions,
    weights_table,
)
from core.figures.transformers.encoder_decoder_said import (
    ahead,
    said_by_length,
    said_of_alignment,
    said_of_heads,
    said_of_step,
    step_frame,
)
from core.models.transformers.encoder_decoder import EncoderDecoder, EncoderDecoderConfig
from core.models.transformers.transformer_translation import greedy
from core.models.translation.bottleneck import wilson
from tests.lessons.lesson_page import unpacked

SHAPE = EncoderDecoderConfig(9, 9, 2, 2, heads=2, width=8, farthest=3, cross_farthest=2)


def written(source=(4, 5, 6), limit=3):
    torch.manual_seed(7)
    made = greedy(EncoderDecoder(SHAPE).eval(), list(source), limit)
    return made, list("abc")[: len(source)], [f"w{word}" for word in made.words]


def test_the_three_panels_have_the_words_of_their_own_rows_and_columns():
    made, inputs, outputs = written()
    picture = three_attentions(made, 2, 1, 0, inputs, outputs)
    encoder, own, cross = picture["panels"]
    assert "values" not in encoder
    assert (encoder["rows"], encoder["columns"]) == (inputs, inputs)
    assert (own["rows"], own["columns"]) == (outputs, [START, *outputs[:2]])
    assert (cross["rows"], cross["columns"]) == (outputs, inputs)
    assert cross["room"] == {"rows": 3, "columns": 3, "letters": len(START)}
    np.testing.assert_allclose(
        unpacked(cross["values"]), made.steps[2].cross[1].weights[0, 0].flatten(), rtol=1e-6
    )


def test_what_is_masked_is_no_number_and_all_else_is():
    made, inputs, outputs = written()
    own = unpacked(three_attentions(made, 2, 0, 1, inputs, outputs)["panels"][1]["values"]).reshape(3, 3)
    assert np.isnan(own[np.triu_indices(3, 1)]).all()
    np.testing.assert_allclose(np.nansum(own, 1), 1, rtol=1e-5)


def test_a_step_says_its_heaviest_word_and_what_is_not_heard():
    made, inputs, outputs = written()
    row = made.steps[1].cross[0].weights[0, 0, -1]
    said = said_of_step(made, 1, 0, 0, inputs, outputs)
    assert f"puts {float(row.max()):.1%} on “{inputs[int(row.argmax())]}”; looking back" in said
    assert "adds nothing" in said_of_step(made, 1, 0, 0, inputs, outputs, heard=False)
    assert "has only <start>" in said_of_step(made, 0, 0, 0, inputs, outputs)
    frame = step_frame(made, 0, 0, 0, inputs, outputs)
    assert "has read <start> alone." in frame["notes"][0]


def test_one_input_word_is_not_said_to_be_chosen():
    made, inputs, outputs = written((4,))
    assert "has one input word to look at, “a”" in said_of_step(made, 0, 0, 0, inputs, outputs)


def test_every_row_of_the_table_is_a_share_and_its_formula_ends_in_its_weight():
    made, inputs, outputs = written()
    table, formula = weights_table(made, 1, 1, inputs, outputs)
    np.testing.assert_allclose(table.groupby("step")["weight a"].sum(), 1, rtol=1e-5)
    np.testing.assert_allclose(table["scaled"], table["score q·k"] / 2, rtol=1e-5)
    np.testing.assert_allclose(table["scaled"] + table["added b"], table["sum e"], rtol=1e-5)
    assert formula(4, "weight a").split(" = ")[-1].startswith(f"{table['weight a'][4]:.4g}")
    assert formula(4, "input") is None


def test_what_is_added_is_the_head_s_own_number_of_input_place_less_output_place():
    torch.manual_seed(7)
    model = EncoderDecoder(SHAPE).eval()
    made, inputs, outputs = written()
    table, formula = weights_table(made, 1, 1, inputs, outputs)
    numbers = model.decoder[1].cross_attention.distance_embedding.weight[:, 1]  # of distances -2 .. 2
    by_distance = numbers[table["distance s − t"].to_numpy() + 2].detach()
    np.testing.assert_allclose(table["added b"], by_distance, rtol=1e-4, atol=1e-7)
    assert table.loc[5, ["step", "input", "distance s − t"]].tolist() == [2, "3 c", 1]
    assert "+ b_{1} = " in formula(5, "added b")


CARD = {
    "held_out_pairs": 40,
    "later_right": 38,
    "later_recurrent_right": 37,
    "longer_pairs": 20,
    "later_longer_right": 2,
    "later_recurrent_longer_right": 18,
    "pairs_3_to_25_words": 40,
    "right_3_to_25_words": 39,
    "recurrent_right_3_to_25_words": 40,
    "pairs_26_to_28_words": 20,
    "right_26_to_28_words": 1,
    "recurrent_right_26_to_28_words": 19,
    "alignment_error_layer_1_head_1": 0.5,
    "alignment_error_layer_1_head_2": 0.25,
    "alignment_error_layer_2_head_1": 0.25,
    "recurrent_alignment_error": 0.125,
}


def test_a_card_s_counts_are_shares_with_wilsons_interval():
    shares = by_length(CARD)
    assert shares["transformer"]["3–25"] == wilson(39, 40)
    assert [each["right"] for each in length_rows(CARD)] == [39, 1, 40, 19]
    assert length_rows(CARD)[1]["95% from"] == approx(0.0089, abs=1e-4)


def test_only_intervals_that_are_apart_part_two_models():
    assert ahead(39, 40, 40) == "too close to part them"
    assert ahead(19, 1, 20) == "the transformer is ahead"
    said = said_by_length(CARD)
    assert "gets 39 right, the recurrent translator 40: too close" in said
    assert "longer than any in training, 1 and 19: the recurrent translator is ahead." in said
    assert said.endswith("drawn later, 38 and 37 of 40 are right, and of longer ones 2 and 18 of 20.")


def test_heads_that_misalign_equally_few_words_are_all_named():
    assert head_errors(CARD)[2, 1] == 0.25
    assert "layer 1, head 2 and layer 2, head 1 misalign fewest: 25.0%" in said_of_heads(CARD)


def test_alignment_is_scored_of_right_translations_only():
    both = said_of_alignment({"transformer": (2, 9), "recurrent": (0, 9)}, True)
    assert both == "Heaviest where gold links the word. Transformer: 7 of 9; recurrent: 9 of 9."
    assert "Transformer is not scored" in said_of_alignment({"transformer": None, "recurrent": (0, 9)}, True)
